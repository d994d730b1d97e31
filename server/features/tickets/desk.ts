import * as calls from '#contract/desk-tickets.ts'
import { findUnknownVariables } from '#contract/desk-tickets.ts'
import { TICKET } from '#contract/tickets.ts'
import { createCollection } from '#server/collections.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseBroken } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readMailSite } from '#server/mail/site.ts'
import {
  answerAsSupport,
  assign,
  closeAsSupport,
  type Desk,
  forEachTicket,
  lockSeen,
  merge,
  prioritise,
  reopenAsSupport,
} from './answer.ts'
import { selectScreenshot, selectTicketByNumber, type TicketRow } from './queries.ts'
import { selectAssignees, selectQueue, selectSurroundings } from './queue.ts'
import { describeTicket } from './view.ts'

const toDesk = async (deps: Deps): Promise<Desk> => ({
  db: deps.db,
  now: deps.now(),
  site: await readMailSite(deps),
})

/** Describes the target of an audit entry: the ticket, and its writer's account. */
const about = ({ number, user_num }: TicketRow) => ({
  target: ['ticket', number] as const,
  ...(user_num !== null && { player: user_num }),
})

/** The same of one or several. */
const aboutAll = (rows: readonly TicketRow[]) => {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? about(first) : { target: ['tickets', rows.length] as const }
}

/** Which tickets, where the entry names several. */
const listed = (rows: readonly TicketRow[]) => (rows.length === 1 ? {} : { tickets: rows.map(({ number }) => number) })

const readyAnswers = createCollection('ready_answers', { key: 'answer', missing: 'conflict' })

