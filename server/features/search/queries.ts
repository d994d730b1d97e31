import { type RawBuilder, sql } from 'kysely'
import { SEARCH_COUNT_MAX, type SearchKind } from '#contract/search.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import type { WrittenPage } from '#server/features/documents/search-pages.ts'
import { isRanked } from '#server/features/rankings/queries.ts'
import { type Language, markAll, markPassage, toTsQuery } from './ts-query.ts'

/** A search in one kind. A page past the end counts as the last page. */
export type SearchQuery = { query: string; now: Date; size: number; page: number }

/** Every row carries the total number of matches, up to `SEARCH_COUNT_MAX`. */
type ScoredTotal = { total: number; score: number }

/** Selects a page of the best rows of a kind, with the total and the page's number, in one statement. */
function selectPage(
  matches: RawBuilder<unknown>,
  { size, page }: SearchQuery,
  resultKind: { kind: SearchKind; columns: RawBuilder<unknown>; join: RawBuilder<unknown> },
) {
  return sql`with
    found as materialized (${matches} order by score desc, id desc limit ${sql.lit(SEARCH_COUNT_MAX[resultKind.kind])}),
    counted as (select count(*)::int as total from found),
    page as (
      select * from found order by score desc, id desc
      limit ${size}::int
      offset (select least(${page}::int - 1, greatest(total - 1, 0) / ${size}::int) * ${size}::int from counted))
    select counted.total, page.score, ${resultKind.columns} from page cross join counted ${resultKind.join}
    order by page.score desc, page.id desc`
}

/** A table of texts with a search vector. Its parts use the alias `t`. */
type TextTable = {
  table: 'news' | 'shop_items' | 'forum_posts'
  language?: Language
  /** The condition of a partial index of titles, which a query must repeat to use the index. */
  isTitled?: RawBuilder<unknown>
  id: RawBuilder<unknown>
  title: RawBuilder<unknown>
  isShown: RawBuilder<unknown>
  /** Distinguishes kinds in the same table that are counted separately. */
  isGuide: RawBuilder<unknown>
  /** The column that orders the rows. Its index also has the id. */
  sortBy: RawBuilder<unknown>
  direction: RawBuilder<unknown>
}

/**
 * The maximum number of matching rows, taken in the order of their table, that are ranked by relevance.
 */
const RANKED_ROWS_MAX = 200
/**
 * The maximum number of candidate rows, from the index or by the beginning of the title, that are checked for a match.
 */
const CHECKED_ROWS_MAX = 800

/**
 * Returns the part of a query that the index alone can answer: all words of a phrase in any order, without excluded words.
 */
const toAnyOrder = (tsQuery: RawBuilder<unknown>) => sql`(
  case when ${tsQuery}::text like '%<%' then regexp_replace(nullif(querytree(${tsQuery}), 'T'), '<(-|\\d+)>', '&', 'g')::tsquery
    else ${tsQuery} end)`

/**
 * Selects at most `SEARCH_COUNT_MAX` matching rows of a kind: the first ones in the order of their table, and rows whose
 * titles begin with the query. For common words, PostgreSQL reads the rows in that order; for rare words, it uses the
 * index of words. Every match is found if at most 200 rows contain the words.
 */
function selectCandidates(texts: TextTable, query: string) {
  const { table, id, title, isShown, isGuide, sortBy, direction, isTitled = sql`true` } = texts
  const columns = sql`${id} as id, ${sortBy} as sort_value, ${isGuide} as is_guide`
  const tsQuery = toTsQuery(query, texts.language)
  const visibleTexts = sql`from ${sql.table(table)} t where ${isShown}`
  const limit = sql.lit(SEARCH_COUNT_MAX.news)
  return sql`(with
    first_rows as (
      select id, sort_value, is_guide
      from (
        select ${columns}, t.search ${visibleTexts} and t.search @@ ${toAnyOrder(tsQuery)}
        order by sort_value ${direction}, id ${direction} limit ${sql.lit(CHECKED_ROWS_MAX)}) possible_rows
      where search @@ ${tsQuery} limit ${sql.lit(RANKED_ROWS_MAX)}),
    titled_rows as (
      select id, sort_value, is_guide
      from (
        select ${columns}, t.search ${visibleTexts}
          and search_fold(${title}) like search_fold(${`${escapeLike(query)}%`}) and ${isTitled}
        limit ${sql.lit(CHECKED_ROWS_MAX)}) possible_rows
      where search @@ ${tsQuery} limit ${limit}),
    numbered_rows as (
      select id, is_guide, row_number() over (
        partition by is_guide order by bool_or(is_titled) desc, sort_value ${direction}, id ${direction}) as nth
      from (select *, true as is_titled from titled_rows union all select *, false from first_rows) both_lists
      group by id, is_guide, sort_value)
    select id, is_guide from numbered_rows where nth <= ${limit})`
}

