import { queryOptions } from '@tanstack/react-query'
import { NEWS_CACHE_MS, NEWS_PAGE_SIZE } from '#contract/limits.ts'
import type { NewsItem } from '#contract/news.ts'
import { type ApiClient, read } from '#web/api/client.ts'
import { type BoardKey, NEWS_BOARDS, withLatestFirst } from './boards.ts'
import { excerptOf } from './excerpt.ts'

/** A row of a list. Its content stays behind: it would make every list's document several times as heavy. */
export type NewsRow = Omit<NewsItem, 'content'> & { excerpt?: string }
export type NewsBoardPage = { rows: NewsRow[]; latestId: number | undefined; lastPage: number }

function toRow({ content, ...row }: NewsItem): NewsRow {
  return row
}

type Asked = { count: number; paged: number; latest: 0 | 1 }

function askNews(api: ApiClient, type: number, { count, paged, latest }: Asked) {
  const param = { type: `${type}`, count: `${count}`, paged: `${paged}`, latestflag: `${latest}` }
  return read(api.getnewsall[':type'][':count'][':paged'][':latestflag'].$get({ param }))
}

/** The first words of the keys of a board's pages. */
export const boardKey = (board: BoardKey) => ['news', 'board', board] as const

/**
 * One page of a board, asked with the parameter sets of SPEC §7. The first page
 * leads with the latest item, which alone carries an excerpt.
 */
export const newsBoardQuery = (board: BoardKey, page: number) => (api: ApiClient) =>
  queryOptions({
    queryKey: [...boardKey(board), page],
    staleTime: NEWS_CACHE_MS,
    queryFn: async (): Promise<NewsBoardPage> => {
      const type = NEWS_BOARDS.find(({ key }) => key === board)?.type ?? 0
      const [latest, list] = await Promise.all([
        page === 1 ? askNews(api, type, { count: 1, paged: 0, latest: 1 }) : undefined,
        askNews(api, type, { count: NEWS_PAGE_SIZE, paged: page, latest: 0 }),
      ])
      const newest = latest?.data[0]
      const lead = newest && { ...toRow(newest), excerpt: excerptOf(newest.content) }
      return { rows: withLatestFirst(lead, list.data.map(toRow)), latestId: newest?.id, lastPage: list.last_page }
    },
  })

/** One item, or null when there is none with this id. */
export const newsItemQuery = (id: number) => (api: ApiClient) =>
  queryOptions({
    queryKey: ['news', 'item', id],
    staleTime: NEWS_CACHE_MS,
    queryFn: async (): Promise<NewsItem | null> => {
      const { data } = await read(api.getspecificnews[':id'].$get({ param: { id: `${id}` } }))
      return data[0] ?? null
    },
  })
