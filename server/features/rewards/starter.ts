import { sql } from 'kysely'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getNextDay, getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { giveReward, type RewardBlockReason, RewardRolledBack, selectOffers } from './give.ts'

const ACCOUNTS_PER_BATCH = 200

/**
 * Records that a new account has to get the starter items, in the transaction of its registration. A confirmed address would
 * not show that an account is new, because older accounts confirm addresses too.
 */
export async function recordNewcomer(tx: Db, userNum: number, now: Date): Promise<void> {
  await sql`
    insert into starters (user_num, due_at)
    select ${userNum}, ${now}::timestamptz where exists (select from reward_offers where source = 'starter')`.execute(
    tx,
  )
}

/**
 * Whether account `a` is eligible: it is neither blocked nor staff, has a confirmed address, and has logged in, so its device
 * is known.
 */
const isEligible = (now: Date) => sql<boolean>`a.email_verified_at is not null and a.user_type < ${ADMIN_USER_TYPE}
  and not ${isBlocked('a', now)} and exists (select from known_places k where k.user_num = a.user_num)`

/** Counts the new accounts that wait for a budget, and the new accounts that are not eligible yet. */
export async function countNewcomers(db: Db, now: Date): Promise<{ waiting: number; unconfirmed: number }> {
  return db
    .selectFrom('starters as s')
    .innerJoin('accounts as a', 'a.user_num', 's.user_num')
    .select([
      sql<number>`(count(*) filter (where ${isEligible(now)}))::int`.as('waiting'),
      sql<number>`(count(*) filter (where not (${isEligible(now)})))::int`.as('unconfirmed'),
    ])
    .executeTakeFirstOrThrow()
}

/** Formats several rewards, such as `2 × Agimat and 5 × Potion`. */
export const formatOffers = (offers: readonly { text: string }[]) =>
  new Intl.ListFormat('en').format(offers.map(({ text }) => text))

type StarterDeps = Pick<Deps, 'db' | 'config' | 'now'>

/**
 * Gives new accounts their starter items (REWARD-9), the longest waiting first, each in a transaction, all items or none.
 * Accounts wait when the budget of the day is used up, or when too many accounts on their device or address got items today.
 *
 * @returns the number of accounts that got items
 */
export async function giveStarters(deps: StarterDeps, signal?: AbortSignal): Promise<number> {
  const { db, now } = deps
  let givenCount = 0
  for (const { user_num } of await selectDueAccounts(db, now())) {
    signal?.throwIfAborted()
    const blockReason = await db
      .transaction()
      .execute((tx) => giveStarter({ ...deps, db: tx }, user_num))
      .catch((error: unknown) => {
        if (error instanceof RewardRolledBack) return error.reason
        throw error
      })
    if (blockReason === null) givenCount++
    if (blockReason === 'usedUp' || blockReason === 'nothing') break
    if (blockReason === 'sharedPlace') await waitUntilTomorrow(db, user_num, now())
  }
  return givenCount
}

const selectDueAccounts = (db: Db, now: Date) =>
  db
    .selectFrom('starters as s')
    .innerJoin('accounts as a', 'a.user_num', 's.user_num')
    .where('s.due_at', '<=', now)
    .where(isEligible(now))
    .select('s.user_num')
    .orderBy('s.due_at')
    .orderBy('s.user_num')
    .limit(ACCOUNTS_PER_BATCH)
    .execute()

/** Locks the account and gives it the items. @returns null, or the reason why it gets none. @throws RewardRolledBack */
async function giveStarter(deps: StarterDeps, userNum: number): Promise<RewardBlockReason | null> {
  const { db: tx } = deps
  const now = deps.now()
  await tx.selectFrom('accounts').where('user_num', '=', userNum).select('user_num').forNoKeyUpdate().execute()
  const starterRow = await tx
    .deleteFrom('starters')
    .where('user_num', '=', userNum)
    .returning('user_num')
    .executeTakeFirst()
  if (starterRow === undefined) return 'before'
  const offers = await selectOffers(tx, 'starter')
  if (offers.length === 0) throw new RewardRolledBack('nothing')
  for (const { slot } of offers) {
    const outcome = await giveReward(deps, { source: 'starter', slots: [slot], userNum, key: `item ${slot}` })
    if ('reason' in outcome) throw new RewardRolledBack(outcome.reason)
  }
  await sendLetter(tx, {
    kind: 'reward',
    to: userNum,
    subject: 'Your starter items',
    body: `Welcome! You got ${formatOffers(offers)}. Look into your item bank in the game; your purchase history shows what is still on its way there.`,
    link: '/shoppurchases',
    now,
  })
  return null
}

async function waitUntilTomorrow(db: Db, userNum: number, now: Date): Promise<void> {
  const due_at = getStartOfDay(getNextDay(toManilaDay(now)))
  await db.updateTable('starters').set({ due_at }).where('user_num', '=', userNum).execute()
}
