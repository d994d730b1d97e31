import { type RawBuilder, sql } from 'kysely'
import type { GuidePage } from '#content/guide-pages.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { SEARCH_COUNT_MAX } from '#contract/search-words.ts'
import type { Db } from '#server/db/open.ts'
import { askFor, markAll, markPassage } from './ask.ts'

/** A search in one kind; a page past the end is the last page. */
export type Ask = { words: string; now: Date; size: number; page: number }

/** Every row carries the total number of matches, counted up to 1,000. */
type Found = { total: number; score: number }

/** One page of the best rows of a kind, with the total and the page's position, in one statement. */
function pageOf(
  found: RawBuilder<unknown>,
  { size, page }: Ask,
  then: { columns: RawBuilder<unknown>; join: RawBuilder<unknown> },
) {
  return sql`with
    found as materialized (${found} order by score desc, id desc limit ${SEARCH_COUNT_MAX}),
    counted as (select count(*)::int as total from found),
    page as (
      select * from found order by score desc, id desc
      limit ${size}::int
      offset (select least(${page}::int - 1, greatest(total - 1, 0) / ${size}::int) * ${size}::int from counted))
    select counted.total, page.score, ${then.columns} from page cross join counted ${then.join}
    order by page.score desc, page.id desc`
}

/** Words in the title weigh most; a title that begins with the query comes first. */
const scoreOf = (search: RawBuilder<unknown>, title: RawBuilder<unknown>, words: string) => sql`(
  ts_rank_cd('{0.05, 0.2, 0.5, 1}', ${search}, ${askFor(words)}, 1 | 32)
  + case
      when search_fold(${title}) = search_fold(${words}) then 1
      when starts_with(search_fold(${title}), search_fold(${words})) then 0.5
      else 0
    end)::float8`

export type NewsRow = Found & {
  id: number
  type: number
  created_at: Date | null
  title: string
  passage: string
  opening: string
  closing: string
}

/** Published news of the given types; recent items rank a little higher. */
export async function findNews(db: Db, types: readonly number[], ask: Ask): Promise<NewsRow[]> {
  const { words, now } = ask
  const freshness = sql`(0.8 + 0.2 * exp(-coalesce(extract(epoch from ${now}::timestamptz - created_at), 31536000) / 10368000.0))`
  const found = sql`
    select id, ${scoreOf(sql`search`, sql`subject`, words)} * ${freshness} as score
    from news
    where published and (created_at <= ${now} or created_at is null)
      and type = any(${[...types]}::int[]) and search @@ ${askFor(words)}`
  const columns = sql`n.id, n.type, n.created_at, ${markAll(sql`n.subject`, words)} as title,
    ${markPassage(sql`shown.words`, words)} as passage, left(shown.words, 12) as opening, right(shown.words, 12) as closing`
  const join = sql`join news n using (id) cross join lateral (select left(plain_text(n.content), 20000) as words) shown`
  const { rows } = await sql<NewsRow>`${pageOf(found, ask, { columns, join })}`.execute(db)
  return rows
}

export type ItemRow = Found & {
  product_num: number
  price: number
  section: number
  icon: string | null
  image_url: string | null
  title: string
  passage: string
}

/** Items that are on sale in the shop. */
export async function findItems(db: Db, ask: Ask): Promise<ItemRow[]> {
  const { words } = ask
  const found = sql`
    select product_num as id, ${scoreOf(sql`search`, sql`item_name`, words)} as score
    from shop_items where visible and search @@ ${askFor(words)}`
  const columns = sql`i.product_num, i.price, i.section, i.icon, i.image_url,
    ${markAll(sql`i.item_name`, words)} as title, ${markAll(sql`i.description`, words)} as passage`
  const join = sql`join shop_items i on i.product_num = page.id`
  const { rows } = await sql<ItemRow>`${pageOf(found, ask, { columns, join })}`.execute(db)
  return rows
}

export type GuideRow = Found & { path: string; title: string; passage: string }

/** The pages as rows with their search vectors, computed once per database because they change only with the site. */
const preparedPages = new WeakMap<Db, Promise<string>>()

function preparePages(db: Db, pages: readonly GuidePage[]): Promise<string> {
  const both = (text: RawBuilder<unknown>, weight: 'A' | 'B' | 'C') => sql`
    setweight(to_tsvector('english', search_fold(${text})) || to_tsvector('simple', search_fold(${text})), ${sql.lit(weight)})`
  const prepared = sql<{ rows: string }>`
    select jsonb_agg(to_jsonb(p) || jsonb_build_object('search',
      (${both(sql`title`, 'A')} || ${both(sql`coalesce(words, '')`, 'B')} || ${both(sql`summary`, 'C')})::text))::text as rows
    from rows from (jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as (path text, title text, summary text, words text))
      with ordinality as p (path, title, summary, words, id)`
    .execute(db)
    .then(({ rows }) => rows[0]?.rows ?? '[]')
  preparedPages.set(db, prepared)
  prepared.catch(() => preparedPages.delete(db))
  return prepared
}

/** The site's own pages. They are few and change only with the code, so no table holds them. */
export async function findGuidePages(db: Db, pages: readonly GuidePage[], ask: Ask): Promise<GuideRow[]> {
  const { words } = ask
  const prepared = await (preparedPages.get(db) ?? preparePages(db, pages))
  const found = sql`
    select -g.id as id, g.path, g.title, g.summary, ${scoreOf(sql`g.search`, sql`g.title`, words)} as score
    from jsonb_to_recordset(${prepared}::jsonb) as g (id int, path text, title text, summary text, search tsvector)
    where g.search @@ ${askFor(words)}`
  const columns = sql`page.path, ${markAll(sql`page.title`, words)} as title, ${markAll(sql`page.summary`, words)} as passage`
  const { rows } = await sql<GuideRow>`${pageOf(found, ask, { columns, join: sql`` })}`.execute(db)
  return rows
}

export type CharacterRow = Found & {
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
}

/** Escapes the wildcards of a like-pattern. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Ranked characters whose names begin with the query. */
export function charactersNamed(words: string): RawBuilder<unknown> {
  return sql`
    select c.cha_num as id,
      (case when search_fold(c.cha_name) = search_fold(${words}) then 2 else 0.3 end + c.cha_level / 10000.0)::float8 as score
    from characters c
    join accounts a on a.user_num = c.user_num and a.blocked_at is null and a.user_type < ${ADMIN_USER_TYPE}
    where search_fold(c.cha_name) like search_fold(${`${escapeLike(words)}%`})`
}

/** A page of characters: an exact match of the name first, then the highest levels. */
export async function findCharacters(db: Db, ask: Ask): Promise<CharacterRow[]> {
  const columns = sql`c.cha_num, c.cha_name, c.cha_level, c.cha_class, c.cha_school`
  const join = sql`join characters c on c.cha_num = page.id`
  const { rows } = await sql<CharacterRow>`${pageOf(charactersNamed(ask.words), ask, { columns, join })}`.execute(db)
  return rows
}
