import type { Db } from '#server/db/open.ts'
import type { MailSite } from '#server/mail/templates.ts'
import { mailRequester } from './letters.ts'
import { lockTicket, selectTicketByNumber, type TicketRow } from './queries.ts'
import { refuseFull } from './reply.ts'
import { insertMessage, markClosed } from './writes.ts'

/** What support's work needs: the database, the time, and the site that mails are sent for. */
export type Desk = { db: Db; now: Date; site: MailSite }

export type SupportAnswer = { number: string; body: string; author: string; authorNum: number | null; close: boolean }

/**
 * Answers a ticket for support and mails the answer with a link. To be called in a transaction.
 *
 * @returns the ticket as it is now; undefined when there is none
 * @throws Refusal 409 when the conversation is full
 */
export async function answerAsSupport(
  { db: tx, now, site }: Desk,
  answer: SupportAnswer,
): Promise<TicketRow | undefined> {
  const known = await selectTicketByNumber(tx, answer.number)
  if (known === undefined) return undefined
  const { body, author, authorNum, close } = answer
  refuseFull(await lockTicket(tx, known.ticket))
  const state = close ? 'closed' : 'answered'
  await insertMessage(tx, known.ticket, { writer: 'support', author, authorNum, body, pictures: [], state, now })
  const row = await lockTicket(tx, known.ticket)
  await mailRequester(tx, { site, row, letter: { kind: 'answered', author, body, closed: close }, now })
  return row
}

/**
 * Closes a ticket for support and mails that it is closed. To be called in a transaction.
 *
 * @returns undefined when there is none
 */
export async function closeAsSupport({ db: tx, now, site }: Desk, number: string): Promise<TicketRow | undefined> {
  const known = await selectTicketByNumber(tx, number)
  if (known === undefined) return undefined
  const row = await lockTicket(tx, known.ticket)
  if (row.state === 'closed') return row
  await markClosed(tx, known.ticket, now)
  await mailRequester(tx, { site, row, letter: { kind: 'closed' }, now })
  return lockTicket(tx, known.ticket)
}
