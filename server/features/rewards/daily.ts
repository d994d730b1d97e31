import { sql } from 'kysely'
import { nameCurrencies } from '#contract/currencies.ts'
import { PLAY_DAYS_RETENTION_MS } from '#contract/limits.ts'
import { getMonth, toManilaDay } from '#contract/manila.ts'
import * as calls from '#contract/rewards.ts'
import { REWARD_TEXTS } from '#contract/rewards.ts'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { refuseInMaintenance } from '#server/maintenance.ts'
import { readSettings, selectCurrencyNames } from '#server/settings.ts'
import { findRewardBlockReason, giveReward, selectOffers, wasGiven } from './give.ts'

const NO_PICTURES = { icon: null, image_url: null }

/** Returns whether an account had a character online on a day. */
async function hasPlayed(db: Db, userNum: number, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('last_played')
    .where('user_num', '=', userNum)
    .where('played_on', '=', day)
    .select('user_num')
    .executeTakeFirst()
  return row !== undefined
}

/** The calls of the daily reward (REWARD-4). */
export const dailyRewardCalls: MountedCall[] = [
  mount(calls.getDailyRewards, async (_, { deps }) => {
    const { id, day: today, days } = getMonth(deps.now())
    const offers = await selectOffers(deps.db, 'daily')
    const findOffer = (day: number) => offers.find(({ slot }) => slot === day) ?? offers.find(({ slot }) => slot === 0)
    return {
      month: id,
      today,
      above_level: (await readSettings(deps)).reward_level,
      days: Array.from({ length: days }, (_, index) => {
        const offer = findOffer(index + 1)
        const gift = offer?.gift
        return {
          day: index + 1,
          reward: offer?.text ?? null,
          milleage: gift !== undefined && 'amount' in gift ? gift.amount : 0,
          item:
            gift !== undefined && 'item' in gift
              ? { quantity: gift.quantity, ...(offer?.pictures ?? NO_PICTURES) }
              : null,
        }
      }),
    }
  }),

  mount(calls.getOwnDaily, async (_, { deps, session: { userNum } }) => {
    const { db, now } = deps
    const { id } = getMonth(now())
    const today = toManilaDay(now())
    const rows = await db
      .selectFrom('rewards')
      .where('source', '=', 'daily')
      .where('user_num', '=', userNum)
      .where(sql<boolean>`starts_with(key, ${id})`)
      .select('key')
      .orderBy('key')
      .execute()
    const findReason = async () => {
      if (await wasGiven(db, { source: 'daily', userNum, key: today })) return REWARD_TEXTS.claimedBefore
      const blockReason = await findRewardBlockReason(deps, 'daily', userNum)
      if (blockReason !== null) return REWARD_TEXTS[blockReason]
      return (await hasPlayed(db, userNum, today)) ? null : REWARD_TEXTS.notPlayed
    }
    return { claimed: rows.map(({ key }) => Number(key.slice(8))), why_not: await findReason() }
  }),

  mount(calls.claimDaily, async (_, { deps, session: { userNum } }) => {
    const { db: tx, now } = deps
    await refuseInMaintenance(deps, 'purchases')
    const day = toManilaDay(now())
    const isUnclaimed = !(await wasGiven(tx, { source: 'daily', userNum, key: day }))
    if (isUnclaimed && !(await hasPlayed(tx, userNum, day))) throw refuse(calls.claimDaily, 'notPlayed')
    const slots = [getMonth(now()).day, 0]
    const outcome = await giveReward(deps, { source: 'daily', slots, userNum, key: day })
    if ('reason' in outcome) throw refuse(calls.claimDaily, outcome.reason)
    const { milleage } = await tx
      .selectFrom('accounts')
      .where('user_num', '=', userNum)
      .select('milleage')
      .executeTakeFirstOrThrow()
    const message = nameCurrencies(REWARD_TEXTS.claimed, await selectCurrencyNames(tx))
    return { message, reward: outcome.text, userPoints2: milleage }
  }),
]

/** Deletes records of accounts that played on past days (REWARD-4), and minutes of play after 31 days (BRIDGE-30). */
export async function sweepDaysPlayed(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  await deleteOld(db, { table: 'last_played', column: 'played_on', before: toManilaDay(now) }, signal)
  const oldest = toManilaDay(new Date(now.getTime() - PLAY_DAYS_RETENTION_MS))
  await deleteOld(db, { table: 'play_days', column: 'day', before: oldest }, signal)
}
