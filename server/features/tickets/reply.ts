import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import { replyTicket } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { openForWriting, type Requester, type TicketAccess } from './access.ts'
import { lockTicket, type TicketRow } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { describeTicket } from './view.ts'
import { insertMessage, markClosed } from './writes.ts'

/** @throws Refusal 409 when the conversation has the maximum number of messages */
export function assertNotFull(row: Pick<TicketRow, 'message_count'>): void {
  if (row.message_count >= TICKET_MESSAGES_MAX) throw refuse(replyTicket, 'full')
}

/**
 * Opens a ticket for a reply and decodes its screenshots, before the transaction that adds it.
 *
 * @throws Refusal 403, 404, 413, 422, 429, 503
 */
export async function prepareReply(deps: Deps, access: TicketAccess, files: File[], requester: Requester) {
  const { ticket } = await openForWriting(deps, access, requester)
  return { ticket, pictures: await encodeScreenshots(files) }
}

/**
 * Adds a requester's reply and reopens an answered or closed ticket, in the transaction of the call.
 *
 * @throws Refusal 409, 429
 */
export async function addReply(
  { db: tx, limits, now }: Deps,
  body: string,
  { ticket, pictures }: Awaited<ReturnType<typeof prepareReply>>,
): Promise<void> {
  assertNotFull(await lockTicket(tx, ticket))
  await limits.consume('ticketReplies', ticket, tx)
  await insertMessage(tx, ticket, { writer: 'requester', body, pictures, state: 'open', now: now() })
}

/** Closes a ticket for its requester. Does not change a closed ticket. @throws Refusal 403, 404, 422, 429 */
export async function closeTicket(deps: Deps, access: TicketAccess, requester: Requester) {
  const { ticket } = await openForWriting(deps, access, requester)
  return deps.db.transaction().execute(async (tx) => {
    const currentRow = await lockTicket(tx, ticket)
    if (currentRow.state !== 'closed') await markClosed(tx, currentRow.ticket, deps.now())
    return describeTicket(tx, await lockTicket(tx, ticket), true)
  })
}
