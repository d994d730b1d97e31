import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatDays } from '#contract/durations.ts'
import { TICKET_KEY_LIFETIME_MS } from '#contract/limits.ts'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import {
  closeTicket,
  getTickets,
  TICKET_CATEGORY_LABELS,
  TICKET_STATE_NOTES,
  type Ticket,
  type TicketMessage,
} from '#contract/tickets.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { CallError, call, getAlertText } from '#web/api/call.ts'
import { getLoginPath } from '#web/api/guard.ts'
import { toKeyPrefix, usePageQuery } from '#web/api/queries.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { Button, ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/layout.module.css'
import { Loading, Skeleton } from '#web/ui/states.tsx'
import textStyles from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { splitLinks } from './auto-links.ts'
import { CheckForm } from './check-form.tsx'
import { getTicketPath } from './check-ticket-view.ts'
import styles from './conversation.module.css'
import { type Access, getTicketQuery } from './queries.ts'
import { ReadOnlyNote, ReplyForm } from './reply-form.tsx'
import { Screenshots } from './screenshots.tsx'
import { StateBadge, TicketNotice } from './ticket-parts.tsx'

type ConversationProps = { access: Access; userNum: number }

/** From this number of messages on, a button jumps to the newest one. */
const JUMP_FROM_MESSAGES = 4

const REFRESH_MS = 60_000

/** One ticket: its subject, its state, all messages, and the reply. */
export function Conversation({ access, userNum }: ConversationProps) {
  const query = getTicketQuery(access)
  const { data, error, refetch, isFetching, dataUpdatedAt } = usePageQuery(query, {
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: true,
    // Not repeated after a refusal, because failed attempts are counted.
    refetchInterval: ({ state }) => (state.status === 'success' ? REFRESH_MS : false),
  })
  const queries = useQueryClient()
  const endRef = useRef<HTMLDivElement>(null)
  if (data === undefined) {
    if (error === null || (error instanceof CallError && error.status === 401 && userNum > 0))
      return <ConversationSkeleton />
    return <ConversationFailure error={error} access={access} isPlayer={userNum > 0} onRetry={() => void refetch()} />
  }
  const showTicket = (ticket: Ticket) => {
    queries.setQueryData(query.key, { ticket })
    void queries.invalidateQueries({ queryKey: toKeyPrefix(getTickets) })
  }
  const { ticket } = data
  return (
    <article className={layout.panels} aria-labelledby="ticket-subject">
      <TicketHead ticket={ticket} onRefresh={() => void refetch()} busy={isFetching} shownAt={dataUpdatedAt} />
      {ticket.conversation.length >= JUMP_FROM_MESSAGES && (
        <div>
          <Button tone="quiet" onClick={() => endRef.current?.scrollIntoView({ block: 'center' })}>
            Go to the newest
          </Button>
        </div>
      )}
      {/* Screen readers announce new messages. */}
      <div role="log" aria-label="Conversation">
        <ol className={layout.stack}>
          {ticket.conversation.map((message) => (
            <Message key={message.id} message={message} access={access} shownAt={dataUpdatedAt} />
          ))}
        </ol>
      </div>
      <div ref={endRef}>
        {ticket.may_reply ? (
          <ReplyForm ticket={ticket} access={access} userNum={userNum} onChanged={showTicket} />
        ) : (
          <ReadOnlyNote access={access} />
        )}
      </div>
      {ticket.may_reply && ticket.state !== 'closed' && <CloseTicket access={access} onClosed={showTicket} />}
    </article>
  )
}

type TicketHeadProps = { ticket: Ticket; onRefresh: () => void; busy: boolean; shownAt: number }

