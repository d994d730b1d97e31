import { z } from 'zod'
import * as f from 'zod/mini'
import { emailSchema, REGISTRATION_TEXTS } from './accounts.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { SCREENSHOT_PIXELS_MAX, SUPPORT_NAME_MAX, TICKET_MESSAGE_MAX, TICKET_SUBJECT_MAX } from './limits.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'

const tickets = declareCalls('tickets', 'visitor')

/** The categories of tickets. */
export const TICKET_CATEGORIES = ['account', 'payment', 'bug', 'player-report', 'other'] as const
export type TicketCategory = (typeof TICKET_CATEGORIES)[number]

export const TICKET_CATEGORY_LABELS = {
  account: 'Account and login',
  payment: 'Payment and R-Coin',
  bug: 'A bug in the game or on the site',
  'player-report': 'Report a player',
  other: 'Something else',
} as const

export const TICKET_STATE_LABELS = {
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
} as const

/** The next step of each state and who has to act. */
export const TICKET_STATE_NOTES = {
  open: 'We have your message and will reply to it.',
  answered: 'We have answered. Reply if anything is still unresolved, or close the ticket.',
  closed: 'This ticket is closed. A reply reopens it.',
} as const

/** The texts of support tickets, which the specification does not fix. */
export const TICKET_TEXTS = {
  categoryRequired: 'Please choose what your ticket is about.',
  subjectRequired: 'Subject is required.',
  subjectTooLong: `Subject must be at most ${TICKET_SUBJECT_MAX} characters long.`,
  subjectControl: 'Subject must not contain control characters.',
  messageRequired: 'Message is required.',
  messageTooLong: `Message must be at most ${TICKET_MESSAGE_MAX} characters long.`,
  messageControl: 'Message must not contain control characters.',
  emailNotYours: 'Answers go to the email address of your account. Please leave it unchanged.',
  characterUnknown: 'Please choose one of your own characters.',
  characterForMembers: 'Only members can name a character. Please log in first.',
  numberRequired: 'Ticket number is required.',
  numberInvalid: 'Enter a ticket number such as T-7KQX-M2PD.',
  authorTooLong: `The name must be at most ${SUPPORT_NAME_MAX} characters long.`,
  authorControl: 'The name must not contain control characters.',
  ticketMismatch: 'No ticket matches. If you submitted it while logged in, log in to see it.',
  linkToWrite: 'Please open the link in our email to reply to this ticket.',
  adminsOnly: 'Only operators can answer tickets.',
  full: 'This conversation is full. Please submit a new ticket.',
  submitted: 'We have received your ticket and will answer by email.',
  replied: 'We have received your reply.',
  closed: 'Your ticket is closed. A reply reopens it.',
  answered: 'The answer is on its way.',
  linkSent:
    'If the number and the email address match, the link is on its way. Please check your inbox and your spam folder.',
} as const

/** The texts about screenshots. The functions add the name of a file. */
export const SCREENSHOT_TEXTS = {
  hint: 'Up to 3 screenshots: PNG, JPEG or WebP, at most 5 MB each.',
  tooMany: 'At most 3 screenshots at a time.',
  tooLarge: (name: string) => `The file “${name}” is larger than 5 MB.`,
  allTooLarge: 'That is too large: at most 3 screenshots of 5 MB each.',
  notAPicture: (name: string) => `The file “${name}” is not a PNG, JPEG or WebP picture.`,
  broken: (name: string) => `The file “${name}” is damaged or incomplete.`,
  tooManyPixels: (name: string) =>
    `The file “${name}” has too many pixels: at most ${SCREENSHOT_PIXELS_MAX / 1_000_000} million.`,
  empty: (name: string) => `The file “${name}” is empty.`,
  unreadable: 'The form could not be read. Please try again.',
  busy: 'Too many pictures are being uploaded right now. Please try again in a moment.',
  tooSlow: 'The upload took too long. Please try again with smaller pictures.',
} as const

const messageField = linesField(TICKET_MESSAGE_MAX, TICKET_TEXTS.messageRequired, {
  tooLong: TICKET_TEXTS.messageTooLong,
  characters: TICKET_TEXTS.messageControl,
})

