import * as calls from '#contract/desk-tickets.ts'
import { findUnknownVariables } from '#contract/desk-tickets.ts'
import { TICKET } from '#contract/tickets.ts'
import { isUniqueViolation } from '#server/db/errors.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readMailSite } from '#server/mail/site.ts'
import {
  answerAsSupport,
  assign,
  closeAsSupport,
  type Desk,
  lockSeen,
  merge,
  prioritise,
  reopenAsSupport,
} from './answer.ts'
import { selectScreenshot, selectTicketByNumber, type TicketRow } from './queries.ts'
import { selectAssignees, selectQueue, selectSurroundings } from './queue.ts'
import { describeTicket } from './view.ts'

const deskOf = async (deps: Deps): Promise<Desk> => ({
  db: deps.db,
  now: deps.now(),
  site: await readMailSite(deps),
})

/** What the audit log names: the ticket, and the account of who wrote it. */
const about = ({ number, user_num }: TicketRow) => ({
  target: ['ticket', number] as const,
  ...(user_num !== null && { player: user_num }),
})

/** Support's calls about tickets. */
export const ticketDeskCalls: Mounted[] = [
  mount(calls.getTicketQueue, (filters, { deps, staff }) => selectQueue(deps.browseDb, filters, staff.userNum)),

  mount(calls.getDeskTicket, async ({ number }, { deps }) => {
    const row = await selectTicketByNumber(deps.db, number)
    if (row === undefined) throw refuse(calls.getDeskTicket, 'noTicket')
    const [conversation, around, assignees] = await Promise.all([
      describeTicket(deps.db, row, true),
      selectSurroundings(deps.db, row.ticket),
      selectAssignees(deps.db),
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
    return { ticket, assignees }
  }),

  mount(calls.getDeskScreenshot, async ({ number, screenshot }, { deps }) => {
    const row = await selectTicketByNumber(deps.db, number)
    const picture = row && (await selectScreenshot(deps.db, row.ticket, screenshot))
    if (picture === undefined) throw refuse(calls.getDeskScreenshot, 'noTicket')
    return new File([new Uint8Array(picture.content)], `${number}.webp`, { type: 'image/webp' })
  }),

  mount(calls.answerTicket, async ({ message: body, author, ...asked }, { deps, staff, record }) => {
    const answer = { ...asked, body, author: author || staff.staffName, authorNum: staff.userNum }
    const row = await answerAsSupport(await deskOf(deps), answer)
    record({ ...about(row), after: { state: row.state, messages: row.message_count } })
    return { message: TICKET.answered, ticket: await describeTicket(deps.db, row, true) }
  }),

  mount(calls.closeDeskTicket, async (seen, { deps, record }) => {
    const row = await closeAsSupport(await deskOf(deps), seen)
    record({ ...about(row), after: { state: row.state } })
    return { message: 'The ticket is closed.' }
  }),

  mount(calls.reopenTicket, async (seen, { deps, record }) => {
    const row = await reopenAsSupport(await deskOf(deps), seen)
    record({ ...about(row), before: { state: row.state }, after: { state: 'open' } })
    return { message: 'The ticket is open again.' }
  }),

  mount(calls.assignTicket, async ({ number, from, to }, { deps, staff, record }) => {
    const assignees = await selectAssignees(deps.db)
    if (to !== null && !assignees.some(({ user_num }) => user_num === to))
      throw refuse(calls.assignTicket, 'notOperator')
    const row = await assign(await deskOf(deps), number, { from, to })
    record({ ...about(row), before: { assignee: row.assignee }, after: { assignee: to } })
    const name = assignees.find(({ user_num }) => user_num === to)?.user_id
    if (to === null) return { message: 'Nobody has this ticket now.' }
    return { message: to === staff.userNum ? 'This ticket is yours.' : `${name} has this ticket now.` }
  }),

  mount(calls.prioritiseTicket, async ({ number, priority }, { deps, record }) => {
    const row = await prioritise(await deskOf(deps), number, priority)
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
    const { source, target } = await merge(await deskOf(deps), seen, into)
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
    const before =
      answer === null
        ? undefined
        : await tx.selectFrom('ready_answers').where('answer', '=', answer).selectAll().forUpdate().executeTakeFirst()
    if (answer !== null && (before === undefined || before.version !== version))
      throw refuse(calls.saveReadyAnswer, 'changedMeanwhile')
    const saving =
      before === undefined
        ? tx.insertInto('ready_answers').values({ title, body }).returningAll().executeTakeFirstOrThrow()
        : tx
            .updateTable('ready_answers')
            .set({ title, body, version: before.version + 1 })
            .where('answer', '=', before.answer)
            .returningAll()
            .executeTakeFirstOrThrow()
    const saved = await saving.catch((error: unknown) => {
      throw isUniqueViolation(error, 'ready_answers_title_key') ? refuse(calls.saveReadyAnswer, 'titleTaken') : error
    })
    record({
      target: ['ready answer', saved.answer],
      before: before === undefined ? {} : { title: before.title, body: before.body },
      after: { title, body },
    })
    return { message: 'The answer is saved.', answer: saved }
  }),

  mount(calls.deleteReadyAnswer, async ({ answer }, { deps: { db: tx }, record }) => {
    const gone = await tx.deleteFrom('ready_answers').where('answer', '=', answer).returningAll().executeTakeFirst()
    if (gone === undefined) throw refuse(calls.deleteReadyAnswer, 'noAnswer')
    record({ target: ['ready answer', answer], before: { title: gone.title, body: gone.body } })
    return { message: 'The answer has been deleted.' }
  }),
]
