import { sql } from 'kysely'
import { BOARDS, type Board } from '#contract/game.ts'
import { RANKING_SIZE } from '#contract/limits.ts'
import type { SeasonRule, SeasonState } from '#contract/seasons.ts'
import type { Db } from '#server/db/open.ts'
import { writeAudit } from '#server/http/audit.ts'
import {
  ARCHIVE_COLUMNS,
  isCounted,
  isHidden,
  isHiddenByStaff,
  isRanked,
  isSameCharacter,
  lockCharacters,
  lockOpenPeriod,
  selectRanked,
  ZERO_UNRANKED,
} from './queries.ts'

/** The interval at which the divisions of a running season are recalculated. */
const COUNT_INTERVAL_MS = 5 * 60_000

/** A row of `seasons`. */
export type SeasonRow = Awaited<ReturnType<typeof selectSeasons>>[number]

/** Selects every season, newest first. */
export const selectSeasons = (db: Db) => db.selectFrom('seasons').selectAll().orderBy('first_month', 'desc').execute()

type SeasonTimes = Pick<SeasonRow, 'begun_at' | 'ended_at' | 'finalised_at'>

export function getSeasonState({ begun_at, ended_at, finalised_at }: SeasonTimes): SeasonState {
  if (finalised_at !== null) return 'final'
  if (ended_at !== null) return 'ended'
  return begun_at === null ? 'planned' : 'running'
}

/** Converts a season for players. */
export function toSeason(row: SeasonRow) {
  const { season, name, first_month, last_month, divisions, ended_at } = row
  return { season, name, first_month, last_month, divisions, state: getSeasonState(row), ended_at }
}

type CountOptions = {
  season: Pick<SeasonRow, 'first_month' | 'last_month'>
  board: Board
  rule: SeasonRule
  now: Date
  /** The maximum number of rows to read; null for all. */
  limit: number | null
  /** Whether the season closes. Characters of accounts that wait to be erased count then. */
  isClosing?: boolean
}

/**
 * Selects a board of the running season in its order: `cha_num`, `cha_level` and `value`, as a subquery. A board of growth
 * uses the board's index. Points are given for the rank in each month of the season, in the open month for the current rank:
 * 100 for the first, one less for each further rank, and so none after the hundredth.
 */
export function countSeason(db: Db, { season, board, rule, now, limit, isClosing = false }: CountOptions) {
  if (rule === 'growth')
    return sql`${selectRanked(db, { board, span: 'season', now, isClosing })
      .select('c.cha_level')
      .$if(limit !== null, (query) => query.limit(limit ?? 0))}`
  const column = sql.ref(`r.${ARCHIVE_COLUMNS[board]}`)
  const openMonth = selectRanked(db, { board, span: 'month', now, isClosing }).select('c.cha_level').limit(RANKING_SIZE)
  const isInSeason = (month: string) => sql`${sql.ref(month)} between ${season.first_month} and ${season.last_month}`
  return sql`(
    with places as (
      select r.cha_num, row_number() over (partition by r.period order by ${column} desc, r.cha_level desc, r.cha_num) as place
      from ranking_archive r join ranking_periods p on p.period = r.period and p.closed_at is not null
      where r.board = ${board} and ${isInSeason('r.period')} and r.taken_out_at is null and not ${isClosing ? isHiddenByStaff('r') : isHidden('r')}
        and ${ZERO_UNRANKED[board] ? sql`${column} > 0` : sql`true`}
      union all
      select o.cha_num, row_number() over (order by o.value desc, o.cha_level desc, o.cha_num)
      from ${openMonth} o where exists (select from ranking_periods p where p.closed_at is null and ${isInSeason('p.period')}))
    select c.cha_num, c.cha_level, sum(${sql.lit(RANKING_SIZE + 1)} - place)::bigint as value
    from places join characters c using (cha_num) left join accounts a using (user_num)
    where ${isClosing ? isCounted(now) : isRanked(now)}
    group by c.cha_num, c.cha_level
    order by value desc, c.cha_level desc, c.cha_num
    limit ${limit})`
}

/** Returns the rank of the last character of each division. A share of 10 % of 40 characters ends at rank 4. */
const getLastRanks = (divisions: SeasonRow['divisions'], ranked: number) =>
  divisions.map(({ share }) => Math.ceil((ranked * share) / 100))

/**
 * Returns the best division that a value reaches; '' without ranked characters. Equal values are in the same division.
 */
export function findDivision(value: number, divisions: SeasonRow['divisions'], floors: readonly number[]): string {
  const index = floors.findIndex((floor) => value >= floor)
  return divisions[index]?.name ?? (floors.length === 0 ? '' : (divisions.at(-1)?.name ?? ''))
}

