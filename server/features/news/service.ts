import { NEWS_COUNT_MAX } from '#contract/limits.ts'
import type { NewsItem } from '#contract/news.ts'
import type { Deps } from '#server/deps.ts'
import { cleanHtml } from './clean-html.ts'
import { type NewsRow, selectNews, selectOneNews } from './queries.ts'

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** An item as readers get it. Its HTML is cleaned here too, because it may have reached the database in any way. */
function toNewsItem(row: NewsRow): NewsItem {
  return {
    id: row.id,
    subject: row.subject,
    content: cleanHtml(row.content),
    type: row.type,
    created_at: row.created_at?.toISOString() ?? null,
    author: row.author,
    img_thumbnail: row.picture,
    IsShowThumbnail: row.show_picture && row.picture !== null ? 1 : 0,
  }
}

type NewsRequest = { type: number; count: number; paged: number; latestflag: number }

/**
 * A page of news (NEWS-8, CALL-11). Numbers out of range count as the nearest
 * valid one; a page past the end is the last page.
 */
export async function listNews({ db, now }: Deps, request: NewsRequest) {
  const type = clamp(request.type, 0, 2) as 0 | 1 | 2
  const size = clamp(request.count, 1, NEWS_COUNT_MAX)
  const page = request.latestflag >= 1 ? 1 : Math.max(1, request.paged)
  const rows = await selectNews(db, { now: now(), type: type === 0 ? 'all' : type, page, size })
  const total = rows[0]?.total ?? 0
  return { data: rows.map(toNewsItem), total, last_page: Math.max(1, Math.ceil(total / size)) }
}

/** One item as a list of one; an unknown, hidden or future id gives an empty list. */
export async function findNews({ db, now }: Deps, id: number): Promise<NewsItem[]> {
  const row = await selectOneNews(db, now(), id)
  return row === undefined ? [] : [toNewsItem(row)]
}
