import type { Board } from '#contract/game.ts'
import { formatMonth } from '#contract/manila.ts'
import { getTotalRankings } from '#contract/rankings.ts'
import { getSeasonRankings, type Season, type SeasonRule } from '#contract/seasons.ts'
import { readWholeNumber } from '#web/api/page.ts'
import { type Query, toCallQuery, toDerivedQuery } from '#web/api/queries.ts'
import {
  type BoardChoice,
  type BoardRow,
  type Column,
  getRankingBoardPath,
  readBoardChoice,
  toBoardRow,
} from './rankings-view.ts'

const TOTAL_PATH = '/rankings/total'
const SEASON_PATH = '/rankings/season'

/** The parameters of /rankings/total. */
export const totalSearch = { names: ['tab', 'school', 'class'], read: readBoardChoice }

/** Returns the address of a board of all time. */
export const getTotalPath = (choice: BoardChoice) => getRankingBoardPath(TOTAL_PATH, choice)

/** Returns the query of the top 100 of a board of all time. */
export const getTotalQuery = (board: Board): Query<BoardRow[]> =>
  toDerivedQuery(getTotalRankings, 'board', board, async (call) =>
    (await call(getTotalRankings, { board })).data.map((character) => toBoardRow(board, character)),
  )

/** The view of a season's ranking. Null filters mean 'All'. */
export type SeasonView = BoardChoice & {
  /** Null for the current season. */
  season: number | null
}

function readSeasonView(query: URLSearchParams): SeasonView {
  return { ...readBoardChoice(query), season: readWholeNumber(query.get('season')) ?? null }
}

/** The parameters of /rankings/season. */
export const seasonSearch = { names: ['tab', 'school', 'class', 'season'], read: readSeasonView }

/** Returns the address of a season's board; the current season has no id in it. */
export const getSeasonPath = ({ season, ...choice }: SeasonView) =>
  getRankingBoardPath(SEASON_PATH, choice, season === null ? {} : { season: String(season) })

/** Returns the query of a season with the top 100 of a board. */
export const getSeasonQuery = ({ board, season }: Pick<SeasonView, 'board' | 'season'>) =>
  toCallQuery(getSeasonRankings, { board, ...(season !== null && { season }) })

/** The names of the gains, by board. */
const GAIN_NAMES: Record<Board, string> = {
  resu: 'Resu',
  mmr: 'MMR gained',
  level: 'Levels gained',
  richest: 'Money gained',
  killer: 'Kills',
}

/** Returns the columns of a season's board after the common ones. */
export const getSeasonColumns = (board: Board, rule: SeasonRule): Column[] => [
  { head: 'Level', field: 'ChaLevel' },
  { head: rule === 'points' ? 'Points' : GAIN_NAMES[board], field: 'Value' },
  { head: 'Division', field: 'Division' },
]

/** Describes how a season's board counts, in a sentence. */
export const describeRule = (rule: SeasonRule) =>
  rule === 'points'
    ? 'Points for the place in each month: 100 for the first, 1 for the hundredth.'
    : 'The gains since the season began.'

/** The names of a season's states on its page. */
export const STATE_LABELS = { planned: 'soon', running: 'running', ended: 'being checked', final: 'final' } as const

/** Formats the months of a season: 'November 2026 to January 2027'. */
export function formatSeasonMonths({ first_month, last_month }: Pick<Season, 'first_month' | 'last_month'>): string {
  if (first_month === last_month) return formatMonth(first_month)
  return `${formatMonth(first_month)} to ${formatMonth(last_month)}`
}
