import { useState } from 'react'
import { DIALOG } from '#contract/messages.ts'
import type { Ticket } from '#contract/tickets.ts'
import { closeTicket } from '#contract/tickets.ts'
import { alertText, call, isExpired } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './close-ticket.module.css'
import type { Access } from './queries.ts'

type Props = { access: Access; onClosed: (ticket: Ticket) => void }

/** Closing a ticket, asked for once more. */
export function CloseTicket({ access, onClosed }: Props) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const close = async () => {
    setBusy(true)
    try {
      const { ticket, message } = await call(closeTicket, access, { shellShows: 'ended-session' })
      setAsking(false)
      onClosed(ticket)
      void showToast('done', message)
    } catch (error) {
      setAsking(false)
      if (!isExpired(error)) void showToast('error', alertText(error))
    }
    setBusy(false)
  }
  return (
    <div className={styles.close}>
      <p>Is it solved? Then close the ticket.</p>
      <Button tone="secondary" onClick={() => setAsking(true)}>
        Close ticket
      </Button>
      <Dialog
        open={asking}
        title="Close this ticket?"
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button tone="secondary" onClick={() => setAsking(false)}>
              {DIALOG.cancel}
            </Button>
            <Button busy={busy} onClick={() => void close()}>
              Close ticket
            </Button>
          </>
        }
      >
        <p>The conversation stays where it is. A reply opens it again.</p>
      </Dialog>
    </div>
  )
}
