import { MINUTE_MS } from '#contract/durations.ts'
import { HANDOVER_MINUTES } from '#contract/leagues.ts'
import type { Db } from '#server/db/open.ts'
import { countHolders, type LeagueRow, listWarTimes, lockLeague, writeWar } from './leagues.ts'

/**
 * Takes the results of wars that have ended from the areas' holders, for the leagues that count areas (WAR-4). A result
 * that an operator entered stays.
 *
 * @returns how many results were taken
 */
export async function takeAreaResults(db: Db, now: Date): Promise<number> {
  const leagues = await db
    .selectFrom('leagues')
    .where('state', '=', 'announced')
    .where('counts', '=', 'areas')
    .where('starts_at', '<', now)
    .selectAll()
    .execute()
  let taken = 0
  for (const row of leagues)
    if ((await listMissing(db, row, now)).length > 0)
      taken += await db.transaction().execute((tx) => takeLeagueResults(tx, row.league, now))
  return taken
}

/** The same for one league, in a transaction. */
export async function takeLeagueResults(tx: Db, number: number, now: Date): Promise<number> {
  const row = await lockLeague(tx, number)
  if (row?.state !== 'announced' || row.counts !== 'areas') return 0
  const missing = await listMissing(tx, row, now)
  for (const { event, starts_at, handedOver } of missing)
    await writeWar(tx, { league: number, event, starts_at, by: null, now }, await countHolders(tx, handedOver))
  return missing.length
}

/** The wars without a result whose areas have been handed over. */
async function listMissing(db: Db, league: LeagueRow, now: Date) {
  const known = await db
    .selectFrom('league_wars')
    .where('league', '=', league.league)
    .select(['event', 'starts_at'])
    .execute()
  const toKey = (war: { event: number; starts_at: Date }) => `${war.event} ${war.starts_at.getTime()}`
  const taken = new Set(known.map(toKey))
  return (await listWarTimes(db, league))
    .map((time) => ({ ...time, handedOver: new Date(time.ends_at.getTime() + HANDOVER_MINUTES * MINUTE_MS) }))
    .filter((time) => time.handedOver <= now && !taken.has(toKey(time)))
}
