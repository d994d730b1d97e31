import { sql } from 'kysely'
import { GAME_REPORT_LIFETIME_MS } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import * as calls from '#contract/rewards.ts'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { refuseInMaintenance } from '#server/maintenance.ts'
import { readSettings, readSettingsNow } from '#server/settings.ts'
import { findRewardBlockReason, giveReward, selectOffers } from './give.ts'

const OFFER_SLOT = 0

/** Returns the minutes that an account was in the game on a day (BRIDGE-30). */
async function readMinutes(db: Db, userNum: number, day: string): Promise<number> {
  const row = await db
    .selectFrom('play_days')
    .where('user_num', '=', userNum)
    .where('day', '=', day)
    .select('minutes')
    .executeTakeFirst()
  return row?.minutes ?? 0
}

/** Counts the rewards that an account got on a day. Their keys are the day and the number of the reward. */
async function countClaimed(db: Db, userNum: number, day: string): Promise<number> {
  const { claimed } = await db
    .selectFrom('rewards')
    .where('source', '=', 'playtime')
    .where('user_num', '=', userNum)
    .where(sql<boolean>`starts_with(key, ${`${day} `})`)
    .select(sql<number>`count(*)::int`.as('claimed'))
    .executeTakeFirstOrThrow()
  return claimed
}

/** Returns the number of rewards that the minutes of a day have earned. */
const countEarned = (minutes: number, minutesPerReward: number, rewardsMax: number) =>
  Math.min(rewardsMax, Math.floor(minutes / minutesPerReward))

async function readOwnState(deps: Pick<Deps, 'db' | 'config' | 'now'>, userNum: number) {
  const { db, now } = deps
  const day = toManilaDay(now())
  const { playtime_minutes, playtime_times } = await readSettingsNow(deps)
  const minutes = await readMinutes(db, userNum, day)
  const claimed = await countClaimed(db, userNum, day)
  const openCount = Math.max(0, countEarned(minutes, playtime_minutes, playtime_times) - claimed)
  return { day, minutes, claimed, open: openCount, isAll: claimed >= playtime_times }
}

/** The calls of rewards for time played (REWARD-12). */
export const playtimeCalls: MountedCall[] = [
  mount(calls.getPlaytime, async (_, { deps }) => {
    const [offer] = await selectOffers(deps.db, 'playtime')
    if (offer === undefined) return { playtime: null }
    const { playtime_minutes: minutes, playtime_times: times, reward_level } = await readSettings(deps)
    return { playtime: { reward: offer.text, minutes, times, above_level: reward_level } }
  }),

  mount(calls.getOwnPlaytime, async (_, { deps, session: { userNum } }) => {
    const { minutes, claimed, open: openCount, isAll: hasAllRewards } = await readOwnState(deps, userNum)
    const blockReason = openCount > 0 ? await findRewardBlockReason(deps, 'playtime', userNum) : null
    const message = hasAllRewards ? REWARD_TEXTS.playtimeBefore : REWARD_TEXTS.playedTooLittle
    return {
      minutes,
      claimed,
      open: openCount,
      why_not: blockReason !== null ? REWARD_TEXTS[blockReason] : openCount === 0 ? message : null,
    }
  }),

  mount(calls.claimPlaytime, async (_, { deps, session: { userNum } }) => {
    const { db: tx } = deps
    await refuseInMaintenance(deps, 'purchases')
    const { day, claimed, open: openCount, isAll: hasAllRewards } = await readOwnState(deps, userNum)
    if (openCount === 0) throw refuse(calls.claimPlaytime, hasAllRewards ? 'claimedAll' : 'playedTooLittle')
    let givenCount = 0
    for (; givenCount < openCount; givenCount++) {
      const rewardRequest = {
        source: 'playtime',
        slots: [OFFER_SLOT],
        userNum,
        key: `${day} ${claimed + givenCount + 1}`,
      } as const
      const answer = await giveReward(deps, rewardRequest)
      if (!('reason' in answer)) continue
      if (givenCount === 0) throw refuse(calls.claimPlaytime, answer.reason)
      break
    }
    const { milleage } = await tx
      .selectFrom('accounts')
      .where('user_num', '=', userNum)
      .select('milleage')
      .executeTakeFirstOrThrow()
    return { message: `${formatPlural(givenCount, 'reward')} claimed.`, rewards: givenCount, userPoints2: milleage }
  }),
]

/** Returns whether minutes of play count now; null if no bridge has reported the game's activity. */
async function readGameLife(db: Db, now: Date): Promise<boolean | null> {
  const sync = await db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .select(['life_at', 'online_mark'])
    .executeTakeFirst()
  if (sync === undefined || (sync.life_at === null && sync.online_mark === '')) return null
  return sync.life_at !== null && now.getTime() - sync.life_at.getTime() <= GAME_REPORT_LIFETIME_MS
}

/** Returns today's figures of the rewards for time played, for the desk. */
export async function readPlaytime(deps: Pick<Deps, 'db' | 'config' | 'now'>) {
  const { db, now } = deps
  const { playtime_minutes: minutes, playtime_times: times } = await readSettingsNow(deps)
  const { players } = await db
    .selectFrom('play_days')
    .where('day', '=', toManilaDay(now()))
    .where('minutes', '>', 0)
    .select(sql<number>`count(*)::int`.as('players'))
    .executeTakeFirstOrThrow()
  return { minutes, times, players, counting: await readGameLife(db, now()) }
}
