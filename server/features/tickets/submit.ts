import type { z } from 'zod'
import type { TicketCategory } from '#contract/ticket-messages.ts'
import { TICKET } from '#contract/ticket-messages.ts'
import * as calls from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { networkOf } from '#server/http/client-address.ts'
import { inOneTransaction, type OnceRequest, type Outcome } from '#server/http/idempotency.ts'
import type { Asker } from './access.ts'
import { linkTo, notifyRequester } from './notify.ts'
import { lockTicket, selectEmail, selectOwnCharacter } from './queries.ts'
import { encodeScreenshots } from './screenshots.ts'
import { insertKey, insertMessage, insertTicket } from './writes.ts'

export type Submission = {
  category: TicketCategory
  subject: string
  message: string
  email?: string | undefined
  chaNum: number | undefined
  files: File[]
}

type Taken = z.input<(typeof calls.submitTicket)['output']>

/**
 * Takes a ticket: rules first, then the screenshots, then ticket, message, screenshots, keys and mail in one transaction.
 * A guest who sends the same again gets a key of its own to the ticket, because the first one is not stored. To be called
 * within `runOnce`.
 *
 * @throws Refusal 413, 422, 429, 503
 */
export async function submitTicket(
  deps: Deps,
  asked: Submission,
  { asker, once }: { asker: Asker; once: OnceRequest },
): Promise<Outcome<Taken>> {
  const email = await settleEmail(deps.db, asked.email, asker)
  const character = await settleCharacter(deps.db, asked.chaNum, asker)
  const pictures = await encodeScreenshots(asked.files)
  const now = deps.now()
  const site = { appName: deps.config.appName, publicUrl: deps.publicUrl }
  const { category, subject, message } = asked
  return inOneTransaction(
    deps,
    once,
    async (tx) => {
      const ticket = await insertTicket(tx, {
        userNum: asker.userNum,
        email: asker.userNum === null ? email : null,
        character,
        category,
        subject,
        address: asker.address,
        now,
      })
      await spendTicket(tx, deps, asker, email)
      await insertMessage(tx, ticket, { writer: 'requester', body: message, pictures, state: 'open', now })
      await notifyRequester(tx, { site, row: await lockTicket(tx, ticket), notice: { kind: 'submitted' }, now })
      return { answer: { ticket } }
    },
    async (tx, { ticket }) => {
      const row = await lockTicket(tx, ticket)
      const { number, state } = row
      const key = asker.userNum === null ? await insertKey(tx, row, now) : null
      return { message: TICKET.submitted, number, state, key, link: key === null ? null : linkTo(site.publicUrl, key) }
    },
  )
}

/** Counts a ticket against what a guest's address and e-mail, or a player and their address, may write. @throws Refusal 429 */
async function spendTicket(tx: Db, { limits }: Deps, { userNum, address }: Asker, email: string): Promise<void> {
  const network = networkOf(address)
  if (userNum === null) {
    await limits.spend('ticketsByGuestAddress', network, tx)
    await limits.spend('ticketsByEmail', email.toLowerCase(), tx)
  } else {
    await limits.spend('ticketsByMemberAddress', network, tx)
    await limits.spend('ticketsByMember', userNum, tx)
  }
}

/** @throws Refusal 422 for a guest without an e-mail address and a player with another one */
async function settleEmail(db: Db, email: string | undefined, { userNum }: Asker): Promise<string> {
  if (userNum === null) {
    if (email === undefined) throw refuse(calls.submitTicket, 'emailRequired')
    return email
  }
  const own = await selectEmail(db, userNum)
  if (email !== undefined && email.toLowerCase() !== own.toLowerCase())
    throw refuse(calls.submitTicket, 'emailNotYours')
  return own
}

/** @throws Refusal 422 for somebody else's character */
async function settleCharacter(db: Db, chaNum: number | undefined, { userNum }: Asker) {
  if (chaNum === undefined) return null
  if (userNum === null) throw refuse(calls.submitTicket, 'characterForMembers')
  const own = await selectOwnCharacter(db, userNum, chaNum)
  if (own === undefined) throw refuse(calls.submitTicket, 'characterUnknown')
  return own
}
