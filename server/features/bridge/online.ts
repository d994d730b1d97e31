import { sql } from 'kysely'
import type { reportGame } from '#contract/bridge-characters.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { ONLINE_COUNTS_KEPT_MS } from '#contract/limits.ts'
import { manilaDay } from '#contract/manila.ts'
import { ONLINE_OLD_MS, ONLINE_POINTS, ONLINE_STEP_MS } from '#contract/players-online.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { cleanName, ensureSync } from './characters.ts'
import { compareClubs } from './clubs.ts'
import { checkLease } from './lease.ts'

type Reported = ValidInput<typeof reportGame>

/**
 * Books how many play and who owns the clubs' areas, and compares the clubs. What the agent could not read is null, and stays
 * as it was. While a restore of the game's database waits, everything does.
 *
 * @returns the blocks of clubs that the site has otherwise
 * @throws Refusal 409 when another agent works
 */
export async function bookGame({ db, now }: Deps, caller: BridgeCaller, reported: Reported): Promise<number[]> {
  const at = now()
  return db.transaction().execute(async (tx) => {
    if (await checkLease(tx, caller)) return []
    await ensureSync(tx, caller.bridge, at)
    const { online, problem } = reported
    await tx
      .updateTable('game_sync')
      .set({ problem, reported_at: at, ...(online !== null && { online, online_at: at }) })
      .execute()
    if (online !== null) {
      const counted_at = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
      await tx
        .insertInto('online_counts')
        .values({ counted_at, players: online })
        .onConflict((on) => on.column('counted_at').doUpdateSet({ players: online }))
        .execute()
      await tx
        .deleteFrom('online_counts')
        .where('counted_at', '<', new Date(at.getTime() - ONLINE_COUNTS_KEPT_MS))
        .execute()
    }
    await noteWhoPlays(tx, reported.playing, at)
    if (reported.areas !== null && reported.areas.length > 0) await bookAreas(tx, reported.areas)
    return reported.clubs === null ? [] : compareClubs(tx, reported.clubs)
  })
}

/** Notes that the accounts of these players were in the game today, once a day for each. */
async function noteWhoPlays(tx: Db, playing: readonly number[], at: Date): Promise<void> {
  if (playing.length === 0) return
  await sql`
    insert into last_played as p (user_num, played_on)
    select user_num, ${manilaDay(at)}::date from game_links where game_user_num = any(${playing}::bigint[]) order by user_num
    on conflict (user_num) do update set played_on = excluded.played_on where p.played_on < excluded.played_on`.execute(
    tx,
  )
}

/**
 * How many play, and averages of each half hour of the last day. Null where no bridge is paired, or none has counted for a
 * day.
 */
export async function readOnline(db: Db, now: Date) {
  const from = new Date((Math.floor(now.getTime() / ONLINE_STEP_MS) - ONLINE_POINTS + 1) * ONLINE_STEP_MS)
  const sync = await db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .where('online_at', '>=', from)
    .select(['online', 'online_at'])
    .executeTakeFirst()
  if (sync === undefined || sync.online === null || sync.online_at === null) return null
  const { rows } = await sql<{ point: number; average: number; most: number }>`
    select floor(extract(epoch from counted_at - ${from}::timestamptz) * 1000 / ${sql.lit(ONLINE_STEP_MS)})::int as point,
      round(avg(players))::int as average, max(players) as most
    from online_counts where counted_at >= ${from} group by 1`.execute(db)
  const averages = new Map(rows.map(({ point, average }) => [point, average]))
  return {
    players: sync.online,
    counted_at: sync.online_at,
    old: now.getTime() - sync.online_at.getTime() > ONLINE_OLD_MS,
    most: Math.max(sync.online, ...rows.map(({ most }) => most)),
    from,
    points: Array.from({ length: ONLINE_POINTS }, (_, point) => averages.get(point) ?? null),
  }
}

/**
 * Whether the game is up, and how many play: it is while its bridge counts players, and it is down while a bridge that has
 * counted them reports that it can read them no longer. Without a report of the last five minutes nothing is known.
 */
export async function readGameState(db: Db, now: Date): Promise<{ up: boolean | null; players: number | null }> {
  const since = new Date(now.getTime() - ONLINE_OLD_MS)
  const sync = await db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .where('reported_at', '>=', since)
    .select(['online', 'online_at', 'game_sync.problem'])
    .executeTakeFirst()
  if (sync === undefined || sync.online_at === null) return { up: null, players: null }
  if (sync.online_at >= since) return { up: true, players: sync.online }
  return { up: sync.problem === '' ? null : false, players: null }
}

/**
 * Puts the owners and taxes of the game's regions into the areas: the first time, the regions in the order of their numbers
 * take the areas in theirs, and for further ones new areas are made. Names and pictures stay the operators'. An area
 * without a region belongs to nobody.
 */
async function bookAreas(tx: Db, reported: NonNullable<Reported['areas']>): Promise<void> {
  const regions = [...new Map(reported.map((area) => [area.region, area])).values()].sort((a, b) => a.region - b.region)
  const areas = await tx.selectFrom('club_areas').selectAll().orderBy('position').orderBy('id').forUpdate().execute()
  const free = areas.filter(({ game_region }) => game_region === null)
  for (const { region, club: name, tax_percent: tax } of regions) {
    const club = name.trim() === '' ? null : cleanName(name, 0).name
    const tax_percent = Math.round(Math.min(100, Math.max(0, tax)))
    const area = areas.find(({ game_region }) => Number(game_region) === region && game_region !== null) ?? free.shift()
    if (area === undefined)
      await tx
        .insertInto('club_areas')
        .values({
          name: `Area ${region}`,
          club,
          tax_percent,
          picture: null,
          game_region: region,
          position: areas.length,
        })
        .execute()
    else if (
      area.club !== club ||
      area.tax_percent !== tax_percent ||
      Number(area.game_region) !== region ||
      area.game_region === null
    )
      await tx
        .updateTable('club_areas')
        .set({ club, tax_percent, game_region: region, version: sql`version + 1` })
        .where('id', '=', area.id)
        .execute()
  }
  for (const { id, club, tax_percent } of free)
    if (club !== null || tax_percent !== 0)
      await tx
        .updateTable('club_areas')
        .set({ club: null, tax_percent: 0, version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
}
