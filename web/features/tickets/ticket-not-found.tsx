import { alertText, CallError } from '#web/api/call.ts'
import { loginPathFor } from '#web/api/guard.ts'
import { PaperSheet, SheetPart } from '#web/features/account/paper-sheet.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CheckForm } from './check-form.tsx'
import type { Access } from './queries.ts'
import { ticketPath } from './ticket-address.ts'
import styles from './ticket-not-found.module.css'
import { TicketNotice } from './ticket-notice.tsx'

type Props = { error: Error; access: Access; isMember: boolean; onRetry: () => void }

/** Refusals that another way in may cure; all others may pass by themselves. */
const WRONG_WAY_IN = new Set([401, 403, 404, 422])

/** A ticket that did not come: why, and the ways on. */
export function TicketNotFound({ error, access, isMember, onRetry }: Props) {
  const isWrongWay = error instanceof CallError && WRONG_WAY_IN.has(error.status)
  const number = 'number' in access ? access.number : undefined
  if (!isWrongWay) {
    return (
      <TicketNotice title="The ticket did not come" line={alertText(error)} isAlarm>
        <Button onClick={onRetry}>Try again</Button>
      </TicketNotice>
    )
  }
  return (
    <div className={styles.ways}>
      <TicketNotice title="No ticket here" line={alertText(error)} isAlarm>
        {isMember ? (
          <ButtonLink to="/checkticket">My tickets</ButtonLink>
        ) : (
          <ButtonLink to={loginPathFor(number === undefined ? '/checkticket' : ticketPath(number))}>Log in</ButtonLink>
        )}
      </TicketNotice>
      <PaperSheet>
        <SheetPart title="Number and e-mail" line="Written without an account? Then these two open it.">
          <CheckForm number={number} isMember={isMember} />
        </SheetPart>
      </PaperSheet>
    </div>
  )
}
