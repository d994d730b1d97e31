import type { Db } from '#server/db/open.ts'

const COLUMNS = ['id', 'subject', 'content', 'type', 'created_at', 'author', 'picture', 'show_picture'] as const

/** Limits a query to what readers may see: published and not dated in the future. */
function visibleNews(db: Db, now: Date) {
  return db
    .selectFrom('news')
    .where('published', '=', true)
    .where((eb) => eb.or([eb('created_at', '<=', now), eb('created_at', 'is', null)]))
}

type OfType = { now: Date; type: 0 | 1 | 2 | 'all' }

/** News, newest first; those without a date come last. */
export function selectNews(db: Db, { now, type, limit, offset }: OfType & { limit: number; offset: number }) {
  return visibleNews(db, now)
    .$if(type !== 'all', (query) => query.where('type', '=', type as 0 | 1 | 2))
    .select(COLUMNS)
    .orderBy('created_at', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The number of items readers may see. */
export async function countNews(db: Db, { now, type }: OfType): Promise<number> {
  const { total } = await visibleNews(db, now)
    .$if(type !== 'all', (query) => query.where('type', '=', type as 0 | 1 | 2))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** One item; undefined when it does not exist or readers may not see it. */
export function selectOneNews(db: Db, now: Date, id: number) {
  return visibleNews(db, now).where('id', '=', id).select(COLUMNS).executeTakeFirst()
}
