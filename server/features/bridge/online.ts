import { sql } from 'kysely'
import type { reportGame } from '#contract/bridge-characters.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import { CLASS_NAMES, findClassByCode, findSchool, SCHOOLS } from '#contract/game.ts'
import { GAME_REPORT_LIFETIME_MS, ONLINE_COUNTS_RETENTION_MS, ONLINE_HOURS_RETENTION_MS } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import {
  MONTH_POINT_COUNT,
  MONTH_POINT_PERIOD_MS,
  ONLINE_COUNT_MAX_AGE_MS,
  ONLINE_POINT_COUNT,
  ONLINE_POINT_PERIOD_MS,
} from '#contract/players-online.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import type { BridgeCaller } from '#server/http/bridge.ts'
import { readSettings } from '#server/settings.ts'
import { cleanName, ensureSync } from './characters.ts'
import { bookAlliances, compareClubs } from './clubs.ts'
import { checkLease } from './lease.ts'
import { compareMarks } from './marks.ts'

type GameReport = ValidInput<typeof reportGame>

/**
 * Stores the number of players, the owners of areas and the alliances, and compares the clubs and their marks. Values that
 * the agent could not read are null; the stored ones stay. Changes nothing while a restore of the game's database waits.
 *
 * @returns the blocks of clubs that differ, and the clubs whose marks differ
 * @throws Refusal 409 when another agent works
 */
export async function bookGameReport(deps: Deps, caller: BridgeCaller, report: GameReport) {
  const { db, now } = deps
  const at = now()
  const { show_who_plays } = await readSettings(deps)
  return db.transaction().execute(async (tx) => {
    const isRestoreOpen = await checkLease(tx, caller)
    if (isRestoreOpen) return { wanted_clubs: [], wanted_marks: [] }
    await ensureSync(tx, caller.bridge, at)
    const { online, problem } = report
    const isAlive = await noteActivity(tx, report.life, at)
    await tx
      .updateTable('game_sync')
      .set({
        problem,
        reported_at: at,
        online_characters: show_who_plays ? report.characters : [],
        ...(online !== null && { online, online_at: at, online_groups: JSON.stringify(report.groups ?? []) }),
      })
      .execute()
    if (online !== null) {
      const counted_at = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
      await tx
        .insertInto('online_counts')
        .values({ counted_at, players: online })
        .onConflict((conflict) => conflict.column('counted_at').doUpdateSet({ players: online }))
        .execute()
      await tx
        .deleteFrom('online_counts')
        .where('counted_at', '<', new Date(at.getTime() - ONLINE_COUNTS_RETENTION_MS))
        .execute()
    }
    await noteHour(tx, report, at)
    await noteWhoPlays(tx, report.playing, { at, isAlive })
    if (report.areas !== null && report.areas.length > 0) await bookAreas(tx, report.areas, at)
    if (report.alliances !== null) await bookAlliances(tx, report.alliances)
    return {
      wanted_clubs: report.clubs === null ? [] : await compareClubs(tx, report.clubs),
      wanted_marks: report.marks === null ? [] : await compareMarks(tx, report.marks),
    }
  })
}

type Group = { kind: 'all' | 'school' | 'class'; code: string; players: number }

/** The code of schools and classes that the site does not know. */
const OTHER_CODE = 'other'

/** Returns the number of players of each school and class. Includes zeros, because averages need them. */
function toGroups(reportedGroups: NonNullable<GameReport['groups']>): Group[] {
  const sumPlayers = (isInGroup: (group: { school: number; class: number }) => boolean) =>
    reportedGroups.filter(isInGroup).reduce((sum, { players }) => sum + players, 0)
  const toClassCode = (group: { class: number }) => findClassByCode(String(group.class)) ?? OTHER_CODE
  const toSchoolCode = (group: { school: number }) => String(findSchool(group.school)?.code ?? OTHER_CODE)
  return [
    ...[...SCHOOLS.map(({ code }) => String(code)), OTHER_CODE].map((code) => ({
      kind: 'school' as const,
      code,
      players: sumPlayers((group) => toSchoolCode(group) === code),
    })),
    ...[...CLASS_NAMES, OTHER_CODE].map((code) => ({
      kind: 'class' as const,
      code,
      players: sumPlayers((group) => toClassCode(group) === code),
    })),
  ]
}

