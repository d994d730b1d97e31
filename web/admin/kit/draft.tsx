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
import { Fields, type FormEntry, type FormState, type ShownFields } from './fields.tsx'
import { useLeaveGuard } from './leave-guard.tsx'

/** The content of a draft: a text, its version, and who saved it last. */
type DraftContent<Text> = { version: number; text: Text; saved_by: string | null; saved_at: string | null }

/** The calls that save and read a draft. */
export type DraftCalls<Text, Item extends DraftContent<Text>> = {
  /**
   * @param replace whether to save over a text that another operator saved in the meantime; it becomes an earlier version
   */
  save: (text: Text, version: number, replace: boolean) => Promise<Item>
  /** Reads the current draft. */
  read: () => Promise<Item>
  /** Reads the earlier versions, newest first. */
  readEarlier: () => Promise<{ rows: readonly { revision: number }[] }>
  /** Restores an earlier version as the draft. */
  restore: (revision: number, version: number) => Promise<{ item: Item }>
}

/** The pause in typing before the draft is saved, in ms. */
const SAVE_DELAY_MS = 2500

type SaveState = 'saved' | 'changed' | 'saving' | 'failed'

/**
 * Holds the draft while it is edited. The draft is saved automatically when typing pauses, when the page is left or
 * hidden, and before any other action on it. Only one save runs at a time.
 */
export function useDraft<Text extends object, Item extends DraftContent<Text>>(
  loaded: Item & DraftContent<Text>,
  calls: DraftCalls<Text, Item>,
) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [item, setItem] = useState<Item>(loaded)
  const [text, setText] = useState<Text>(loaded.text)
  const [errors, setErrors] = useState<Partial<Record<string, string[]>>>({})
  const [state, setState] = useState<SaveState>('saved')
  const [conflict, setConflict] = useState<Item | null>(null)
  /** Counts restarts of the editor, for example after an earlier version is restored. */
  const [restartCount, setRestartCount] = useState(0)
  const latest = useRef({ text: loaded.text, version: loaded.version, isChanged: false })
  const { save: saveText, read: fetchCurrent, readEarlier, restore } = useRef(calls).current
  useLeaveGuard(state === 'failed')
  const currentSave = useRef<Promise<boolean> | null>(null)

  const applyItem = useCallback((next: Item, { replacesText }: { replacesText: boolean }) => {
    latest.current.version = next.version
    setItem(next)
    if (!replacesText) return
    latest.current.text = next.text
    latest.current.isChanged = false
    setText(next.text)
    setState('saved')
    setRestartCount((count) => count + 1)
  }, [])

  const save = useCallback(
    async (replace = false): Promise<boolean> => {
      while (currentSave.current !== null) await currentSave.current
      if (!latest.current.isChanged && !replace) return true
      const runSave = async () => {
        const { text: sentText, version } = latest.current
        latest.current.isChanged = false
        setState('saving')
        try {
          applyItem(await saveText(sentText, version, replace), { replacesText: false })
          setState(latest.current.isChanged ? 'changed' : 'saved')
          return true
        } catch (error) {
          latest.current.isChanged = true
          setState('failed')
          if (error instanceof CallError && error.status === 409)
            await fetchCurrent().then(setConflict, (failure) => showFailure(failure, navigate))
          else showFailure(error, navigate)
          return false
        }
      }
      currentSave.current = runSave()
      const isSaved = await currentSave.current
      currentSave.current = null
      return isSaved
    },
    [saveText, fetchCurrent, navigate, applyItem],
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
    if (state !== 'changed' || conflict !== null) return
    const timer = setTimeout(() => void save(), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [state, text, save, conflict])

  useEffect(() => {
    const saveWhenHidden = () => {
      if (document.visibilityState === 'hidden' && latest.current.isChanged) void save()
    }
    document.addEventListener('visibilitychange', saveWhenHidden)
    return () => {
      document.removeEventListener('visibilitychange', saveWhenHidden)
      void save().then(() => queryClient.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] }))
    }
  }, [save, queryClient])

  /** Replaces the draft by the other operator's text. This operator's text becomes an earlier version. */
  const takeSavedText = async () => {
    setConflict(null)
    if (!(await save(true))) return
    const [newestRevision] = (await readEarlier()).rows
    if (newestRevision === undefined) return
    applyItem((await restore(newestRevision.revision, latest.current.version)).item, { replacesText: true })
    void queryClient.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    void showToast('done', 'Your text is stored under Earlier versions below.')
  }
  const keepTypedText = async () => {
    setConflict(null)
    if (!(await save(true))) return
    void queryClient.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    void showToast('done', 'Your text is saved. The other text is stored under Earlier versions below.')
  }

  /** Returns the version of the last save. */
  const getSavedVersion = useCallback(() => latest.current.version, [])
  /** Saves the draft, then publishes it. Shows errors at their fields, and compares both texts after a conflict. */
  const publish = async (publishVersion: (version: number) => Promise<unknown>) => {
    setErrors({})
    if (!(await save())) return
    try {
      await publishVersion(latest.current.version)
    } catch (error) {
      if (!(error instanceof CallError)) return showFailure(error, navigate)
      setErrors(error.fields)
      if (error.status === 409) setConflict(await fetchCurrent())
      else void showToast('error', getAlertText(error))
    }
  }
  return {
    item,
    text,
    state,
    restartCount,
    change,
    errors,
    save,
    applyItem,
    getSavedVersion,
    publish,
    conflict,
    takeSavedText,
    keepTypedText,
    closeConflict: () => setConflict(null),
  }
}

