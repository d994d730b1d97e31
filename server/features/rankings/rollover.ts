import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { BOARDS } from '#contract/game.ts'
import { getMonth } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import {
  archiveBoard,
  closePeriod,
  lockCharacters,
  lockOpenPeriod,
  openPeriod,
  resetBaselines,
  selectClosingBoard,
} from './queries.ts'
import { advanceSeasons } from './seasons.ts'

/** The maximum age that values may have at a month's end to close it. */
const VALUES_AGE_MAX_MS = 10 * MINUTE_MS
/** The longest time that a month waits for values. */
const WAIT_MAX_MS = DAY_MS
/** A reading of the game's values counts as interrupted after this time without a request. */
const READING_TIMEOUT_MS = 60_000

/**
 * Closes a month that is over, archives its boards, opens the current one (RANK-8, RANK-9, RANK-10), and ends and begins the
 * seasons of these months. Several processes close a month only once, because each locks the open month and checks it again.
 * Months in which no process ran have no boards. With a bridge, a month may have to wait for
 * values of the game (BRIDGE-13).
 *
 * @returns the closed month, or null when there was nothing to do
 */
export async function rollOver(db: Db, now: Date): Promise<string | null> {
  const presentMonth = getMonth(now)
  const openMonth = await db.selectFrom('ranking_periods').where('closed_at', 'is', null).selectAll().executeTakeFirst()
  if (openMonth !== undefined && openMonth.ends_at > now) return null
  return db.transaction().execute(async (tx) => {
    const dueMonth = await lockOpenPeriod(tx)
    if (dueMonth === undefined) {
      await openPeriod(tx, presentMonth, now)
      return null
    }
    if (dueMonth.ends_at > now) return null
    const values = await readValuesState(tx, dueMonth.ends_at, now)
    if (values.awaited) return null
    await lockCharacters(tx)
    for (const board of BOARDS) await archiveBoard(tx, dueMonth.period, board, await selectClosingBoard(tx, board, now))
    await closePeriod(tx, dueMonth.period, { at: now, valuesAt: values.at })
    await resetBaselines(tx)
    await openPeriod(tx, presentMonth, now)
    await advanceSeasons(tx, now)
    return dueMonth.period
  })
}

/**
 * Returns when the stored values were read from the game, and whether the month has to wait for newer values, because the
 * stored ones are too old or the values from before its end are still being sent.
 */
async function readValuesState(tx: Db, endsAt: Date, now: Date): Promise<{ at: Date | null; awaited: boolean }> {
  const sync = await tx.selectFrom('game_sync').selectAll().executeTakeFirst()
  if (sync === undefined || sync.values_at === null) return { at: null, awaited: false }
  const at = sync.values_at
  const bridge = await tx.selectFrom('bridges').where('revoked_at', 'is', null).select('bridge').executeTakeFirst()
  if (bridge === undefined || now.getTime() >= endsAt.getTime() + WAIT_MAX_MS) return { at, awaited: false }
  const isTooOld = at.getTime() < endsAt.getTime() - VALUES_AGE_MAX_MS
  const isBeingSent =
    sync.running_at !== null &&
    sync.running_at <= endsAt &&
    sync.active_at.getTime() > now.getTime() - READING_TIMEOUT_MS
  return { at, awaited: isTooOld || isBeingSent }
}
