/** The fields of tickets and their forms. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { emailSchema } from './account-fields.ts'
import { TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'
import { TICKET, TICKET_CATEGORIES } from './ticket-messages.ts'

/** Line breaks become \n; other control characters are refused. */
const message = z.pipe(
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

const subject = z
  .string(TICKET.subjectRequired)
  .check(
    z.trim(),
    z.minLength(1, TICKET.subjectRequired),
    z.maxLength(TICKET_SUBJECT_MAX, TICKET.subjectTooLong),
    z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, TICKET.subjectControl),
  )

/** A ticket number, in upper or lower case, with or without T, dashes and spaces. */
const number = z.pipe(
  z.pipe(
    z.string(TICKET.numberRequired).check(z.maxLength(40, TICKET.numberInvalid)),
    z.transform((text: string) => text.toUpperCase().replace(/[\s-]/g, '')),
  ),
  z.pipe(
    z.string().check(z.minLength(1, TICKET.numberRequired), z.regex(/^T?[A-HJ-NP-Z2-9]{8}$/, TICKET.numberInvalid)),
    z.transform((letters: string) => `T-${letters.slice(-8, -4)}-${letters.slice(-4)}`),
  ),
)

/** A field that may be empty or missing. */
export const emptyIsNone = <Output>(schema: z.core.$ZodType<Output>) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown): unknown => (value === '' || value === null ? undefined : value)),
      z.optional(schema) as z.core.$ZodType<Output | undefined>,
    ),
  )

/**
 * How a caller proves that a ticket is theirs: with the key of the mailed link; with the number and the token of the
 * player who wrote it; or with number and email address, which allows reading a guest's ticket but not writing.
 */
export const access = {
  key: emptyIsNone(
    z.string(TICKET.noMatch).check(z.maxLength(200, TICKET.noMatch), z.regex(/^[\w-]+$/, TICKET.noMatch)),
  ),
  number: emptyIsNone(number),
  email: emptyIsNone(emailSchema),
}

const screenshots = z.optional(z.unknown()).register(z.globalRegistry, {
  description: 'Up to 3 files, each PNG, JPEG or WebP of at most 5 MB; the field may come up to three times',
  type: 'array',
  items: { type: 'string', format: 'binary' },
})

/** The field `email` is required in a guest's form; a player's form does not have it. */
export const ticketForm = z.object({
  category: z.enum(TICKET_CATEGORIES, TICKET.categoryRequired),
  subject,
  message,
  email: z.optional(emailSchema),
  ChaNum: emptyIsNone(
    z.pipe(
      z.string(TICKET.characterUnknown).check(z.regex(/^\d{1,15}$/, TICKET.characterUnknown)),
      z.transform((digits: string) => Number(digits)),
    ),
  ),
  screenshots,
})

export const ticketLinkForm = z.object({ number, email: emailSchema })

export const replyForm = z.object({ message, screenshots })
