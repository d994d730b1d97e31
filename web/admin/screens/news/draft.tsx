import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { getDeskNewsItem, getRevisions, type NewsText, restoreRevision, saveDraft } from '#contract/news.ts'
import { CallError, call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { showToast } from '#web/ui/toast.ts'
import { deskCall, showFailure } from '../../kit/call.ts'
import { When } from '../../kit/facts.tsx'

type Item = CallOutput<typeof getDeskNewsItem>

/** How long typing must pause before the draft is saved, in ms. */
const REST_MS = 2500

export type Save = 'saved' | 'changed' | 'saving' | 'failed'

/**
 * The draft as it is being written. It is saved by itself when typing pauses, when the page is left or hidden, and before
 * anything is done with it; one save at a time.
 */
export function useDraft(loaded: Item) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [item, setItem] = useState(loaded)
  const [text, setText] = useState(loaded.text)
  const [state, setState] = useState<Save>('saved')
  const [collision, setCollision] = useState<Item | null>(null)
  /** Counts what the editor has to begin anew for, such as an earlier text. */
  const [edition, setEdition] = useState(0)
  const latest = useRef({ text: loaded.text, version: loaded.version, isChanged: false })
  const running = useRef<Promise<boolean> | null>(null)

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
      while (running.current !== null) await running.current
      if (!latest.current.isChanged && !replace) return true
      const work = async () => {
        const { text: sent, version } = latest.current
        latest.current.isChanged = false
        setState('saving')
        try {
          const answer = await deskCall(saveDraft, { id: loaded.id, version, ...sent, replace })
          take(answer.item, false)
          setState(latest.current.isChanged ? 'changed' : 'saved')
          return true
        } catch (error) {
          latest.current.isChanged = true
          setState('failed')
          if (error instanceof CallError && error.status === 409)
            await call(getDeskNewsItem, { id: loaded.id }).then(setCollision, (failure) =>
              showFailure(failure, navigate),
            )
          else showFailure(error, navigate)
          return false
        }
      }
      running.current = work()
      const isSaved = await running.current
      running.current = null
      return isSaved
    },
    [loaded.id, navigate, take],
  )

  const change = useCallback((part: Partial<NewsText>) => {
    latest.current.text = { ...latest.current.text, ...part }
    latest.current.isChanged = true
    setText(latest.current.text)
    setState((now) => (now === 'saving' ? now : 'changed'))
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text begins the wait anew
  useEffect(() => {
    if (state !== 'changed' || collision !== null) return
    const timer = setTimeout(() => void save(), REST_MS)
    return () => clearTimeout(timer)
  }, [state, text, save, collision])

  useEffect(() => {
    const saveNow = () => {
      if (document.visibilityState === 'hidden' && latest.current.isChanged) void save()
    }
    document.addEventListener('visibilitychange', saveNow)
    return () => {
      document.removeEventListener('visibilitychange', saveNow)
      void save().then(() => queries.invalidateQueries({ queryKey: [MINE] }))
    }
  }, [save, queries])

  /** Takes the other's text; one's own is among the earlier texts. */
  const takeTheirs = async (theirs: Item) => {
    setCollision(null)
    if (!(await save(true))) return
    const { rows } = await call(getRevisions, { id: theirs.id })
    const [newest] = rows
    if (newest === undefined) return
    const { item: restored } = await deskCall(restoreRevision, {
      id: theirs.id,
      version: latest.current.version,
      revision: newest.revision,
    })
    take(restored, true)
    void queries.invalidateQueries({ queryKey: [MINE] })
    void showToast('done', 'Your text is kept under Earlier texts below.')
  }
  const keepMine = async () => {
    setCollision(null)
    if (!(await save(true))) return
    void queries.invalidateQueries({ queryKey: [MINE] })
    void showToast('done', 'Your text is saved. Theirs is kept under Earlier texts below.')
  }

  const read = useCallback(() => ({ id: loaded.id, version: latest.current.version }), [loaded.id])
  return { item, text, state, edition, change, save, take, read, collision, takeTheirs, keepMine, setCollision }
}

export type Draft = ReturnType<typeof useDraft>

/** Somebody else wrote meanwhile. Whichever text is chosen, the other one is kept among the earlier ones. */
export function Collision({ draft: { collision, keepMine, takeTheirs, setCollision } }: { draft: Draft }) {
  return (
    <DialogWindow
      open={collision !== null}
      onClose={() => setCollision(null)}
      title="Someone else has edited this"
      tone="note"
      actions={
        collision && (
          <>
            <Button tone="secondary" onClick={() => void takeTheirs(collision)}>
              Continue with theirs
            </Button>
            <Button onClick={() => void keepMine()}>Keep my text</Button>
          </>
        )
      }
    >
      {collision && (
        <p>
          {collision.saved_by ?? 'Somebody'} changed it <When at={collision.saved_at} />, while you were writing.
          Nothing is lost: the text you don’t choose is kept under Earlier texts.
        </p>
      )}
    </DialogWindow>
  )
}