function TicketHead({ ticket, onRefresh, busy, shownAt }: TicketHeadProps) {
  const { number, subject, category, character, state, created_at, email } = ticket
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <header className={`${layout.padded} ${styles.head}`}>
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
          <dd>
            <CurrencyText>{TICKET_CATEGORY_LABELS[category]}</CurrencyText>
          </dd>
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

/** A message: on paper for the player's, on ink for support's. */
function Message({ message, access, shownAt }: { message: TicketMessage; access: Access; shownAt: number }) {
  const isSupport = message.from === 'support'
  return (
    <li
      className={`${layout.stack} ${styles.message} ${isSupport ? styles.supportMessage : styles.playerMessage}`}
      data-surface={isSupport ? undefined : 'paper'}
    >
      <div className={styles.byline}>
        {isSupport && <LogoMark size={26} />}
        <strong className={styles.author}>{isSupport ? (message.author ?? 'Support') : 'You'}</strong>
        {isSupport && message.author !== null && <span className={styles.plate}>Support</span>}
        <span className={styles.time}>
          <RelativeTime iso={message.created_at} renderedAt={shownAt} />
        </span>
      </div>
      <MessageText text={message.message} />
      {message.screenshots.length > 0 && <Screenshots screenshots={message.screenshots} access={access} />}
    </li>
  )
}

/** Plain text with line breaks. Web addresses open in a new tab, without a referrer. */
function MessageText({ text }: { text: string }) {
  return (
    <p className={`${textStyles.note} ${styles.text}`}>
      {splitLinks(text).map(({ text: part, href }, index) =>
        href === undefined ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        ),
      )}
    </p>
  )
}

/** Closes a ticket after a confirmation. */
function CloseTicket({ access, onClosed }: { access: Access; onClosed: (ticket: Ticket) => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const close = async () => {
    setBusy(true)
    try {
      const { ticket, message } = await call(closeTicket, access, { shellFailures: 'ended-session' })
      setIsConfirming(false)
      onClosed(ticket)
      void showToast('done', message)
    } catch (error) {
      setIsConfirming(false)
      alertFailure(error)
    }
    setBusy(false)
  }
  return (
    <div className={styles.close}>
      <p>Is it solved? Then close the ticket.</p>
      <Button tone="secondary" onClick={() => setIsConfirming(true)}>
        Close ticket
      </Button>
      <Dialog
        open={isConfirming}
        title="Close this ticket?"
        onClose={() => setIsConfirming(false)}
        actions={
          <>
            <Button tone="secondary" onClick={() => setIsConfirming(false)}>
              {DIALOG_TEXTS.cancel}
            </Button>
            <Button busy={busy} onClick={() => void close()}>
              Close ticket
            </Button>
          </>
        }
      >
        <p>The conversation stays where it is. A reply reopens it.</p>
      </Dialog>
    </div>
  )
}

type FailureProps = { error: Error; access: Access; isPlayer: boolean; onRetry: () => void }

/** The statuses of refusals after which another way to open the ticket may work. Other failures may be temporary. */
const ACCESS_ERROR_STATUSES = new Set([401, 403, 404, 422])

const DEAD_LINK_TEXT = `The links in our emails work for ${formatDays(TICKET_KEY_LIFETIME_MS)}, and until your account gets another email address. Your ticket may still be here: log in, or open it with its number.`

/** Shown when a ticket fails to load: the reason, and other ways to open it. */
function ConversationFailure({ error, access, isPlayer, onRetry }: FailureProps) {
  const number = 'number' in access ? access.number : undefined
  if (!(error instanceof CallError && ACCESS_ERROR_STATUSES.has(error.status))) {
    return (
      <TicketNotice title="We couldn’t load the ticket" line={getAlertText(error)} tone="alarm">
        <Button onClick={onRetry}>Try again</Button>
      </TicketNotice>
    )
  }
  const isDeadLink = 'key' in access && error.status === 404
  return (
    <div className={layout.panels}>
      <TicketNotice
        title={isDeadLink ? 'This link is no longer valid' : 'No ticket here'}
        line={isDeadLink ? DEAD_LINK_TEXT : getAlertText(error)}
        tone="alarm"
      >
        {isPlayer ? (
          <ButtonLink to="/checkticket">My tickets</ButtonLink>
        ) : (
          <ButtonLink to={getLoginPath(number === undefined ? '/checkticket' : getTicketPath(number))}>
            Log in
          </ButtonLink>
        )}
      </TicketNotice>
      <PaperSheet>
        <SheetPart title="Number and email" line="If you wrote without an account, you can open the ticket with these.">
          <CheckForm number={number} isPlayer={isPlayer} />
        </SheetPart>
      </PaperSheet>
    </div>
  )
}

/** A placeholder for a conversation until it has loaded. */
function ConversationSkeleton() {
  return (
    <Loading className={layout.panels}>
      <div className={`${layout.padded} ${styles.head}`}>
        <Skeleton width={180} height={26} />
        <Skeleton width="70%" height={36} />
        <Skeleton width="50%" height={24} />
      </div>
      <Skeleton width="100%" height={140} />
      <Skeleton width="100%" height={240} />
    </Loading>
  )
}
