import { useQuery } from '@tanstack/react-query'
import { TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import type { TicketSummary } from '#contract/tickets.ts'
import { alertText, isExpired } from '#web/api/call.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button, RefreshButton } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { NoTickets } from './no-tickets.tsx'
import { ticketsQuery } from './queries.ts'
import { StateBadge } from './state-badge.tsx'
import { ticketPath } from './ticket-address.ts'
import styles from './ticket-list.module.css'
import { TicketListSkeleton } from './ticket-list-skeleton.tsx'
import { TicketNotice } from './ticket-notice.tsx'

/** A member's own tickets, the newest first, ten a page. */
export function TicketList({ userNum, page }: { userNum: number; page: number }) {
  const list = useQuery(ticketsQuery(userNum, page))
  const { data, error, dataUpdatedAt } = list
  if (data === undefined && error !== null && !isExpired(error)) {
    return (
      <TicketNotice title="Your tickets did not come" line={alertText(error)} isAlarm>
        <Button onClick={() => void list.refetch()}>Try again</Button>
      </TicketNotice>
    )
  }
  if (data === undefined) return <TicketListSkeleton />
  if (data.tickets.length === 0) return <NoTickets />
  return (
    <div className={styles.board}>
      <Panel
        title="My tickets"
        actions={<RefreshButton onRefresh={() => void list.refetch()} busy={list.isFetching} what="my tickets" />}
      >
        <ul>
          {data.tickets.map((ticket) => (
            <Row key={ticket.number} ticket={ticket} shownAt={dataUpdatedAt} />
          ))}
        </ul>
      </Panel>
      <Pager
        target="/checkticket"
        page={Math.min(page, data.last_page)}
        lastPage={data.last_page}
        label="Pages of my tickets"
      />
    </div>
  )
}

function Row({ ticket, shownAt }: { ticket: TicketSummary; shownAt: number }) {
  const { number, subject, category, state, messages, updated_at } = ticket
  return (
    <li className={styles.row}>
      <Link to={ticketPath(number)} className={styles.link}>
        <span className={styles.badge}>
          <StateBadge state={state} />
        </span>
        <strong className={styles.subject}>{subject}</strong>
        <span className={styles.facts}>
          <span className={styles.number}>{number}</span>
          <span>{TICKET_CATEGORY_LABELS[category]}</span>
          <span>{messages === 1 ? '1 message' : `${messages} messages`}</span>
        </span>
        <span className={styles.when}>
          <RelativeTime iso={updated_at} renderedAt={shownAt} />
        </span>
      </Link>
    </li>
  )
}
