import { useEffect, useRef, useState } from 'react'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { Button, Squares } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import styles from './call-dialog.module.css'

/** The state of a call: running, succeeded, or failed. */
export type CallState = {
  phase: 'running' | 'done' | 'error'
  title: string
  text: string
}

type CallDialogProps = {
  /** The dialog is open unless this is null. */
  state: CallState | null
  /** Called on OK and Escape after the call has ended. */
  onClose: () => void
}

const TONES = { running: 'note', done: 'done', error: 'error' } as const

/** The dialog of a call. It opens when the call starts, then shows the result (WHITELIST-2, FAIL-2). */
export function CallDialog({ state, onClose }: CallDialogProps) {
  // The dialog shows its last content during the closing animation.
  const [lastState, setLastState] = useState(state)
  if (state !== null && state !== lastState) setLastState(state)
  const actions = useRef<HTMLDivElement>(null)
  const phase = state?.phase
  useEffect(() => {
    if (phase === 'done' || phase === 'error') actions.current?.querySelector('button')?.focus()
  }, [phase])
  if (lastState === null) return null
  return (
    <DialogWindow
      open={state !== null}
      title={lastState.title}
      tone={TONES[lastState.phase]}
      onClose={phase === 'running' ? undefined : onClose}
      actions={
        <div ref={actions} className={styles.actions}>
          {lastState.phase === 'running' ? (
            <Squares className={styles.squares} />
          ) : (
            <Button onClick={onClose}>{DIALOG_TEXTS.confirm}</Button>
          )}
        </div>
      }
    >
      <p role="status" className={styles.text}>
        {lastState.text}
      </p>
    </DialogWindow>
  )
}

/** Returns the state of the 'ERROR!' dialog with a text. */
export function createErrorState(text: string): CallState {
  return { phase: 'error', title: DIALOG_TEXTS.errorTitle, text }
}
