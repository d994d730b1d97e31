import { useState } from 'react'
import { TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { replyTicket, sendTicketLink, TICKET_TEXTS, type Ticket } from '#contract/tickets.ts'
import { useAttempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { useDraft } from '#web/forms/draft.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { FormActions } from '#web/forms/sheet.tsx'
import { upload } from '#web/forms/upload.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './conversation.module.css'
import { PicturesField } from './pictures-field.tsx'
import type { Access } from './queries.ts'
import { FormFailure, TicketNotice, UploadProgress } from './ticket-parts.tsx'

type ReplyFormProps = { ticket: Ticket; access: Access; userNum: number; onChanged: (ticket: Ticket) => void }

/** The form for the player's reply. The typed text stays after a refusal and after a reload. */
export function ReplyForm({ ticket, access, userNum, onChanged }: ReplyFormProps) {
  /** The number of sent replies. A new one resets the field for pictures. */
  const [sentCount, setSentCount] = useState(0)
  const form = useCallForm(replyTicket, {
    transport: upload,
    input: ({ message, screenshots }) => ({ ...access, message, screenshots }),
    onDone: (answer) => {
      draft.clear({ acceptsNext: true })
      form.reset({ message: '', screenshots: [] })
      setSentCount(sentCount + 1)
      onChanged(answer.ticket)
      void showToast('done', answer.message)
    },
  })
  const draft = useDraft(form, { name: `REPLY_${ticket.number}`, fields: ['message'], owner: userNum })
  return (
    <Panel tone="paper">
      <form {...form.form} onChange={draft.save} className={`${layout.stack} ${styles.form}`}>
        <h3 className={styles.title}>{ticket.state === 'closed' ? 'Reply and reopen' : 'Reply'}</h3>
        <TextArea
          label="Message"
          rows={4}
          text={form.watch('message') ?? ''}
          limit={TICKET_MESSAGE_MAX}
          {...form.field('message')}
        />
        <PicturesField key={sentCount} {...form.field('screenshots')} value={form.watch('screenshots')} />
        <FormFailure text={form.failure} />
        <FormActions className={styles.actions}>
          <Button type="submit" tone="paper" busy={form.busy}>
            Send reply
          </Button>
          <UploadProgress progress={form.progress} />
        </FormActions>
      </form>
    </Panel>
  )
}

/**
 * Explains that number and email address give read access only. Writing needs the mailed link, which can be sent again.
 */
export function ReadOnlyNote({ access }: { access: Access }) {
  const [busy, attempt] = useAttempt()
  const linkRequest = 'email' in access && access.email !== undefined ? { ...access, email: access.email } : null
  const mailLink = (to: NonNullable<typeof linkRequest>) =>
    attempt(async () => {
      const { message } = await call(sendTicketLink, to, { shellFailures: 'ended-session' })
      void showToast('done', message)
    })
  return (
    <TicketNotice title="Read only" line={TICKET_TEXTS.linkToWrite}>
      {linkRequest !== null && (
        <Button busy={busy} onClick={() => void mailLink(linkRequest)}>
          Email me the link
        </Button>
      )}
    </TicketNotice>
  )
}
