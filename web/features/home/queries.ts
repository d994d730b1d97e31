import type { ClassName, SchoolCode } from '#contract/game.ts'
import { getTopRankingsList } from '#contract/rankings.ts'
import { derivedQuery, optionsOf } from '#web/api/queries.ts'
import { filterRanked } from '../rankings/filter-ranked.ts'
import { boardQuery } from '../rankings/queries.ts'

const ROWS = 8

type Filters = { school: SchoolCode | null; cls: ClassName | null }

/** The rows that the home widget shows. Only these travel in the document; the board they come from is left behind. */
export const homeRankingQuery = ({ school, cls }: Filters) =>
  derivedQuery(getTopRankingsList, 'home', { school, cls }, async (call, client) => {
    const level = boardQuery('level', null)
    // In the browser the board is asked for once for all filters; on the server it must not get into the document.
    const board =
      typeof window === 'undefined' ? await level.fetch(call, client) : await client.fetchQuery(optionsOf(level, call))
    return { ranked: filterRanked(board, { school, cls }).slice(0, ROWS), nobody: board.length === 0 }
  })
