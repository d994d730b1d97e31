import { TICKET_MESSAGES_MAX } from '#contract/limits.ts'
import { replyTicket, type Ticket } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { inOneTransaction, type OnceRequest, type Outcome } from '#server/http/idempotency.ts'
import { type Access, type Asker, openToWrite } from './access.ts'
import { lockTicket, type TicketRow } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { describeTicket } from './view.ts'
import { insertMessage, markClosed } from './writes.ts'

/** @throws Refusal 409 when no more fits into the conversation */
export function refuseFull(row: Pick<TicketRow, 'message_count'>): void {
  if (row.message_count >= TICKET_MESSAGES_MAX) throw refuse(replyTicket, 'full')
}

/**
 * Adds a requester's reply, which opens an answered or closed ticket again. A retry gets the ticket as it is now. To be
 * called within `runOnce`.
 *
 * @throws Refusal 403, 404, 409, 413, 422, 429, 503
 */
export async function replyToTicket(
  deps: Deps,
  access: Access,
  reply: { message: string; files: File[] },
  { asker, once }: { asker: Asker; once: OnceRequest },
): Promise<Outcome<Ticket>> {
  const { ticket } = await openToWrite(deps, access, asker)
  const pictures = await encodeScreenshots(reply.files)
  return inOneTransaction(
    deps,
    once,
    async (tx) => {
      const row = await lockTicket(tx, ticket)
      refuseFull(row)
      await deps.limits.spend('ticketReplies', row.ticket, tx)
      const message = { writer: 'requester', body: reply.message, pictures, state: 'open', now: deps.now() } as const
      await insertMessage(tx, row.ticket, message)
      return { answer: { ticket } }
    },
    async (tx) => describeTicket(tx, await lockTicket(tx, ticket), true),
  )
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