const subjectField = lineField(TICKET_SUBJECT_MAX, TICKET_TEXTS.subjectRequired, {
  tooLong: TICKET_TEXTS.subjectTooLong,
  characters: TICKET_TEXTS.subjectControl,
})

/** A ticket number, in upper or lower case, with or without T, dashes and spaces. */
const numberField = f.pipe(
  f.pipe(
    f.string(TICKET_TEXTS.numberRequired).check(f.maxLength(40, TICKET_TEXTS.numberInvalid)),
    f.transform((text: string) => text.toUpperCase().replace(/[\s-]/g, '')),
  ),
  f.pipe(
    f
      .string()
      .check(f.minLength(1, TICKET_TEXTS.numberRequired), f.regex(/^T?[A-HJ-NP-Z2-9]{8}$/, TICKET_TEXTS.numberInvalid)),
    f.transform((letters: string) => `T-${letters.slice(-8, -4)}-${letters.slice(-4)}`),
  ),
)

/** Returns the rule of a field that may be empty or missing. */
export const optionalField = <Output>(schema: f.core.$ZodType<Output>) =>
  f.optional(
    f.pipe(
      f.transform((value: unknown): unknown => (value === '' || value === null ? undefined : value)),
      f.optional(schema) as f.core.$ZodType<Output | undefined>,
    ),
  )

/**
 * The caller's proof of access to a ticket: the key of the mailed link; the number and the token of the player who
 * wrote it; or number and email address, which allow reading a guest's ticket but not writing.
 */
const accessFields = {
  key: optionalField(
    f
      .string(TICKET_TEXTS.ticketMismatch)
      .check(f.maxLength(200, TICKET_TEXTS.ticketMismatch), f.regex(/^[\w-]+$/, TICKET_TEXTS.ticketMismatch)),
  ),
  number: optionalField(numberField),
  email: optionalField(emailSchema),
}

const screenshotsField = f.optional(f.unknown()).register(f.globalRegistry, {
  description: 'Up to 3 files, each PNG, JPEG or WebP of at most 5 MB; the field may come up to three times',
  type: 'array',
  items: { type: 'string', format: 'binary' },
})

/** A guest's form requires `email`; a player's form does not have it. */
export const ticketForm = f.object({
  category: f.enum(TICKET_CATEGORIES, TICKET_TEXTS.categoryRequired),
  subject: subjectField,
  message: messageField,
  email: f.optional(emailSchema),
  ChaNum: optionalField(
    f.pipe(
      f.string(TICKET_TEXTS.characterUnknown).check(f.regex(/^\d{1,15}$/, TICKET_TEXTS.characterUnknown)),
      f.transform((digits: string) => Number(digits)),
    ),
  ),
  screenshots: screenshotsField,
})

export const ticketLinkForm = f.object({ number: numberField, email: emailSchema })

export const replyForm = f.object({ message: messageField, screenshots: screenshotsField })

