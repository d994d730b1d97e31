import type { z } from 'zod'
import * as calls from '#contract/tickets.ts'
import { TICKET, type TicketCategory } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { getNetwork } from '#server/http/client-address.ts'
import { readMailSite } from '#server/mail/site.ts'
import type { Requester } from './access.ts'
import { linkTo, notifyRequester } from './notify.ts'
import { lockTicket, selectEmail, selectOwnCharacter } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { insertKey, insertMessage, insertTicket } from './writes.ts'

/** A ticket's unchecked statements about its writer, and its files. */
type Claims = { email: string | undefined; chaNum: number | undefined; files: File[] }

type Taken = z.input<(typeof calls.submitTicket)['output']>

/**
 * Checks a ticket and decodes its screenshots, before the transaction that takes it.
 *
 * @throws Refusal 413, 422, 503
 */
export async function prepareTicket(deps: Deps, { email, chaNum, files }: Claims, requester: Requester) {
  return {
    email: await settleEmail(deps.db, email, requester),
    character: await settleCharacter(deps.db, chaNum, requester),
    pictures: await encodeScreenshots(files),
  }
}

/**
 * Takes a ticket: ticket, message, screenshots and mail, in the transaction of the call.
 *
 * @returns its number within the database @throws Refusal 429
 */
export async function takeTicket(
  deps: Deps,
  { category, subject, message }: { category: TicketCategory; subject: string; message: string },
  { email, character, pictures }: Awaited<ReturnType<typeof prepareTicket>>,
  requester: Requester,
): Promise<number> {
  const { db: tx } = deps
  const now = deps.now()
  const ticket = await insertTicket(tx, {
    userNum: requester.userNum,
    email: requester.userNum === null ? email : null,
    character,
    category,
    subject,
    address: requester.address,
    now,
  })
  await spendTicket(tx, deps, requester, email)
  await insertMessage(tx, ticket, { writer: 'requester', body: message, pictures, state: 'open', now })
  const site = await readMailSite({ ...deps, db: tx })
  await notifyRequester(tx, { site, row: await lockTicket(tx, ticket), notice: { kind: 'submitted' }, now })
  return ticket
}

/**
 * Returns the answer for the writer of a ticket. A guest who sends it again gets a new key, because the first one is not
 * stored.
 */
export async function confirmTicket(
  { db: tx, now, publicUrl }: Deps,
  ticket: number,
  requester: Requester,
): Promise<Taken> {
  const row = await lockTicket(tx, ticket)
  const { number, state } = row
  const key = requester.userNum === null ? await insertKey(tx, row, now()) : null
  return { message: TICKET.submitted, number, state, key, link: key === null ? null : linkTo(publicUrl, key) }
}

/**
 * Counts a ticket against the limits of a guest's address and email, or of a player and their address. @throws Refusal
 * 429
 */
async function spendTicket(tx: Db, { limits }: Deps, { userNum, address }: Requester, email: string): Promise<void> {
  const network = getNetwork(address)
  if (userNum === null) {
    await limits.spend('ticketsByGuestAddress', network, tx)
    await limits.spend('ticketsByEmail', email.toLowerCase(), tx)
  } else {
    await limits.spend('ticketsByMemberAddress', network, tx)
    await limits.spend('ticketsByMember', userNum, tx)
  }
}

/** @throws Refusal 422 for a guest without an email address and a player with another one */
async function settleEmail(db: Db, email: string | undefined, { userNum }: Requester): Promise<string> {
  if (userNum === null) {
    if (email === undefined) throw refuse(calls.submitTicket, 'emailRequired')
    return email
  }
  const own = await selectEmail(db, userNum)
  if (email !== undefined && email.toLowerCase() !== own.toLowerCase())
    throw refuse(calls.submitTicket, 'emailNotYours')
  return own
}

/** @throws Refusal 422 for another player's character */
async function settleCharacter(db: Db, chaNum: number | undefined, { userNum }: Requester) {
  if (chaNum === undefined) return null
  if (userNum === null) throw refuse(calls.submitTicket, 'characterForMembers')
  const own = await selectOwnCharacter(db, userNum, chaNum)
  if (own === undefined) throw refuse(calls.submitTicket, 'characterUnknown')
  return own
}
