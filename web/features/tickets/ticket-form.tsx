import { useEffect } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { TICKET_MESSAGE_MAX } from '#contract/limits.ts'
import { getUser, type User } from '#contract/session.ts'
import { submitTicket, TICKET_CATEGORIES, TICKET_CATEGORY_LABELS, type TicketCategory } from '#contract/tickets.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession, useSessionState } from '#web/api/session.ts'
import { useDraft } from '#web/forms/draft.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormActions, FormGrid, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { upload } from '#web/forms/upload.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { FieldError, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { PicturesField } from './pictures-field.tsx'
import styles from './ticket-page.module.css'
import { FormFailure, NoScriptNote, UploadProgress } from './ticket-parts.tsx'

/** A submitted ticket. */
export type SubmittedTicket = Pick<CallOutput<typeof submitTicket>, 'message' | 'number' | 'key'> & {
  subject: string
  /** The address that receives the answer. */
  email: string
}

type Form = ReturnType<typeof useTicketForm>['form']

/**
 * Returns the ticket form with its draft. Only guests have a field for an email address; players get answers at their
 * account's address.
 */
function useTicketForm(onSubmitted: (ticket: SubmittedTicket) => void) {
  const userNum = useSession()?.user.UserNum ?? 0
  const isPlayer = userNum > 0
  const account = useCall(getUser, {}, { enabled: isPlayer, retry: false, staleTime: 0 }).data?.data
  const form = useCallForm(submitTicket, {
    transport: upload,
    input: ({ email, ChaNum, ...values }) => ({ ...values, ...(isPlayer ? { ChaNum } : { email }) }),
    onDone: (answer, { subject, email }) => {
      draft.clear()
      onSubmitted({ ...answer, subject, email: (isPlayer ? account?.UserEmail : email) ?? '' })
    },
  })
  const draftFields = ['category', 'subject', 'message', 'ChaNum']
  const draft = useDraft(form, {
    name: 'TICKET',
    fields: isPlayer ? draftFields : [...draftFields, 'email'],
    owner: userNum,
  })
  const { setValue } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: setValue changes in each rendering
  useEffect(() => {
    // Removes a guest's typed address, because the rules would check it although a player's form does not show it.
    if (isPlayer) setValue('email', undefined)
  }, [isPlayer])
  return { form, account, saveDraft: draft.save }
}

/** The ticket as a paper form. The typed text stays after a refusal and after a reload. */
export function TicketForm({ onSubmitted }: { onSubmitted: (ticket: SubmittedTicket) => void }) {
  const { form, account, saveDraft } = useTicketForm(onSubmitted)
  // Declared first, in the order of the page, because the first invalid field gets the focus.
  const category = form.field('category')
  return (
    <PaperSheet>
      <form {...form.form} onChange={saveDraft}>
        <SheetPart numeral={1} title="What is it about?">
          <CategoryChoice field={category} selectedCategory={form.watch('category')} />
        </SheetPart>
        <SheetPart numeral={2} title="What happened?">
          <div className={`${layout.stack} ${styles.fields}`}>
            <TextField label="Subject" hint="in a few words" autoComplete="off" {...form.field('subject')} />
            <TextArea
              label="Message"
              text={form.watch('message') ?? ''}
              limit={TICKET_MESSAGE_MAX}
              {...form.field('message')}
            />
            <PicturesField {...form.field('screenshots')} value={form.watch('screenshots')} />
          </div>
        </SheetPart>
        <SheetPart numeral={3} title="Where should we answer?">
          <AnswerAddress form={form} account={account} />
          <FormFailure text={form.failure} className={styles.failure} />
          <NoScriptNote />
          <FormActions>
            <Button type="submit" tone="paper" size="lg" busy={form.busy}>
              Submit Ticket
            </Button>
            <UploadProgress progress={form.progress} />
          </FormActions>
        </SheetPart>
      </form>
    </PaperSheet>
  )
}

/** Hints on what to include in a ticket, by category. */
const CATEGORY_HINTS: Record<TicketCategory, string> = {
  account: 'Tell us your user ID and what you see when you try. Never send a password: we do not need it.',
  payment: 'Tell us the code, or the item and the day you bought it. A screenshot of the message helps.',
  bug: 'Tell us what you did, what you expected and what happened instead. A screenshot is worth three paragraphs.',
  'player-report': 'Tell us the character’s name, where and when it happened, and show the chat in a screenshot.',
  other: 'Ideas, thanks and questions are welcome here too.',
}

const CATEGORY_ERROR_ID = 'ticket-category-error'

type CategoryProps = { field: ReturnType<Form['field']>; selectedCategory: unknown }

/** The choice of a ticket's category, with the hint for it. */
function CategoryChoice({ field: { error, ...input }, selectedCategory: value }: CategoryProps) {
  const selectedCategory = TICKET_CATEGORIES.find((category) => category === value)
  return (
    <fieldset
      className={`${layout.stack} ${styles.choice}`}
      aria-describedby={error === undefined ? undefined : CATEGORY_ERROR_ID}
    >
      <legend className="visually-hidden">What is it about?</legend>
      <div className={styles.tiles}>
        {TICKET_CATEGORIES.map((category) => (
          <label key={category} className={styles.tile} data-wrong={error !== undefined || undefined}>
            <input {...input} type="radio" value={category} className={styles.radio} />
            <CurrencyText>{TICKET_CATEGORY_LABELS[category]}</CurrencyText>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <FieldError id={CATEGORY_ERROR_ID} role="alert">
          {error}
        </FieldError>
      )}
      <p className={styles.categoryHint} role="status">
        {selectedCategory !== undefined && CATEGORY_HINTS[selectedCategory]}
      </p>
    </fieldset>
  )
}

type AnswerAddressProps = { form: Form; account: User | undefined }

/** The address for answers: a field for guests, the account's for players. The document contains both. */
function AnswerAddress({ form, account }: AnswerAddressProps) {
  const state = useSessionState()
  return (
    <>
      {state !== 'in' && (
        <div data-for="guest">
          <FormGrid>
            <TextField label="Email" type="email" autoComplete="email" {...form.field('email')} />
          </FormGrid>
          <p className={`${text.note} ${styles.note}`}>
            We email you a link to the conversation. Have an account? <Link to="/login?next=%2Fticket">Log in</Link> and
            find it under Check My Ticket; what you typed stays.
          </p>
        </div>
      )}
      {state !== 'guest' && (
        <div data-for="player">
          <PlayerFields form={form} account={account} />
        </div>
      )}
    </>
  )
}

function PlayerFields({ form, account }: AnswerAddressProps) {
  const characters = account?.characters ?? []
  return (
    <>
      <FormGrid>
        <TextField label="Email" hint="of your account" type="email" value={account?.UserEmail ?? ''} readOnly />
        {characters.length > 0 && (
          <SelectField label="Character" hint="optional" {...form.field('ChaNum')}>
            <option value="">None of them</option>
            {characters.map(({ ChaNum, ChaName, ChaLevel }) => (
              <option key={ChaNum} value={ChaNum}>
                {ChaName}, level {ChaLevel}
              </option>
            ))}
          </SelectField>
        )}
      </FormGrid>
      <p className={`${text.note} ${styles.note}`}>
        We email you when there is an answer. Another address? Change it under <Link to="/user">Account Setting</Link>.
      </p>
    </>
  )
}
