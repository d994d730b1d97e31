import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** Selects the number of characters in each school, including characters that operators hid or blocked. */
export function selectSchoolCounts(db: Db) {
  return db
    .selectFrom('shown_per_school')
    .where('characters', '>', 0)
    .select(['school', 'characters'])
    .orderBy('school')
    .execute()
}

/** Selects the areas that clubs fight for. */
export function selectClubAreas(db: Db) {
  return db
    .selectFrom('club_areas')
    .where('visible', '=', true)
    .select(['id', 'name', 'club', 'tax_percent', 'picture as img_url'])
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The number of consecutive ids in each sitemap file. The ranges are fixed, so a new row changes only the last file. */
const IDS_PER_SITEMAP_FILE = 10_000

/** The tables with a public page for each row, by the name of their sitemap files. */
const SITEMAP_SOURCES = {
  items: {
    path: '/itemshop/',
    rows: () =>
      sql`(select product_num as id, null::timestamptz as moment, '' as folder from shop_items where visible)`,
  },
  news: {
    path: '/news?topic=',
    rows: (now: Date) => sql`(select id, created_at as moment, '' as folder from news
      where published and (created_at <= ${now} or created_at is null))`,
  },
  boards: {
    path: '/forum/',
    rows: () => sql`(select category as id, null::timestamptz as moment, '' as folder from forum_boards)`,
  },
  topics: {
    path: '/forum/',
    rows: () => sql`(select topic as id, last_post_at as moment, category || '/' as folder from forum_topics
      where state = 'visible')`,
  },
  clubs: {
    path: '/club/',
    rows: () => sql`(select club as id, null::timestamptz as moment, '' as folder from clubs
      where exists (select from characters c where c.club = clubs.club and c.kept_out = ''))`,
  },
} as const

/** A table with pages that the sitemap lists. */
export type ListedTable = keyof typeof SITEMAP_SOURCES
/** The tables that the sitemap lists. */
export const LISTED_TABLES = Object.keys(SITEMAP_SOURCES) as ListedTable[]

/** Lists the numbers of a table's sitemap files, from 1. Reads the index once for each file. */
export async function selectSitemapFiles(db: Db, table: ListedTable, now: Date): Promise<number[]> {
  const source = SITEMAP_SOURCES[table].rows(now)
  const selectFileFrom = (from: unknown) =>
    sql`(select id / ${sql.lit(IDS_PER_SITEMAP_FILE)} + 1 from ${source} listed where id >= ${from} order by id limit 1)`
  const { rows } = await sql<{ file: number }>`
    with recursive files (file) as (
      select ${selectFileFrom(sql`1`)} union all
      select ${selectFileFrom(sql`file * ${sql.lit(IDS_PER_SITEMAP_FILE)}`)} from files where file is not null)
    select file from files where file is not null`.execute(db)
  return rows.map(({ file }) => Number(file))
}

/** Selects the paths of a sitemap file with the times of their last change. Returns an empty list for an unknown file. */
export async function selectSitemapPaths(db: Db, table: ListedTable, file: number, now: Date) {
  const { path, rows: selectRows } = SITEMAP_SOURCES[table]
  const { rows } = await sql<{ id: number; moment: Date | null; folder: string }>`
    select id, moment, folder from ${selectRows(now)} listed
    where id between ${(file - 1) * IDS_PER_SITEMAP_FILE}::bigint and ${file * IDS_PER_SITEMAP_FILE - 1}::bigint order by id`.execute(
    db,
  )
  return rows.map(({ id, moment, folder }) => ({ path: `${path}${folder}${id}`, lastmod: moment?.toISOString() }))
}
