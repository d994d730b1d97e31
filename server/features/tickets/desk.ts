import * as calls from '#contract/desk-tickets.ts'
import { findUnknownVariables } from '#contract/desk-tickets.ts'
import { TICKET_TEXTS } from '#contract/tickets.ts'
import { createCollection } from '#server/collections.ts'
import type { Deps } from '#server/deps.ts'
import { refuse, refuseViolations } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readMailSite } from '#server/mail/site.ts'
import {
  answerAsSupport,
  assignTicket,
  closeAsSupport,
  forEachTicket,
  lockTicketVersion,
  mergeTicket,
  reopenAsSupport,
  type SupportContext,
  setPriority,
} from './answer.ts'
import { selectScreenshot, selectTicketByNumber, type TicketRow } from './queries.ts'
import { selectAssignees, selectDeskDetails, selectQueue } from './queue.ts'
import { describeTicket } from './view.ts'

const readSupportContext = async (deps: Deps): Promise<SupportContext> => ({
  db: deps.db,
  now: deps.now(),
  site: await readMailSite(deps),
})

/** Describes the target of an audit entry: the ticket, and its writer's account. */
const describeTarget = ({ number, user_num }: TicketRow) => ({
  target: ['ticket', number] as const,
  ...(user_num !== null && { player: user_num }),
})

/** Describes the target of an audit entry about one or several tickets. */
const describeTargets = (rows: readonly TicketRow[]) => {
  const [firstRow] = rows
  return rows.length === 1 && firstRow !== undefined
    ? describeTarget(firstRow)
    : { target: ['tickets', rows.length] as const }
}

/** Lists the numbers for an audit entry about several tickets; the target names a single ticket. */
const listNumbers = (rows: readonly TicketRow[]) =>
  rows.length === 1 ? {} : { tickets: rows.map(({ number }) => number) }

const readyAnswerCollection = createCollection('ready_answers', { key: 'answer', notFoundName: 'conflict' })

/** Support's calls about tickets. */
export const ticketDeskCalls: MountedCall[] = [
  mount(calls.getTicketQueue, (filters, { deps, staff }) => selectQueue(deps.browseDb, filters, staff.userNum)),

  mount(calls.getDeskTicket, async ({ number }, { deps }) => {
    const row = await selectTicketByNumber(deps.db, number)
    if (row === undefined) throw refuse(calls.getDeskTicket, 'ticketNotFound')
    const [conversation, details] = await Promise.all([
      describeTicket(deps.db, row, true),
      selectDeskDetails(deps.db, row.ticket),
    ])
    const { notes, others, ...otherDetails } = details
    const ticket = {
      ...conversation,
      ...otherDetails,
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
    const row = await answerAsSupport(await readSupportContext(deps), answer)
    record({ ...describeTarget(row), after: { state: row.state, messages: row.message_count } })
    return { message: TICKET_TEXTS.answered, ticket: await describeTicket(deps.db, row, true) }
  }),

  mount(calls.closeDeskTickets, async ({ tickets }, { deps, record }) => {
    const supportContext = await readSupportContext(deps)
    const rows = await forEachTicket(supportContext, tickets, (reference) => closeAsSupport(supportContext, reference))
    record({ ...describeTargets(rows), after: { state: 'closed', ...listNumbers(rows) } })
    return { message: rows.length === 1 ? 'The ticket is closed.' : `${rows.length} tickets are closed.` }
  }),

  mount(calls.reopenTicket, async (reference, { deps, record }) => {
    const earlierRow = await reopenAsSupport(await readSupportContext(deps), reference)
    record({ ...describeTarget(earlierRow), before: { state: earlierRow.state }, after: { state: 'open' } })
    return { message: 'The ticket is open again.' }
  }),

  mount(calls.getAssignees, async (_, { deps }) => ({ rows: await selectAssignees(deps.db) })),

  mount(calls.assignTickets, async ({ tickets, to }, { deps, staff, record }) => {
    const assignees = await selectAssignees(deps.db)
    if (to !== null && !assignees.some(({ user_num }) => user_num === to))
      throw refuse(calls.assignTickets, 'notOperator')
    const supportContext = await readSupportContext(deps)
    const rows = await forEachTicket(supportContext, tickets, ({ number, from }) =>
      assignTicket(supportContext, number, { from, to }),
    )
    const [earlierRow] = rows
    const before = rows.length === 1 ? { assignee: earlierRow?.assignee } : {}
    record({ ...describeTargets(rows), before, after: { assignee: to, ...listNumbers(rows) } })
    const name = assignees.find(({ user_num }) => user_num === to)?.user_id
    const [objectText, subjectText] =
      rows.length === 1 ? ['this ticket', 'This ticket is'] : ['these tickets', 'These tickets are']
    if (to === null) return { message: `No one has ${objectText} now.` }
    return { message: to === staff.userNum ? `${subjectText} yours.` : `${name} has ${objectText} now.` }
  }),

  mount(calls.prioritiseTicket, async ({ number, priority }, { deps, record }) => {
    const earlierRow = await setPriority(await readSupportContext(deps), number, priority)
    record({ ...describeTarget(earlierRow), before: { priority: earlierRow.priority }, after: { priority } })
    return { message: 'The priority is set.' }
  }),

  mount(calls.writeTicketNote, async ({ number, body }, { deps: { db: tx, now }, staff, record }) => {
    const row = await lockTicketVersion(tx, { number })
    const { note } = await tx
      .insertInto('ticket_notes')
      .values({ ticket: row.ticket, body, written_by: staff.userNum, written_at: now() })
      .returning('note')
      .executeTakeFirstOrThrow()
    record({ ...describeTarget(row), after: { note_number: note, note: body } })
    return { message: 'The note is saved. Only staff can read it.' }
  }),

  mount(calls.mergeTickets, async ({ into, ...reference }, { deps, record }) => {
    const { source, target } = await mergeTicket(await readSupportContext(deps), reference, into)
    record({
      ...describeTarget(source),
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
    const { row, before, after } = await readyAnswerCollection
      .save(tx, calls.saveReadyAnswer, { id: answer, version }, { title, body })
      .catch(refuseViolations(calls.saveReadyAnswer, { ready_answers_title_key: 'titleTaken' }))
    record({ target: ['ready answer', row.answer], before, after })
    return { message: 'The answer is saved.', answer: row }
  }),

  mount(calls.deleteReadyAnswer, async ({ answer }, { deps: { db: tx }, record }) => {
    const deletedAnswer = await tx
      .deleteFrom('ready_answers')
      .where('answer', '=', answer)
      .returningAll()
      .executeTakeFirst()
    if (deletedAnswer === undefined) throw refuse(calls.deleteReadyAnswer, 'answerNotFound')
    record({ target: ['ready answer', answer], before: { title: deletedAnswer.title, body: deletedAnswer.body } })
    return { message: 'The answer has been deleted.' }
  }),
]
