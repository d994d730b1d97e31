import { z } from 'zod'
import { emailSchema } from './account-fields.ts'
import { idempotency } from './cart.ts'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'
import { SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { TICKET } from './ticket-messages.ts'

/** What a ticket is about; labels in `TICKET_CATEGORY_LABELS`. */
export const TICKET_CATEGORIES = ['account', 'payment', 'bug', 'player-report', 'other'] as const
export type TicketCategory = (typeof TICKET_CATEGORIES)[number]

/** open: support's turn; answered: the requester's turn; closed. A reply of the requester opens it again. */
export const TICKET_STATES = ['open', 'answered', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

const moment = z.iso.datetime({ offset: true })

const summaryFields = {
  number: z.string().meta({ description: 'Such as T-7KQX-M2PD' }),
  category: z.enum(TICKET_CATEGORIES),
  subject: z.string(),
  state: z.enum(TICKET_STATES),
  created_at: moment,
  updated_at: moment.meta({ description: 'The newest message, or the closing' }),
  messages: z.int().meta({ description: 'How many there are in the conversation' }),
}

/** A ticket in a list. */
export const ticketSummarySchema = z.object(summaryFields).meta({ id: 'TicketSummary' })
export type TicketSummary = z.infer<typeof ticketSummarySchema>

/** A picture of a message; its bytes come from POST /ticketscreenshot. Always WebP. */
const ticketScreenshotSchema = z
  .object({ id: z.string(), width: z.int(), height: z.int(), bytes: z.int() })
  .meta({ id: 'TicketScreenshot' })
export type TicketScreenshot = z.infer<typeof ticketScreenshotSchema>

const ticketMessageSchema = z
  .object({
    id: z.int().meta({ description: 'Its place in the conversation, from 1' }),
    from: z.enum(['requester', 'support']),
    author: z.string().nullable().meta({ description: 'The name of who answered for support; null for the requester' }),
    message: z.string().meta({ description: 'Plain text with line breaks' }),
    created_at: moment,
    screenshots: z.array(ticketScreenshotSchema),
  })
  .meta({ id: 'TicketMessage' })
export type TicketMessage = z.infer<typeof ticketMessageSchema>

/** A ticket with its conversation, oldest message first. */
export const ticketSchema = z
  .object({
    ...summaryFields,
    character: z.string().nullable().meta({ description: 'The name of the character it is about' }),
    email: z.string().meta({ description: 'Where answers are mailed: the first character and stars' }),
    closed_at: moment.nullable(),
    may_reply: z.boolean().meta({ description: 'false when it was opened with number and e-mail only' }),
    conversation: z.array(ticketMessageSchema),
  })
  .meta({ id: 'Ticket' })
export type Ticket = z.infer<typeof ticketSchema>

/** Line breaks are \n; other control characters have no place in a message. */
const messageText = z
  .string(TICKET.messageRequired)
  .transform((text) => text.replace(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .min(1, TICKET.messageRequired)
      .max(TICKET_MESSAGE_MAX, TICKET.messageTooLong)
      .regex(/^[\P{Cc}\n\t]*$/u, TICKET.messageControl)
      .regex(/^\P{Cs}*$/u, TICKET.messageControl),
  )

const subjectText = z
  .string(TICKET.subjectRequired)
  .trim()
  .min(1, TICKET.subjectRequired)
  .max(TICKET_SUBJECT_MAX, TICKET.subjectTooLong)
  .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, TICKET.subjectControl)

/** Ticket numbers are read in any case, with or without T, dashes and spaces. */
const numberText = z
  .string(TICKET.numberRequired)
  .max(40, TICKET.numberInvalid)
  .transform((text) => text.toUpperCase().replace(/[\s-]/g, ''))
  .pipe(
    z
      .string()
      .min(1, TICKET.numberRequired)
      .regex(/^T?[A-HJ-NP-Z2-9]{8}$/, TICKET.numberInvalid)
      .transform((letters) => `T-${letters.slice(-8, -4)}-${letters.slice(-4)}`),
  )

const emptyIsNone = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

/**
 * How a caller shows that a ticket is theirs: the key of the link alone; number with the token of the
 * member who wrote it; or number and e-mail, which reads a guest's ticket but does not write to it.
 */
const access = {
  key: emptyIsNone(
    z
      .string(TICKET.noMatch)
      .max(200, TICKET.noMatch)
      .regex(/^[\w-]+$/, TICKET.noMatch),
  ),
  number: emptyIsNone(numberText),
  email: emptyIsNone(emailSchema),
}

const screenshots = z
  .unknown()
  .optional()
  .meta({
    description: 'Up to 3 files, each PNG, JPEG or WebP of at most 5 MB; the field may come up to three times',
    type: 'array',
    items: { type: 'string', format: 'binary' },
  })

const tags = ['tickets']
const said = z.object({ message: z.string() })
const oneTicket = z.object({ message: z.string(), ticket: ticketSchema })
const json = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})
const submission = z.object({
  'idempotency-key': idempotency.shape['idempotency-key'].meta({
    description: 'The same key with the same content makes one ticket, or one reply',
  }),
})
const form = <Schema extends z.ZodType>(schema: Schema) => ({
  headers: submission,
  body: { required: true, content: { 'multipart/form-data': { schema } } },
})
const refused = {
  401: errorAnswer('A dead token'),
  422: errorAnswer('A rule is broken'),
  429: errorAnswer('Too many tries; Retry-After says when to come back'),
}
const found = { ...refused, 404: errorAnswer('No ticket matches') }
const uploads = {
  400: errorAnswer('The form cannot be read'),
  413: errorAnswer('A file, or all of it, is too large'),
  503: errorAnswer('Too many uploads at the moment; Retry-After says when to come back'),
}

