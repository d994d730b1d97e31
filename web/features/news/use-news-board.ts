import { useQuery, useQueryClient } from '@tanstack/react-query'
import { browserClient } from '#web/api/client.ts'
import type { BoardKey } from './boards.ts'
import { boardKey, newsBoardQuery } from './queries.ts'

/**
 * A page of a board, with the refresh action of SPEC §4: it clears what is kept of
 * the board and fetches again; the rows on screen stay until the answer is here.
 */
export function useNewsBoard(board: BoardKey, page: number) {
  const client = useQueryClient()
  const { data, isFetching } = useQuery(newsBoardQuery(board, page)(browserClient))
  const refresh = () => {
    client.removeQueries({ queryKey: boardKey(board), type: 'inactive' })
    return client.refetchQueries({ queryKey: boardKey(board), type: 'active' })
  }
  return { data, isFetching, refresh }
}