/** Computes the relevance of a row. Words in the title weigh most, and a title that begins with the query adds to it. */
const selectScore = (
  search: RawBuilder<unknown>,
  title: RawBuilder<unknown>,
  query: string,
  language?: Language,
) => sql`(
  ts_rank_cd('{0.05, 0.2, 0.5, 1}', ${search}, ${toTsQuery(query, language)}, 1 | 32)
  + case
      when search_fold(${title}) = search_fold(${query}) then 1
      when starts_with(search_fold(${title}), search_fold(${query})) then 0.5
      else 0
    end)::float8`

export type NewsRow = ScoredTotal & {
  is_guide: boolean
  id: number
  type: number
  created_at: Date | null
  title: string
  passage: string
  opening: string
  closing: string
}

/** Selects a page of published news and a page of the guides among the news. Recent items rank a little higher. */
export async function findNews(
  db: Db,
  {
    query,
    now,
    news,
    guides,
  }: Omit<SearchQuery, 'size' | 'page'> & Record<'news' | 'guides', Pick<SearchQuery, 'size' | 'page'>>,
): Promise<NewsRow[]> {
  const appearsAt = sql`coalesce(t.created_at, '-infinity')`
  const candidates = selectCandidates(
    {
      table: 'news',
      id: sql`t.id`,
      title: sql`t.subject`,
      isShown: sql`t.published and ${appearsAt} <= ${now}`,
      isGuide: sql`t.type = 1`,
      sortBy: appearsAt,
      direction: sql`desc`,
    },
    query,
  )
  const freshness = sql`(0.8 + 0.2 * exp(-coalesce(extract(epoch from ${now}::timestamptz - created_at), 31536000) / 10368000.0))`
  const { rows } = await sql<NewsRow>`with
    found as materialized (
      select id, is_guide, ${selectScore(sql`search`, sql`subject`, query)} * ${freshness} as score
      from ${candidates} candidates join news using (id)),
    ranked as (
      select *, count(*) over (partition by is_guide)::int as total,
        row_number() over (partition by is_guide order by score desc, id desc) - 1 as row_index,
        case when is_guide then ${guides.size}::int else ${news.size}::int end as size,
        case when is_guide then ${guides.page}::int else ${news.page}::int end as page
      from found)
    select r.total, r.score, r.is_guide, n.id, n.type, n.created_at, ${markAll(sql`n.subject`, query)} as title,
      ${markPassage(sql`shown.body`, query)} as passage, left(shown.body, 12) as opening,
      right(shown.body, 12) as closing
    from ranked r join news n using (id) cross join lateral (select left(plain_text(n.content), 20000) as body offset 0) shown
    where r.row_index / r.size = least(r.page - 1, (r.total - 1) / r.size)
    order by r.score desc, r.id desc`.execute(db)
  return rows
}

export type ItemRow = ScoredTotal & {
  product_num: number
  price: number
  section: number
  icon: string | null
  image_url: string | null
  title: string
  passage: string
}

