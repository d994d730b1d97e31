import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import { replyTicket } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Access, openToWrite, type Requester } from './access.ts'
import { lockTicket, type TicketRow } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { describeTicket } from './view.ts'
import { insertMessage, markClosed } from './writes.ts'

/** @throws Refusal 409 when no more fits into the conversation */
export function refuseFull(row: Pick<TicketRow, 'message_count'>): void {
  if (row.message_count >= TICKET_MESSAGES_MAX) throw refuse(replyTicket, 'full')
}

/**
 * Opens a ticket for a reply and decodes its screenshots, before the transaction that adds it.
 *
 * @throws Refusal 403, 404, 413, 422, 429, 503
 */
export async function prepareReply(deps: Deps, access: Access, files: File[], requester: Requester) {
  const { ticket } = await openToWrite(deps, access, requester)
  return { ticket, pictures: await encodeScreenshots(files) }
}

/**
 * Adds a requester's reply, which opens an answered or closed ticket again, in the transaction of the call.
 *
 * @throws Refusal 409, 429
 */
export async function addReply(
  { db: tx, limits, now }: Deps,
  body: string,
  { ticket, pictures }: Awaited<ReturnType<typeof prepareReply>>,
): Promise<void> {
  refuseFull(await lockTicket(tx, ticket))
  await limits.spend('ticketReplies', ticket, tx)
  await insertMessage(tx, ticket, { writer: 'requester', body, pictures, state: 'open', now: now() })
}

/** Closes a ticket as its requester; a closed one does not change. @throws Refusal 403, 404, 422, 429 */
export async function closeTicket(deps: Deps, access: Access, requester: Requester) {
  const seen = await openToWrite(deps, access, requester)
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockTicket(tx, seen.ticket)
    if (row.state !== 'closed') await markClosed(tx, row.ticket, deps.now())
    return describeTicket(tx, await lockTicket(tx, seen.ticket), true)
  })
}
