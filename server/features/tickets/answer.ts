import { answerTicket, assignTickets, mergeTickets } from '#contract/desk-tickets.ts'
import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import type { MailSite } from '#server/mail/templates.ts'
import { notifyRequester } from './notify.ts'
import { lockTicket, selectTicketByNumber, type TicketRow } from './queries.ts'
import { assertNotFull } from './reply.ts'
import { insertMessage, markClosed } from './writes.ts'

/** The transaction and time of a change by support, and the site that its emails name. */
export type SupportContext = { db: Db; now: Date; site: MailSite }

/** A ticket's number and the version that the operator saw. Without a version, any version is accepted. */
export type TicketReference = { number: string; version?: number | undefined }

/**
 * Locks and returns the ticket that an operator works on.
 *
 * @throws Refusal 404 for a number without a ticket, 409 if the ticket has changed since it was read
 */
export async function lockTicketVersion(tx: Db, { number, version }: TicketReference): Promise<TicketRow> {
  const ticketRow = await selectTicketByNumber(tx, number)
  if (ticketRow === undefined) throw refuse(answerTicket, 'ticketNotFound')
  const row = await lockTicket(tx, ticketRow.ticket)
  if (version !== undefined && row.version !== version) throw refuse(answerTicket, 'conflict')
  return row
}

export type SupportAnswer = TicketReference & { body: string; author: string; authorNum: number | null; close: boolean }

/**
 * Answers a ticket for support and mails the answer with a link.
 *
 * @returns the ticket as it is now
 * @throws Refusal as `lockTicketVersion`, and 409 when the conversation is full
 */
export async function answerAsSupport(
  { db: tx, now, site }: SupportContext,
  answer: SupportAnswer,
): Promise<TicketRow> {
  const { body, author, authorNum, close } = answer
  const { ticket, ...before } = await lockTicketVersion(tx, answer)
  assertNotFull(before)
  const state = close ? 'closed' : 'answered'
  await insertMessage(tx, ticket, { writer: 'support', author, authorNum, body, pictures: [], state, now })
  const row = await lockTicket(tx, ticket)
  await notifyRequester(tx, { site, row, notice: { kind: 'answered', author, body, closed: close }, now })
  return row
}

/**
 * Closes a ticket for support and mails that it is closed. @returns the ticket as it is now @throws Refusal as
 * `lockTicketVersion`
 */
export async function closeAsSupport(
  { db: tx, now, site }: SupportContext,
  reference: TicketReference,
): Promise<TicketRow> {
  const row = await lockTicketVersion(tx, reference)
  if (row.state === 'closed') return row
  await markClosed(tx, row.ticket, now)
  await notifyRequester(tx, { site, row, notice: { kind: 'closed' }, now })
  return lockTicket(tx, row.ticket)
}

/** Applies a change to several tickets, locked in the order of their numbers in the database, to avoid deadlocks. */
export async function forEachTicket<Reference extends TicketReference>(
  { db: tx }: SupportContext,
  tickets: readonly Reference[],
  changeTicket: (reference: Reference) => Promise<TicketRow>,
): Promise<TicketRow[]> {
  const locatedTickets: { reference: Reference; ticket: number }[] = []
  for (const reference of tickets)
    locatedTickets.push({ reference, ticket: (await selectTicketByNumber(tx, reference.number))?.ticket ?? 0 })
  const rows: TicketRow[] = []
  for (const { reference } of locatedTickets.sort((a, b) => a.ticket - b.ticket))
    rows.push(await changeTicket(reference))
  return rows
}

/** Puts a ticket back into the queue. @returns the ticket before the change @throws Refusal as `lockTicketVersion` */
export async function reopenAsSupport({ db: tx }: SupportContext, reference: TicketReference): Promise<TicketRow> {
  const row = await lockTicketVersion(tx, reference)
  if (row.state === 'open') return row
  await tx
    .updateTable('tickets')
    .set((eb) => ({ state: 'open', closed_at: null, version: eb('version', '+', 1) }))
    .where('ticket', '=', row.ticket)
    .execute()
  return row
}

/**
 * Assigns a ticket to an operator, or removes its assignee. Of two concurrent assignments one succeeds. The version does not
 * change, so an answer that is being written can still be sent.
 *
 * @param from the assignee that the operator saw
 * @returns the ticket before the change
 * @throws Refusal 404; 409 when it was reassigned
 */
