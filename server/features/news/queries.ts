import { sql } from 'kysely'
import { placeOfPage, rowsFromMark } from '#server/db/kept-lists.ts'
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

export type NewsRow = {
  id: number
  subject: string
  content: string
  type: 0 | 1 | 2
  created_at: Date | null
  author: string
  picture: string | null
  show_picture: boolean
}

/** When an item appears; those without a date are the oldest. Its indexes order by it. */
const momentOf = (row: string) => sql`coalesce(${sql.ref(`${row}.created_at`)}, '-infinity')`

/**
 * A page of the news with the number of all of them, newest first, those without a date last; past the end, the last page.
 * Reads from the kept mark before the page. What appears later is counted each time, but it is never much.
 */
export async function selectNews(db: Db, { now, type, page, size }: OfType & { page: number; size: number }) {
  const ofType = type === 'all' ? sql`` : sql`and n.type = ${sql.lit(type)}`
  const hidden = sql`(select count(*)::int from news n where n.published ${ofType} and n.created_at > ${now})`
  const list = type === 'all' ? 'news' : `news ${type}`
  const { rows } = await sql<NewsRow & { total: number }>`
    with place as (${placeOfPage({ list, page, size, hidden })}),
    shown as (
      select place.total, item.id
      from place join news mark on mark.id = place.mark cross join lateral (
        select n.id, ${momentOf('n')} as moment from news n
        where n.published ${ofType} and (${momentOf('n')}, n.id) <= (${momentOf('mark')}, mark.id)
        order by moment desc, n.id desc limit ${sql.lit(rowsFromMark(size))}) item
      order by item.moment desc, item.id desc offset (select skip from place) limit ${size}::int)
    select shown.total, ${sql.join(COLUMNS.map((column) => sql.ref(`n.${column}`)))}
    from shown join news n on n.id = shown.id order by ${momentOf('n')} desc, n.id desc`.execute(db)
  return rows
}

/** One item; undefined when it does not exist or readers may not see it. */
export function selectOneNews(db: Db, now: Date, id: number) {
  return visibleNews(db, now).where('id', '=', id).select(COLUMNS).executeTakeFirst()
}