/** Adds a report to its hour: the number of players, or that the game could not be read. */
async function noteHour(tx: Db, { online, problem, groups }: GameReport, at: Date): Promise<void> {
  const isDown = online === null && problem !== ''
  if (online === null && !isDown) return
  const rows: Group[] = [{ kind: 'all', code: '', players: online ?? 0 }, ...(groups === null ? [] : toGroups(groups))]
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
  const [counts, downs] = isDown ? [0, 1] : [1, 0]
  await tx
    .insertInto('online_hours')
    .values(rows.map((row) => ({ ...row, hour, counts, downs, most: row.players })))
    .onConflict((conflict) =>
      conflict.columns(['hour', 'kind', 'code']).doUpdateSet({
        players: sql`online_hours.players + excluded.players`,
        counts: sql`online_hours.counts + excluded.counts`,
        downs: sql`online_hours.downs + excluded.downs`,
        most: sql`greatest(online_hours.most, excluded.most)`,
      }),
    )
    .execute()
  await tx
    .deleteFrom('online_hours')
    .where('hour', '<', new Date(at.getTime() - ONLINE_HOURS_RETENTION_MS))
    .execute()
}

/**
 * Stores when the game was last active. It was active if its log has a new row, or if the characters online have changed
 * since a report of the last minutes, because that takes a login or a logout. A change over a longer pause of the reports
 * does not count, because the game may have stopped after it.
 *
 * @returns whether the game was active in the last minutes; after a crash it is not, although the database lists players as online
 */
