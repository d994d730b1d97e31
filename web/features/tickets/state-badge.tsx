import { TICKET_STATE_LABELS } from '#contract/ticket-messages.ts'
import type { TicketState } from '#contract/tickets.ts'
import styles from './state-badge.module.css'

/** A ticket's state. Yellow is the player's turn. */
export function StateBadge({ state }: { state: TicketState }) {
  return <span className={`${styles.badge} ${styles[state]}`}>{TICKET_STATE_LABELS[state]}</span>
}
