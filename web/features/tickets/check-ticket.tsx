import { useSearchParams } from 'react-router'
import type { SessionState } from '#web/api/session.ts'
import { readHistoryPage } from '#web/features/purchases/history-page-number.ts'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { CheckForm } from './check-form.tsx'
import styles from './check-ticket.module.css'
import { Conversation } from './conversation.tsx'
import { HowItGoes } from './how-it-goes.tsx'
import type { Wanted } from './ticket-address.ts'
import { TicketList } from './ticket-list.tsx'
import { TicketListSkeleton } from './ticket-list-skeleton.tsx'

type Props = { wanted: Wanted; state: SessionState; userNum: number }

/** A guest may open what has a key, or a number with its e-mail; a bare number is a member's. */
const isOpenTo = (wanted: NonNullable<Wanted>, state: SessionState) =>
  'key' in wanted || wanted.email !== undefined || state === 'in'

/** The conversation the address names; else a member's list, and the form for everybody else. */
export function CheckTicket({ wanted, state, userNum }: Props) {
  const [query] = useSearchParams()
  if (wanted !== null && isOpenTo(wanted, state)) {
    return (
      <div>
        <Conversation key={JSON.stringify(wanted)} access={wanted} userNum={userNum} />
      </div>
    )
  }
  return (
    <div className={styles.ways}>
      {state !== 'in' && (
        <div data-for="guest" className={styles.guest}>
          <GuestSheet number={wanted !== null && 'number' in wanted ? wanted.number : undefined} />
          <HowItGoes />
        </div>
      )}
      {state !== 'guest' && (
        <div data-for="player">
          {state === 'in' ? (
            <>
              <TicketList userNum={userNum} page={readHistoryPage(query)} />
              <AsGuest />
            </>
          ) : (
            <TicketListSkeleton />
          )}
        </div>
      )}
    </div>
  )
}

function GuestSheet({ number }: { number: string | undefined }) {
  return (
    <div className={styles.desk}>
      <PaperSheet>
        <SheetPart title="Number and e-mail" line="Both are in the mail we sent when you wrote to us.">
          <CheckForm key={number} number={number} />
        </SheetPart>
      </PaperSheet>
      <img src="/art/registrar-window.svg" alt="" width="480" height="260" className={styles.picture} />
    </div>
  )
}

/** A member may have written before there was an account. */
function AsGuest() {
  return (
    <details className={styles.asGuest}>
      <summary>Written without this account? Open it with number and e-mail</summary>
      <PaperSheet>
        <SheetPart title="Number and e-mail" line="Both are in the mail we sent when you wrote to us.">
          <CheckForm isMember />
        </SheetPart>
      </PaperSheet>
    </details>
  )
}
