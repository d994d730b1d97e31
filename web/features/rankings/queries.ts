import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { BOARD_LIST_KEY, BOARDS, type Board } from '#contract/game.ts'
import type { Rankings } from '#contract/rankings.ts'
import { type ApiClient, read } from '#web/api/client.ts'
import { type BoardRow, toBoardRow } from './columns.ts'

const RANKINGS_STALE_MS = 60_000

/** The first words of every board's key. */
const RANKINGS_KEY = ['rankings'] as const

const keyOf = (period: string | null, board: Board) => [...RANKINGS_KEY, period ?? 'open', board] as const

const rowsOf = (lists: Rankings, board: Board): BoardRow[] =>
  lists[BOARD_LIST_KEY[board]].map((character) => toBoardRow(board, character))

/** One call answers every board: the others are put away for when their tab is opened. */
function keepOtherBoards(client: QueryClient, lists: Rankings, period: string | null, asked: Board): void {
  for (const board of BOARDS) {
    if (board !== asked) client.setQueryData(keyOf(period, board), rowsOf(lists, board))
  }
}

/**
 * The top 100 of a board, of the open month or a closed one. While rendering on the
 * server only the board asked for is kept, since all that is kept travels in the document.
 */
export const boardQuery = (board: Board, period: string | null) => (api: ApiClient) =>
  queryOptions({
    queryKey: keyOf(period, board),
    staleTime: RANKINGS_STALE_MS,
    queryFn: async ({ client }): Promise<BoardRow[]> => {
      const lists = await read(api['get-top-rankings-list'].$get({ query: period === null ? {} : { period } }))
      if (typeof window !== 'undefined') keepOtherBoards(client, lists, period, board)
      return rowsOf(lists, board)
    },
  })

/** One board without its query, for those who keep only a part of it. */
export async function fetchBoard(api: ApiClient, board: Board): Promise<BoardRow[]> {
  return rowsOf(await read(api['get-top-rankings-list'].$get({ query: {} })), board)
}

/** The open month and the closed ones, newest first. */
export const periodsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['ranking-periods'],
    staleTime: RANKINGS_STALE_MS,
    queryFn: async () => (await read(api['ranking-periods'].$get())).data,
  })
