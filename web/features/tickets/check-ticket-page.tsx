import { useRef } from 'react'
import { useLocation } from 'react-router'
import { TICKET_CATEGORY_LABELS, type TicketSummary } from '#contract/tickets.ts'
import { getAlertText, isSessionExpired } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { type SessionState, useSession, useSessionState } from '#web/api/session.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Loading, Skeleton } from '#web/ui/states.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { Count } from '#web/ui/value.tsx'
import { CheckForm } from './check-form.tsx'
import styles from './check-ticket-page.module.css'
import { checkTicketSearch, getTicketPath, readRequestedTicket } from './check-ticket-view.ts'
import { Conversation } from './conversation.tsx'
import { type Access, getTicketsQuery } from './queries.ts'
import { StateBadge, TicketNotice, TicketStates } from './ticket-parts.tsx'

/**
 * The page Check My Ticket (SUPPORT-1): shows the conversation of the ticket in the address; without one, a player's
 * tickets or a form for guests. The document is the same for every visitor.
 */
export default function CheckTicketPage() {
  const requestedTicket = useRequestedTicket()
  const state = useSessionState()
  const userNum = useSession()?.user.UserNum ?? 0
  return (
    <>
      <PageHead
        crumb="Check My Ticket"
        title="Check My Ticket"
        lines={['What you wrote, what we answered, and whose turn it is.']}
        actions={
          requestedTicket === null ? (
            <ButtonLink to="/ticket">Submit Ticket</ButtonLink>
          ) : (
            <ButtonLink to="/checkticket" tone="secondary">
              {state === 'in' ? 'All my tickets' : 'Another ticket'}
            </ButtonLink>
          )
        }
      />
      {requestedTicket !== null && canOpen(requestedTicket, state) ? (
        <div>
          <Conversation key={JSON.stringify(requestedTicket)} access={requestedTicket} userNum={userNum} />
        </div>
      ) : (
        <TicketAccess
          number={requestedTicket !== null && 'number' in requestedTicket ? requestedTicket.number : undefined}
          state={state}
        />
      )}
    </>
  )
}

/**
 * Returns the ticket in the address; null on the server, where one document serves every visitor. A jump within the
 * page (#content) removes the key only from the address; the page still has it.
 */
function useRequestedTicket(): Access | null {
  const isHydrated = useHydrated()
  const { hash, state } = useLocation()
  const { ticket } = usePageSearch(checkTicketSearch)
  const shownTicket = useRef<Access>(null)
  if (!isHydrated) return null
  const requestedTicket = readRequestedTicket({ ticket, hash, state })
  const isJump = hash !== '' && !hash.startsWith('#key=') && ticket === null
  if (requestedTicket !== null || !isJump) shownTicket.current = requestedTicket
  return shownTicket.current
}

/**
 * Returns whether the visitor can open a ticket: guests with its key, or its number and email address; players with its
 * number.
 */
const canOpen = (requestedTicket: Access, state: SessionState) =>
  'key' in requestedTicket || requestedTicket.email !== undefined || state === 'in'

const BY_NUMBER_TEXTS = { title: 'Number and email', line: 'Both are in the email we sent when you wrote to us.' }

type TicketAccessProps = {
  /** The number of a ticket that needs further data to open. */ number: string | undefined
  state: SessionState
}

/** The form for guests and a player's list. The document contains both until the login is known. */
function TicketAccess({ number, state }: TicketAccessProps) {
  const drawing = useArt('/art/registrar-window.svg')
  return (
    <div className={styles.columns}>
      {state !== 'in' && (
        <div data-for="guest" className={layout.panels}>
          <div className={styles.desk}>
            <PaperSheet>
              <SheetPart {...BY_NUMBER_TEXTS}>
                <CheckForm key={number} number={number} />
              </SheetPart>
            </PaperSheet>
            <img src={drawing} alt="" width="480" height="260" className={styles.picture} />
          </div>
          <TicketStates />
        </div>
      )}
      {state !== 'guest' && (
        <div data-for="player">
          {state === 'in' ? (
            <>
              <TicketList />
              <GuestAccess />
            </>
          ) : (
            <ListSkeleton />
          )}
        </div>
      )}
    </div>
  )
}

/** Help for players who wrote a ticket before they had an account. */
function GuestAccess() {
  return (
    <details className={styles.guestAccess}>
      <summary>Did you write a ticket without this account? Open it with its number and your email.</summary>
      <PaperSheet>
        <SheetPart {...BY_NUMBER_TEXTS}>
          <CheckForm isPlayer />
        </SheetPart>
      </PaperSheet>
    </details>
  )
}

/** Lists a player's tickets, newest first, ten per page. */
function TicketList() {
  const { page } = usePageSearch(checkTicketSearch)
  const list = usePageQuery(getTicketsQuery(page), { retry: false, staleTime: 0, refetchOnWindowFocus: true })
  const { data, error, dataUpdatedAt } = list
  const refresh = () => void list.refetch()
  if (data === undefined && error !== null && !isSessionExpired(error)) {
    return (
      <TicketNotice title="We couldn’t load your tickets" line={getAlertText(error)} tone="alarm">
        <Button onClick={refresh}>Try again</Button>
      </TicketNotice>
    )
  }
  if (data === undefined) return <ListSkeleton />
  if (data.tickets.length === 0) return <NoTickets />
  return (
    <div className={layout.stack}>
      <Panel
        id="tickets"
        title="My tickets"
        actions={<RefreshButton onRefresh={refresh} busy={list.isFetching} what="my tickets" />}
      >
        <ul className={layout.rows}>
          {data.tickets.map((ticket) => (
            <TicketRow key={ticket.number} ticket={ticket} shownAt={dataUpdatedAt} />
          ))}
        </ul>
      </Panel>
      <Pager
        list="tickets"
        target="/checkticket"
        page={Math.min(page, data.last_page)}
        lastPage={data.last_page}
        label="Pages of my tickets"
      />
    </div>
  )
}

function TicketRow({ ticket, shownAt }: { ticket: TicketSummary; shownAt: number }) {
  const { number, subject, category, state, messages, updated_at } = ticket
  return (
    <li>
      <Link to={getTicketPath(number)} className={styles.link}>
        <span className={styles.badge}>
          <StateBadge state={state} />
        </span>
        <strong className={styles.subject}>{subject}</strong>
        <span className={styles.facts}>
          <span className={styles.number}>{number}</span>
          <span>
            <CurrencyText>{TICKET_CATEGORY_LABELS[category]}</CurrencyText>
          </span>
          <Count of={messages} unit="message" />
        </span>
        <span className={styles.time}>
          <RelativeTime iso={updated_at} renderedAt={shownAt} />
        </span>
      </Link>
    </li>
  )
}

/** The text for a player without tickets. */
function NoTickets() {
  return (
    <div className={layout.panels}>
      <TicketNotice
        title="No tickets yet"
        line="That is good news. When something breaks or gets lost, write to us: the conversation will be here."
      >
        <ButtonLink to="/ticket">Submit Ticket</ButtonLink>
      </TicketNotice>
      <TicketStates />
    </div>
  )
}

const SKELETON_ROWS = 5

/** A placeholder for the list until it has loaded. */
function ListSkeleton() {
  return (
    <Panel title="My tickets">
      <Loading rows={SKELETON_ROWS}>
        <div className={styles.skeletonRow}>
          <Skeleton width="60%" height={24} />
          <Skeleton width={220} height={18} />
        </div>
      </Loading>
    </Panel>
  )
}
