import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls, textFilter } from './desk.ts'
import { conflict } from './errors.ts'
import { lineField, linesField } from './fields.ts'
import { SUPPORT_NAME_MAX, TICKETS_AT_ONCE } from './limits.ts'
import { moment } from './scalars.ts'
import {
  optionalField,
  replyForm,
  TICKET_CATEGORIES,
  TICKET_STATES,
  TICKET_TEXTS,
  ticketLinkForm,
  ticketMessageSchema,
  ticketSchema,
} from './tickets.ts'

const desk = declareDeskCalls('tickets', { read: 'tickets.answer', notPersonal: ['state', 'tickets'] })

/** The variables of a ready-made answer, and their meanings. */
export const ANSWER_VARIABLES = {
  player: 'The user ID, or “there” for a guest',
  ticket: 'The ticket’s number',
  subject: 'The ticket’s subject',
  character: 'The ticket’s character, or “your character” without one',
  me: 'Your name as support',
} as const
export type AnswerVariable = keyof typeof ANSWER_VARIABLES

const VARIABLE_PATTERN = /\{(\w+)\}/g

/** Returns the unknown variables of a text, as written. */
export function findUnknownVariables(body: string): string[] {
  return [...body.matchAll(VARIABLE_PATTERN)]
    .filter(([, name = '']) => !(name in ANSWER_VARIABLES))
    .map(([variable]) => variable)
}

/** Fills in the variables of a ready-made answer. */
export function fillInVariables(body: string, values: Record<AnswerVariable, string>): string {
  return body.replace(VARIABLE_PATTERN, (variable, name: string) =>
    name in values ? values[name as AnswerVariable] : variable,
  )
}

const { number } = ticketLinkForm.shape
const { message } = replyForm.shape

/** The version of the ticket that the operator saw, to detect later messages and changes. */
const version = f.optional(f.int('Load the ticket again.'))

const noteField = linesField(2000, TICKET_TEXTS.messageRequired, { characters: TICKET_TEXTS.messageControl })

export const answerForm = f.object({
  number,
  version,
  message,
  author: optionalField(
    lineField(SUPPORT_NAME_MAX, undefined, {
      tooLong: TICKET_TEXTS.authorTooLong,
      characters: TICKET_TEXTS.authorControl,
    }),
  ),
  close: f._default(f.boolean('Close must be true or false.'), false),
})

export const answerFields = describeFields(answerForm, {
  author: { label: 'Your name', hint: 'as players see it' },
  message: { label: 'Answer', kind: 'long' },
  close: 'Close the ticket with this answer',
})

export const oneTicketForm = f.object({ number, version })

const createTicketList = <Ticket extends f.ZodMiniType>(ticket: Ticket) =>
  f
    .array(ticket)
    .check(
      f.minLength(1, 'Choose at least one ticket.'),
      f.maxLength(TICKETS_AT_ONCE, `Choose at most ${TICKETS_AT_ONCE} tickets.`),
    )

export const closeForm = f.object({ tickets: createTicketList(oneTicketForm) })

export const assignForm = f.object({
  /**
   * The tickets with the assignees that the operator saw. If two operators take a ticket, the second gets a conflict.
   */
  tickets: createTicketList(f.object({ number, from: f.nullable(f.int('Load the ticket again.')) })),
  to: f.nullable(f.int('Choose someone on the staff.')),
})

export const priorityForm = f.object({
  number,
  priority: f.int('Choose a priority.').check(f.minimum(0, 'Choose a priority.'), f.maximum(3, 'Choose a priority.')),
})

export const ticketNoteForm = f.object({ number, body: noteField })

export const mergeForm = f.object({ number, into: number, version })

export const mergeFields = describeFields(mergeForm, {
  into: { label: 'Into the ticket', hint: 'all messages move there' },
})

export const readyAnswerForm = f.object({
  answer: f.nullable(f.int()),
  version: f.optional(f.int()),
  title: lineField(60, 'Give the answer a title.'),
  body: message,
})

export const readyAnswerFields = describeFields(readyAnswerForm, {
  title: { label: 'Title', hint: 'for staff' },
  body: { label: 'Text', kind: 'long' },
})

const ticketNotFound = { status: 404, message: 'There is no such ticket.' } as const
const notAllowed = { status: 403, message: TICKET_TEXTS.adminsOnly } as const
const ticketChanged = {
  status: 409,
  message: 'The ticket has changed in the meantime. Read it again; your text is not lost.',
} as const
const changeErrors = { notAllowed, ticketNotFound, conflict: ticketChanged } as const

const ticketRow = z
  .object({
    number: z.string(),
    subject: z.string(),
    category: z.enum(TICKET_CATEGORIES),
    state: z.enum(TICKET_STATES),
    priority: z.number().meta({ description: '0 low, 1 normal, 2 high, 3 urgent' }),
    requester: z.string().meta({
      description:
        'The user ID, or a guest’s email address, of which the list shows only the first letter and the domain',
    }),
    user_num: z.number().nullable(),
    assignee: z.string().nullable(),
    assignee_num: z.number().nullable(),
    messages: z.number(),
    created_at: moment,
    updated_at: moment,
    first_answered_at: moment.nullable(),
    merged_into: z.string().nullable(),
    version: z.number(),
  })
  .meta({ id: 'DeskTicketRow' })