export type Draft<Text extends object, Item extends DraftContent<Text>> = ReturnType<typeof useDraft<Text, Item>>

type DraftSheetProps<Text extends object, Item extends DraftContent<Text>, Described extends keyof Text & string> = {
  draft: Draft<Text, Item>
  /** Names the group of fields for screen readers. */
  legend: string
  fields: ShownFields<Described>
  show: (form: FormState<Text>) => readonly FormEntry<NoInfer<Described>>[]
  /** Whether the text is read-only. */
  disabled: boolean
}

/** The fields of a draft on a sheet of paper. They save automatically. */
export function DraftSheet<Text extends object, Item extends DraftContent<Text>, Described extends keyof Text & string>(
  props: DraftSheetProps<Text, Item, Described>,
) {
  const { draft, legend, fields, show, disabled } = props
  const form: FormState<Text> = {
    values: draft.text,
    getError: (name) => draft.errors[name]?.[0],
    change: draft.change,
  }
  return (
    <PaperSheet className={layout.shrinks}>
      <fieldset className={deskLayout.form} disabled={disabled}>
        <legend className="visually-hidden">{legend}</legend>
        <Fields fields={fields} show={show(form)} form={form} />
      </fieldset>
      <ConflictDialog draft={draft} />
    </PaperSheet>
  )
}

const SAVE_LABELS: Record<SaveState, string> = {
  saved: 'Saved',
  changed: 'Not saved yet',
  saving: 'Saving…',
  failed: 'Could not be saved',
}

type DraftSaveStatusProps = { draft: { state: SaveState; save: () => Promise<boolean> } }

/** Shows whether the draft is saved, and a button to retry a failed save. */
export function DraftSaveStatus({ draft: { state, save } }: DraftSaveStatusProps) {
  return (
    <>
      <span className={styles.save} role="status" data-state={state}>
        {SAVE_LABELS[state]}
      </span>
      {state === 'failed' && (
        <Button tone="secondary" onClick={() => void save()}>
          Try again
        </Button>
      )}
    </>
  )
}

type ConflictDialogProps = {
  draft: {
    conflict: Pick<DraftContent<unknown>, 'saved_by' | 'saved_at'> | null
    keepTypedText: () => unknown
    takeSavedText: () => unknown
    closeConflict: () => void
  }
}

/** Shows a conflict of two drafts. The rejected text becomes an earlier version. */
function ConflictDialog({ draft: { conflict, keepTypedText, takeSavedText, closeConflict } }: ConflictDialogProps) {
  return (
    <DialogWindow
      open={conflict !== null}
      onClose={closeConflict}
      title="Someone else has edited this"
      tone="note"
      actions={
        conflict && (
          <>
            <Button tone="secondary" onClick={() => void takeSavedText()}>
              Use their text
            </Button>
            <Button onClick={() => void keepTypedText()}>Keep my text</Button>
          </>
        )
      }
    >
      {conflict && (
        <p>
          {conflict.saved_by ?? 'Another operator'} changed it <When at={conflict.saved_at} />, while you were writing.
          Nothing is lost: the text you don’t choose is stored under Earlier versions.
        </p>
      )}
    </DialogWindow>
  )
}
