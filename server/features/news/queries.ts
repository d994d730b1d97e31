import { sql } from 'kysely'
import { NEWS_COUNT_MAX } from '#contract/limits.ts'
import { paginate } from '#contract/paging.ts'
import { cleanHtml } from '#server/clean-html.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'

const COLUMNS = ['id', 'subject', 'content', 'type', 'created_at', 'author', 'picture', 'show_picture'] as const

/** The time when an item appears. Items without a date are the oldest. */
const APPEARS_AT = sql<Date>`coalesce(created_at, '-infinity')`

/** Limits a query to published items whose date is not in the future. */
const selectVisibleNews = (db: Db, now: Date) =>
  db.selectFrom('news').where('published', '=', true).where(APPEARS_AT, '<=', now)

/** The filter of a list. */
type NewsFilter = { now: Date; type: 0 | 1 | 2 | 'all'; only: 'patch-notes' | undefined }

const selectFilteredNews = (db: Db, { now, type, only }: NewsFilter) =>
  selectVisibleNews(db, now)
    .$if(type !== 'all', (news) => news.where('type', '=', type as 0 | 1 | 2))
    .$if(only === 'patch-notes', (news) => news.where('patch_notes', '=', true))

type NewsRow = Awaited<ReturnType<typeof selectNews>>[number]

/** Selects a page of the news, newest first, those without a date last. @param page from 1 */
function selectNews(db: Db, { page, size, ...filter }: NewsFilter & { page: number; size: number }) {
  const news = selectFilteredNews(db, filter).select(COLUMNS).orderBy(APPEARS_AT, 'desc').orderBy('id', 'desc')
  return news
    .limit(size)
    .offset((page - 1) * size)
    .execute()
}

/** Counts the visible items. */
async function countNews(db: Db, filter: NewsFilter): Promise<number> {
  const query = selectFilteredNews(db, filter).select(({ fn }) => fn.countAll<number>().as('total'))
  return (await query.executeTakeFirstOrThrow()).total
}

/** Selects an item; undefined if it does not exist or is not visible. */
function selectOneNews(db: Db, now: Date, id: number) {
  return selectVisibleNews(db, now).where('id', '=', id).select(COLUMNS).executeTakeFirst()
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** Converts an item for readers. Sanitizes its HTML again, because it may have been written outside of the site. */
export function toNewsItem(row: NewsRow) {
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

/**
 * Limits the numbers of a request to their range (NEWS-8). A page past the end becomes the last page if the total is known.
 */
function clampRequest(request: NewsRequest, total: Total): NewsRequest {
  const type = clamp(request.type, 0, 2)
  const count = clamp(request.count, 1, NEWS_COUNT_MAX)
  const requestedPage = request.latestflag >= 1 ? 1 : request.paged
  const { page } = paginate(requestedPage, total ?? Number.MAX_SAFE_INTEGER, count)
  return { type, count, paged: page, latestflag: 0, only: request.only }
}

const getTotalKey = ({ type, only }: NewsRequest) => `news total ${clamp(type, 0, 2)} ${only ?? ''}`

/** Limits the numbers of a request, with the total from the cache if it has one. */
export const normalizeRequest = (request: NewsRequest, { cache }: Deps): NewsRequest =>
  clampRequest(request, cache.getFreshValue(getTotalKey(request)) as Total)

/** Returns a page of news (NEWS-8, CALL-11). The total is cached as long as responses. */
export async function listNews({ db, now, cache }: Deps, request: NewsRequest) {
  const type = clamp(request.type, 0, 2) as 0 | 1 | 2
  const filter = { now: now(), type: type === 0 ? ('all' as const) : type, only: request.only }
  const total = (await cache.getValue(getTotalKey(request), () => countNews(db, filter))) as number
  const { count: size, paged: page } = clampRequest(request, total)
  const rows = await selectNews(db, { ...filter, page, size })
  return { data: rows.map(toNewsItem), total, last_page: Math.max(1, Math.ceil(total / size)) }
}

/** Returns a list with one item; an empty list for an unknown, hidden or future item. */
export async function findNews({ db, now }: Deps, id: number): Promise<ReturnType<typeof toNewsItem>[]> {
  const row = await selectOneNews(db, now(), id)
  return row === undefined ? [] : [toNewsItem(row)]
}