/** The sort order `waiting` has the most urgent tickets first, and among them the longest-waiting. */
export const getTicketQueue = desk.list('/admin/tickets', {
  summary: 'Tickets by state, assignee, priority and category',
  sorts: ['waiting', '-ticket'],
  filters: {
    state: choiceFilter(TICKET_STATES),
    category: choiceFilter(TICKET_CATEGORIES),
    priority: choiceFilter(['0', '1', '2', '3']),
    assignee: textFilter.meta({ description: '`me`, `none`, or a user ID' }),
    q: textFilter.meta({ description: 'A ticket’s number, or the user ID or email address of its requester' }),
  },
  row: ticketRow,
})

const deskTicket = z
  .object({
    ...ticketRow.shape,
    email: z.string(),
    name: z.string(),
    character: z.string().nullable(),
    closed_at: moment.nullable(),
    conversation: z.array(ticketMessageSchema),
    notes: z.array(z.object({ note: z.number(), body: z.string(), written_by: z.string(), written_at: moment })),
    merged: z.array(z.string()).meta({ description: 'The numbers of tickets that were merged into this one' }),
    others: z
      .array(z.object({ number: z.string(), subject: z.string(), state: z.enum(TICKET_STATES), updated_at: moment }))
      .meta({ description: 'The newest other tickets of the same requester' }),
  })
  .meta({ id: 'DeskTicket' })

const operator = z.object({ user_num: z.number(), user_id: z.string() })

export const getDeskTicket = desk.read('/admin/tickets/page', {
  summary: 'A ticket with its conversation, notes and the requester’s other tickets',
  input: { query: z.object({ number: ticketLinkForm.shape.number }) },
  output: z.object({ ticket: deskTicket }),
  errors: { ticketNotFound },
})

export const getAssignees = desk.read('/admin/tickets/assignees', {
  summary: 'The operators who can answer tickets',
  output: z.object({ rows: z.array(operator) }),
})

export const getDeskScreenshot = desk.read('/admin/tickets/screenshot', {
  summary: 'A picture that is attached to a ticket',
  input: { query: z.object({ number: ticketLinkForm.shape.number, screenshot: z.uuid('There is no such picture.') }) },
  output: z.file(),
  errors: { ticketNotFound },
})

export const answerTicket = desk.write('/admin/tickets/answer', {
  title: 'Answer ticket',
  summary: 'Answer a ticket and email the answer; optionally close it',
  fields: answerForm,
  output: z.object({ message: z.string(), ticket: ticketSchema }),
  errors: { ...changeErrors, full: { status: 409, message: TICKET_TEXTS.full } },
})

export const closeDeskTickets = desk.write('/admin/tickets/close', {
  title: 'Close tickets',
  summary: 'Close tickets, all or none, and notify the requesters by email',
  fields: closeForm,
  errors: changeErrors,
})

export const reopenTicket = desk.write('/admin/tickets/reopen', {
  title: 'Reopen ticket',
  summary: 'Put a ticket back into the queue, without an email',
  fields: oneTicketForm,
  errors: changeErrors,
})

export const assignTickets = desk.write('/admin/tickets/assign', {
  title: 'Assign tickets',
  summary: 'Take tickets, assign them to another operator, or release them; all or none',
  fields: assignForm,
  errors: {
    notAllowed,
    ticketNotFound,
    claimed: { status: 409, message: 'Someone else has taken one of these tickets in the meantime.' },
    notOperator: { status: 422, message: 'This person does not answer tickets.', field: 'to' },
  },
})

export const prioritiseTicket = desk.write('/admin/tickets/priority', {
  title: 'Change ticket priority',
  summary: 'Set the priority of a ticket',
  fields: priorityForm,
  errors: { notAllowed, ticketNotFound },
})

export const writeTicketNote = desk.write('/admin/tickets/note', {
  title: 'Add ticket note',
  summary: 'Write a staff-only note about a ticket',
  fields: ticketNoteForm,
  errors: { ticketNotFound },
})

export const mergeTickets = desk.write('/admin/tickets/merge', {
  title: 'Merge tickets',
  summary: 'Move the messages of a ticket into another ticket of the same requester, and notify the requester',
  fields: mergeForm,
  errors: {
    ...changeErrors,
    sameTicket: { status: 422, message: 'Enter the number of another ticket.', field: 'into' },
    otherRequester: { status: 422, message: 'Both tickets must have the same requester.', field: 'into' },
    full: { status: 409, message: 'Together, the two conversations are too long for one ticket.' },
  },
})

const readyAnswer = z.object({ answer: z.number(), title: z.string(), body: z.string(), version: z.number() })

export const getReadyAnswers = desk.read('/admin/ready-answers', {
  summary: 'The ready-made answers, by title',
  output: z.object({ rows: z.array(readyAnswer) }),
})

export const saveReadyAnswer = desk.write('/admin/ready-answers/save', {
  title: 'Save ready answer',
  summary: 'Create or change a ready-made answer',
  fields: readyAnswerForm,
  output: z.object({ message: z.string(), answer: readyAnswer }),
  errors: {
    conflict,
    titleTaken: { status: 422, message: 'There is already an answer with this title.', field: 'title' },
    unknownVariable: {
      status: 422,
      message: 'Only {player}, {ticket}, {subject}, {character} and {me} are filled in.',
      field: 'body',
    },
  },
})

export const deleteReadyAnswer = desk.write('/admin/ready-answers/delete', {
  title: 'Delete ready answer',
  summary: 'Delete a ready-made answer',
  input: { body: z.object({ answer: z.number() }) },
  errors: { answerNotFound: { status: 404, message: 'This answer was already deleted.' } },
})
