/** Support's forms about a ticket. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { SUPPORT_NAME_MAX } from './limits.ts'
import { emptyIsNone, replyForm, ticketLinkForm } from './ticket-fields.ts'
import { TICKET } from './ticket-messages.ts'

const { number } = ticketLinkForm.shape
const { message } = replyForm.shape

/** The ticket as the operator saw it: whatever was written or changed since is noticed. */
const version = z.optional(z.int('Load the ticket again.'))

const remark = z.pipe(message, z.string().check(z.maxLength(2000, 'Use at most 2,000 characters.')))

export const answerForm = z.object({
  number,
  version,
  message,
  author: emptyIsNone(
    z
      .string(TICKET.authorControl)
      .check(
        z.trim(),
        z.maxLength(SUPPORT_NAME_MAX, TICKET.authorTooLong),
        z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, TICKET.authorControl),
      ),
  ),
  close: z._default(z.boolean('Close must be true or false.'), false),
})

export const oneTicketForm = z.object({ number, version })

export const assignForm = z.object({
  number,
  /** Who had it when the operator looked: of two who claim it, the second is told. */
  from: z.nullable(z.int('Load the ticket again.')),
  to: z.nullable(z.int('Choose someone on the staff.')),
})

export const priorityForm = z.object({
  number,
  priority: z.int('Choose a priority.').check(z.minimum(0, 'Choose a priority.'), z.maximum(3, 'Choose a priority.')),
})

export const ticketNoteForm = z.object({ number, body: remark })

export const mergeForm = z.object({ number, into: number, version })

export const readyAnswerForm = z.object({
  answer: z.nullable(z.int()),
  version: z.optional(z.int()),
  title: z
    .string('Give the answer a title.')
    .check(
      z.trim(),
      z.minLength(1, 'Give the answer a title.'),
      z.maxLength(60, 'Use at most 60 characters.'),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Use one line of text.'),
    ),
  body: message,
})
