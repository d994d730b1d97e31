import type { getOwnRanks } from '#contract/characters.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { type Board, type ClassName, findClassByCode } from '#contract/game.ts'
import { COUNTED_RANKS_MAX } from '#contract/limits.ts'
import type { Deps } from '#server/deps.ts'
import { KNOWN_SINCE, type Ranks, readBoardRanks, toRanks } from './characters.ts'
import { isRanked, MEASURES, type Span, selectArchivedBoard, ZERO_UNRANKED } from './queries.ts'
import { findPresentSeason, selectSeasonBoard } from './season-boards.ts'
import { findDivision, getSeasonState, selectSeasons } from './seasons.ts'

/** The maximum number of a player's characters above a board. */
const OWN_CHARACTERS_MAX = 6

type Filter = { school?: number | undefined; class?: ClassName | undefined }
type OwnRanksFilter = Filter & {
  userNum: number
  of: Span
  board: Board
  period?: string | undefined
  season?: number | undefined
}

/** Returns whether a character belongs to the chosen school and class (RANK-16). */
const matchesFilter = ({ school, class: name }: Filter, character: { school: number; cls: string }) =>
  (school === undefined || character.school === school) &&
  (name === undefined || findClassByCode(character.cls) === name)

/** Renumbers ranks within a school and a class. */
function filterRanks(places: Ranks, filter: Filter): Ranks {
  if (filter.school === undefined && filter.class === undefined) return places
  const entries = Object.entries(places)
    .filter(([, standing]) => matchesFilter(filter, standing))
    .sort(([, a], [, b]) => a.rank - b.rank)
  return Object.fromEntries(entries.map(([chaNum, standing], index) => [chaNum, { ...standing, rank: index + 1 }]))
}

/** Returns the ranks of a player's characters on a board, the best first. */
export async function readOwnRanks(deps: Deps, filter: OwnRanksFilter): Promise<CallAnswer<typeof getOwnRanks>> {
  const { db, now } = deps
  const { userNum, of, board } = filter
  const allCharacters = await db
    .selectFrom('characters as c')
    .innerJoin('accounts as a', 'a.user_num', 'c.user_num')
    .leftJoin('clubs as g', 'g.club', 'c.club')
    .where('c.user_num', '=', userNum)
    .select(['c.cha_num', 'c.cha_name', 'g.name as club', 'c.cha_school as school', 'c.cha_class as cls'])
    .select([isRanked(now()).as('ranked'), MEASURES[of][board].as('value'), KNOWN_SINCE])
    .execute()
  const ownCharacters = allCharacters.filter((character) => matchesFilter(filter, character))
  const boardRanks = await readBoardWithDivisions(
    deps,
    filter,
    ownCharacters.map(({ cha_num }) => cha_num),
  )
  const ranks = filterRanks(boardRanks.places, filter)
  const lastRank = Object.values(ranks).sort((a, b) => b.rank - a.rank)[0]
  const data = ownCharacters
    .map(({ cha_num, cha_name, club, ranked, value, since }) => {
      const place = boardRanks.endedAt !== null && since > boardRanks.endedAt ? undefined : ranks[cha_num]
      const isBelowRanks =
        place === undefined && ranked && boardRanks.isCut && (Number(value) > 0 || !boardRanks.isZeroUnranked)
      const shownValue = place?.value ?? (isBelowRanks ? Number(value) : null)
      return {
        ChaNum: cha_num,
        ChaName: cha_name,
        GuName: club,
        rank: place?.rank ?? null,
        behind: isBelowRanks,
        division: shownValue === null ? null : boardRanks.findDivision(shownValue),
      }
    })
    .sort((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || a.ChaNum - b.ChaNum)
    .slice(0, OWN_CHARACTERS_MAX)
  return {
    data,
    last: boardRanks.isCut && lastRank !== undefined ? { rank: lastRank.rank, value: lastRank.value } : null,
  }
}

/** Returns the ranks of a board, whether the list was cut at the thousandth, and a function that finds a value's division. */
async function readBoardWithDivisions(
  deps: Deps,
  { of, board, period, season: seasonNumber, ...filter }: OwnRanksFilter,
  ownCharacterNumbers: number[],
) {
  const returnNull = () => null
  const isZeroUnranked = of === 'season' || ZERO_UNRANKED[board]
  const isCutOff = (places: Ranks) => Object.keys(places).length >= COUNTED_RANKS_MAX
  if (of === 'month' && period !== undefined) {
    const closedPeriod = await deps.db
      .selectFrom('ranking_periods')
      .where('period', '=', period)
      .where('closed_at', 'is not', null)
      .select('closed_at')
      .executeTakeFirst()
    if (closedPeriod !== undefined) {
      const rows = await selectArchivedBoard(deps.db, period, board)
      const places = toRanks(rows.map((row) => ({ ...row, value: 0 })))
      return { places, isCut: false, isZeroUnranked, findDivision: returnNull, endedAt: closedPeriod.closed_at }
    }
  }
  if (of !== 'season') {
    const places = await readBoardRanks(deps, board, { span: of })
    return { places, isCut: isCutOff(places), isZeroUnranked, findDivision: returnNull, endedAt: null }
  }
  const seasons = await selectSeasons(deps.db)
  const season =
    seasonNumber === undefined ? findPresentSeason(seasons) : seasons.find((row) => row.season === seasonNumber)
  if (season === undefined || getSeasonState(season) === 'planned')
    return { places: {}, isCut: false, isZeroUnranked, findDivision: returnNull, endedAt: null }
  const { rule, floors } = await selectSeasonBoard(deps.db, season.season, board)
  const findDivisionByValue = (value: number) => findDivision(value, season.divisions, floors) || null
  if (getSeasonState(season) === 'running') {
    const places = await readBoardRanks(deps, board, { span: 'season', season })
    return {
      places,
      isCut: rule === 'growth' && isCutOff(places),
      isZeroUnranked,
      findDivision: findDivisionByValue,
      endedAt: null,
    }
  }
  if (ownCharacterNumbers.length === 0)
    return { places: {}, isCut: false, isZeroUnranked, findDivision: findDivisionByValue, endedAt: season.ended_at }
  const isFiltered = filter.school !== undefined || filter.class !== undefined
  const rows = await deps.db
    .selectFrom('season_standings')
    .innerJoin('season_characters as c', (join) =>
      join.onRef('c.season', '=', 'season_standings.season').onRef('c.cha_num', '=', 'season_standings.cha_num'),
    )
    .where('season_standings.season', '=', season.season)
    .where('season_standings.board', '=', board)
    // A rank within a school or class depends on the ranks of other characters.
    .$if(!isFiltered, (query) => query.where('season_standings.cha_num', 'in', ownCharacterNumbers))
    .select(['season_standings.cha_num', 'rank', 'value', 'c.cha_school', 'c.cha_class'])
    .execute()
  const standings = rows.map(({ cha_num, rank, value, cha_school, cha_class }) => [
    cha_num,
    { rank, value, school: cha_school, cls: cha_class },
  ])
  const places: Ranks = Object.fromEntries(standings)
  return { places, isCut: false, isZeroUnranked, findDivision: findDivisionByValue, endedAt: season.ended_at }
}
