import { useSession, useSessionState } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { CheckTicket } from './check-ticket.tsx'
import { useWanted } from './use-wanted.ts'

/** Check my ticket (SPEC §2.1): the list of one's own, a guest's way in, and the conversation. Its HTML knows nobody. */
export default function CheckTicketPage() {
  const wanted = useWanted()
  const state = useSessionState()
  const userNum = useSession()?.user.UserNum ?? 0
  return (
    <>
      <PageHead
        crumb="Check My Ticket"
        title="Check My Ticket"
        lines={['What you wrote, what we answered, and whose turn it is.']}
        actions={
          wanted === null ? (
            <ButtonLink to="/ticket">Submit Ticket</ButtonLink>
          ) : (
            <ButtonLink to="/checkticket" tone="secondary">
              {state === 'in' ? 'All my tickets' : 'Another ticket'}
            </ButtonLink>
          )
        }
      />
      <CheckTicket wanted={wanted} state={state} userNum={userNum} />
    </>
  )
}
