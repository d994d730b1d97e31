import { useQueryClient } from '@tanstack/react-query'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { getNewsAll, getSpecificNews, type NewsItem } from '#contract/news.ts'
import { derivedQuery, keyOfAll, type Query, useLoaded } from '#web/api/queries.ts'
import { type BoardKey, NEWS_BOARDS, withLatestFirst } from './news-view.ts'

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
export const newsBoardQuery = (board: BoardKey, page: number): Query<NewsBoardPage> =>
  derivedQuery(getNewsAll, board, page, async (call) => {
    const of = {
      type: NEWS_BOARDS.find(({ key }) => key === board)?.type ?? 0,
      ...(board === 'patch-notes' && { only: board }),
    }
    const [latest, list] = await Promise.all([
      page === 1 ? call(getNewsAll, { ...of, count: 1, paged: 0, latestflag: 1 }) : undefined,
      call(getNewsAll, { ...of, count: NEWS_PAGE_SIZE, paged: page, latestflag: 0 }),
    ])
    const newest = latest?.data[0]
    const lead = newest && { ...toRow(newest), excerpt: createExcerpt(newest.content) }
    return { rows: withLatestFirst(lead, list.data.map(toRow)), latestId: newest?.id, lastPage: list.last_page }
  })

/** Returns the query of one item; its value is null if the id has no item. */
export const newsItemQuery = (id: number): Query<NewsItem | null> =>
  derivedQuery(getSpecificNews, 'item', id, async (call) => (await call(getSpecificNews, { id })).data[0] ?? null)

/**
 * Returns a page of a board with the refresh action of NEWS-11, which clears the board's cached pages and reloads them.
 * The current rows stay visible until the response arrives.
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
  const cut = text.slice(0, max + 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).replace(/[\s.,;:–-]+$/, '')}…`
}
