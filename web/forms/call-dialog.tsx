import { useEffect, useRef, useState } from 'react'
import { DIALOG } from '#contract/messages.ts'
import { Button, Squares } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import styles from './call-dialog.module.css'

/** The state of a call under way: running, succeeded, or failed. */
export type CallState = {
  phase: 'running' | 'done' | 'error'
  title: string
  text: string
}

type CallDialogProps = {
  /** Null while nothing is to be shown. */
  state: CallState | null
  /** Called by OK and Escape, once there is an answer. */
  onClose: () => void
}

const TONES = { running: 'note', done: 'done', error: 'error' } as const

/** The dialog of a call: opens with the call and becomes its answer (WHITELIST-2, FAIL-2). */
export function CallDialog({ state, onClose }: CallDialogProps) {
  const [shown, setShown] = useState(state)
  if (state !== null && state !== shown) setShown(state)
  const actions = useRef<HTMLDivElement>(null)
  const phase = state?.phase
  useEffect(() => {
    if (phase === 'done' || phase === 'error') actions.current?.querySelector('button')?.focus()
  }, [phase])
  if (shown === null) return null
  return (
    <DialogWindow
      open={state !== null}
      title={shown.title}
      tone={TONES[shown.phase]}
      onClose={phase === 'running' ? undefined : onClose}
      actions={
        <div ref={actions} className={styles.actions}>
          {shown.phase === 'running' ? (
            <Squares className={styles.squares} />
          ) : (
            <Button onClick={onClose}>{DIALOG.confirm}</Button>
          )}
        </div>
      }
    >
      <p role="status" className={styles.text}>
        {shown.text}
      </p>
    </DialogWindow>
  )
}

/** The 'ERROR!' dialog's state. */
export function errorState(text: string): CallState {
  return { phase: 'error', title: DIALOG.errorTitle, text }
}
