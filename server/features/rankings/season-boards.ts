import { sql } from 'kysely'
import type { Board } from '#contract/game.ts'
import { RANKING_SIZE } from '#contract/limits.ts'
import { getSeasonRankings } from '#contract/seasons.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { isHidden, isRanked, isSameCharacter } from './queries.ts'
import { countSeason, findDivision, getSeasonState, type SeasonRow, selectSeasons, toSeason } from './seasons.ts'

/** Returns the season that players see first: the running one, or else the last one that ended. */
export const findPresentSeason = (seasons: readonly SeasonRow[]) =>
  seasons.find((season) => getSeasonState(season) !== 'planned')

/** Selects a board of a season: its rule, the number of ranked characters and the lowest values of its divisions. */
export const selectSeasonBoard = (db: Db, season: number, board: Board) =>
  db
    .selectFrom('season_boards')
    .where('season', '=', season)
    .where('board', '=', board)
    .selectAll()
    .executeTakeFirstOrThrow()

type BoardEntry = {
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  value: number
  has_page: boolean
}

/**
 * Returns the top 100 of a board of a season that has begun.
 *
 * @throws Refusal 404 for a season that does not exist or has not begun
 */
export async function readSeasonBoard({ db, now }: Pick<Deps, 'db' | 'now'>, board: Board, number?: number) {
  const seasons = await selectSeasons(db)
  const season =
    number === undefined
      ? findPresentSeason(seasons)
      : seasons.find((row) => row.season === number && getSeasonState(row) !== 'planned')
  if (season === undefined) {
    if (number !== undefined) throw refuse(getSeasonRankings, 'seasonNotFound')
    return { season: null, rule: 'growth' as const, ranked: 0, data: [] }
  }
  const { rule, ranked, floors } = await selectSeasonBoard(db, season.season, board)
  const rows =
    getSeasonState(season) === 'running'
      ? await selectRunningBoard(db, { season, board, rule, now: now(), limit: RANKING_SIZE })
      : await selectEndedBoard(db, season, { board, now: now() })
  return {
    season: toSeason(season),
    rule,
    ranked,
    data: rows.map((row) => ({
      ChaNum: row.cha_num,
      ChaName: row.cha_name,
      ChaLevel: row.cha_level,
      ChaClass: row.cha_class,
      ChaSchool: row.cha_school,
      Value: Number(row.value),
      Division: findDivision(Number(row.value), season.divisions, floors),
      HasPage: row.has_page,
    })),
  }
}

async function selectRunningBoard(db: Db, request: Parameters<typeof countSeason>[1]): Promise<BoardEntry[]> {
  const { rows } = await sql<BoardEntry>`
    select c.cha_num, c.cha_name, c.cha_level, c.cha_class, c.cha_school, n.value, true as has_page
    from ${countSeason(db, request)} n join characters c using (cha_num)
    order by n.value desc, c.cha_level desc, c.cha_num`.execute(db)
  return rows
}

/**
 * Selects the stored top 100 of an ended season. Before the season is final, it omits characters that are no
 * longer ranked; afterwards it only replaces the names of hidden characters.
 */
async function selectEndedBoard(
  db: Db,
  season: SeasonRow,
  { board, now }: { board: Board; now: Date },
): Promise<BoardEntry[]> {
  const isFinal = getSeasonState(season) === 'final'
  const { rows } = await sql<BoardEntry>`
    select k.cha_num, case when ${isHidden('k')} then 'Hidden' else k.cha_name end as cha_name,
      k.cha_level, k.cha_class, k.cha_school, s.value, coalesce(${isRanked(now)}, false) as has_page
    from season_standings s
    join season_characters k using (season, cha_num)
    left join (characters c left join accounts a using (user_num))
      on c.cha_num = k.cha_num and ${isSameCharacter(sql`${season.ended_at}::timestamptz`)}
    where s.season = ${season.season} and s.board = ${board}
      and (${isFinal} or (not ${isHidden('k')} and (c.cha_num is null or ${isRanked(now)})))
    order by s.rank limit ${RANKING_SIZE}`.execute(db)
  return rows
}