/** Counts the ranked characters on each board of a running season, and stores the lowest value of each division. */
export async function countDivisions(db: Db, season: SeasonRow, now: Date): Promise<void> {
  const boards = await db.selectFrom('season_boards').where('season', '=', season.season).selectAll().execute()
  for (const { board, rule } of boards) {
    const allCounted = countSeason(db, { season, board, rule, now, limit: null })
    const { rows } = await sql<{ ranked: number }>`select count(*) as ranked from ${allCounted} n`.execute(db)
    const ranked = Number(rows[0]?.ranked ?? 0)
    const lastRanks = ranked === 0 ? [] : getLastRanks(season.divisions, ranked)
    const floorRows = await sql<{ nth: number; value: number }>`
      select nth, value from (select n.value, row_number() over (order by n.value desc) as nth from ${allCounted} n) n
      where nth = any(${lastRanks}::bigint[])`.execute(db)
    await storeShares(db, { season: season.season, board, ranked, floors: pickFloors(floorRows.rows, lastRanks), now })
  }
}

const pickFloors = (rows: readonly { nth: number; value: number }[], lastRanks: readonly number[]) => {
  const values = new Map(rows.map(({ nth, value }) => [Number(nth), Number(value)]))
  return lastRanks.map((rank) => values.get(rank) ?? 0)
}

type BoardShares = { season: number; board: Board; ranked: number; floors: number[]; now: Date }

async function storeShares(db: Db, { season, board, ranked, floors, now }: BoardShares): Promise<void> {
  await db
    .updateTable('season_boards')
    .set({ ranked, floors, counted_at: now })
    .where('season', '=', season)
    .where('board', '=', board)
    .execute()
}

/** Counts the divisions of an ended season like `countDivisions`, from its stored ranks. */
async function countEndedDivisions(tx: Db, { season, divisions }: SeasonRow, now: Date): Promise<void> {
  for (const board of BOARDS) {
    const standings = tx.selectFrom('season_standings').where('season', '=', season).where('board', '=', board)
    const { ranked } = await standings.select((eb) => eb.fn.countAll<number>().as('ranked')).executeTakeFirstOrThrow()
    const lastRanks = Number(ranked) === 0 ? [] : getLastRanks(divisions, Number(ranked))
    const rows =
      lastRanks.length === 0
        ? []
        : await standings.where('rank', 'in', lastRanks).select(['rank as nth', 'value']).execute()
    await storeShares(tx, { season, board, ranked: Number(ranked), floors: pickFloors(rows, lastRanks), now })
  }
}

/** The conditions of a season's due changes, for a season `s` and the open month `p`. */
const IS_DUE_TO_BEGIN = sql<boolean>`(s.begun_at is null and s.first_month <= p.period)`
const IS_DUE_TO_END = sql<boolean>`(s.begun_at is not null and s.ended_at is null
  and (s.end_asked_at is not null or s.last_month < p.period))`
const IS_DUE_TO_BE_FINAL = sql<boolean>`(s.ended_at is not null and s.finalised_at is null and s.final_asked_at is not null)`

