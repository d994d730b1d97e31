import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { TICKET } from '#contract/ticket-messages.ts'
import type { Ticket } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, ruleBroken } from '#server/errors.ts'
import { type Access, openToWrite } from './access.ts'
import { type Asker, spendReply } from './limits.ts'
import { digest } from './numbers.ts'
import { lockTicket, type TicketRow } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { describeTicket } from './view.ts'
import { insertMessage, markClosed, selectSubmittedContent } from './writes.ts'

export type Reply = { message: string; files: File[]; key: string | null }

/** @throws Refusal 409 when no more fits into the conversation */
export function refuseFull(row: TicketRow): void {
  if (row.message_count >= TICKET_MESSAGES_MAX) throw new Refusal(409, 'conversation-full', TICKET.full)
}

/**
 * Adds a requester's reply, which opens an answered or closed ticket again. The same
 * Idempotency-Key adds one reply. @throws Refusal 403, 404, 409, 413, 422, 429, 503
 */
export async function replyToTicket(deps: Deps, access: Access, reply: Reply, asker: Asker): Promise<Ticket> {
  const seen = await openToWrite(deps, access, asker)
  const pictures = await encodeScreenshots(reply.files)
  const now = deps.now()
  const submission = reply.key === null ? null : digest(seen.ticket, reply.key)
  const content = digest(reply.message, ...pictures.map((one) => one.content.toString('latin1')))
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockTicket(tx, seen.ticket)
    const before = submission === null ? undefined : await selectSubmittedContent(tx, submission)
    if (before !== undefined) {
      if (before !== content) throw ruleBroken(SHOP.keyReused)
      return describeTicket(tx, row, true)
    }
    refuseFull(row)
    await spendReply(tx, deps, seen.ticket)
    const message = { body: reply.message, pictures, submission, content }
    await insertMessage(tx, seen.ticket, { ...message, writer: 'requester', state: 'open', now })
    return describeTicket(tx, await lockTicket(tx, seen.ticket), true)
  })
}

/** Closes a ticket as its requester; one that is closed stays as it is. @throws Refusal 403, 404, 422, 429 */
export async function closeTicket(deps: Deps, access: Access, asker: Asker): Promise<Ticket> {
  const seen = await openToWrite(deps, access, asker)
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockTicket(tx, seen.ticket)
    if (row.state !== 'closed') await markClosed(tx, row.ticket, deps.now())
    return describeTicket(tx, await lockTicket(tx, seen.ticket), true)
  })
}
