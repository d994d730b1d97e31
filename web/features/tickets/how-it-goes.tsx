import { TICKET_STATE_NOTES } from '#contract/ticket-messages.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './how-it-goes.module.css'
import { StateBadge } from './state-badge.tsx'

const STATES = ['open', 'answered', 'closed'] as const

/** The three states of a ticket, and whose turn each of them is. */
export function HowItGoes() {
  return (
    <Panel title="How a ticket goes">
      <ol className={styles.states}>
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
