import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

const COLUMNS = ['id', 'subject', 'content', 'type', 'created_at', 'author', 'picture', 'show_picture'] as const

/** When an item appears; those without a date are the oldest. */
const MOMENT = sql<Date>`coalesce(created_at, '-infinity')`

/** Limits a query to what readers may see: published and not dated in the future. */
const visibleNews = (db: Db, now: Date) => db.selectFrom('news').where('published', '=', true).where(MOMENT, '<=', now)

/** Which items are wanted. */
type Wanted = { now: Date; type: 0 | 1 | 2 | 'all'; only: 'patch-notes' | undefined }

const wantedNews = (db: Db, { now, type, only }: Wanted) =>
  visibleNews(db, now)
    .$if(type !== 'all', (news) => news.where('type', '=', type as 0 | 1 | 2))
    .$if(only === 'patch-notes', (news) => news.where('patch_notes', '=', true))

export type NewsRow = Awaited<ReturnType<typeof selectNews>>[number]

/** A page of the news, newest first, those without a date last. `page` is from 1. */
export function selectNews(db: Db, { page, size, ...wanted }: Wanted & { page: number; size: number }) {
  const news = wantedNews(db, wanted).select(COLUMNS).orderBy(MOMENT, 'desc').orderBy('id', 'desc')
  return news
    .limit(size)
    .offset((page - 1) * size)
    .execute()
}

/** How many items readers may see. */
export async function countNews(db: Db, wanted: Wanted): Promise<number> {
  const counted = wantedNews(db, wanted).select(({ fn }) => fn.countAll<number>().as('total'))
  return (await counted.executeTakeFirstOrThrow()).total
}

/** One item; undefined when it does not exist or readers may not see it. */
export function selectOneNews(db: Db, now: Date, id: number) {
  return visibleNews(db, now).where('id', '=', id).select(COLUMNS).executeTakeFirst()
}
