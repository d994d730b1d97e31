import { MINUTE_MS } from '#contract/durations.ts'
import { HANDOVER_MINUTES } from '#contract/leagues.ts'
import type { Db } from '#server/db/open.ts'
import { countHolders, type LeagueRow, listWarTimes, lockLeague, writeWar } from './leagues.ts'

/**
 * Stores the missing results of ended wars in the leagues that count areas, from the areas' holders (WAR-4). Does not change
 * a result that an operator entered.
 *
 * @returns the number of stored results
 */
export async function storeAreaResults(db: Db, now: Date): Promise<number> {
  const leagues = await db
    .selectFrom('leagues')
    .where('state', '=', 'announced')
    .where('counts', '=', 'areas')
    .where('starts_at', '<', now)
    .selectAll()
    .execute()
  let storedCount = 0
  for (const row of leagues)
    if ((await listWarsWithoutResult(db, row, now)).length > 0)
      storedCount += await db.transaction().execute((tx) => storeLeagueResults(tx, row.league, now))
  return storedCount
}

/** Stores the missing results of one league, within the caller's transaction. */
export async function storeLeagueResults(tx: Db, leagueId: number, now: Date): Promise<number> {
  const league = await lockLeague(tx, leagueId)
  if (league?.state !== 'announced' || league.counts !== 'areas') return 0
  const missingResults = await listWarsWithoutResult(tx, league, now)
  for (const { event, starts_at, handoverAt } of missingResults)
    await writeWar(tx, { league: leagueId, event, starts_at, by: null, now }, await countHolders(tx, handoverAt))
  return missingResults.length
}

/** Lists the wars of a league without a result whose areas have been handed over. */
async function listWarsWithoutResult(db: Db, league: LeagueRow, now: Date) {
  const results = await db
    .selectFrom('league_wars')
    .where('league', '=', league.league)
    .select(['event', 'starts_at'])
    .execute()
  const toKey = (war: { event: number; starts_at: Date }) => `${war.event} ${war.starts_at.getTime()}`
  const existingKeys = new Set(results.map(toKey))
  return (await listWarTimes(db, league))
    .map((time) => ({ ...time, handoverAt: new Date(time.ends_at.getTime() + HANDOVER_MINUTES * MINUTE_MS) }))
    .filter((time) => time.handoverAt <= now && !existingKeys.has(toKey(time)))
}