/** Selects items that are on sale in the shop. */
export async function findItems(db: Db, search: SearchQuery): Promise<ItemRow[]> {
  const { query } = search
  const candidates = selectCandidates(
    {
      table: 'shop_items',
      id: sql`t.product_num`,
      title: sql`t.item_name`,
      isShown: sql`t.visible`,
      isGuide: sql`false`,
      sortBy: sql`t.position`,
      direction: sql`asc`,
    },
    query,
  )
  const matches = sql`
    select id, ${selectScore(sql`search`, sql`item_name`, query)} as score
    from ${candidates} candidates join shop_items on product_num = id`
  const columns = sql`i.product_num, i.price, i.section, i.icon, i.image_url,
    ${markAll(sql`i.item_name`, query)} as title, ${markAll(sql`i.description`, query)} as passage`
  const join = sql`join shop_items i on i.product_num = page.id`
  const { rows } = await sql<ItemRow>`${selectPage(matches, search, { kind: 'items', columns, join })}`.execute(db)
  return rows
}

export type PostRow = ScoredTotal & {
  topic: number
  category: number
  number: number
  board: string
  author: number
  shown_at: Date
  title: string
  passage: string
  opening: string
  closing: string
}

/** Selects visible posts in any language. The opening post includes the topic's title. */
export async function findPosts(db: Db, search: SearchQuery): Promise<PostRow[]> {
  const { query, now } = search
  const candidates = selectCandidates(
    {
      table: 'forum_posts',
      language: 'simple',
      id: sql`t.post`,
      title: sql`t.title`,
      isTitled: sql`t.title <> ''`,
      isShown: sql`t.state = 'visible'
        and exists (select from forum_topics seen where seen.topic = t.topic and seen.state = 'visible')`,
      isGuide: sql`false`,
      sortBy: sql`t.shown_at`,
      direction: sql`desc`,
    },
    query,
  )
  const freshness = sql`(0.8 + 0.2 * exp(-extract(epoch from ${now}::timestamptz - shown_at) / 10368000.0))`
  const matches = sql`
    select id, ${selectScore(sql`search`, sql`title`, query, 'simple')} * ${freshness} as score
    from ${candidates} candidates join forum_posts on post = id`
  const columns = sql`p.topic, t.category, p.number, b.name as board, p.author, p.shown_at,
    ${markAll(sql`t.title`, query, 'simple')} as title, ${markPassage(sql`shown.body`, query, 'simple')} as passage,
    left(shown.body, 12) as opening, right(shown.body, 12) as closing`
  const join = sql`
    join forum_posts p on p.post = page.id join forum_topics t on t.topic = p.topic
    join forum_boards b on b.category = t.category
    cross join lateral (select left(plain_text(p.html), 20000) as body offset 0) shown`
  const { rows } = await sql<PostRow>`${selectPage(matches, search, { kind: 'forum', columns, join })}`.execute(db)
  return rows
}

/** The trigram similarity from which a word counts as a misspelling of another word. */
const SIMILARITY_MIN = 0.25

/**
 * Corrects typing errors: replaces each word that is in no title of the forum by the most similar title word. Leaves words
 * of fewer than four letters.
 */
export async function correctQuery(db: Db, query: string): Promise<string> {
  const { rows } = await sql<{ corrected: string | null }>`
    select string_agg(coalesce(meant.word, typed.word), ' ' order by typed.nth) as corrected
    from regexp_split_to_table(search_fold(${query}), '[^[:alnum:]]+') with ordinality as typed (word, nth)
    left join lateral (
      select alike.word from (
        select title_word.word, (
          select count(*) filter (where in_typed and in_title)::float8 / count(*) from (
            select piece, bool_or(side = 1) as in_typed, bool_or(side = 2) as in_title from (
              select 1 as side, unnest(tsvector_to_array(letter_groups(typed.word))) as piece
              union all select 2, unnest(tsvector_to_array(title_word.groups))) pieces
            group by piece) compared) as likeness
        from forum_title_words title_word
        where title_word.groups @@ (
          select string_agg(quote_literal(piece), ' | ')::tsquery
          from unnest(tsvector_to_array(letter_groups(typed.word))) piece)) alike
      where length(typed.word) between 4 and 30 and likeness >= ${sql.lit(SIMILARITY_MIN)}
        and not exists (select from forum_title_words correct where correct.word = typed.word)
      order by likeness desc, alike.word limit 1) meant on true
    where typed.word <> ''`.execute(db)
  return rows[0]?.corrected ?? query
}

