import { TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import type { Ticket } from '#contract/tickets.ts'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import grid from '#web/forms/sheet.module.css'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PicturesField } from './pictures-field.tsx'
import type { Access } from './queries.ts'
import styles from './reply-form.module.css'
import { TextArea } from './text-area.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useReplyForm } from './use-reply-form.ts'

type Props = { ticket: Ticket; access: Access; userNum: number; onChanged: (ticket: Ticket) => void }

/** The player's own words, at the end of the conversation. */
export function ReplyForm(props: Props) {
  const { form, pictures, progress, refusal, submit, keep } = useReplyForm(props)
  const { register, watch, formState } = form
  return (
    <Panel tone="paper">
      <form method="dialog" noValidate onSubmit={submit} onChange={keep} className={styles.form}>
        <h3 className={styles.title}>{props.ticket.state === 'closed' ? 'Reply and open it again' : 'Reply'}</h3>
        <TextArea
          label="Message"
          rows={4}
          typed={watch('message')?.trim().length ?? 0}
          limit={TICKET_MESSAGE_MAX}
          error={formState.errors.message?.message}
          {...register('message')}
        />
        <PicturesField pictures={pictures} />
        <div role="alert">{refusal !== null && <FieldErrorText id="reply-refusal">{refusal}</FieldErrorText>}</div>
        <div className={`${grid.actions} ${styles.actions}`}>
          <Button type="submit" tone="paper" busy={formState.isSubmitting}>
            Send reply
          </Button>
          <UploadProgress progress={progress} />
        </div>
      </form>
    </Panel>
  )
}
