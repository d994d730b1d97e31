import { useQueryClient } from '@tanstack/react-query'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { getNewsAll, getSpecificNews, type NewsItem } from '#contract/news.ts'
import { type Query, toDerivedQuery, toKeyPrefix, usePageQuery } from '#web/api/queries.ts'
import { type BoardKey, NEWS_BOARDS, putLatestFirst } from './news-view.ts'

/** A row of a list. It has no content, because that would multiply the size of a list's document. */
export type NewsRow = Omit<NewsItem, 'content'> & { excerpt?: string }
export type NewsBoardPage = { rows: NewsRow[]; latestId: number | undefined; lastPage: number }

function toRow({ content, ...row }: NewsItem): NewsRow {
  return row
}

/**
 * Returns the query of one page of a board, with the parameter sets of NEWS-9. The first page starts with the latest
 * item, the only one with an excerpt.
 */
export const getNewsBoardQuery = (board: BoardKey, page: number): Query<NewsBoardPage> =>
  toDerivedQuery(getNewsAll, board, page, async (call) => {
    const parameters = {
      type: NEWS_BOARDS.find(({ key }) => key === board)?.type ?? 0,
      ...(board === 'patch-notes' && { only: board }),
    }
    const [latestResponse, listResponse] = await Promise.all([
      page === 1 ? call(getNewsAll, { ...parameters, count: 1, paged: 0, latestflag: 1 }) : undefined,
      call(getNewsAll, { ...parameters, count: NEWS_PAGE_SIZE, paged: page, latestflag: 0 }),
    ])
    const latestItem = latestResponse?.data[0]
    const lead = latestItem && { ...toRow(latestItem), excerpt: createExcerpt(latestItem.content) }
    return {
      rows: putLatestFirst(lead, listResponse.data.map(toRow)),
      latestId: latestItem?.id,
      lastPage: listResponse.last_page,
    }
  })

/** Returns the query of one item; its value is null if the id has no item. */
export const getNewsItemQuery = (id: number): Query<NewsItem | null> =>
  toDerivedQuery(getSpecificNews, 'item', id, async (call) => (await call(getSpecificNews, { id })).data[0] ?? null)

/**
 * Returns a page of a board with the refresh action of NEWS-11, which clears the board's cached pages and reloads them.
 * The current rows stay visible until the response arrives.
 */
export function useNewsBoard(board: BoardKey, page: number) {
  const client = useQueryClient()
  const { data, isFetching } = usePageQuery(getNewsBoardQuery(board, page))
  const refresh = () => {
    const queryKey = [...toKeyPrefix(getNewsAll), board]
    client.removeQueries({ queryKey, type: 'inactive' })
    return client.refetchQueries({ queryKey, type: 'active' })
  }
  return { data, isFetching, refresh }
}

const EXCERPT_MAX = 150

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' }

/**
 * Returns the beginning of sanitised HTML as plain text, cut after a word. Only display it as text; never insert it
 * into HTML.
 */
export function createExcerpt(html: string, max = EXCERPT_MAX): string {
  const text = html
    .slice(0, 2000)
    .replace(/<(?:"[^"]*"|[^">])*(?:>|"[^"]*$|$)/g, ' ')
    .replace(/&(#?\w{1,6});/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,!?;:])/g, '$1')
    .trim()
  if (text.length <= max) return text
  const excerpt = text.slice(0, max + 1)
  return `${excerpt.slice(0, Math.max(excerpt.lastIndexOf(' '), 1)).replace(/[\s.,;:–-]+$/, '')}…`
}
