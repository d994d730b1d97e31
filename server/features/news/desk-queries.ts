import { type RawBuilder, sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { getDeskNews, NewsText } from '#contract/news.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createNumberOrder, cutPage, parseCursor, type RowOf } from '#server/http/desk-lists.ts'
import { toNewsText } from './drafts.ts'

type ListRow = Omit<RowOf<typeof getDeskNews>, 'created_at'> & { created_at: Date | null }
type NewsState = ListRow['state']
type Filters = ValidInput<typeof getDeskNews>

const selectState = (now: Date) => sql<NewsState>`
  case when n.trashed_at is not null then 'trash' when n.published and n.created_at > ${now} then 'scheduled'
    when n.published then 'published' when n.first_published_at is null then 'draft' else 'hidden' end`

/** The condition of each state; each has a separate index. */
const STATE_CONDITIONS: Record<Filters['state'], (now: Date) => RawBuilder<unknown>> = {
  '': () => sql`n.trashed_at is null`,
  trash: () => sql`n.trashed_at is not null`,
  draft: () => sql`not n.published and n.trashed_at is null and n.first_published_at is null`,
  hidden: () => sql`not n.published and n.trashed_at is null and n.first_published_at is not null`,
  scheduled: (now) => sql`n.published and coalesce(n.created_at, '-infinity') > ${now}::timestamptz`,
  published: (now) => sql`n.published and coalesce(n.created_at, '-infinity') <= ${now}::timestamptz`,
  edited: () => sql`d.is_open and n.trashed_at is null`,
}

/** Selects a page of the desk's news, newest first, with the subjects of their drafts. */
export async function selectDeskNews(db: Db, { after, q, type, state }: Filters, now: Date) {
  const subject = sql`case when d.is_open then d.subject else n.subject end`
  const { condition: isAfterCursor, order } = createNumberOrder('n.id', after)
  const conditions = combineConditions([
    STATE_CONDITIONS[state](now),
    type !== '' && sql`case when d.is_open then d.type else n.type end = ${Number(type)}`,
    q !== '' && sql`search_fold(${subject}) like '%' || search_fold(${escapeLike(q)}) || '%'`,
    isAfterCursor,
  ])
  const { rows } = await sql<ListRow>`
    select n.id, case when ${subject} = '' then n.subject else ${subject} end as subject,
      case when d.is_open then d.type else n.type end as type, case when d.is_open then d.author else n.author end as author,
      ${selectState(now)} as state, n.created_at, n.trashed_at, coalesce(d.is_open, false) as has_draft, d.saved_at,
      a.user_id as saved_by
    from news n left join news_drafts d on d.news = n.id left join accounts a on a.user_num = d.saved_by
    where ${conditions}
    order by ${order} limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  return cutPage(rows, (row) => row.id)
}

type ItemRow = Omit<ListRow, 'subject' | 'type' | 'author'> & {
  version: number
  first_published_at: Date | null
  news: NewsText
  draft: NewsText | null
}

const selectTextColumns = (table: string) => sql`jsonb_build_object(
  'subject', ${sql.ref(`${table}.subject`)}, 'type', ${sql.ref(`${table}.type`)}, 'author', ${sql.ref(`${table}.author`)},
  'content', ${sql.ref(`${table}.content`)}, 'picture', ${sql.ref(`${table}.picture`)},
  'show_picture', ${sql.ref(`${table}.show_picture`)}, 'patch_notes', ${sql.ref(`${table}.patch_notes`)})`

/** Selects an item with its draft; returns undefined if there is no such item. */
export async function selectDeskNewsItem(db: Db, id: number, now: Date) {
  const { rows } = await sql<ItemRow>`
    select n.id, coalesce(d.version, 1) as version, ${selectState(now)} as state, n.created_at, n.trashed_at,
      n.first_published_at, coalesce(d.is_open, false) as has_draft, d.saved_at, a.user_id as saved_by,
      ${selectTextColumns('n')} as news, case when d.is_open then ${selectTextColumns('d')} end as draft
    from news n left join news_drafts d on d.news = n.id left join accounts a on a.user_num = d.saved_by
    where n.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { news, draft, first_published_at, ...item } = row
  return {
    ...item,
    text: draft ?? news,
    published: first_published_at === null && item.state !== 'published' ? null : news,
  }
}

/** Selects a page of the revisions of an item, newest first, or one revision. */
export async function selectRevisions(
  db: Db,
  { news, after = '', revision }: { news?: number; after?: string; revision?: number },
) {
  const rows = await db
    .selectFrom('news_revisions as r')
    .leftJoin('accounts as a', 'a.user_num', 'r.saved_by')
    .$if(news !== undefined, (q) => q.where('r.news', '=', news ?? 0))
    .$if(revision !== undefined, (q) => q.where('r.revision', '=', revision ?? 0))
    .$if(after !== '', (q) => q.where('r.revision', '<', parseCursor(after)))
    .select(['r.revision', 'r.news', 'r.kind', 'r.subject', 'r.type', 'r.author', 'r.content', 'r.picture'])
    .select(['r.show_picture', 'r.patch_notes', 'r.saved_at', 'a.user_id as saved_by'])
    .orderBy('r.revision', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(
    rows,
    (row) => row.revision,
    (row) => ({ ...row, text: toNewsText(row) }),
  )
}
