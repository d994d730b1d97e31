import { checkTicket, closeTicket } from '#contract/tickets.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { getNetwork } from '#server/http/client-address.ts'
import { selectTicketByKey, selectTicketByNumber, type TicketRow } from './queries.ts'

/** The person who opens a ticket: a player's number, or null for a guest, and their network address. */
export type Requester = { userNum: number | null; address: string }

/** A caller's proof of access to a ticket, in addition to the token. */
export type TicketAccess = { key?: string | undefined; number?: string | undefined; email?: string | undefined }

type OpenedTicket = { row: TicketRow; mayWrite: boolean }

/**
 * Opens a ticket with a key, as the player who wrote it, or with a guest's number and email address, which only allow
 * reading. Every mismatch gets the same response after the same statements, which hides the reason.
 *
 * @throws Refusal 404, 422, 429 after ten failures in 15 minutes
 */
export async function openTicket(deps: Deps, access: TicketAccess, requester: Requester): Promise<OpenedTicket> {
  const { key, number, email } = access
  if (key !== undefined) {
    const row = await selectTicketByKey(deps.db, key, deps.now())
    if (row === undefined) throw refuse(checkTicket, 'ticketMismatch')
    return { row, mayWrite: true }
  }
  if (number === undefined) throw refuse(checkTicket, 'numberRequired')
  if (requester.userNum === null && email === undefined) throw refuse(checkTicket, 'emailRequired')
  const network = getNetwork(requester.address)
  // Without an email address, players can only open their own tickets, so there is nothing to guess.
  if (email !== undefined) await deps.limits.check('ticketFailures', network)
  const row = await selectTicketByNumber(deps.db, number)
  if (row !== undefined && row.user_num !== null && row.user_num === requester.userNum) return { row, mayWrite: true }
  if (row !== undefined && row.user_num === null && isSameEmail(row.mail_to, email)) return { row, mayWrite: false }
  if (email !== undefined) await deps.limits.count('ticketFailures', network)
  throw refuse(checkTicket, 'ticketMismatch')
}

const isSameEmail = (storedEmail: string, enteredEmail: string | undefined) =>
  storedEmail.toLowerCase() === enteredEmail?.toLowerCase()

/** Opens a ticket for writing. @throws Refusal as `openTicket`, and 403 with only a number and an email address */
export async function openForWriting(deps: Deps, access: TicketAccess, requester: Requester): Promise<TicketRow> {
  const { row, mayWrite } = await openTicket(deps, access, requester)
  if (!mayWrite) throw refuse(closeTicket, 'linkToWrite')
  return row
}
