import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { INVITATION_LIFETIME_MS, INVITATION_REWARDED_RETENTION_MS } from '#contract/limits.ts'
import { getMonth } from '#contract/manila.ts'
import * as calls from '#contract/rewards.ts'
import { FRIENDS_A_MONTH, REWARD_ACCOUNT_DAYS, REWARD_TEXTS } from '#contract/rewards.ts'
import { isBlocked } from '#server/db/blocked.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter } from '#server/features/mailbox/letters.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readSettings, readSettingsNow } from '#server/settings.ts'
import { findAccountToken, selectAccountByToken } from './account-tokens.ts'
import { findRewardBlockReason, giveReward, RewardRolledBack, readOffer } from './give.ts'

const PAIRS_PER_BATCH = 200

/** Records who invited a new account, in the transaction of its registration. Ignores an unknown token. */
export async function recordInvitation(tx: Db, userNum: number, token: string, now: Date): Promise<void> {
  if (token === '') return
  const inviter = await selectAccountByToken(tx, token)
  if (inviter === undefined) return
  await tx
    .insertInto('invitations')
    .values({ user_num: userNum, inviter: inviter.user_num, invited_at: now, rewarded_at: null })
    .execute()
}

type RewardDeps = Pick<Deps, 'db' | 'config' | 'now'>

/**
 * Rewards both players when a character of the invited account has reached the configured level, each pair in a transaction,
 * both or neither. A pair that cannot have the reward now, such as after ten friends in a month, can get it later.
 *
 * @returns the number of rewarded pairs
 */
export async function rewardFriends(deps: RewardDeps, signal?: AbortSignal): Promise<number> {
  let rewardedCount = 0
  for (let lastUserNum = 0; ; ) {
    const duePairs = await selectDuePairs(deps, lastUserNum)
    for (const { user_num } of duePairs) {
      signal?.throwIfAborted()
      const isRewarded = await deps.db
        .transaction()
        .execute((tx) => rewardPair({ ...deps, db: tx }, user_num))
        .catch((error: unknown) => {
          if (error instanceof RewardRolledBack) return false
          throw error
        })
      if (isRewarded) rewardedCount++
      lastUserNum = user_num
    }
    if (duePairs.length < PAIRS_PER_BATCH) return rewardedCount
  }
}

async function selectDuePairs({ db, config, now }: RewardDeps, lastUserNum: number) {
  const { friend_level } = await readSettingsNow({ db, config })
  return db
    .selectFrom('invitations as i')
    .innerJoin('accounts as a', 'a.user_num', 'i.user_num')
    .where('i.user_num', '>', lastUserNum)
    .where('i.rewarded_at', 'is', null)
    .where('i.invited_at', '<=', new Date(now().getTime() - REWARD_ACCOUNT_DAYS * DAY_MS))
    .where((eb) => eb.not(isBlocked('a', now())))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('characters as c')
          .whereRef('c.user_num', '=', 'i.user_num')
          .where('c.kept_out', '=', '')
          .where('c.cha_level', '>=', friend_level)
          .select('c.cha_num'),
      ),
    )
    .select('i.user_num')
    .orderBy('i.user_num')
    .limit(PAIRS_PER_BATCH)
    .execute()
}

/** Locks both accounts in the order of their numbers, then the invitation. @throws RewardRolledBack */
async function rewardPair(deps: RewardDeps, userNum: number): Promise<boolean> {
  const { db: tx } = deps
  const now = deps.now()
  const invitation = await tx
    .selectFrom('invitations')
    .where('user_num', '=', userNum)
    .select('inviter')
    .executeTakeFirst()
  if (invitation === undefined) return false
  const { inviter } = invitation
  await tx
    .selectFrom('accounts')
    .where('user_num', 'in', [userNum, inviter])
    .select('user_num')
    .orderBy('user_num')
    .forNoKeyUpdate()
    .execute()
  const openInvitation = await tx
    .selectFrom('invitations')
    .where('user_num', '=', userNum)
    .where('rewarded_at', 'is', null)
    .select('user_num')
    .forUpdate()
    .executeTakeFirst()
  if (openInvitation === undefined) return false
  if ((await countRewardedFriends(tx, inviter, now)) >= FRIENDS_A_MONTH) return false
  for (const [account, key] of [
    [inviter, `friend ${userNum}`],
    [userNum, 'invited'],
  ] as const) {
    const outcome = await giveReward(deps, { source: 'friend', slots: [0], userNum: account, key })
    if ('reason' in outcome) throw new RewardRolledBack(outcome.reason)
    await sendLetter(tx, {
      kind: 'reward',
      to: account,
      subject: `You got ${outcome.text}`,
      body:
        account === inviter
          ? 'A friend whom you invited has reached the required level. Thank you for bringing them.'
          : 'You were invited by a friend and have reached the required level. Welcome!',
      link: '/invite',
      now,
    })
  }
  await tx.updateTable('invitations').set({ rewarded_at: now }).where('user_num', '=', userNum).execute()
  return true
}

/** Counts the friends for whom an account got a reward in this month in Manila. */
async function countRewardedFriends(db: Db, inviter: number, now: Date): Promise<number> {
  const { friends } = await db
    .selectFrom('invitations')
    .where('inviter', '=', inviter)
    .where('rewarded_at', '>=', getMonth(now).startsAt)
    .select(sql<number>`count(*)::int`.as('friends'))
    .executeTakeFirstOrThrow()
  return friends
}

/** The calls of the page of invitations (REWARD-8). */
export const friendCalls: MountedCall[] = [
  mount(calls.getFriendReward, async (_, { deps }) => {
    const { friend_level: level, reward_level: above_level } = await readSettings(deps)
    return { level, above_level, reward: (await readOffer(deps.db, 'friend', [0]))?.text ?? null }
  }),

  mount(calls.getOwnFriends, async (_, { deps, session: { userNum } }) => {
    const { db, now, publicUrl } = deps
    const { waiting } = await db
      .selectFrom('invitations')
      .where('inviter', '=', userNum)
      .where('rewarded_at', 'is', null)
      .select(sql<number>`count(*)::int`.as('waiting'))
      .executeTakeFirstOrThrow()
    const blockReason = await findRewardBlockReason(deps, 'friend', userNum)
    return {
      link: `${publicUrl}/register?invite=${await findAccountToken(db, userNum)}`,
      waiting,
      rewarded: await countRewardedFriends(db, userNum, now()),
      why_not: blockReason === null ? null : REWARD_TEXTS[blockReason],
    }
  }),
]

/** Deletes invitations two months after their reward, or after a year without one. */
export async function sweepInvitations(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const getTimeBefore = (ms: number) => new Date(now.getTime() - ms)
  await deleteOld(
    db,
    { table: 'invitations', column: 'rewarded_at', before: getTimeBefore(INVITATION_REWARDED_RETENTION_MS) },
    signal,
  )
  await deleteOld(
    db,
    { table: 'invitations', column: 'invited_at', before: getTimeBefore(INVITATION_LIFETIME_MS) },
    signal,
  )
}
