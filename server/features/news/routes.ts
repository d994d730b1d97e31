import { NEWS_COUNT_MAX } from '#contract/limits.ts'
import { getNewsAll, getSpecificNews } from '#contract/news.ts'
import { pageThrough } from '#contract/paging.ts'
import type { Deps } from '#server/deps.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { answerOf, type FindDraft } from '#server/preview.ts'
import { cleanHtml } from './clean-html.ts'
import { selectDeskNewsItem } from './desk-queries.ts'
import { countNews, type NewsRow, selectNews, selectOneNews } from './queries.ts'

/** The calls of the news (NEWS-8, NEWS-10). */
export const newsCalls: Mounted[] = [
  mount(getNewsAll, {
    nearest: (request, { cache }) => toNearest(request, cache.freshValue(totalKey(request)) as Total),
    read: (request, { deps }) => listNews(deps, request),
  }),
  mount(getSpecificNews, async ({ id }, { deps }) => ({ data: await findNews(deps, id) })),
]

/** A news item's page with its draft. */
export const findNewsDraft: FindDraft = async ({ db, now }, id) => {
  const item = await selectDeskNewsItem(db, Number(id), now())
  if (item === undefined) return undefined
  const { subject, ...text } = item.text
  const row = { ...text, id: item.id, subject: subject || 'Untitled', created_at: item.created_at ?? now() }
  const shown = getSpecificNews.output.parse({ data: [toNewsItem(row)] })
  return {
    path: `/topic/${id}`,
    answer: answerOf(getSpecificNews, (input) => (Number(input.id) === item.id ? shown : undefined)),
  }
}

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
async function findNews({ db, now }: Deps, id: number): Promise<ReturnType<typeof toNewsItem>[]> {
  const row = await selectOneNews(db, now(), id)
  return row === undefined ? [] : [toNewsItem(row)]
}
