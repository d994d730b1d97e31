import { z } from 'zod'
import { choiceFilter, deskList, deskQuery, textFilter } from './desk-list.ts'
import {
  answerForm,
  assignForm,
  mergeForm,
  oneTicketForm,
  priorityForm,
  readyAnswerForm,
  ticketNoteForm,
} from './desk-ticket-fields.ts'
import { endpoint } from './endpoint.ts'
import { ticketLinkForm } from './ticket-fields.ts'
import { TICKET, TICKET_CATEGORIES } from './ticket-messages.ts'
import { TICKET_STATES, ticketMessageSchema, ticketSchema } from './tickets.ts'

const moment = z.iso.datetime()
const unit = z.number()
const said = z.object({ message: z.string() })
const area = 'desk: tickets'

const noTicket = { status: 404, message: 'There is no such ticket.' } as const
const notAllowed = { status: 403, message: TICKET.adminsOnly } as const
const changedMeanwhile = {
  status: 409,
  message: 'Something was written or changed on this ticket in the meantime. Read it again; your text stays.',
} as const
const toChange = { notAllowed, noTicket, changedMeanwhile } as const

const ticketRow = z
  .object({
    number: z.string(),
    subject: z.string(),
    category: z.enum(TICKET_CATEGORIES),
    state: z.enum(TICKET_STATES),
    priority: unit.meta({ description: '0 low, 1 normal, 2 high, 3 urgent' }),
    requester: z.string().meta({ description: 'The user ID, or a guest’s e-mail address with stars' }),
    user_num: unit.nullable(),
    assignee: z.string().nullable(),
    assignee_num: unit.nullable(),
    messages: unit,
    created_at: moment,
    updated_at: moment,
    first_answered_at: moment.nullable(),
    merged_into: z.string().nullable(),
  })
  .meta({ id: 'DeskTicketRow' })

/** Sorted by `waiting`, what waits longest comes first within each priority, urgent tickets before all others. */
export const getTicketQueue = endpoint({
  method: 'GET',
  path: '/admin/tickets',
  summary: 'Tickets by state, assignee, priority and category',
  area,
  access: 'tickets.answer',
  input: {
    query: deskQuery(['waiting', '-ticket'], {
      state: choiceFilter(TICKET_STATES),
      category: choiceFilter(TICKET_CATEGORIES),
      priority: choiceFilter(['0', '1', '2', '3']),
      assignee: textFilter.meta({ description: '`me`, `none`, or a user ID' }),
      q: textFilter.meta({ description: 'A ticket’s number, or the user ID or e-mail address of who wrote it' }),
    }),
  },
  output: deskList(ticketRow),
})

const deskTicket = z
  .object({
    ...ticketRow.shape,
    version: unit,
    email: z.string(),
    name: z.string(),
    character: z.string().nullable(),
    closed_at: moment.nullable(),
    conversation: z.array(ticketMessageSchema),
    notes: z.array(z.object({ note: unit, body: z.string(), written_by: z.string(), written_at: moment })),
    merged: z.array(z.string()).meta({ description: 'The numbers of tickets that were merged into this one' }),
    others: z
      .array(z.object({ number: z.string(), subject: z.string(), state: z.enum(TICKET_STATES), updated_at: moment }))
      .meta({ description: 'The newest other tickets of the same requester' }),
  })
  .meta({ id: 'DeskTicket' })

const operator = z.object({ user_num: unit, user_id: z.string() })

export const getDeskTicket = endpoint({
  method: 'GET',
  path: '/admin/tickets/page',
  summary: 'A ticket with its conversation, notes and the requester’s other tickets',
  area,
  access: 'tickets.answer',
  input: { query: z.object({ number: ticketLinkForm.shape.number }) },
  output: z.object({ ticket: deskTicket, assignees: z.array(operator) }),
  errors: { noTicket },
})

export const getDeskScreenshot = endpoint({
  method: 'GET',
  path: '/admin/tickets/screenshot',
  summary: 'A picture of a ticket',
  area,
  access: 'tickets.answer',
  input: { query: z.object({ number: ticketLinkForm.shape.number, screenshot: z.uuid('There is no such picture.') }) },
  output: z.file(),
  errors: { noTicket },
})

