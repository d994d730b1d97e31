import { BOARDS, type Board, type ClassName, classFiltersOf, SCHOOLS, type SchoolCode } from '#contract/game.ts'

/** What the ranking shows; null stands for 'All', a null period for the open month. */
export type RankingView = { board: Board; school: SchoolCode | null; cls: ClassName | null; period: string | null }

/** The boards' names, as they stand on the tabs and in the heading '<Name> Ranking' (SPEC §2.9). */
export const BOARD_NAMES: Record<Board, string> = {
  resu: 'Resu',
  mmr: 'MMR',
  level: 'Level',
  richest: 'Richest',
  killer: 'Killer',
}

const DEFAULT_BOARD: Board = 'level'
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** The chosen school of an address; anything but 0, 1 and 2 means all. */
export function readSchool(query: URLSearchParams): SchoolCode | null {
  return SCHOOLS.find((school) => String(school.code) === query.get('school'))?.code ?? null
}

/** The chosen class of an address, if it is one of those on offer. */
export function readClass<Name extends ClassName>(query: URLSearchParams, offered: readonly Name[]): Name | null {
  return offered.find((name) => name === query.get('class')) ?? null
}

/** Reads `?tab=level&school=0&class=archer&period=2026-10`; what it does not understand is the default. */
export function readRankingView(query: URLSearchParams): RankingView {
  const board = BOARDS.find((name) => name === query.get('tab')) ?? DEFAULT_BOARD
  const period = query.get('period')
  return {
    board,
    school: readSchool(query),
    cls: readClass(query, classFiltersOf(board)),
    period: period !== null && MONTH.test(period) ? period : null,
  }
}

/** The ranking's part of an address. */
export const rankingSearch = { names: ['tab', 'school', 'class', 'period'], read: readRankingView }

/** The address of a view. A class that the board does not offer falls away. */
export function rankingPath({ board, school, cls, period }: RankingView): string {
  const query = new URLSearchParams()
  if (board !== DEFAULT_BOARD) query.set('tab', board)
  if (school !== null) query.set('school', String(school))
  if (cls !== null && classFiltersOf(board).includes(cls)) query.set('class', cls)
  if (period !== null) query.set('period', period)
  return query.size === 0 ? '/rankings' : `/rankings?${query}`
}
