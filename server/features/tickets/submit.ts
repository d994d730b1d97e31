import type { z } from 'zod'
import * as calls from '#contract/tickets.ts'
import { TICKET_TEXTS, type TicketCategory } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { getNetwork } from '#server/http/client-address.ts'
import { readMailSite } from '#server/mail/site.ts'
import type { Requester } from './access.ts'
import { buildTicketLink, notifyRequester } from './notify.ts'
import { lockTicket, selectEmail, selectOwnCharacter } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { insertKey, insertMessage, insertTicket } from './writes.ts'

/** The fields of a new ticket that must be checked before the transaction. */
type UncheckedTicket = { email: string | undefined; chaNum: number | undefined; files: File[] }

type SubmitAnswer = z.input<(typeof calls.submitTicket)['output']>

/**
 * Checks a ticket and decodes its screenshots, before the transaction that inserts it.
 *
 * @throws Refusal 413, 422, 503
 */
export async function prepareTicket(deps: Deps, { email, chaNum, files }: UncheckedTicket, requester: Requester) {
  return {
    email: await resolveEmail(deps.db, email, requester),
    character: await resolveCharacter(deps.db, chaNum, requester),
    pictures: await encodeScreenshots(files),
  }
}

/**
 * Inserts a ticket with its message and screenshots and queues its email, in the transaction of the call.
 *
 * @returns its id in the database @throws Refusal 429
 */
export async function createTicket(
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
  await consumeTicketLimits(tx, deps, requester, email)
  await insertMessage(tx, ticket, { writer: 'requester', body: message, pictures, state: 'open', now })
  const site = await readMailSite({ ...deps, db: tx })
  await notifyRequester(tx, { site, row: await lockTicket(tx, ticket), notice: { kind: 'submitted' }, now })
  return ticket
}

/**
 * Returns the response to the requester of a new ticket. A guest's retry gets a new key, because only the hash of the first
 * key is stored.
 */
export async function confirmTicket(
  { db: tx, now, publicUrl }: Deps,
  ticket: number,
  requester: Requester,
): Promise<SubmitAnswer> {
  const row = await lockTicket(tx, ticket)
  const { number, state } = row
  const key = requester.userNum === null ? await insertKey(tx, row, now()) : null
  return {
    message: TICKET_TEXTS.submitted,
    number,
    state,
    key,
    link: key === null ? null : buildTicketLink(publicUrl, key),
  }
}

/**
 * Counts a ticket against the limits of a guest's network and email address, or of a player and their network.
 *
 * @throws Refusal 429
 */
async function consumeTicketLimits(
  tx: Db,
  { limits }: Deps,
  { userNum, address }: Requester,
  email: string,
): Promise<void> {
  const network = getNetwork(address)
  if (userNum === null) {
    await limits.consume('ticketsByGuestAddress', network, tx)
    await limits.consume('ticketsByEmail', email.toLowerCase(), tx)
  } else {
    await limits.consume('ticketsByMemberAddress', network, tx)
    await limits.consume('ticketsByMember', userNum, tx)
  }
}

/**
 * Returns the email address of a ticket: the address that a guest entered, or the account's.
 *
 * @throws Refusal 422 for a guest without an email address, and for a player with another address than the account's
 */
async function resolveEmail(db: Db, email: string | undefined, { userNum }: Requester): Promise<string> {
  if (userNum === null) {
    if (email === undefined) throw refuse(calls.submitTicket, 'emailRequired')
    return email
  }
  const accountEmail = await selectEmail(db, userNum)
  if (email !== undefined && email.toLowerCase() !== accountEmail.toLowerCase())
    throw refuse(calls.submitTicket, 'emailNotYours')
  return accountEmail
}

/** Returns the character of a ticket, or null for none. @throws Refusal 422 for another player's character */
async function resolveCharacter(db: Db, chaNum: number | undefined, { userNum }: Requester) {
  if (chaNum === undefined) return null
  if (userNum === null) throw refuse(calls.submitTicket, 'characterForMembers')
  const character = await selectOwnCharacter(db, userNum, chaNum)
  if (character === undefined) throw refuse(calls.submitTicket, 'characterUnknown')
  return character
}
