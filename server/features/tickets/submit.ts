import { REGISTER } from '#contract/account-messages.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { TICKET } from '#contract/ticket-messages.ts'
import type { TicketCategory, TicketState } from '#contract/tickets.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { ruleBroken } from '#server/errors.ts'
import { linkTo, mailRequester } from './letters.ts'
import { type Asker, spendTicket } from './limits.ts'
import { digest } from './numbers.ts'
import { lockTicket, selectEmail, selectOwnCharacter } from './queries.ts'
import { encodeScreenshots, type Picture } from './screenshots.ts'
import { insertKey, insertMessage, insertTicket, selectSubmittedTicket } from './writes.ts'

export type Submission = {
  category: TicketCategory
  subject: string
  message: string
  email: string | undefined
  chaNum: number | undefined
  files: File[]
  key: string | null
}

type Taken = { message: string; number: string; state: TicketState; key: string | null; link: string | null }

/**
 * Takes a ticket: rules first, then the pictures, then ticket, message, pictures, keys and mail in
 * one transaction. The same Idempotency-Key makes one ticket; a guest who asks again gets a key of
 * its own to it.
 *
 * @throws Refusal 413, 422, 429, 503
 */
export async function submitTicket(deps: Deps, asked: Submission, asker: Asker): Promise<Taken> {
  const email = await settleEmail(deps.db, asked.email, asker)
  const character = await settleCharacter(deps.db, asked.chaNum, asker)
  const pictures = await encodeScreenshots(asked.files)
  const now = deps.now()
  const submission = asked.key === null ? null : digest(asker.userNum ?? email.toLowerCase(), asked.key)
  const content = contentOf(asked, pictures)
  const site = { appName: deps.config.appName, publicUrl: deps.publicUrl }
  return deps.db.transaction().execute(async (tx) => {
    const made = await insertTicket(tx, {
      ...asked,
      userNum: asker.userNum,
      email: asker.userNum === null ? email : null,
      character,
      address: asker.address,
      submission,
      content,
      now,
    })
    if (made === undefined) return repeatAnswer(tx, deps, { submission, content, isGuest: asker.userNum === null })
    await spendTicket(tx, deps, asker, email)
    await insertMessage(tx, made.ticket, { writer: 'requester', body: asked.message, pictures, state: 'open', now })
    const row = await lockTicket(tx, made.ticket)
    await mailRequester(tx, { site, row, letter: { kind: 'submitted' }, now })
    const key = asker.userNum === null ? await insertKey(tx, made.ticket, now) : null
    return answer(deps, made.number, 'open', key)
  })
}

function answer({ publicUrl }: Deps, number: string, state: TicketState, key: string | null): Taken {
  return { message: TICKET.submitted, number, state, key, link: key === null ? null : linkTo(publicUrl, key) }
}

/** @throws Refusal 422 when the key came with something else before */
async function repeatAnswer(
  tx: Db,
  deps: Deps,
  { submission, content, isGuest }: { submission: string | null; content: string; isGuest: boolean },
): Promise<Taken> {
  const first = submission === null ? undefined : await selectSubmittedTicket(tx, submission)
  if (first === undefined || first.submission_content !== content) throw ruleBroken(SHOP.keyReused)
  return answer(deps, first.number, first.state, isGuest ? await insertKey(tx, first.ticket, deps.now()) : null)
}

/** What a submission says, to know it again. */
function contentOf({ category, subject, message, chaNum }: Submission, pictures: Picture[]): string {
  return digest(category, subject, message, chaNum ?? null, ...pictures.map((one) => one.content.toString('latin1')))
}

/** @throws Refusal 422 for a guest without an e-mail and a member with another one */
async function settleEmail(db: Db, email: string | undefined, { userNum }: Asker): Promise<string> {
  if (userNum === null) {
    if (email === undefined) throw ruleBroken(REGISTER.emailRequired)
    return email
  }
  const own = await selectEmail(db, userNum)
  if (email !== undefined && email.toLowerCase() !== own.toLowerCase()) throw ruleBroken(TICKET.emailNotYours)
  return own
}

/** @throws Refusal 422 for somebody else's character */
async function settleCharacter(db: Db, chaNum: number | undefined, { userNum }: Asker) {
  if (chaNum === undefined) return null
  if (userNum === null) throw ruleBroken(TICKET.characterForMembers)
  const own = await selectOwnCharacter(db, userNum, chaNum)
  if (own === undefined) throw ruleBroken(TICKET.characterUnknown)
  return own
}
