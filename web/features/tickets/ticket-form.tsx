import { TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { useSession } from '#web/api/session.ts'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import grid from '#web/forms/sheet.module.css'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { CategoryChoice } from './category-choice.tsx'
import { NoScriptNote } from './no-script-note.tsx'
import { PicturesField } from './pictures-field.tsx'
import { TextArea } from './text-area.tsx'
import styles from './ticket-form.module.css'
import { UploadProgress } from './upload-progress.tsx'
import { type Submitted, useTicketForm } from './use-ticket-form.ts'
import { WhereWeAnswer } from './where-we-answer.tsx'

/** The ticket, printed. What was typed stays through a refusal and through a reload. */
export function TicketForm({ onTaken }: { onTaken: (taken: Submitted) => void }) {
  const { form, pictures, account, progress, refusal, submit, keep } = useTicketForm(useSession(), onTaken)
  const { register, watch, formState } = form
  const { errors } = formState
  return (
    <PaperSheet>
      <form method="dialog" noValidate onSubmit={submit} onChange={keep}>
        <SheetPart numeral={1} title="What is it about?">
          <CategoryChoice chosen={watch('category')} error={errors.category?.message} input={register('category')} />
        </SheetPart>
        <SheetPart numeral={2} title="What happened?">
          <div className={styles.fields}>
            <TextField
              label="Subject"
              hint="in a few words"
              autoComplete="off"
              error={errors.subject?.message}
              {...register('subject')}
            />
            <TextArea
              label="Message"
              typed={watch('message')?.trim().length ?? 0}
              limit={TICKET_MESSAGE_MAX}
              error={errors.message?.message}
              {...register('message')}
            />
            <PicturesField pictures={pictures} />
          </div>
        </SheetPart>
        <SheetPart numeral={3} title="Where do we answer?">
          <WhereWeAnswer form={form} account={account} />
          <div role="alert">
            {refusal !== null && (
              <div className={styles.refusal}>
                <FieldErrorText id="ticket-refusal">{refusal}</FieldErrorText>
              </div>
            )}
          </div>
          <NoScriptNote />
          <div className={grid.actions}>
            <Button type="submit" tone="paper" size="lg" busy={formState.isSubmitting}>
              Submit Ticket
            </Button>
            <UploadProgress progress={progress} />
          </div>
        </SheetPart>
      </form>
    </PaperSheet>
  )
}