/** Returns whether a season is due to begin, to end or to become final. */
export async function hasDueSeason(db: Db): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from seasons s, ranking_periods p
      where p.closed_at is null and (${IS_DUE_TO_BEGIN} or ${IS_DUE_TO_END} or ${IS_DUE_TO_BE_FINAL})) as due`.execute(
    db,
  )
  return rows[0]?.due === true
}

/**
 * Begins, ends and finalises the seasons that are due. A season begins with its first month and ends when its last month
 * closes or the desk requests it, so a delayed closing also delays the season. Completed changes are not repeated. The caller
 * holds the lock of `lockOpenPeriod`.
 */
export async function advanceSeasons(tx: Db, now: Date): Promise<void> {
  if (!(await hasDueSeason(tx))) return
  await lockCharacters(tx)
  const { period } = await tx
    .selectFrom('ranking_periods')
    .where('closed_at', 'is', null)
    .select('period')
    .executeTakeFirstOrThrow()
  for (const season of (await selectSeasons(tx)).reverse()) {
    let state = getSeasonState(season)
    if (state === 'planned' && season.first_month <= period) {
      await beginSeason(tx, season, now)
      state = 'running'
    }
    if (state === 'running' && (season.end_asked_at !== null || season.last_month < period)) {
      await endSeason(tx, season, { period, now })
      state = 'ended'
    }
    if (state === 'ended' && season.final_asked_at !== null) await finaliseSeason(tx, season, now)
  }
}

/** Starts the season's growth from the characters' present values. */
async function beginSeason(tx: Db, season: SeasonRow, now: Date): Promise<void> {
  await sql`
    update characters set start_level = cha_level, start_mmr = cha_mmr, start_money = cha_money,
      start_kills = cha_pk_score + past_kills, start_resu = cha_resu_score + past_resu
    where (start_level, start_mmr, start_money, start_kills, start_resu) is distinct from
      (cha_level, cha_mmr, cha_money, cha_pk_score + past_kills, cha_resu_score + past_resu)`.execute(tx)
  await tx.updateTable('seasons').set({ begun_at: now }).where('season', '=', season.season).execute()
  await countDivisions(tx, season, now)
  await recordStateChange(tx, season, { now, action: 'season begins', before: 'planned', after: 'running' })
}

/** Stores every ranked character with its rank on each board. Later changes to characters have no effect. */
export async function endSeason(tx: Db, row: SeasonRow, { period, now }: { period: string; now: Date }): Promise<void> {
  const { season } = row
  const boards = await tx.selectFrom('season_boards').where('season', '=', season).selectAll().execute()
  for (const { board, rule } of boards)
    await sql`
      insert into season_standings (season, board, cha_num, rank, value)
      select ${season}, ${board}, n.cha_num, row_number() over (order by n.value desc, n.cha_level desc, n.cha_num), n.value
      from ${countSeason(tx, { season: row, board, rule, now, limit: null, isClosing: true })} n`.execute(tx)
  await sql`
    insert into season_characters (season, cha_num, cha_name, cha_level, cha_class, cha_school)
    select ${season}, cha_num, cha_name, cha_level, cha_class, cha_school from characters
    where cha_num in (select cha_num from season_standings where season = ${season})`.execute(tx)
  await countEndedDivisions(tx, row, now)
  await tx
    .updateTable('seasons')
    .set({ ended_at: now, last_month: period < row.last_month ? period : row.last_month })
    .where('season', '=', season)
    .execute()
  await recordStateChange(tx, row, { now, action: 'season ends', before: 'running', after: 'ended' })
}

/**
 * Removes characters that are no longer ranked, renumbers the ranks, and makes the season final. Afterwards the database
 * refuses changes.
 */
export async function finaliseSeason(tx: Db, row: SeasonRow, now: Date): Promise<void> {
  const { season } = row
  const { numDeletedRows } = await tx
    .deleteFrom('season_characters as k')
    .where('k.season', '=', season)
    .where(
      sql<boolean>`(${isHiddenByStaff('k')} or exists (
        select from characters c left join accounts a using (user_num)
          where c.cha_num = k.cha_num and ${isSameCharacter(sql`${row.ended_at}::timestamptz`)} and not ${isCounted(now)}))`,
    )
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) {
    await sql`
      delete from season_standings s where s.season = ${season}
        and not exists (select from season_characters k where k.season = s.season and k.cha_num = s.cha_num)`.execute(
      tx,
    )
    await sql`
      update season_standings s set rank = n.rank
      from (select board, cha_num, row_number() over (partition by board order by rank) as rank
        from season_standings where season = ${season}) n
      where s.season = ${season} and s.board = n.board and s.cha_num = n.cha_num and s.rank <> n.rank`.execute(tx)
    await countEndedDivisions(tx, row, now)
  }
  await tx.updateTable('seasons').set({ finalised_at: now }).where('season', '=', season).execute()
  await recordStateChange(tx, row, { now, action: 'season is final', before: 'ended', after: 'final' })
}

type StateChange = { now: Date; action: string; before: SeasonState; after: SeasonState }

async function recordStateChange(
  tx: Db,
  { season }: SeasonRow,
  { now, action, before, after }: StateChange,
): Promise<void> {
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'job', name: 'seasons' },
    action,
    target: ['season', season],
    before: { state: before },
    after: { state: after },
    notPersonal: ['state'],
  })
}

/** Runs the job: makes the due changes, and counts the divisions of the running season every five minutes. */
export async function runSeasons(db: Db, now: Date): Promise<void> {
  if (await hasDueSeason(db))
    await db.transaction().execute(async (tx) => {
      await lockOpenPeriod(tx)
      await advanceSeasons(tx, now)
    })
  const runningSeason = (await selectSeasons(db)).find((season) => getSeasonState(season) === 'running')
  if (runningSeason === undefined) return
  const lastCount = await db
    .selectFrom('season_boards')
    .where('season', '=', runningSeason.season)
    .select((eb) => eb.fn.min('counted_at').as('at'))
    .executeTakeFirst()
  if ((lastCount?.at?.getTime() ?? 0) <= now.getTime() - COUNT_INTERVAL_MS) await countDivisions(db, runningSeason, now)
}
