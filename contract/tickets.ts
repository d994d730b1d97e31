import { z } from 'zod'
import { REGISTER } from './account-messages.ts'
import { endpoint } from './endpoint.ts'
import { saidSchema } from './errors.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { access, replyForm, ticketForm, ticketLinkForm } from './ticket-fields.ts'
import { TICKET, TICKET_CATEGORIES } from './ticket-messages.ts'

/** open: waiting for support; answered: waiting for the requester; closed. A reply by the requester opens it again. */
export const TICKET_STATES = ['open', 'answered', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

const summaryFields = {
  number: z.string().meta({ description: 'Such as T-7KQX-M2PD' }),
  category: z.enum(TICKET_CATEGORIES),
  subject: z.string(),
  state: z.enum(TICKET_STATES),
  created_at: offsetMoment,
  updated_at: offsetMoment.meta({ description: 'The newest message, or the closing' }),
  messages: z.int().meta({ description: 'How many there are in the conversation' }),
}

/** A ticket in a list. */
export const ticketSummarySchema = z.object(summaryFields).meta({ id: 'TicketSummary' })
export type TicketSummary = z.infer<typeof ticketSummarySchema>

/** A picture of a message, always WebP. POST /ticketscreenshot returns its bytes. */
const ticketScreenshotSchema = z
  .object({ id: z.string(), width: z.int(), height: z.int(), bytes: z.int() })
  .meta({ id: 'TicketScreenshot' })
export type TicketScreenshot = z.infer<typeof ticketScreenshotSchema>

export const ticketMessageSchema = z
  .object({
    id: z.int().meta({ description: 'Its place in the conversation, from 1' }),
    from: z.enum(['requester', 'support']),
    author: z.string().nullable().meta({ description: 'The name of who answered for support; null for the requester' }),
    message: z.string().meta({ description: 'Plain text with line breaks' }),
    created_at: offsetMoment,
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
    closed_at: offsetMoment.nullable(),
    may_reply: z.boolean().meta({ description: 'false when it was opened with number and e-mail only' }),
    conversation: z.array(ticketMessageSchema),
  })
  .meta({ id: 'Ticket' })
export type Ticket = z.infer<typeof ticketSchema>

const oneTicket = z.object({ message: z.string(), ticket: ticketSchema })

const emailRequired = { status: 422, message: REGISTER.emailRequired, field: 'email' } as const
const noMatch = { status: 404, message: TICKET.noMatch } as const
const full = { status: 409, message: TICKET.full } as const
const toRead = {
  noMatch,
  numberRequired: { status: 422, message: TICKET.numberRequired, field: 'number' },
  emailRequired,
} as const
const toWrite = { ...toRead, linkToWrite: { status: 403, message: TICKET.linkToWrite } } as const

/** With a token the ticket belongs to the player: `email` is missing or the account's. Only players may send `ChaNum`. */
export const submitTicket = endpoint({
  method: 'POST',
  path: '/submitticket',
  summary: 'Write to support, as a guest or a player, with up to three screenshots',
  area: 'tickets',
  access: 'visitor',
  limit: 'ticketForms',
  idempotent: { guestBy: 'email' },
  input: { form: z.object({ ...ticketForm.shape, email: access.email }) },
  fields: ticketForm,
  output: z.object({
    message: z.string(),
    number: z.string(),
    state: z.enum(TICKET_STATES),
    key: z.string().nullable().meta({ description: 'For a guest: opens the ticket without an account' }),
    link: z
      .string()
      .nullable()
      .meta({ description: 'For a guest: {PUBLIC_URL}/checkticket#key={key}; for a player null' }),
  }),
  errors: {
    emailRequired,
    emailNotYours: { status: 422, message: TICKET.emailNotYours, field: 'email' },
    characterUnknown: { status: 422, message: TICKET.characterUnknown, field: 'ChaNum' },
    characterForMembers: { status: 422, message: TICKET.characterForMembers, field: 'ChaNum' },
  },
})

export const getTickets = endpoint({
  method: 'GET',
  path: '/tickets',
  summary: 'The tickets of the caller’s account, the newest first, 10 per page',
  area: 'tickets',
  access: 'player',
  input: { query: z.object({ page: wholeNumberNamed('Page').optional() }) },
  output: z.object({ tickets: z.array(ticketSummarySchema), ...pagingFields }),
})

export const checkTicket = endpoint({
  method: 'POST',
  path: '/checkticket',
  summary: 'A ticket with its conversation: by key, by number as its player, or by a guest’s number and e-mail address',
  area: 'tickets',
  access: 'visitor',
  input: { body: z.object(access) },
  output: z.object({ ticket: ticketSchema }),
  errors: toRead,
})

/** For guests who lost the link but have number and email address. The answer is always the same. */
export const sendTicketLink = endpoint({
  method: 'POST',
  path: '/sendticketlink',
  summary: 'Mail a guest the link of a ticket again; the same answer whether or not there is one',
  area: 'tickets',
  access: 'visitor',
  input: { body: z.object(ticketLinkForm.shape) },
  fields: ticketLinkForm,
  output: saidSchema,
})

export const replyTicket = endpoint({
  method: 'POST',
  path: '/replyticket',
  summary: 'Reply to support, with a key or as the player; opens an answered or closed ticket again',
  area: 'tickets',
  access: 'visitor',
  limit: 'ticketForms',
  idempotent: { guestBy: 'key' },
  input: { form: z.object({ ...access, ...replyForm.shape }) },
  fields: replyForm,
  output: oneTicket,
  errors: { ...toWrite, full },
})

export const closeTicket = endpoint({
  method: 'POST',
  path: '/closeticket',
  summary: 'Close a ticket as the person who wrote it; a closed one stays closed',
  area: 'tickets',
  access: 'visitor',
  input: { body: z.object(access) },
  output: oneTicket,
  errors: toWrite,
})

/** Fetched by POST, so neither token nor key is ever in an address. */
export const getTicketScreenshot = endpoint({
  method: 'POST',
  path: '/ticketscreenshot',
  summary: 'A screenshot of a ticket, for those who may read the ticket',
  area: 'tickets',
  access: 'visitor',
  input: { body: z.object({ ...access, screenshot: z.uuid(TICKET.noMatch) }) },
  output: z.file(),
  errors: toRead,
})
