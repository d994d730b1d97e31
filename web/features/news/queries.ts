import { useQueryClient } from '@tanstack/react-query'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { getNewsAll, getSpecificNews, type NewsItem } from '#contract/news.ts'
import type { Head, Load, Where } from '#web/api/page.ts'
import { derivedQuery, keyOfAll, type Query, useLoaded } from '#web/api/queries.ts'
import { type BoardKey, boardOfType, NEWS_BOARDS, NO_SUCH_TOPIC, withLatestFirst } from './boards.ts'
import { excerptOf } from './excerpt.ts'
import { topicHead } from './topic-head.ts'

/** A row of a list. Its content is left behind: it would make every list's document several times as heavy. */
export type NewsRow = Omit<NewsItem, 'content'> & { excerpt?: string }
export type NewsBoardPage = { rows: NewsRow[]; latestId: number | undefined; lastPage: number }

function toRow({ content, ...row }: NewsItem): NewsRow {
  return row
}

/**
 * One page of a board, asked with the parameter sets of SPEC §7. The first page leads with the latest item, which alone
 * carries an excerpt.
 */
export const newsBoardQuery = (board: BoardKey, page: number): Query<NewsBoardPage> =>
  derivedQuery(getNewsAll, board, page, async (call) => {
    const type = NEWS_BOARDS.find(({ key }) => key === board)?.type ?? 0
    const [latest, list] = await Promise.all([
      page === 1 ? call(getNewsAll, { type, count: 1, paged: 0, latestflag: 1 }) : undefined,
      call(getNewsAll, { type, count: NEWS_PAGE_SIZE, paged: page, latestflag: 0 }),
    ])
    const newest = latest?.data[0]
    const lead = newest && { ...toRow(newest), excerpt: excerptOf(newest.content) }
    return { rows: withLatestFirst(lead, list.data.map(toRow)), latestId: newest?.id, lastPage: list.last_page }
  })

/** One item, or null when there is none with this id. */
export const newsItemQuery = (id: number): Query<NewsItem | null> =>
  derivedQuery(getSpecificNews, 'item', id, async (call) => (await call(getSpecificNews, { id })).data[0] ?? null)

/** Loads an item and its neighbours in the list; the document is a 404 when there is no such item (DECISIONS §3). */
export async function loadTopic(id: number, { site }: Pick<Where, 'site'>, load: Load): Promise<Partial<Head>> {
  const item = id === NO_SUCH_TOPIC ? null : await load(newsItemQuery(id))
  if (item === null) return { hidden: true, status: 404 }
  await load(newsBoardQuery(boardOfType(item.type).key, 1))
  return topicHead(item, site.publicUrl)
}

/**
 * A page of a board, with the refresh action of SPEC §4: it clears what is kept of the board and fetches again; the rows
 * on screen stay until the answer is here.
 */
export function useNewsBoard(board: BoardKey, page: number) {
  const client = useQueryClient()
  const { data, isFetching } = useLoaded(newsBoardQuery(board, page))
  const refresh = () => {
    const queryKey = [...keyOfAll(getNewsAll), board]
    client.removeQueries({ queryKey, type: 'inactive' })
    return client.refetchQueries({ queryKey, type: 'active' })
  }
  return { data, isFetching, refresh }
}
