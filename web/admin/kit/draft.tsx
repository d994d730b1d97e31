import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { CallError, getAlertText } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY } from '#web/api/queries.ts'
import { PaperSheet } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import { showFailure } from './call.ts'
import deskLayout from './desk-layout.module.css'
import styles from './draft.module.css'
import { When } from './facts.tsx'
import { Fields, type FormState, type Shown, type ShownFields } from './fields.tsx'
import { useLeaveGuard } from './leave-guard.tsx'

/** The content of a draft: a text, its version, and who saved it last. */
type Written<Text> = { version: number; text: Text; saved_by: string | null; saved_at: string | null }

/** The calls that save and read a draft. */
export type DraftCalls<Text, Item extends Written<Text>> = {
  /**
   * @param replace whether to save over a text that another operator saved in the meantime; it becomes an earlier text
   */
  save: (text: Text, version: number, replace: boolean) => Promise<Item>
  /** Reads the current draft. */
  read: () => Promise<Item>
  /** Reads the earlier texts, newest first. */
  readEarlier: () => Promise<{ rows: readonly { revision: number }[] }>
  /** Restores an earlier text as the draft. */
  restore: (revision: number, version: number) => Promise<{ item: Item }>
}

/** The pause in typing before the draft is saved, in ms. */
const SAVE_DELAY_MS = 2500

type SaveState = 'saved' | 'changed' | 'saving' | 'failed'

/**
 * Holds the draft while it is edited. The draft is saved automatically when typing pauses, when the page is left or
 * hidden, and before any other action on it. Only one save runs at a time.
 */
