import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The number of characters per school that the game shows; hidden and blocked ones count. */
export function selectSchoolCounts(db: Db) {
  return db
    .selectFrom('shown_per_school')
    .where('characters', '>', 0)
    .select(['school', 'characters'])
    .orderBy('school')
    .execute()
}

/** The areas that clubs fight for. */
export function selectClubAreas(db: Db) {
  return db
    .selectFrom('club_areas')
    .where('visible', '=', true)
    .select(['id', 'name', 'club', 'tax_percent', 'picture as img_url'])
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The range of numbers in a sitemap file: 10,000 consecutive ones, so a new row changes only the last file. */
const SITEMAP_NUMBERS = 10_000

/** The tables with a public page for each row, by the name of their sitemap files. */
const LISTED = {
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
export type ListedTable = keyof typeof LISTED
/** The tables that the sitemap lists. */
export const LISTED_TABLES = Object.keys(LISTED) as ListedTable[]

/** The sitemap files of a table, numbered from 1. Looks once into the index for each file, whatever is in it. */
export async function selectSitemapFiles(db: Db, table: ListedTable, now: Date): Promise<number[]> {
  const listed = LISTED[table].rows(now)
  const next = (from: unknown) =>
    sql`(select id / ${sql.lit(SITEMAP_NUMBERS)} + 1 from ${listed} listed where id >= ${from} order by id limit 1)`
  const { rows } = await sql<{ file: number }>`
    with recursive files (file) as (
      select ${next(sql`1`)} union all
      select ${next(sql`file * ${sql.lit(SITEMAP_NUMBERS)}`)} from files where file is not null)
    select file from files where file is not null`.execute(db)
  return rows.map(({ file }) => Number(file))
}

/** The paths of a sitemap file with the moments of the last change; none for a file that does not exist. */
export async function selectSitemapPaths(db: Db, table: ListedTable, file: number, now: Date) {
  const { path, rows: listed } = LISTED[table]
  const { rows } = await sql<{ id: number; moment: Date | null; folder: string }>`
    select id, moment, folder from ${listed(now)} listed
    where id between ${(file - 1) * SITEMAP_NUMBERS}::bigint and ${file * SITEMAP_NUMBERS - 1}::bigint order by id`.execute(
    db,
  )
  return rows.map(({ id, moment, folder }) => ({ path: `${path}${folder}${id}`, lastmod: moment?.toISOString() }))
}
