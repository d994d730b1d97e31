import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { RewardSource } from '#contract/rewards.ts'
import { createPayoutLockKey, hasOtherOwner, sumPayouts } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { readSettingsNow } from '#server/settings.ts'

/** Locks and returns the open charge of a source; undefined if no operator is charged. */
export const selectOpenCharge = (tx: Db, source: RewardSource) =>
  tx
    .selectFrom('reward_charges')
    .where('source', '=', source)
    .where('until_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()

/**
 * Returns whether a charged source can pay another reward. A reward may bring the payments of the last 24 hours to at most
 * the charge. Beyond that, this raises the charge as long as the operator's limit allows it. A raise is needed
 * when there are more accounts, or when the 24 hours include the budgets of two days. The caller must hold the lock of the source for the
 * current day.
 */
export async function canPay(
  { db: tx, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  source: RewardSource,
  value: number,
): Promise<boolean> {
  const openCharge = await selectOpenCharge(tx, source)
  if (openCharge === undefined) return true
  const since = new Date(Math.max(openCharge.from_at.getTime(), now().getTime() - DAY_MS))
  const { paid } = await tx
    .selectFrom('rewards')
    .where('source', '=', source)
    .where('given_at', '>=', since)
    .select(sql<number>`coalesce(sum(value), 0)::bigint`.as('paid'))
    .executeTakeFirstOrThrow()
  const amount = Number(paid) + value
  if (amount <= openCharge.amount) return true
  const { approval_limit: limit, approvals_on: isOn } = await readSettingsNow({ db: tx, config })
  if (!isOn || !(await hasOtherOwner(tx, openCharge.actor))) return true
  // Does not wait for the operator's payout lock: a concurrent call may hold it and wait for the player's account, which
  // would deadlock.
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(${createPayoutLockKey(openCharge.actor)}) as is_locked`.execute(tx)
  if (rows[0]?.is_locked !== true) return false
  const chargedTotal = await sumPayouts(tx, openCharge.actor, { now: now(), except: [source] })
  if (chargedTotal + amount > limit) return false
  await tx.updateTable('reward_charges').set({ amount }).where('charge', '=', openCharge.charge).execute()
  return true
}
