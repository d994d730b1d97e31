import { NEWS_COUNT_MAX } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import type { Deps } from '#server/deps.ts'
import { cleanHtml } from './clean-html.ts'
import { countNews, type NewsRow, selectNews, selectOneNews } from './queries.ts'

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** An item as readers get it. Its HTML is cleaned here too, because it may have reached the database in any way. */
function toNewsItem(row: NewsRow) {
  return {
    id: row.id,
    subject: row.subject,
    content: cleanHtml(row.content),
    type: row.type,
    created_at: row.created_at,
    author: row.author,
    img_thumbnail: row.picture,
    IsShowThumbnail: row.show_picture && row.picture !== null ? (1 as const) : (0 as const),
  }
}

type NewsRequest = {
  type: number
  count: number
  paged: number
  latestflag: number
  only?: 'patch-notes' | undefined
}

type Total = number | undefined

/** The same request in numbers that are in range (NEWS-8): a page past the end is the last page, if the total is known. */
function toNearest(request: NewsRequest, total: Total): NewsRequest {
  const type = clamp(request.type, 0, 2)
  const count = clamp(request.count, 1, NEWS_COUNT_MAX)
  const wanted = request.latestflag >= 1 ? 1 : request.paged
  const { page } = pageThrough(wanted, total ?? Number.MAX_SAFE_INTEGER, count)
  return { type, count, paged: page, latestflag: 0, only: request.only }
}

const totalKey = ({ type, only }: NewsRequest) => `news total ${clamp(type, 0, 2)} ${only ?? ''}`

export const nearestNews = (request: NewsRequest, { cache }: Deps): NewsRequest =>
  toNearest(request, cache.freshValue(totalKey(request)) as Total)

/** A page of news (NEWS-8, CALL-11). The total is counted once for all who ask within the lifetime of cached answers. */
export async function listNews({ db, now, cache }: Deps, request: NewsRequest) {
  const type = clamp(request.type, 0, 2) as 0 | 1 | 2
  const of = { now: now(), type: type === 0 ? ('all' as const) : type, only: request.only }
  const total = (await cache.value(totalKey(request), () => countNews(db, of))) as number
  const { count: size, paged: page } = toNearest(request, total)
  const rows = await selectNews(db, { ...of, page, size })
  return { data: rows.map(toNewsItem), total, last_page: Math.max(1, Math.ceil(total / size)) }
}

/** One item as a list of one; an unknown, hidden or future id gives an empty list. */
export async function findNews({ db, now }: Deps, id: number): Promise<ReturnType<typeof toNewsItem>[]> {
  const row = await selectOneNews(db, now(), id)
  return row === undefined ? [] : [toNewsItem(row)]
}
