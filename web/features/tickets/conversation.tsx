import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { TICKET_CATEGORY_LABELS, TICKET_STATE_NOTES } from '#contract/ticket-messages.ts'
import type { Ticket } from '#contract/tickets.ts'
import { CallError } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { Button, RefreshButton } from '#web/ui/button.tsx'
import { CloseTicket } from './close-ticket.tsx'
import styles from './conversation.module.css'
import { ConversationSkeleton } from './conversation-skeleton.tsx'
import { Messages } from './messages.tsx'
import { type Access, ticketQuery } from './queries.ts'
import { ReadOnlyNote } from './read-only-note.tsx'
import { ReplyForm } from './reply-form.tsx'
import { StateBadge } from './state-badge.tsx'
import { TicketNotFound } from './ticket-not-found.tsx'

type Props = { access: Access; userNum: number }

/** From this many messages on there is a way down to the newest. */
const LONG = 4

/** One ticket: what it is about, whose turn it is, everything written, and the reply. */
export function Conversation({ access, userNum }: Props) {
  const query = ticketQuery(access, userNum)
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(query)
  const queries = useQueryClient()
  const end = useRef<HTMLDivElement>(null)
  if (data === undefined) {
    if (error === null || (error instanceof CallError && error.status === 401 && userNum > 0))
      return <ConversationSkeleton />
    return <TicketNotFound error={error} access={access} isMember={userNum > 0} onRetry={() => void refetch()} />
  }
  const show = (ticket: Ticket) => {
    queries.setQueryData(query.queryKey, ticket)
    void queries.invalidateQueries({ queryKey: [MINE, userNum, 'tickets'] })
  }
  return (
    <article className={styles.ticket} aria-labelledby="ticket-subject">
      <Head ticket={data} onRefresh={() => void refetch()} busy={isFetching} shownAt={dataUpdatedAt} />
      {data.conversation.length >= LONG && (
        <div>
          <Button tone="quiet" onClick={() => end.current?.scrollIntoView({ block: 'center' })}>
            Down to the newest
          </Button>
        </div>
      )}
      <Messages ticket={data} access={access} userNum={userNum} shownAt={dataUpdatedAt} />
      <div ref={end}>
        {data.may_reply ? (
          <ReplyForm ticket={data} access={access} userNum={userNum} onChanged={show} />
        ) : (
          <ReadOnlyNote access={access} />
        )}
      </div>
      {data.may_reply && data.state !== 'closed' && <CloseTicket access={access} onClosed={show} />}
    </article>
  )
}

type HeadProps = { ticket: Ticket; onRefresh: () => void; busy: boolean; shownAt: number }

function Head({ ticket, onRefresh, busy, shownAt }: HeadProps) {
  const { number, subject, category, character, state, created_at, email } = ticket
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <StateBadge state={state} />
        <span className={styles.number}>{number}</span>
        <span className={styles.refresh}>
          <RefreshButton onRefresh={onRefresh} busy={busy} what="the conversation" />
        </span>
      </div>
      <h2 id="ticket-subject" ref={heading} tabIndex={-1} className={styles.subject}>
        {subject}
      </h2>
      <dl className={styles.facts}>
        <div>
          <dt>About</dt>
          <dd>{TICKET_CATEGORY_LABELS[category]}</dd>
        </div>
        {character !== null && (
          <div>
            <dt>Character</dt>
            <dd>{character}</dd>
          </div>
        )}
        <div>
          <dt>Sent</dt>
          <dd>
            <RelativeTime iso={created_at} renderedAt={shownAt} />
          </dd>
        </div>
        <div>
          <dt>Answers go to</dt>
          <dd>{email}</dd>
        </div>
      </dl>
      <p className={styles.note} role="status">
        {TICKET_STATE_NOTES[state]}
      </p>
    </header>
  )
}
