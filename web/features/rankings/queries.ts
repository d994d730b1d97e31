import { BOARD_LIST_KEY, BOARDS, type Board } from '#contract/game.ts'
import { getTopRankingsList, type Rankings } from '#contract/rankings.ts'
import { derivedQuery, keyOfAll, type Query } from '#web/api/queries.ts'
import { type BoardRow, toBoardRow } from './columns.ts'

const rowsOf = (lists: Rankings, board: Board): BoardRow[] =>
  lists[BOARD_LIST_KEY[board]].map((character) => toBoardRow(board, character))

/** The first words of the keys of every board. */
export const allBoardsKey = () => [...keyOfAll(getTopRankingsList), 'board']

/**
 * The top 100 of a board, of the open month or a closed one. One call answers every board: in the browser the others
 * are put away for when their tab is opened; on the server they are left out of the document.
 */
export const boardQuery = (board: Board, period: string | null): Query<BoardRow[]> =>
  derivedQuery(getTopRankingsList, 'board', { board, period }, async (call, client) => {
    const lists = await call(getTopRankingsList, { period: period ?? undefined })
    if (typeof window !== 'undefined') {
      for (const other of BOARDS) {
        if (other !== board) client.setQueryData(boardQuery(other, period).key, rowsOf(lists, other))
      }
    }
    return rowsOf(lists, board)
  })