export function useDraft<Text extends object, Item extends Written<Text>>(
  loaded: Item & Written<Text>,
  calls: DraftCalls<Text, Item>,
) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [item, setItem] = useState<Item>(loaded)
  const [text, setText] = useState<Text>(loaded.text)
  const [errors, setErrors] = useState<Partial<Record<string, string[]>>>({})
  const [state, setState] = useState<SaveState>('saved')
  const [collision, setCollision] = useState<Item | null>(null)
  /** Counts restarts of the editor, for example after an earlier text is restored. */
  const [edition, setEdition] = useState(0)
  const latest = useRef({ text: loaded.text, version: loaded.version, isChanged: false })
  const { save: send, read: fetchAgain, readEarlier, restore } = useRef(calls).current
  useLeaveGuard(state === 'failed')
  const currentSave = useRef<Promise<boolean> | null>(null)

  const take = useCallback((next: Item, isAnotherText: boolean) => {
    latest.current.version = next.version
    setItem(next)
    if (!isAnotherText) return
    latest.current.text = next.text
    latest.current.isChanged = false
    setText(next.text)
    setState('saved')
    setEdition((count) => count + 1)
  }, [])

  const save = useCallback(
    async (replace = false): Promise<boolean> => {
      while (currentSave.current !== null) await currentSave.current
      if (!latest.current.isChanged && !replace) return true
      const work = async () => {
        const { text: sent, version } = latest.current
        latest.current.isChanged = false
        setState('saving')
        try {
          take(await send(sent, version, replace), false)
          setState(latest.current.isChanged ? 'changed' : 'saved')
          return true
        } catch (error) {
          latest.current.isChanged = true
          setState('failed')
          if (error instanceof CallError && error.status === 409)
            await fetchAgain().then(setCollision, (failure) => showFailure(failure, navigate))
          else showFailure(error, navigate)
          return false
        }
      }
      currentSave.current = work()
      const isSaved = await currentSave.current
      currentSave.current = null
      return isSaved
    },
    [send, fetchAgain, navigate, take],
  )

  const change = useCallback((part: Partial<Text>) => {
    // Once a field changes, its error no longer applies.
    setErrors((current) => ({ ...current, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
    latest.current.text = { ...latest.current.text, ...part }
    latest.current.isChanged = true
    setText(latest.current.text)
    setState((current) => (current === 'saving' ? current : 'changed'))
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the delay
  useEffect(() => {
    if (state !== 'changed' || collision !== null) return
    const timer = setTimeout(() => void save(), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [state, text, save, collision])

  useEffect(() => {
    const saveWhenHidden = () => {
      if (document.visibilityState === 'hidden' && latest.current.isChanged) void save()
    }
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      void save().then(() => queries.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] }))
    }
  }, [save, queries])

  /** Replaces the draft by the other operator's text. This operator's text becomes an earlier text. */
  const takeTheirs = async () => {
    setCollision(null)
    if (!(await save(true))) return
    const [newest] = (await readEarlier()).rows
    if (newest === undefined) return
    take((await restore(newest.revision, latest.current.version)).item, true)
    void queries.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    void showToast('done', 'Your text is stored under Earlier texts below.')
  }
  const keepMine = async () => {
    setCollision(null)
    if (!(await save(true))) return
    void queries.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    void showToast('done', 'Your text is saved. The other text is stored under Earlier texts below.')
  }

  /** The version that was saved last. */
  const version = useCallback(() => latest.current.version, [])
  /** Saves the draft, then publishes it. Shows errors at their fields, and compares both texts after a conflict. */
  const publish = async (attempt: (version: number) => Promise<unknown>) => {
    setErrors({})
    if (!(await save())) return
    try {
      await attempt(latest.current.version)
    } catch (error) {
      if (!(error instanceof CallError)) return showFailure(error, navigate)
      setErrors(error.fields)
      if (error.status === 409) setCollision(await fetchAgain())
      else void showToast('error', getAlertText(error))
    }
  }
  return {
    item,
    text,
    state,
    edition,
    change,
    errors,
    save,
    take,
    version,
    publish,
    collision,
    takeTheirs,
    keepMine,
    closeCollision: () => setCollision(null),
  }
}

export type Draft<Text extends object, Item extends Written<Text>> = ReturnType<typeof useDraft<Text, Item>>

type DraftSheetProps<Text extends object, Item extends Written<Text>, Described extends keyof Text & string> = {
  draft: Draft<Text, Item>
  /** Names the group of fields for screen readers. */
  legend: string
  fields: ShownFields<Described>
  show: (form: FormState<Text>) => readonly Shown<NoInfer<Described>>[]
  /** Whether the text is read-only. */
  disabled: boolean
}

/** The fields of a draft on a sheet of paper. They save automatically. */
export function DraftSheet<Text extends object, Item extends Written<Text>, Described extends keyof Text & string>(
  props: DraftSheetProps<Text, Item, Described>,
) {
  const { draft, legend, fields, show, disabled } = props
  const form: FormState<Text> = {
    values: draft.text,
    error: (name) => draft.errors[name]?.[0],
    change: draft.change,
  }
  return (
    <PaperSheet className={layout.shrinks}>
      <fieldset className={deskLayout.form} disabled={disabled}>
        <legend className="visually-hidden">{legend}</legend>
        <Fields fields={fields} show={show(form)} form={form} />
      </fieldset>
      <Collision draft={draft} />
    </PaperSheet>
  )
}

const SAVES: Record<SaveState, string> = {
  saved: 'Saved',
  changed: 'Not saved yet',
  saving: 'Saving…',
  failed: 'Could not be saved',
}

type SavedProps = { draft: { state: SaveState; save: () => Promise<boolean> } }

/** Shows whether the draft is saved, and a button to retry a failed save. */
export function Saved({ draft: { state, save } }: SavedProps) {
  return (
    <>
      <span className={styles.save} role="status" data-state={state}>
        {SAVES[state]}
      </span>
      {state === 'failed' && (
        <Button tone="secondary" onClick={() => void save()}>
          Try again
        </Button>
      )}
    </>
  )
}

type CollisionProps = {
  draft: {
    collision: Pick<Written<unknown>, 'saved_by' | 'saved_at'> | null
    keepMine: () => unknown
    takeTheirs: () => unknown
    closeCollision: () => void
  }
}

/** Shows a conflict of two drafts. The rejected text becomes an earlier text. */
function Collision({ draft: { collision, keepMine, takeTheirs, closeCollision } }: CollisionProps) {
  return (
    <DialogWindow
      open={collision !== null}
      onClose={closeCollision}
      title="Someone else has edited this"
      tone="note"
      actions={
        collision && (
          <>
            <Button tone="secondary" onClick={() => void takeTheirs()}>
              Continue with theirs
            </Button>
            <Button onClick={() => void keepMine()}>Keep my text</Button>
          </>
        )
      }
    >
      {collision && (
        <p>
          {collision.saved_by ?? 'Another operator'} changed it <When at={collision.saved_at} />, while you were
          writing. Nothing is lost: the text you don’t choose is stored under Earlier texts.
        </p>
      )}
    </DialogWindow>
  )
}