export type GuideRow = ScoredTotal & { path: string; title: string; passage: string }

/** Returns the operators’ pages as JSON rows, each with its search vector. */
export async function preparePages(db: Db, pages: readonly WrittenPage[]): Promise<string> {
  const buildVector = (text: RawBuilder<unknown>, weight: 'A' | 'B' | 'C') => sql`
    setweight(to_tsvector('english', search_fold(${text})) || to_tsvector('simple', search_fold(${text})), ${sql.lit(weight)})`
  const { rows } = await sql<{ rows: string | null }>`
    select jsonb_agg(jsonb_build_object('id', id, 'path', path, 'title', title, 'summary', summary, 'search',
      (${buildVector(sql`title`, 'A')} || ${buildVector(sql`body`, 'B')} || ${buildVector(sql`summary`, 'C')})::text))::text as rows
    from rows from (jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as (path text, title text, summary text, text text))
      with ordinality as p (path, title, summary, body, id)`.execute(db)
  return rows[0]?.rows ?? '[]'
}

/**
 * Selects the site's pages. They are few and rarely change, so they are passed as JSON instead of a table.
 *
 * @param preparedPages the pages that readers may see, from `preparePages`
 */
export async function findGuidePages(db: Db, preparedPages: string, search: SearchQuery): Promise<GuideRow[]> {
  const { query } = search
  const matches = sql`
    select -g.id as id, g.path, g.title, g.summary, ${selectScore(sql`g.search`, sql`g.title`, query)} as score
    from jsonb_to_recordset(${preparedPages}::jsonb) as g (id int, path text, title text, summary text, search tsvector)
    where g.search @@ ${toTsQuery(query)}`
  const columns = sql`page.path, ${markAll(sql`page.title`, query)} as title, ${markAll(sql`page.summary`, query)} as passage`
  const { rows } =
    await sql<GuideRow>`${selectPage(matches, search, { kind: 'guides', columns, join: sql`` })}`.execute(db)
  return rows
}

export type CharacterRow = ScoredTotal & {
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
}

/** A search reads this many of the best characters whose names begin with the first two letters of the query. */
const BEST_CHARACTERS_READ = 200

/**
 * Selects ranked characters whose names begin with the query: the first 400 names, and if there are more, also the
 * characters with the highest levels.
 */
function selectNamedCharacters({ query, now }: SearchQuery): RawBuilder<unknown> {
  const isNamed = sql`search_fold(cha_name) like search_fold(${`${escapeLike(query)}%`})`
  const joinAccounts = sql`left join accounts a on a.user_num = c.user_num`
  const isVisible = isRanked(now)
  const limit = sql.lit(SEARCH_COUNT_MAX.characters)
  return sql`(with
    named as materialized (
      select c.cha_num, c.cha_name, c.cha_level from characters c ${joinAccounts}
      where ${isNamed} and ${isVisible} order by search_fold(cha_name) using ~<~ limit ${limit}),
    best as materialized (
      select c.cha_num, c.cha_name, c.cha_level
      from (
        select * from characters
        where left(search_fold(cha_name), 2) = left(search_fold(${query}), 2) and (select count(*) from named) = ${limit}
        order by cha_level desc, cha_num limit ${sql.lit(BEST_CHARACTERS_READ)}) c ${joinAccounts}
      where ${isNamed} and ${isVisible})
    select cha_num as id,
      (case when search_fold(cha_name) = search_fold(${query}) then 2 else 0.3 end + cha_level / 10000.0)::float8 as score
    from (select * from named union select * from best) both_lists)`
}

/** Selects a page of characters: an exact match of the name first, then the highest levels. */
export async function findCharacters(db: Db, search: SearchQuery): Promise<CharacterRow[]> {
  const matches = sql`select id, score from ${selectNamedCharacters(search)} named`
  const columns = sql`c.cha_num, c.cha_name, c.cha_level, c.cha_class, c.cha_school`
  const join = sql`join characters c on c.cha_num = page.id`
  const { rows } =
    await sql<CharacterRow>`${selectPage(matches, search, { kind: 'characters', columns, join })}`.execute(db)
  return rows
}
