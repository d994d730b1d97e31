import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ClassName, SchoolCode } from '#contract/game.ts'
import { type ApiClient, read } from '#web/api/client.ts'
import { filterRanked } from '../rankings/filter-ranked.ts'
import { boardQuery, fetchBoard } from '../rankings/queries.ts'

const CLUB_AREAS_STALE_MS = 60_000
const RANKING_STALE_MS = 60_000
const ROWS = 8

/** The areas that clubs fight for, who holds them and their tax. */
export const clubAreasQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['club-areas'],
    staleTime: CLUB_AREAS_STALE_MS,
    queryFn: async () => (await read(api['club-areas'].$get())).data,
  })

type Filters = { school: SchoolCode | null; cls: ClassName | null }

/**
 * The rows the home widget shows. Only these travel in the document, not the whole board;
 * in the browser they come out of the board, which is asked for once for all filters.
 */
export const homeRankingQuery =
  ({ school, cls }: Filters) =>
  (api: ApiClient) =>
    queryOptions({
      queryKey: ['home-ranking', school ?? 'all', cls ?? 'all'],
      staleTime: RANKING_STALE_MS,
      placeholderData: keepPreviousData,
      queryFn: async ({ client }) => {
        const board =
          typeof window === 'undefined'
            ? await fetchBoard(api, 'level')
            : await client.fetchQuery(boardQuery('level', null)(api))
        return { ranked: filterRanked(board, { school, cls }).slice(0, ROWS), nobody: board.length === 0 }
      },
    })