/**
 * As multipart/form-data. With a token the ticket is the member's: `email` may be left out or is the
 * account's own. `ChaNum` is for members. The same Idempotency-Key makes one ticket.
 */
export const submitTicket = endpoint({
  method: 'post',
  path: '/submitticket',
  summary: 'Write to support, as a guest or a member, with up to three screenshots',
  tags,
  request: form(
    z.object({
      category: z.enum(TICKET_CATEGORIES, TICKET.categoryRequired),
      subject: subjectText,
      message: messageText,
      email: emptyIsNone(emailSchema),
      ChaNum: emptyIsNone(
        z
          .string(TICKET.characterUnknown)
          .regex(/^\d{1,15}$/, TICKET.characterUnknown)
          .transform(Number),
      ),
      screenshots,
    }),
  ),
  responses: {
    200: jsonAnswer(
      'Taken',
      z.object({
        message: z.string(),
        number: z.string(),
        state: z.enum(TICKET_STATES),
        key: z.string().nullable().meta({ description: 'For a guest: opens the ticket without an account' }),
        link: z
          .string()
          .nullable()
          .meta({ description: 'For a guest: {PUBLIC_URL}/checkticket#key={key}; for a member null' }),
      }),
    ),
    ...refused,
    403: errorAnswer('Somebody else’s account'),
    ...uploads,
  },
})

export const getTickets = endpoint({
  method: 'get',
  path: '/tickets',
  summary: 'The tickets of the caller’s account, the newest first, 10 a page',
  tags,
  request: { query: z.object({ page: wholeNumberNamed('Page').optional() }) },
  responses: {
    200: jsonAnswer('The tickets', z.object({ tickets: z.array(ticketSummarySchema), ...pagingFields })),
    401: errorAnswer('No token, or a dead one'),
    403: errorAnswer('Somebody else’s account'),
    422: refused[422],
  },
})

export const checkTicket = endpoint({
  method: 'post',
  path: '/checkticket',
  summary: 'A ticket with its conversation: by key, by number as its member, or by a guest’s number and e-mail',
  tags,
  request: json(z.object(access)),
  responses: { 200: jsonAnswer('The ticket', z.object({ ticket: ticketSchema })), ...found },
})

/** For who has number and e-mail but lost the link. Always the same answer. */
export const sendTicketLink = endpoint({
  method: 'post',
  path: '/sendticketlink',
  summary: 'Mail a guest the link of a ticket again; the same answer whether or not there is one',
  tags,
  request: json(
    z.object({
      number: numberText,
      email: emailSchema,
    }),
  ),
  responses: { 200: jsonAnswer('Said', said), 422: refused[422], 429: refused[429] },
})

/** As multipart/form-data, with a key or as the member. */
export const replyTicket = endpoint({
  method: 'post',
  path: '/replyticket',
  summary: 'Reply to support; opens an answered or closed ticket again',
  tags,
  request: form(z.object({ ...access, message: messageText, screenshots })),
  responses: {
    200: jsonAnswer('Added', oneTicket),
    ...found,
    403: errorAnswer('Number and e-mail are not enough to write'),
    409: errorAnswer('The conversation is full'),
    ...uploads,
  },
})

export const closeTicket = endpoint({
  method: 'post',
  path: '/closeticket',
  summary: 'Close a ticket as who wrote it; one that is closed stays so',
  tags,
  request: json(z.object(access)),
  responses: {
    200: jsonAnswer('Closed', oneTicket),
    ...found,
    403: errorAnswer('Number and e-mail are not enough to write'),
  },
})

/** Read it with fetch and show it with URL.createObjectURL: neither token nor key ever is in an address. */
export const getTicketScreenshot = endpoint({
  method: 'post',
  path: '/ticketscreenshot',
  summary: 'A picture of a ticket, for whoever may read the ticket',
  tags,
  request: json(z.object({ ...access, screenshot: z.uuid(TICKET.noMatch) })),
  responses: {
    200: {
      description: 'The picture',
      content: { 'image/webp': { schema: z.unknown().meta({ type: 'string', format: 'binary' }) } },
    },
    ...found,
  },
})

/** For admins (user type 11 or more). */
export const answerTicket = endpoint({
  method: 'post',
  path: '/answerticket',
  summary: 'Answer a ticket for support, and mail the answer; optionally close it',
  tags,
  request: json(
    z.object({
      number: numberText,
      message: messageText,
      author: emptyIsNone(
        z
          .string(TICKET.authorControl)
          .trim()
          .max(SUPPORT_NAME_MAX, TICKET.authorTooLong)
          .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, TICKET.authorControl),
      ),
      close: z.boolean('Close must be true or false.').default(false),
    }),
  ),
  responses: {
    200: jsonAnswer('Answered', oneTicket),
    401: errorAnswer('No token, or a dead one'),
    403: errorAnswer('Not an admin'),
    404: found[404],
    409: errorAnswer('The conversation is full'),
    422: refused[422],
  },
})