/** open: waits for support; answered: waits for the requester; closed. A reply of the requester makes it open again. */
export const TICKET_STATES = ['open', 'answered', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

const summaryFields = {
  number: z.string().meta({ description: 'Such as T-7KQX-M2PD' }),
  category: z.enum(TICKET_CATEGORIES),
  subject: z.string(),
  state: z.enum(TICKET_STATES),
  created_at: offsetMoment,
  updated_at: offsetMoment.meta({ description: 'The time of the newest message, or of the closing' }),
  messages: z.int().meta({ description: 'The number of messages in the conversation' }),
}

/** A ticket in a list. */
const ticketSummarySchema = z.object(summaryFields).meta({ id: 'TicketSummary' })
export type TicketSummary = z.infer<typeof ticketSummarySchema>

/** A picture of a message, always WebP. POST /ticketscreenshot returns its content. */
const ticketScreenshotSchema = z
  .object({ id: z.string(), width: z.int(), height: z.int(), bytes: z.int() })
  .meta({ id: 'TicketScreenshot' })
export type TicketScreenshot = z.infer<typeof ticketScreenshotSchema>

export const ticketMessageSchema = z
  .object({
    id: z.int().meta({ description: 'Its position in the conversation, from 1' }),
    from: z.enum(['requester', 'support']),
    author: z
      .string()
      .nullable()
      .meta({ description: 'The name of the operator who answered; null for the requester' }),
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
    email: z
      .string()
      .meta({ description: 'The email address for answers, of which only the first character is readable' }),
    closed_at: offsetMoment.nullable(),
    may_reply: z.boolean().meta({ description: 'false when it was opened with number and email only' }),
    conversation: z.array(ticketMessageSchema),
  })
  .meta({ id: 'Ticket' })
export type Ticket = z.infer<typeof ticketSchema>

const ticketOutput = z.object({ message: z.string(), ticket: ticketSchema })

const emailRequired = { status: 422, message: REGISTRATION_TEXTS.emailRequired, field: 'email' } as const
const ticketMismatch = { status: 404, message: TICKET_TEXTS.ticketMismatch } as const
const ticketFullError = { status: 409, message: TICKET_TEXTS.full } as const
const readErrors = {
  ticketMismatch,
  numberRequired: { status: 422, message: TICKET_TEXTS.numberRequired, field: 'number' },
  emailRequired,
} as const
const writeErrors = { ...readErrors, linkToWrite: { status: 403, message: TICKET_TEXTS.linkToWrite } } as const

/**
 * Submits a ticket. With a token it belongs to the player, and `email` is missing or the account's. Only players may
 * send `ChaNum`.
 */
export const submitTicket = tickets.post('/submitticket', {
  summary: 'Write to support, as a guest or a player, with up to three screenshots',
  limit: 'ticketForms',
  idempotent: { guestBy: 'email' },
  input: { form: z.object({ ...ticketForm.shape, email: accessFields.email }) },
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
    emailNotYours: { status: 422, message: TICKET_TEXTS.emailNotYours, field: 'email' },
    characterUnknown: { status: 422, message: TICKET_TEXTS.characterUnknown, field: 'ChaNum' },
    characterForMembers: { status: 422, message: TICKET_TEXTS.characterForMembers, field: 'ChaNum' },
  },
})

export const getTickets = tickets.get('/tickets', {
  summary: 'The tickets of the caller’s account, the newest first, 10 per page',
  access: 'player',
  input: { query: z.object({ page: wholeNumberParam('Page').optional() }) },
  output: z.object({ tickets: z.array(ticketSummarySchema), ...pagingFields }),
})

export const checkTicket = tickets.post('/checkticket', {
  summary:
    'A ticket with its conversation: with a key, with the number of the caller’s ticket, or with a guest’s number and email address',
  input: { body: z.object(accessFields) },
  output: z.object({ ticket: ticketSchema }),
  errors: readErrors,
})

/** Mails the link again to guests who have number and email address. The response is always the same. */
export const sendTicketLink = tickets.post('/sendticketlink', {
  summary: 'Mail a guest the link of a ticket again; the response is the same if the ticket does not exist',
  fields: ticketLinkForm,
  output: messageSchema,
})

export const replyTicket = tickets.post('/replyticket', {
  summary: 'Reply to support, with a key or as the player; opens an answered or closed ticket again',
  limit: 'ticketForms',
  idempotent: { guestBy: 'key' },
  input: { form: z.object({ ...accessFields, ...replyForm.shape }) },
  fields: replyForm,
  output: ticketOutput,
  errors: { ...writeErrors, full: ticketFullError },
})

export const closeTicket = tickets.post('/closeticket', {
  summary: 'Close a ticket as the person who wrote it; closing it twice changes nothing',
  input: { body: z.object(accessFields) },
  output: ticketOutput,
  errors: writeErrors,
})

/** The call is a POST, so neither token nor key occurs in an address. */
export const getTicketScreenshot = tickets.post('/ticketscreenshot', {
  summary: 'A screenshot of a ticket that the caller may read',
  input: { body: z.object({ ...accessFields, screenshot: z.uuid(TICKET_TEXTS.ticketMismatch) }) },
  output: z.file(),
  errors: readErrors,
})
