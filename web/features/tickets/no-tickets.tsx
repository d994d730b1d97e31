import { ButtonLink } from '#web/ui/button.tsx'
import { HowItGoes } from './how-it-goes.tsx'
import styles from './no-tickets.module.css'
import { TicketNotice } from './ticket-notice.tsx'

/** A member who never wrote. */
export function NoTickets() {
  return (
    <div className={styles.none}>
      <TicketNotice
        title="No tickets yet"
        line="That is good news. When something breaks or gets lost, write to us: the conversation stands here."
      >
        <ButtonLink to="/ticket">Submit Ticket</ButtonLink>
      </TicketNotice>
      <HowItGoes />
    </div>
  )
}
