/**
 * The fields of tickets and their rules, and the forms made of them. Browsers fetch this file when a form is first
 * focused, so it is written with zod/mini.
 */
import * as z from 'zod/mini'
import { emailSchema } from './account-fields.ts'
import { TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'
import { TICKET, TICKET_CATEGORIES } from './ticket-messages.ts'

export const categorySchema = z.enum(TICKET_CATEGORIES, TICKET.categoryRequired)

export const subjectText = z
  .string(TICKET.subjectRequired)
  .check(
    z.trim(),
    z.minLength(1, TICKET.subjectRequired),
    z.maxLength(TICKET_SUBJECT_MAX, TICKET.subjectTooLong),
    z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, TICKET.subjectControl),
  )

/** Line breaks are \n; other control characters have no place in a message. */
export const messageText = z.pipe(
  z.pipe(
    z.string(TICKET.messageRequired),
    z.transform((text: string) => text.replace(/\r\n?/g, '\n').trim()),
  ),
  z
    .string()
    .check(
      z.minLength(1, TICKET.messageRequired),
      z.maxLength(TICKET_MESSAGE_MAX, TICKET.messageTooLong),
      z.regex(/^[\P{Cc}\n\t]*$/u, TICKET.messageControl),
      z.regex(/^\P{Cs}*$/u, TICKET.messageControl),
    ),
)

/** Ticket numbers are read in any case, with or without T, dashes and spaces. */
export const numberText = z.pipe(
  z.pipe(
    z.string(TICKET.numberRequired).check(z.maxLength(40, TICKET.numberInvalid)),
    z.transform((text: string) => text.toUpperCase().replace(/[\s-]/g, '')),
  ),
  z.pipe(
    z.string().check(z.minLength(1, TICKET.numberRequired), z.regex(/^T?[A-HJ-NP-Z2-9]{8}$/, TICKET.numberInvalid)),
    z.transform((letters: string) => `T-${letters.slice(-8, -4)}-${letters.slice(-4)}`),
  ),
)

/** The files; the browser checks each one when it is picked. */
const screenshots = z.optional(z.unknown())

/** A guest's form has the field `email` and must fill it in; a player's has none. */
export const ticketForm = z.object({
  category: categorySchema,
  subject: subjectText,
  message: messageText,
  screenshots,
  email: z.optional(emailSchema),
  ChaNum: z.optional(z.string()),
})

export const replyForm = z.object({ message: messageText, screenshots })

/** What opens a guest's ticket without its link. */
export const ticketPairForm = z.object({ number: numberText, email: emailSchema })
