import { REGISTER } from '#contract/account-messages.ts'
import { EMAIL_MAX, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from '#contract/limits.ts'
import { TICKET, TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import type { TicketCategory } from '#contract/tickets.ts'
import { checkEmail, checkRequired, type FieldError, onlyWrong } from '#web/features/account/field-rules.ts'
import type { FormErrors } from '#web/features/account/form-resolver.ts'

/** A ticket as the form holds it; its screenshots are kept apart. */
export type TicketForm = {
  category: string
  subject: string
  message: string
  email: string
  ChaNum: string
}

/** The fields in the order of the page, so that the first wrong one gets the focus. */
export const TICKET_FIELDS = ['category', 'subject', 'message', 'email', 'ChaNum'] as const

export const CATEGORIES = Object.keys(TICKET_CATEGORY_LABELS) as TicketCategory[]

const tooLong = (value: string | undefined, max: number, text: string): FieldError =>
  (value ?? '').trim().length > max ? text : undefined

/** What is wrong with a message of a ticket or a reply. */
export function checkMessage(message: string | undefined): FieldError {
  return (
    checkRequired(message, TICKET.messageRequired) ??
    tooLong(message?.replace(/\r\n?/g, '\n'), TICKET_MESSAGE_MAX, TICKET.messageTooLong)
  )
}

/** What the browser checks before a ticket is sent. A member's answers go to the account's e-mail: nothing to check there. */
export function checkTicketForm(form: TicketForm, isMember: boolean): FormErrors<TicketForm> {
  return onlyWrong({
    category: CATEGORIES.some((known) => known === form.category) ? undefined : TICKET.categoryRequired,
    subject:
      checkRequired(form.subject, TICKET.subjectRequired) ??
      tooLong(form.subject, TICKET_SUBJECT_MAX, TICKET.subjectTooLong),
    message: checkMessage(form.message),
    email: isMember ? undefined : checkEmail(form.email, REGISTER.emailRequired, EMAIL_MAX),
  })
}

export type CheckForm = { number: string; email: string }

/** A ticket number in any case, with or without T, dashes and spaces, as it is printed; null when it is none. */
export function readTicketNumber(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  return /^T?[A-HJ-NP-Z2-9]{8}$/.test(letters) ? `T-${letters.slice(-8, -4)}-${letters.slice(-4)}` : null
}

/** What the browser checks before it asks for a ticket by number and e-mail. */
export function checkCheckForm({ number, email }: CheckForm): FormErrors<CheckForm> {
  return onlyWrong({
    number:
      checkRequired(number, TICKET.numberRequired) ??
      (readTicketNumber(number) === null ? TICKET.numberInvalid : undefined),
    email: checkEmail(email, REGISTER.emailRequired, EMAIL_MAX),
  })
}