async function noteActivity(tx: Db, life: GameReport['life'], at: Date): Promise<boolean> {
  if (life === null) return false
  const { life_at, online_mark, online_at } = await tx
    .selectFrom('game_sync')
    .select(['life_at', 'online_mark', 'online_at'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  const isComparable =
    life.mark !== '' && online_mark !== '' && at.getTime() - (online_at?.getTime() ?? 0) <= GAME_REPORT_LIFETIME_MS
  const isChanged = isComparable && life.mark !== online_mark
  const activityTimes = [
    life_at?.getTime() ?? 0,
    life.log_age_ms === null ? 0 : at.getTime() - life.log_age_ms,
    isChanged ? at.getTime() : 0,
  ]
  const lastActivity = Math.max(...activityTimes)
  await tx
    .updateTable('game_sync')
    .set({ online_mark: life.mark, ...(lastActivity > 0 && { life_at: new Date(lastActivity) }) })
    .execute()
  return at.getTime() - lastActivity <= GAME_REPORT_LIFETIME_MS
}

type ReportedMinute = { at: Date; isAlive: boolean }

/**
 * Records that players are in the game: the day, the last minute, and the number of minutes. A minute counts only while the
 * game is active, and once even if it is reported again.
 */
async function noteWhoPlays(tx: Db, playingNums: readonly number[], { at, isAlive }: ReportedMinute): Promise<void> {
  if (playingNums.length === 0) return
  await sql`
    insert into last_played as p (user_num, played_on)
    select user_num, ${toManilaDay(at)}::date from game_links where game_user_num = any(${playingNums}::bigint[]) order by user_num
    on conflict (user_num) do update set played_on = excluded.played_on where p.played_on < excluded.played_on`.execute(
    tx,
  )
  const minute = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
  await sql`
    insert into play_days as p (user_num, day, minutes, seen_at)
    select user_num, ${toManilaDay(at)}::date, ${isAlive ? 1 : 0}, ${minute} from game_links
    where game_user_num = any(${playingNums}::bigint[]) order by user_num
    on conflict (user_num, day) do update set seen_at = excluded.seen_at, minutes = least(p.minutes + excluded.minutes, 1440)
      where p.seen_at < excluded.seen_at`.execute(tx)
}

/**
 * Returns the number of players online, and averages of each half hour of the last day. Returns null without a paired
 * bridge, or without a count in the last day.
 */
export async function readOnline(db: Db, now: Date) {
  const from = new Date(
    (Math.floor(now.getTime() / ONLINE_POINT_PERIOD_MS) - ONLINE_POINT_COUNT + 1) * ONLINE_POINT_PERIOD_MS,
  )
  const sync = await db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .where('online_at', '>=', from)
    .select(['online', 'online_at', 'online_groups as groups'])
    .executeTakeFirst()
  if (sync === undefined || sync.online === null || sync.online_at === null) return null
  const { rows } = await sql<{ point: number; average: number; most: number }>`
    select floor(extract(epoch from counted_at - ${from}::timestamptz) * 1000 / ${sql.lit(ONLINE_POINT_PERIOD_MS)})::int as point,
      round(avg(players))::int as average, max(players) as most
    from online_counts where counted_at >= ${from} group by 1`.execute(db)
  const averages = new Map(rows.map(({ point, average }) => [point, average]))
  return {
    players: sync.online,
    counted_at: sync.online_at,
    old: now.getTime() - sync.online_at.getTime() > ONLINE_COUNT_MAX_AGE_MS,
    most: Math.max(sync.online, ...rows.map(({ most }) => most)),
    peak_today: Math.max(sync.online, await readPeak(db, now)),
    demo: false,
    from,
    points: Array.from({ length: ONLINE_POINT_COUNT }, (_, point) => averages.get(point) ?? null),
    month: await readMonth(db, now, sync.groups),
  }
}

/** Returns the highest count since midnight in Manila. */
async function readPeak(db: Db, now: Date): Promise<number> {
  const { peak } = await db
    .selectFrom('online_counts')
    .where('counted_at', '>=', getStartOfDay(toManilaDay(now)))
    .select(sql<number>`coalesce(max(players), 0)`.as('peak'))
    .executeTakeFirstOrThrow()
  return peak
}

/** Returns averages of every four hours of the last 30 days, the game's availability, and its schools and classes. */
async function readMonth(db: Db, now: Date, groups: NonNullable<GameReport['groups']>) {
  const from = new Date(
    (Math.floor(now.getTime() / MONTH_POINT_PERIOD_MS) - MONTH_POINT_COUNT + 1) * MONTH_POINT_PERIOD_MS,
  )
  const { rows: points } = await sql<{ point: number; average: number | null; counts: number; downs: number }>`
    select floor(extract(epoch from hour - ${from}::timestamptz) * 1000 / ${sql.lit(MONTH_POINT_PERIOD_MS)})::int as point,
      round(sum(players)::numeric / nullif(sum(counts), 0))::int as average, sum(counts)::int as counts, sum(downs)::int as downs
    from online_hours where kind = 'all' and hour >= ${from} group by 1`.execute(db)
  const { rows } = await sql<{ kind: Group['kind']; code: string; average: number; most: number }>`
    select kind, code, round(sum(players)::numeric / nullif(sum(counts), 0), 1)::float as average, max(most) as most
    from online_hours where hour >= ${from} group by kind, code having sum(counts) > 0`.execute(db)
  const averages = new Map(points.map(({ point, average }) => [point, average]))
  const sumCounts = (name: 'counts' | 'downs') => points.reduce((sum, point) => sum + point[name], 0)
  const [counts, downs] = [sumCounts('counts'), sumCounts('downs')]
  const currentPlayers = new Map(toGroups(groups).map(({ kind, code, players }) => [`${kind} ${code}`, players]))
  const countGroup = (kind: 'school' | 'class', code: string) => {
    const totals = rows.find((row) => row.kind === kind && row.code === code)
    return totals === undefined
      ? []
      : [{ now: currentPlayers.get(`${kind} ${code}`) ?? 0, average: totals.average, most: totals.most }]
  }
  const isShown = ({ most }: { most: number }) => most > 0
  return {
    from,
    points: Array.from({ length: MONTH_POINT_COUNT }, (_, point) => averages.get(point) ?? null),
    most: Math.max(0, ...rows.filter(({ kind }) => kind === 'all').map(({ most }) => most)),
    up_percent: counts === 0 ? null : Math.round((counts / (counts + downs)) * 1000) / 10,
    schools: [
      ...SCHOOLS.flatMap(({ code }) => countGroup('school', String(code)).map((group) => ({ school: code, ...group }))),
      ...countGroup('school', OTHER_CODE)
        .filter(isShown)
        .map((group) => ({ school: null, ...group })),
    ],
    classes: [
      ...CLASS_NAMES.flatMap((name) => countGroup('class', name).map((group) => ({ class: name, ...group }))),
      ...countGroup('class', OTHER_CODE)
        .filter(isShown)
        .map((group) => ({ class: null, ...group })),
    ],
  }
}

type GameState = { up: boolean | null; players: number | null; peak_today: number | null }
const UNKNOWN_STATE: GameState = { up: null, players: null, peak_today: null }

/**
 * Returns whether the game is up, and the number of players. The game is up while its bridge counts players, and down while
 * the bridge reports that it can no longer count them. The state is unknown without a report in the last five minutes.
 */
export async function readGameState(db: Db, now: Date): Promise<GameState> {
  const since = new Date(now.getTime() - ONLINE_COUNT_MAX_AGE_MS)
  const sync = await db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .where('reported_at', '>=', since)
    .select(['online', 'online_at', 'game_sync.problem'])
    .executeTakeFirst()
  if (sync === undefined || sync.online_at === null) return UNKNOWN_STATE
  if (sync.online_at >= since) return { up: true, players: sync.online, peak_today: await readPeak(db, now) }
  return { ...UNKNOWN_STATE, up: sync.problem === '' ? null : false }
}

/**
 * Stores the owners and taxes of the game's regions in the areas. A region without an area takes the first free one in the
 * operators' order, or else gets a new one; regions are taken in the order of their numbers. Names and pictures that
 * operators entered stay. An area without a region has no owner.
 */
async function bookAreas(tx: Db, reportedAreas: NonNullable<GameReport['areas']>, now: Date): Promise<void> {
  const regions = [...new Map(reportedAreas.map((area) => [area.region, area])).values()].sort(
    (a, b) => a.region - b.region,
  )
  const areas = await tx.selectFrom('club_areas').selectAll().orderBy('position').orderBy('id').forUpdate().execute()
  const freeAreas = areas.filter(({ game_region }) => game_region === null)
  for (const { region, club: name, tax_percent: tax } of regions) {
    const club = name.trim() === '' ? null : cleanName(name, 0).name
    const tax_percent = Math.round(Math.min(100, Math.max(0, tax)))
    const area =
      areas.find(({ game_region }) => Number(game_region) === region && game_region !== null) ?? freeAreas.shift()
    if (area === undefined)
      await tx
        .insertInto('club_areas')
        .values({
          name: `Area ${region}`,
          club,
          tax_percent,
          picture: null,
          game_region: region,
          ...(club !== null && { held_since: now }),
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
        .set({
          club,
          tax_percent,
          game_region: region,
          version: sql`version + 1`,
          ...(area.club !== club && { held_since: now }),
        })
        .where('id', '=', area.id)
        .execute()
  }
  for (const { id, club, tax_percent } of freeAreas)
    if (club !== null || tax_percent !== 0)
      await tx
        .updateTable('club_areas')
        .set({ club: null, tax_percent: 0, version: sql`version + 1`, ...(club !== null && { held_since: now }) })
        .where('id', '=', id)
        .execute()
}
