import { getUnlinkedCharacters } from '#contract/characters.ts'
import {
  BOARD_LIST_KEYS,
  BOARDS,
  type Board,
  type ClassName,
  findClassByCode,
  listClassFilters,
  SCHOOLS,
  type SchoolCode,
} from '#contract/game.ts'
import { getTopRankingsList, type RankedCharacter, type Rankings } from '#contract/rankings.ts'
import { type Query, toDerivedQuery } from '#web/api/queries.ts'

/** The board and its filters; null means 'All'. */
export type BoardChoice = { board: Board; school: SchoolCode | null; cls: ClassName | null }

/** The view of a monthly ranking. A null period means the open month. */
export type RankingView = BoardChoice & { period: string | null }

const DEFAULT_BOARD: Board = 'level'
const MONTH_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/

/** Returns the chosen school of an address; null, for all, unless it is 0, 1 or 2. */
export function readSchool(query: URLSearchParams): SchoolCode | null {
  return SCHOOLS.find((school) => String(school.code) === query.get('school'))?.code ?? null
}

/** Returns the chosen class of an address if it is one of `offeredClasses`. */
export function readClass<Name extends ClassName>(
  query: URLSearchParams,
  offeredClasses: readonly Name[],
): Name | null {
  return offeredClasses.find((name) => name === query.get('class')) ?? null
}

/** Parses `?tab=level&school=0&class=archer`. Invalid parts become the default. */
export function readBoardChoice(query: URLSearchParams): BoardChoice {
  const board = BOARDS.find((name) => name === query.get('tab')) ?? DEFAULT_BOARD
  return { board, school: readSchool(query), cls: readClass(query, listClassFilters(board)) }
}

/** Parses the parameters of `readBoardChoice`, and `&period=2026-10`. */
export function readRankingView(query: URLSearchParams): RankingView {
  const period = query.get('period')
  return { ...readBoardChoice(query), period: period !== null && MONTH_PATTERN.test(period) ? period : null }
}

/** The search parameters of the ranking. */
export const rankingSearch = { names: ['tab', 'school', 'class', 'period'], read: readRankingView }

/** Returns the address of a view. A class that the board does not offer is dropped. */
export function getRankingPath({ period, ...choice }: RankingView): string {
  return getRankingBoardPath('/rankings', choice, period === null ? {} : { period })
}

/** Returns the address of a board of a month, of a season or of all time. */
export function getRankingBoardPath(
  page: string,
  { board, school, cls }: BoardChoice,
  extraParameters: Record<string, string> = {},
): string {
  const query = new URLSearchParams()
  if (board !== DEFAULT_BOARD) query.set('tab', board)
  if (school !== null) query.set('school', String(school))
  if (cls !== null && listClassFilters(board).includes(cls)) query.set('class', cls)
  for (const [name, value] of Object.entries(extraParameters)) query.set(name, value)
  return query.size === 0 ? page : `${page}?${query}`
}

/** Returns the address of a character's page. */
export const getCharacterPath = (chaNum: number) => `/character/${chaNum}`

/** Returns the address of a club's page. */
export const getClubPath = (guNum: number) => `/club/${guNum}`

type CountedField = 'ChaLevel' | 'ChaResuScore' | 'ChaMMR' | 'ChaMoney' | 'ChaPKScore' | 'ChaPKDeath'
type MonthColumn = { head: string; field: CountedField | 'ChaLevelUpDate' }
export type Column = MonthColumn | { head: string; field: 'Value' | 'Division' }

/** The columns that every board has (RANK-3). */
export const COMMON_HEADS = ['Rank', 'Character Name', 'Class', 'School'] as const

/** The columns of each board after the common ones. */
export const BOARD_COLUMNS: Record<Board, readonly MonthColumn[]> = {
  resu: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Resu', field: 'ChaResuScore' },
  ],
  mmr: [{ head: 'MMR', field: 'ChaMMR' }],
  level: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Time Logged', field: 'ChaLevelUpDate' },
  ],
  richest: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Money', field: 'ChaMoney' },
  ],
  killer: [
    { head: 'Level', field: 'ChaLevel' },
    { head: 'Kills', field: 'ChaPKScore' },
    { head: 'Deaths', field: 'ChaPKDeath' },
  ],
}

/** The field by which a board is sorted. It is the large number of a row. */
export const LEADING_FIELD: Record<Board, MonthColumn['field']> = {
  resu: 'ChaResuScore',
  mmr: 'ChaMMR',
  level: 'ChaLevel',
  richest: 'ChaMoney',
  killer: 'ChaPKScore',
}

const COMMON_FIELDS = ['ChaNum', 'ChaName', 'ChaClass', 'ChaSchool'] as const
type CommonField = (typeof COMMON_FIELDS)[number]

type MonthRow = Pick<RankedCharacter, CommonField> & Partial<Pick<RankedCharacter, MonthColumn['field']>>

/** A row of a board: the common fields, those of the board's columns, and whether the character has a page. */
export type BoardRow = MonthRow & { Value?: number; Division?: string; HasPage?: boolean }

/** Removes the fields that a board does not show, to make its document smaller. */
export function toBoardRow(board: Board, character: RankedCharacter): MonthRow {
  const fields = [...COMMON_FIELDS, ...BOARD_COLUMNS[board].map(({ field }) => field)]
  return Object.fromEntries(fields.map((field) => [field, character[field]])) as MonthRow
}

/** Returns a board's rows. Characters in `unlinkedIds` have no page. */
const toRows = (lists: Rankings, board: Board, unlinkedIds: readonly number[]): BoardRow[] =>
  lists[BOARD_LIST_KEYS[board]].map((character) => ({
    ...toBoardRow(board, character),
    ...(unlinkedIds.includes(character.ChaNum) && { HasPage: false }),
  }))

/**
 * Returns the query of the top 100 of a board, of the open or a closed month. One call returns every board: the browser
 * caches the others for their tabs; the server leaves them out of the document. On boards of closed months, some
 * characters may have no page.
 */
export const getRankingBoardQuery = (board: Board, period: string | null): Query<BoardRow[]> =>
  toDerivedQuery(getTopRankingsList, 'board', { board, period }, async (call, client) => {
    const [lists, unlinkedIds] = await Promise.all([
      call(getTopRankingsList, { period: period ?? undefined }),
      period === null ? [] : call(getUnlinkedCharacters, { period }).then(({ data }) => data),
    ])
    if (typeof window !== 'undefined') {
      for (const otherBoard of BOARDS) {
        if (otherBoard !== board)
          client.setQueryData(getRankingBoardQuery(otherBoard, period).key, toRows(lists, otherBoard, unlinkedIds))
      }
    }
    return toRows(lists, board, unlinkedIds)
  })

type RankableRow = { ChaClass: string; ChaSchool: number }
type Choice = { school: SchoolCode | null; cls: ClassName | null }

/** A row with its rank among the shown rows, counted again after filtering (RANK-4). */
export type RankedEntry<Row> = { rank: number; row: Row }

/**
 * Returns the rows of a school and a class (null for all) with ranks. A chosen class excludes rows with an unknown
 * code.
 */
export function filterAndRank<Row extends RankableRow>(
  rows: readonly Row[],
  { school, cls }: Choice,
): RankedEntry<Row>[] {
  return rows
    .filter((row) => school === null || row.ChaSchool === school)
    .filter((row) => cls === null || findClassByCode(row.ChaClass) === cls)
    .map((row, index) => ({ rank: index + 1, row }))
}
