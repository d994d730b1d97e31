import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, Wire } from '#contract/endpoint.ts'
import { alertText, CallError } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import styles from './action.module.css'
import { NotConfirmed, showFailure, useAction, WaitsForApproval } from './call.ts'

type ConfirmDialogProps<E extends Wire> = {
  open: boolean
  onClose: () => void
  /** A question: 'Refund 3 units?' */
  title: string
  /** Says exactly what will happen. */
  children: ReactNode
  /** The words on the button, a verb and its object: 'Refund 3 units'. */
  action: string
  tone?: 'primary' | 'danger'
  /** Whether a reason is asked for; it travels as `reason`. */
  reason?: 'required' | 'optional'
  /** Who reads the reason, where that is not only the audit log. */
  reasonHint?: string
  endpoint: E
  /** The call's input; `reason` is '' where none is asked for. */
  input: (reason: string) => CallInput<E>
  /** The message shown when it is done. */
  done?: string | ((answer: CallOutput<E>) => string)
  onDone?: (answer: CallOutput<E>) => unknown
  /** What is shown below the words of a refusal that says more than them. */
  explain?: (refusal: CallError) => ReactNode
}

/** Asks before something that concerns other people or cannot be taken back, says what will happen, and does it. */
export function ConfirmDialog<E extends Wire>(props: ConfirmDialogProps<E>) {
  const { open, onClose, title, children, action, tone = 'primary', reason, reasonHint, endpoint, input, done } = props
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<{ reason?: string; text?: string; more?: ReactNode }>({})
  const { attempt, busy } = useAction(endpoint, { ...(done !== undefined && { done }) })
  useEffect(() => {
    if (open) setTyped('')
    setError({})
  }, [open])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const why = typed.trim()
    const box = event.currentTarget.querySelector('textarea')
    if (reason === 'required' && why === '') {
      box?.focus()
      return setError({ reason: 'Please give a reason.' })
    }
    try {
      const answer = await attempt(input(why))
      if (answer === undefined) return
      onClose()
      await props.onDone?.(answer)
    } catch (failure) {
      if (failure instanceof NotConfirmed) return
      if (failure instanceof WaitsForApproval) {
        onClose()
        return showFailure(failure, navigate)
      }
      const own = failure instanceof CallError ? failure.fields.reason?.[0] : undefined
      const more = failure instanceof CallError ? props.explain?.(failure) : undefined
      setError(own === undefined ? { text: alertText(failure), more } : { reason: own })
    }
  }

  return (
    <DialogWindow
      open={open}
      onClose={busy ? undefined : onClose}
      title={title}
      tone={tone === 'danger' ? 'error' : 'ask'}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className={styles.words}>{children}</div>
        {reason !== undefined && (
          <FieldFrame
            label={reason === 'required' ? 'Reason' : 'Reason (optional)'}
            hint={reasonHint}
            error={error.reason}
          >
            {(control) => (
              <textarea
                {...control}
                className={`${field.input} ${styles.reason}`}
                rows={2}
                maxLength={300}
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </FieldFrame>
        )}
        {error.text !== undefined && (
          <p className={styles.failure} role="alert">
            {error.text}
          </p>
        )}
        {error.more}
        <div className={styles.actions}>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone={tone} busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </DialogWindow>
  )
}
