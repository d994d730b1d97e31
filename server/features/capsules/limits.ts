import { DAY_MS } from '#contract/durations.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'

/** A player's own limit of draws a day; null for no limit. `later` is a pending raise. */
export type DrawLimit = { draws: number | null; later: { draws: number | null; from: Date } | null }

/** Returns an account's daily limit of draws as of `now`. */
export async function readDrawLimit(db: Db, userNum: number, now: Date): Promise<DrawLimit> {
  const row = await db.selectFrom('capsule_limits').where('user_num', '=', userNum).selectAll().executeTakeFirst()
  if (row === undefined) return { draws: null, later: null }
  const { draws_a_day: draws, later_draws, later_from: from } = row
  if (from === null) return { draws, later: null }
  return from <= now ? { draws: later_draws, later: null } : { draws, later: { draws: later_draws, from } }
}

/** Counts an account's draws since midnight in Manila. */
export async function countDrawsToday(db: Db, userNum: number, now: Date): Promise<number> {
  const { draws } = await db
    .selectFrom('capsule_draws')
    .where('user_num', '=', userNum)
    .where('drawn_at', '>=', getStartOfDay(toManilaDay(now)))
    .select((eb) => eb.fn.countAll<number>().as('draws'))
    .executeTakeFirstOrThrow()
  return Number(draws)
}

/**
 * Sets an account's limit. A lower limit applies at once, a higher one or none after a day (CAPSULE-2). The account is
 * locked, so no concurrent draw can use the former limit afterwards.
 */
export async function setDrawLimit(tx: Db, userNum: number, { draws, now }: { draws: number | null; now: Date }) {
  await tx.selectFrom('accounts').where('user_num', '=', userNum).select('user_num').forNoKeyUpdate().execute()
  const { draws: currentDraws } = await readDrawLimit(tx, userNum, now)
  const isRaise = currentDraws !== null && (draws === null || draws > currentDraws)
  const values = isRaise
    ? { draws_a_day: currentDraws, later_draws: draws, later_from: new Date(now.getTime() + DAY_MS) }
    : { draws_a_day: draws, later_draws: null, later_from: null }
  await tx
    .insertInto('capsule_limits')
    .values({ user_num: userNum, ...values })
    .onConflict((conflict) => conflict.column('user_num').doUpdateSet(values))
    .execute()
  return isRaise
}
