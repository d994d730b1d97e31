import { useQueryClient } from '@tanstack/react-query'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { getNewsAll, getSpecificNews, type NewsItem } from '#contract/news.ts'
import type { Head, Load, Where } from '#web/api/page.ts'
import { derivedQuery, keyOfAll, type Query, useLoaded } from '#web/api/queries.ts'
import { type BoardKey, boardOfType, NEWS_BOARDS, NO_SUCH_TOPIC, topicPath, withLatestFirst } from './boards.ts'

/** A row of a list. Its content is dropped: it would make the document of a list several times as large. */
export type NewsRow = Omit<NewsItem, 'content'> & { excerpt?: string }
export type NewsBoardPage = { rows: NewsRow[]; latestId: number | undefined; lastPage: number }

function toRow({ content, ...row }: NewsItem): NewsRow {
  return row
}

/**
 * One page of a board, asked for with the parameter sets of SPEC §7. The first page starts with the latest item, the only
 * one with an excerpt.
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
 * A page of a board, with the refresh action of SPEC §4: it clears the board's cached pages and fetches again; the rows
 * on screen stay until the answer has arrived.
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

/** The picture of a share preview: a news picture has a JPEG copy, because messengers cannot show WebP. */
export function sharePictureOf(thumbnail: string | null): string | undefined {
  if (thumbnail === null || !thumbnail.startsWith('/')) return undefined
  return thumbnail.replace(/^(\/art\/news-\d+)\.webp$/, '$1-share.jpg')
}

/**
 * The head of an item's page, with its structured data as a schema.org NewsArticle. Both addresses of an item share one
 * canonical path; `siteUrl` makes addresses absolute.
 */
export function topicHead(item: NewsItem, siteUrl: string) {
  const { subject, author, created_at } = item
  const description = excerptOf(item.content)
  const picture = sharePictureOf(item.img_thumbnail)
  const path = topicPath(item.id)
  const jsonLd = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: subject,
    description,
    ...(created_at && { datePublished: created_at }),
    author: { '@type': 'Person', name: author },
    image: [siteUrl + (picture ?? '/art/share.png')],
    mainEntityOfPage: siteUrl + path,
  }
  return { crumb: subject, description, picture, path, type: 'article', jsonLd } satisfies Partial<Head>
}

const EXCERPT_MAX = 150

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' }

/** The first words of sanitised HTML as plain text, cut at a word. For people to read, never to be put back into HTML. */
export function excerptOf(html: string, max = EXCERPT_MAX): string {
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