/** Support's calls about tickets. */
export const ticketDeskCalls: Mounted[] = [
  mount(calls.getTicketQueue, (filters, { deps, staff }) => selectQueue(deps.browseDb, filters, staff.userNum)),

  mount(calls.getDeskTicket, async ({ number }, { deps }) => {
    const row = await selectTicketByNumber(deps.db, number)
    if (row === undefined) throw refuse(calls.getDeskTicket, 'ticketNotFound')
    const [conversation, around] = await Promise.all([
      describeTicket(deps.db, row, true),
      selectSurroundings(deps.db, row.ticket),
    ])
    const { notes, others, ...rest } = around
    const ticket = {
      ...conversation,
      ...rest,
      priority: row.priority,
      version: row.version,
      user_num: row.user_num,
      requester: row.user_id ?? row.mail_to,
      email: row.mail_to,
      assignee_num: row.assignee,
      first_answered_at: row.first_answered_at,
      merged_into: null,
      notes,
      others,
    }
    return { ticket }
  }),

  mount(calls.getDeskScreenshot, async ({ number, screenshot }, { deps }) => {
    const row = await selectTicketByNumber(deps.db, number)
    const picture = row && (await selectScreenshot(deps.db, row.ticket, screenshot))
    if (picture === undefined) throw refuse(calls.getDeskScreenshot, 'ticketNotFound')
    return new File([new Uint8Array(picture.content)], `${number}.webp`, { type: 'image/webp' })
  }),

  mount(calls.answerTicket, async ({ message: body, author, ...reply }, { deps, staff, record }) => {
    const answer = { ...reply, body, author: author || staff.staffName, authorNum: staff.userNum }
    const row = await answerAsSupport(await toDesk(deps), answer)
    record({ ...about(row), after: { state: row.state, messages: row.message_count } })
    return { message: TICKET.answered, ticket: await describeTicket(deps.db, row, true) }
  }),

  mount(calls.closeDeskTickets, async ({ tickets }, { deps, record }) => {
    const desk = await toDesk(deps)
    const rows = await forEachTicket(desk, tickets, (seen) => closeAsSupport(desk, seen))
    record({ ...aboutAll(rows), after: { state: 'closed', ...listed(rows) } })
    return { message: rows.length === 1 ? 'The ticket is closed.' : `${rows.length} tickets are closed.` }
  }),

  mount(calls.reopenTicket, async (seen, { deps, record }) => {
    const row = await reopenAsSupport(await toDesk(deps), seen)
    record({ ...about(row), before: { state: row.state }, after: { state: 'open' } })
    return { message: 'The ticket is open again.' }
  }),

  mount(calls.getAssignees, async (_, { deps }) => ({ rows: await selectAssignees(deps.db) })),

  mount(calls.assignTickets, async ({ tickets, to }, { deps, staff, record }) => {
    const assignees = await selectAssignees(deps.db)
    if (to !== null && !assignees.some(({ user_num }) => user_num === to))
      throw refuse(calls.assignTickets, 'notOperator')
    const desk = await toDesk(deps)
    const rows = await forEachTicket(desk, tickets, ({ number, from }) => assign(desk, number, { from, to }))
    const [first] = rows
    const before = rows.length === 1 ? { assignee: first?.assignee } : {}
    record({ ...aboutAll(rows), before, after: { assignee: to, ...listed(rows) } })
    const name = assignees.find(({ user_num }) => user_num === to)?.user_id
    const [these, are] = rows.length === 1 ? ['this ticket', 'This ticket is'] : ['these tickets', 'These tickets are']
    if (to === null) return { message: `No one has ${these} now.` }
    return { message: to === staff.userNum ? `${are} yours.` : `${name} has ${these} now.` }
  }),

  mount(calls.prioritiseTicket, async ({ number, priority }, { deps, record }) => {
    const row = await prioritise(await toDesk(deps), number, priority)
    record({ ...about(row), before: { priority: row.priority }, after: { priority } })
    return { message: 'The priority is set.' }
  }),

  mount(calls.writeTicketNote, async ({ number, body }, { deps: { db: tx, now }, staff, record }) => {
    const row = await lockSeen(tx, { number })
    const { note } = await tx
      .insertInto('ticket_notes')
      .values({ ticket: row.ticket, body, written_by: staff.userNum, written_at: now() })
      .returning('note')
      .executeTakeFirstOrThrow()
    record({ ...about(row), after: { note_number: note, note: body } })
    return { message: 'The note is saved. Only staff can read it.' }
  }),

  mount(calls.mergeTickets, async ({ into, ...seen }, { deps, record }) => {
    const { source, target } = await merge(await toDesk(deps), seen, into)
    record({
      ...about(source),
      before: { state: source.state },
      after: { state: 'closed', merged_into: target.number },
    })
    return { message: `Everything is now in ${target.number}.` }
  }),

  mount(calls.getReadyAnswers, async (_, { deps }) => ({
    rows: await deps.db.selectFrom('ready_answers').selectAll().orderBy('title').execute(),
  })),

  mount(calls.saveReadyAnswer, async ({ answer, version, title, body }, { deps: { db: tx }, record }) => {
    if (findUnknownVariables(body).length > 0) throw refuse(calls.saveReadyAnswer, 'unknownVariable')
    const { row, before, after } = await readyAnswers
      .save(tx, calls.saveReadyAnswer, { id: answer, version }, { title, body })
      .catch(refuseBroken(calls.saveReadyAnswer, { ready_answers_title_key: 'titleTaken' }))
    record({ target: ['ready answer', row.answer], before, after })
    return { message: 'The answer is saved.', answer: row }
  }),

  mount(calls.deleteReadyAnswer, async ({ answer }, { deps: { db: tx }, record }) => {
    const deleted = await tx.deleteFrom('ready_answers').where('answer', '=', answer).returningAll().executeTakeFirst()
    if (deleted === undefined) throw refuse(calls.deleteReadyAnswer, 'answerNotFound')
    record({ target: ['ready answer', answer], before: { title: deleted.title, body: deleted.body } })
    return { message: 'The answer has been deleted.' }
  }),
]
