import { useState } from 'react'
import { TICKET } from '#contract/ticket-messages.ts'
import { sendTicketLink } from '#contract/tickets.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toast.ts'
import type { Access } from './queries.ts'
import { TicketNotice } from './ticket-notice.tsx'

/** Number and e-mail show a ticket; writing takes the link of the mail, which can be sent again. */
export function ReadOnlyNote({ access }: { access: Access }) {
  const [busy, setBusy] = useState(false)
  const asked = 'email' in access && access.email !== undefined ? { ...access, email: access.email } : null
  const mail = async () => {
    if (asked === null) return
    setBusy(true)
    try {
      const { message } = await call(sendTicketLink, asked, { shellShows: 'ended-session' })
      void showToast('done', message)
    } catch (error) {
      if (!isExpired(error)) void showToast('error', alertText(error))
    }
    setBusy(false)
  }
  return (
    <TicketNotice title="Reading only" line={TICKET.linkToWrite}>
      {asked !== null && (
        <Button busy={busy} onClick={() => void mail()}>
          Mail me the link
        </Button>
      )}
    </TicketNotice>
  )
}