export async function assignTicket(
  { db: tx }: SupportContext,
  number: string,
  { from, to }: { from: number | null; to: number | null },
) {
  const row = await lockTicketVersion(tx, { number })
  if (row.assignee !== from && row.assignee !== to) throw refuse(assignTickets, 'claimed')
  await tx.updateTable('tickets').set({ assignee: to }).where('ticket', '=', row.ticket).execute()
  return row
}

/** Sets the priority. The last of several changes applies. @returns the ticket before the change @throws Refusal 404 */
export async function setPriority({ db: tx }: SupportContext, number: string, priority: number): Promise<TicketRow> {
  const row = await lockTicketVersion(tx, { number })
  await tx.updateTable('tickets').set({ priority }).where('ticket', '=', row.ticket).execute()
  return row
}

/** Combines the states of two tickets: open if one of them is open, else answered if one of them is answered. */
const combineStates = (a: TicketRow, b: TicketRow) =>
  (['open', 'answered', 'closed'] as const).find((state) => a.state === state || b.state === state) ?? 'open'

const isSameRequester = (a: TicketRow, b: TicketRow) =>
  a.user_num === b.user_num && (a.user_num !== null || a.mail_to.toLowerCase() === b.mail_to.toLowerCase())

/**
 * Moves the messages, notes and links of a ticket to another ticket of the same requester, and notifies the requester. The number of
 * the merged ticket then opens the other ticket.
 *
 * @returns the merged ticket before the change, and the ticket that has its messages after the change
 * @throws Refusal as `lockTicketVersion`, 422 for the same ticket or another requester's, 409 for too many messages
 */
export async function mergeTicket(
  { db: tx, now, site }: SupportContext,
  reference: TicketReference,
  targetNumber: string,
) {
  const [from, to] = [await selectTicketByNumber(tx, reference.number), await selectTicketByNumber(tx, targetNumber)]
  if (from === undefined || to === undefined) throw refuse(mergeTickets, 'ticketNotFound')
  if (from.ticket === to.ticket) throw refuse(mergeTickets, 'sameTicket')
  // Locked in the order of their numbers, because concurrent merges in both directions must not deadlock.
  for (const ticket of [from.ticket, to.ticket].sort((a, b) => a - b)) await lockTicket(tx, ticket)
  const source = await lockTicketVersion(tx, reference)
  const target = await lockTicket(tx, to.ticket)
  if (source.ticket === target.ticket) throw refuse(mergeTickets, 'sameTicket')
  if (!isSameRequester(source, target)) throw refuse(mergeTickets, 'otherRequester')
  const count = source.message_count + target.message_count
  if (count > TICKET_MESSAGES_MAX) throw refuse(mergeTickets, 'full')

  const newTicket = { ticket: target.ticket }
  await tx.updateTable('ticket_messages').set(newTicket).where('ticket', '=', source.ticket).execute()
  await tx.updateTable('ticket_notes').set(newTicket).where('ticket', '=', source.ticket).execute()
  await tx.updateTable('ticket_keys').set(newTicket).where('ticket', '=', source.ticket).execute()
  await tx
    .updateTable('tickets')
    .set((eb) => ({
      merged_into: target.ticket,
      message_count: 0,
      state: 'closed',
      closed_at: now,
      assignee: null,
      version: eb('version', '+', 1),
    }))
    .where((eb) => eb.or([eb('ticket', '=', source.ticket), eb('merged_into', '=', source.ticket)]))
    .execute()
  const state = combineStates(source, target)
  const answers = [source.first_answered_at, target.first_answered_at].filter((at) => at !== null)
  await tx
    .updateTable('tickets')
    .set((eb) => ({
      state,
      closed_at: state === 'closed' ? (target.closed_at ?? now) : null,
      priority: Math.max(source.priority, target.priority),
      message_count: count,
      updated_at: new Date(Math.max(source.updated_at.getTime(), target.updated_at.getTime())),
      first_answered_at: answers.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
      assignee: target.assignee ?? source.assignee,
      version: eb('version', '+', 1),
    }))
    .where('ticket', '=', target.ticket)
    .execute()
  const row = await lockTicket(tx, target.ticket)
  await notifyRequester(tx, { site, row, notice: { kind: 'merged', from: source.number }, now })
  return { source, target: row }
}
