import { BOARDS } from '#contract/game.ts'
import { monthOf } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import {
  archiveBoard,
  closePeriod,
  holdCharacters,
  lockOpenPeriod,
  openPeriod,
  resetBaselines,
  selectBoard,
} from './queries.ts'
import { turnSeasons } from './seasons.ts'

/**
 * Closes a month that is over, keeps its boards, opens the present one (DECISIONS §3 Rankings), and ends and begins the
 * seasons whose months these are. However many processes ask and however late, it happens once: they queue on
 * one lock and look again inside it. Months in which nothing ran have no boards.
 *
 * @returns the month that was closed, or null when there was nothing to do
 */
export async function rollOver(db: Db, now: Date): Promise<string | null> {
  const present = monthOf(now)
  const open = await db.selectFrom('ranking_periods').where('closed_at', 'is', null).selectAll().executeTakeFirst()
  if (open !== undefined && open.ends_at > now) return null
  return db.transaction().execute(async (tx) => {
    const due = await lockOpenPeriod(tx)
    if (due === undefined) {
      await openPeriod(tx, present, now)
      return null
    }
    if (due.ends_at > now) return null
    await holdCharacters(tx)
    for (const board of BOARDS) await archiveBoard(tx, due.period, board, await selectBoard(tx, board, now))
    await closePeriod(tx, due.period, now)
    await resetBaselines(tx)
    await openPeriod(tx, present, now)
    await turnSeasons(tx, now)
    return due.period
  })
}
