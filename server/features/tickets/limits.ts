import * as limits from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { tooMany } from '#server/errors.ts'
import { countAttempt } from '#server/http/attempts.ts'
import { networkOf } from '#server/http/client-address.ts'

const HOUR_MS = 3_600_000

/** Who asks: a member by number, a guest by null, from where. */
export type Asker = { userNum: number | null; address: string }

type Allowance = { key: string; max: number }

/** Counts one more within the hour. In a transaction that is taken back, it was never counted. @throws Refusal 429 */
async function spend(db: Db, now: Date, { key, max }: Allowance): Promise<void> {
  const attempt = await countAttempt(db, { key, now, windowMs: HOUR_MS })
  if (attempt.count > max) throw tooMany(attempt.retryAfterSeconds)
}

/** Forms with files, good or bad, that one address may send: each may cost the reading of three pictures. @throws Refusal 429 */
export async function spendForm({ db, now, config }: Deps, { address }: Asker): Promise<void> {
  if (!config.rateLimit) return
  await spend(db, now(), { key: `ticket-form:${networkOf(address)}`, max: limits.TICKET_FORMS_PER_HOUR })
}

/** Tickets that a guest's address and e-mail, or a member and their address, may write. @throws Refusal 429 */
export async function spendTicket(tx: Db, { now, config }: Deps, asker: Asker, email: string): Promise<void> {
  if (!config.rateLimit) return
  const network = networkOf(asker.address)
  const allowances: Allowance[] =
    asker.userNum === null
      ? [
          { key: `ticket-guest:${network}`, max: limits.TICKETS_PER_GUEST_ADDRESS },
          { key: `ticket-email:${email.toLowerCase()}`, max: limits.TICKETS_PER_EMAIL },
        ]
      : [
          { key: `ticket-members:${network}`, max: limits.TICKETS_PER_MEMBER_ADDRESS },
          { key: `ticket-member:${asker.userNum}`, max: limits.TICKETS_PER_MEMBER },
        ]
  for (const allowance of allowances) await spend(tx, now(), allowance)
}

/** Replies that a ticket takes from its requester. @throws Refusal 429 */
export async function spendReply(tx: Db, { now, config }: Deps, ticket: number): Promise<void> {
  if (!config.rateLimit) return
  await spend(tx, now(), { key: `ticket-reply:${ticket}`, max: limits.TICKET_REPLIES_PER_HOUR })
}

/** Whether one more link of a ticket may be mailed; past that nothing is sent and nobody is told. */
export async function mayMailLink(tx: Db, { now, config }: Deps, ticket: number): Promise<boolean> {
  if (!config.rateLimit) return true
  const attempt = await countAttempt(tx, { key: `ticket-link:${ticket}`, now: now(), windowMs: HOUR_MS })
  return attempt.count <= limits.TICKET_LINKS_PER_HOUR
}

const failuresOf = ({ address }: Asker) => `ticket-check:${networkOf(address)}`

/** Turns away who tried too often to open tickets that are not theirs. @throws Refusal 429 */
export async function refuseGuesser({ db, now, config }: Deps, asker: Asker): Promise<void> {
  if (!config.rateLimit) return
  const at = now()
  const failures = await db
    .selectFrom('attempts')
    .where('key', '=', failuresOf(asker))
    .where('ends_at', '>', at)
    .select(['count', 'ends_at'])
    .executeTakeFirst()
  if (failures === undefined || failures.count < limits.TICKET_CHECK_FAILURES_MAX) return
  throw tooMany(Math.max(1, Math.ceil((failures.ends_at.getTime() - at.getTime()) / 1000)))
}

/** Counts one more ticket that did not open. */
export async function countFailure({ db, now, config }: Deps, asker: Asker): Promise<void> {
  if (config.rateLimit) await countAttempt(db, { key: failuresOf(asker), now: now() })
}
