import { type ReactNode, useId } from 'react'
import { TICKET_STATE_LABELS, TICKET_STATE_NOTES, type TicketState } from '#contract/tickets.ts'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import states from '#web/ui/states.module.css'
import { useArt } from '#web/ui/theme-art.ts'
import styles from './ticket-parts.module.css'

/** A ticket's state. Yellow means that the player has to act. */
export function StateBadge({ state }: { state: TicketState }) {
  return <span className={`${styles.badge} ${styles[state]}`}>{TICKET_STATE_LABELS[state]}</span>
}

const STATES = ['open', 'answered', 'closed'] as const

/** Explains the three states of a ticket, and who has to act in each. */
export function TicketStates() {
  return (
    <Panel title="How a ticket works">
      <ol className={`${layout.padded} ${styles.states}`}>
        {STATES.map((state) => (
          <li key={state}>
            <StateBadge state={state} />
            <p>{TICKET_STATE_NOTES[state]}</p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

type NoticeProps = {
  title: string
  line?: string
  /** `alarm` is announced at once, like a failure. */
  tone?: 'calm' | 'alarm'
  children?: ReactNode
}

/** The picture of a ticket box, a message, and the next step. */
export function TicketNotice({ title, line, tone = 'calm', children }: NoticeProps) {
  return (
    <Panel>
      <div className={states.empty} role={tone === 'alarm' ? 'alert' : undefined}>
        <img src={useArt('/art/ticket-box.svg')} alt="" width="120" height="136" className={styles.box} />
        <div className={layout.stack8}>
          <h2 className={styles.title}>{title}</h2>
          {line !== undefined && <p className={styles.line}>{line}</p>}
          {children !== undefined && <div className={`${layout.buttons} ${styles.actions}`}>{children}</div>}
        </div>
      </div>
    </Panel>
  )
}

/** The error of the whole form. */
export function FormFailure({ text, className }: { text: string | null; className?: string | undefined }) {
  const id = useId()
  return (
    <div role="alert">
      {text !== null && (
        <div className={className}>
          <FieldError id={id}>{text}</FieldError>
        </div>
      )}
    </div>
  )
}

/** Shown without scripts, because the form needs them. */
export function NoScriptNote() {
  return (
    <p className={styles.noScript}>
      Sending needs JavaScript, which is off in this browser. Please turn it on before you write.
    </p>
  )
}

type ProgressProps = {
  /** The uploaded fraction, from 0 to 1; null while nothing is being sent. */ progress: number | null
}

/** The upload progress of a form with pictures. Screen readers announce its phases, not every step. */
export function UploadProgress({ progress }: ProgressProps) {
  const percent = Math.round((progress ?? 0) * 100)
  const status = progress === null ? '' : percent < 100 ? 'Sending' : 'Sent. One moment'
  return (
    <div className={styles.progress}>
      <p role="status">{status}</p>
      {progress !== null && (
        <span
          className={styles.bar}
          role="progressbar"
          aria-label="Sending"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </span>
      )}
    </div>
  )
}
