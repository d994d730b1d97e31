import { REGISTER } from '#contract/account-messages.ts'
import { TICKET } from '#contract/ticket-messages.ts'
import type { Deps } from '#server/deps.ts'
import { notFound, Refusal, ruleBroken } from '#server/errors.ts'
import { type Asker, countFailure, refuseGuesser } from './limits.ts'
import { selectTicketByKey, selectTicketByNumber, type TicketRow } from './queries.ts'

/** How a caller shows that a ticket is theirs, beside the token. */
export type Access = { key?: string | undefined; number?: string | undefined; email?: string | undefined }

type Opened = { row: TicketRow; mayWrite: boolean }

/**
 * Opens a ticket: with a key, as the member who wrote it, or with a guest's number and e-mail,
 * which reads but does not write. Whatever is wrong gets one answer after the same statements.
 *
 * @throws Refusal 404, 422, 429 after ten failures in 15 minutes
 */
export async function openTicket(deps: Deps, access: Access, asker: Asker): Promise<Opened> {
  const { key, number, email } = access
  if (key !== undefined) {
    const row = await selectTicketByKey(deps.db, key)
    if (row === undefined) throw notFound(TICKET.noMatch)
    return { row, mayWrite: true }
  }
  if (number === undefined) throw ruleBroken(TICKET.numberRequired)
  if (asker.userNum === null && email === undefined) throw ruleBroken(REGISTER.emailRequired)
  // Without an e-mail only one's own tickets open, so there is nothing to guess.
  if (email !== undefined) await refuseGuesser(deps, asker)
  const row = await selectTicketByNumber(deps.db, number)
  if (row !== undefined && row.user_num !== null && row.user_num === asker.userNum) return { row, mayWrite: true }
  if (row !== undefined && row.user_num === null && isSame(row.mail_to, email)) return { row, mayWrite: false }
  if (email !== undefined) await countFailure(deps, asker)
  throw notFound(TICKET.noMatch)
}

const isSame = (one: string, other: string | undefined) => one.toLowerCase() === other?.toLowerCase()

/** Opens a ticket to write in it. @throws Refusal as `openTicket`, and 403 with number and e-mail only */
export async function openToWrite(deps: Deps, access: Access, asker: Asker): Promise<TicketRow> {
  const { row, mayWrite } = await openTicket(deps, access, asker)
  if (!mayWrite) throw new Refusal(403, 'link-to-write', TICKET.linkToWrite)
  return row
}
