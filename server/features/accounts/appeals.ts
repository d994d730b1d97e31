import { sql } from 'kysely'
import { APPEAL_TEXTS, appealBlock } from '#contract/appeals.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { APPEAL_RETENTION_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { isHeldByOther } from '#server/approvals/approvers.ts'
import { isBlockedNow } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal, refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { recordEvent, recordFailedLogin } from './events.ts'
import { checkCredentials } from './login.ts'

const RETRY_AFTER_S = LIMITS.loginFailures.windowMs / 1000

/**
 * Stores a blocked player's appeal, once for each block (SUPPORT-2). A wrong user ID or password counts as a failed login.
 * An account that is not blocked gets the same answer and history entry as a wrong password. The call needs no second
 * factor, so it must not reveal whether a password is correct.
 *
 * @returns the message for the player
 * @throws Refusal 422 for wrong credentials or an account without a block, 429 when locked, 409 after an earlier appeal,
 *   503 when too many passwords wait to be checked
 */
export async function storeAppeal(deps: Deps, form: ValidInput<typeof appealBlock>, caller: Caller): Promise<string> {
  const { db, now } = deps
  const credentials = { userId: form.UserID, password: form.UserPass }
  const result = await checkCredentials(deps, credentials, caller, { canCreateAccount: false })
  if (result === 'locked') throw new Refusal(429, 'locked', LOGIN_ANSWERS.locked, { retryAfterSeconds: RETRY_AFTER_S })
  if (result === 'wrong') throw refuse(appealBlock, 'wrong')
  const { account } = result
  const userNum = account.user_num
  if (!isBlockedNow(account, now())) {
    await recordFailedLogin(db, { userId: account.user_id, caller, now: now() })
    throw refuse(appealBlock, 'wrong')
  }
  await result.takeBack()
  return db.transaction().execute(async (tx) => {
    const block = await tx
      .selectFrom('account_blocks')
      .where('user_num', '=', userNum)
      .where('lifted_at', 'is', null)
      .select(['block', 'blocked_by'])
      .forUpdate()
      .executeTakeFirst()
    if (block === undefined) throw refuse(appealBlock, 'decisionNotFound')
    const earlierAppeal = await tx
      .selectFrom('block_appeals')
      .where('block', '=', block.block)
      .select(['outcome', 'reply'])
      .executeTakeFirst()
    if (earlierAppeal?.outcome === 'stays') throw new Refusal(409, 'already', APPEAL_TEXTS.decided(earlierAppeal.reply))
    if (earlierAppeal !== undefined) throw refuse(appealBlock, 'already')
    await tx
      .insertInto('block_appeals')
      .values({
        block: block.block,
        user_num: userNum,
        text: form.text,
        made_at: now(),
        outcome: null,
        decided_by: null,
        decided_at: null,
      })
      .execute()
    await recordEvent(tx, { userNum, kind: 'appealed', caller, now: now() })
    const isByAnother = block.blocked_by === null || (await isHeldByOther(tx, 'players.block', block.blocked_by))
    return APPEAL_TEXTS.sent(isByAnother)
  })
}

/** Clears the texts of appeals a year after their decision, or after the end of their block if there was none. */
export async function sweepAppeals(db: Db, now: Date): Promise<void> {
  const cutoff = new Date(now.getTime() - APPEAL_RETENTION_MS)
  await sql`
    update block_appeals p set text = '', reply = '' from account_blocks b
    where b.block = p.block and p.text <> '' and p.made_at < ${cutoff}
      and coalesce(p.decided_at, b.lifted_at, b.ends_at) < ${cutoff}`.execute(db)
}