export const answerTicket = endpoint({
  method: 'POST',
  path: '/admin/tickets/answer',
  summary: 'Answer a ticket and email the answer; optionally close it',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(answerForm.shape) },
  fields: answerForm,
  output: z.object({ message: z.string(), ticket: ticketSchema }),
  errors: { ...toChange, full: { status: 409, message: TICKET.full } },
})

export const closeDeskTicket = endpoint({
  method: 'POST',
  path: '/admin/tickets/close',
  summary: 'Close a ticket and notify the requester by email',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(oneTicketForm.shape) },
  fields: oneTicketForm,
  output: said,
  errors: toChange,
})

export const reopenTicket = endpoint({
  method: 'POST',
  path: '/admin/tickets/reopen',
  summary: 'Put a ticket back into the queue, without an email',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(oneTicketForm.shape) },
  fields: oneTicketForm,
  output: said,
  errors: toChange,
})

export const assignTicket = endpoint({
  method: 'POST',
  path: '/admin/tickets/assign',
  summary: 'Claim a ticket, assign it to another operator, or release it',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(assignForm.shape) },
  fields: assignForm,
  output: said,
  errors: {
    notAllowed,
    noTicket,
    claimed: { status: 409, message: 'Someone else has claimed this ticket in the meantime.' },
    notOperator: { status: 422, message: 'This person does not answer tickets.', field: 'to' },
  },
})

export const prioritiseTicket = endpoint({
  method: 'POST',
  path: '/admin/tickets/priority',
  summary: 'Set the priority of a ticket',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(priorityForm.shape) },
  fields: priorityForm,
  output: said,
  errors: { notAllowed, noTicket },
})

export const writeTicketNote = endpoint({
  method: 'POST',
  path: '/admin/tickets/note',
  summary: 'Write a staff-only note about a ticket',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(ticketNoteForm.shape) },
  fields: ticketNoteForm,
  output: said,
  errors: { noTicket },
})

export const mergeTickets = endpoint({
  method: 'POST',
  path: '/admin/tickets/merge',
  summary: 'Move the messages of a ticket into another one of the same requester, who is told',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(mergeForm.shape) },
  fields: mergeForm,
  output: said,
  errors: {
    ...toChange,
    sameTicket: { status: 422, message: 'Enter the number of another ticket.', field: 'into' },
    otherRequester: { status: 422, message: 'Both tickets have to be of the same requester.', field: 'into' },
    full: { status: 409, message: 'Together, the two conversations are too long for one ticket.' },
  },
})

const readyAnswer = z.object({ answer: unit, title: z.string(), body: z.string(), version: unit })

export const getReadyAnswers = endpoint({
  method: 'GET',
  path: '/admin/ready-answers',
  summary: 'The ready-made answers, by title',
  area,
  access: 'tickets.answer',
  output: z.object({ rows: z.array(readyAnswer) }),
})

export const saveReadyAnswer = endpoint({
  method: 'POST',
  path: '/admin/ready-answers/save',
  summary: 'Make a ready-made answer, or change one',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object(readyAnswerForm.shape) },
  fields: readyAnswerForm,
  output: z.object({ message: z.string(), answer: readyAnswer }),
  errors: {
    changedMeanwhile: {
      status: 409,
      message: 'Someone else has changed this in the meantime. Load it again and repeat your change.',
    },
    titleTaken: { status: 422, message: 'There is already an answer with this title.', field: 'title' },
    unknownVariable: {
      status: 422,
      message: 'Only {player}, {ticket}, {subject}, {character} and {me} are filled in.',
      field: 'body',
    },
  },
})

export const deleteReadyAnswer = endpoint({
  method: 'POST',
  path: '/admin/ready-answers/delete',
  summary: 'Delete a ready-made answer',
  area,
  access: 'tickets.answer',
  idempotent: true,
  input: { body: z.object({ answer: unit }) },
  output: said,
  errors: { noAnswer: { status: 404, message: 'This answer is already gone.' } },
})
