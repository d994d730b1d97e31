import { sql } from 'kysely'
import { SHOP_FOUND_MAX, SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { placeOfPage, rowsFromMark } from '#server/db/kept-lists.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'

/** The categories, in their order. */
export function selectCategories(db: Db) {
  return db.selectFrom('shop_categories').select(['id', 'category_name']).orderBy('position').orderBy('id').execute()
}

export const ITEM_COLUMNS = [
  'i.product_num',
  'i.category_id',
  'i.item_name',
  'i.price',
  'i.section',
  'i.description',
  'i.icon',
  'i.image_url',
  'i.ribbon',
  'i.ribbon_picture',
  'i.sale_price',
  'i.sale_starts_at',
  'i.sale_ends_at',
  'i.account_limit',
] as const

export type ItemRow = {
  product_num: number
  category_id: number
  item_name: string
  price: number
  section: number
  description: string
  icon: string | null
  image_url: string | null
  ribbon: string | null
  ribbon_picture: string | null
  sale_price: number | null
  sale_starts_at: Date | null
  sale_ends_at: Date | null
  account_limit: number | null
}

/** Part of the shop in an order; category 0 is everything, the empty sort the operators' order. */
export type Shelf = { category: number; words: string; sort: '' | 'price' | '-price' | 'name' }

/** A row of a page with the number of rows in the whole list. */
type Listed = ItemRow & { total: number }

/** The orders, each with its kept lists and indexes (005-shop.sql). By price is by that on the shelf. */
const ORDERS = {
  '': { list: 'position', first: undefined },
  price: { list: 'shelf_price', first: (item: string) => sql`${sql.ref(`${item}.shelf_price`)}, ` },
  '-price': { list: '-shelf_price', first: (item: string) => sql`-${sql.ref(`${item}.shelf_price`)}, ` },
  name: { list: 'name', first: (item: string) => sql`${sql.ref(`${item}.name_lower`)}, ` },
} as const

/** What an order compares, ascending; no two items tie. */
const orderOf = (sort: Shelf['sort'], item: string) =>
  sql`${ORDERS[sort].first?.(item) ?? sql``}${sql.ref(`${item}.position`)}, ${sql.ref(`${item}.product_num`)}`

const inCategory = (category: number) => (category === 0 ? sql`` : sql`and i.category_id = ${category}`)

/** A page of a shelf; past the end, the last page. Reads from the kept mark before the page, never the whole list. */
export async function selectShelf(db: Db, { category, sort }: Shelf, page: number): Promise<Listed[]> {
  const list = `shop ${category} ${ORDERS[sort].list}`
  const { rows } = await sql<Listed>`
    with place as (${placeOfPage({ list, page, size: SHOP_PAGE_SIZE })})
    select place.total, item.*
    from place join shop_items mark on mark.product_num = place.mark cross join lateral (
      select ${sql.join(ITEM_COLUMNS.map(sql.ref))}, i.shelf_price, i.name_lower, i.position from shop_items i
      where i.visible ${inCategory(category)} and (${orderOf(sort, 'i')}) >= (${orderOf(sort, 'mark')})
      order by ${orderOf(sort, 'i')} limit ${sql.lit(rowsFromMark(SHOP_PAGE_SIZE))}) item
    order by ${orderOf(sort, 'item')} offset (select skip from place) limit ${SHOP_PAGE_SIZE}::int`.execute(db)
  return rows
}

/** The length of the longest pieces of names that are indexed (005-shop.sql). */
const PIECE_LENGTH = 3

/** The longest pieces of a word, each as a quoted word of a tsquery. */
function piecesOf(word: string): string {
  const signs = [...word]
  const size = Math.min(signs.length, PIECE_LENGTH)
  const pieces = signs.slice(size - 1).map((_, at) => signs.slice(at, at + size).join(''))
  return pieces.map((piece) => `'${piece.replace(/['\\]/g, '$&$&')}'`).join(' & ')
}

/** A search first looks at this many items at the front of the order. */
const FRONT = 1500

/** Where that finds no more than so many, the words may be rare, and up to so many items are found wherever they are. */
const FEW = 120

/** Where there are more, but the front does not fill a page with them, the first so many of the whole order are shown. */
const SCATTERED = 64

/**
 * A page of the shelf's items whose names contain the words, in its order. Few are found by the pieces of their names and
 * sorted; of many, those at the front are found by walking the index of the order, which holds the names (decision 011).
 */
export async function searchShelf(db: Db, { category, sort, words }: Shelf, page: number): Promise<Listed[]> {
  const word = words.toLowerCase()
  const shelf = sql`from shop_items i where i.visible ${inCategory(category)}`
  const contains = (item: string) => sql`${sql.ref(`${item}.name_lower`)} like ${`%${escapeLike(word)}%`}`
  const inFront = sql`(select count(*) from front)`
  const isFew = sql`(${inFront} <= ${sql.lit(FEW)} and (select count(*) from few) <= ${sql.lit(FEW)})`
  const fillsPage = sql`${inFront} >= ${sql.lit(SHOP_PAGE_SIZE)}`
  const { rows } = await sql<Listed>`
    with front as materialized (
      select first.product_num from (
        select i.product_num, i.name_lower ${shelf} order by ${orderOf(sort, 'i')} limit ${sql.lit(FRONT)}) first
      where ${contains('first')} limit ${sql.lit(SHOP_FOUND_MAX)}),
    few as materialized (
      select i.product_num, i.shelf_price, i.name_lower, i.position ${shelf}
        and i.name_pieces @@ ${piecesOf(word)}::tsquery and ${contains('i')} and ${inFront} <= ${sql.lit(FEW)}
      limit ${sql.lit(FEW + 1)}),
    found as materialized (
      select product_num, row_number() over () as nth
      from (
        (select few.product_num from few where ${isFew} order by ${orderOf(sort, 'few')})
        union all
        (select product_num from front where not ${isFew} and ${fillsPage})
        union all
        (select i.product_num ${shelf} and ${contains('i')} and not ${isFew} and not ${fillsPage}
          order by ${orderOf(sort, 'i')} limit ${sql.lit(SCATTERED)})) in_order),
    place as (
      select total, least(${page}::bigint - 1, (total - 1) / ${SHOP_PAGE_SIZE}::int) * ${SHOP_PAGE_SIZE}::int as skip
      from (select count(*)::int as total from found) counted)
    select place.total, ${sql.join(ITEM_COLUMNS.map(sql.ref))}
    from place join found on nth > skip and nth <= skip + ${SHOP_PAGE_SIZE}::int
      join shop_items i on i.product_num = found.product_num
    order by nth`.execute(db)
  return rows
}

/** One visible item. */
export function selectItem(db: Db, productNum: number) {
  return db
    .selectFrom('shop_items as i')
    .where('i.product_num', '=', productNum)
    .where('i.visible', '=', true)
    .select(ITEM_COLUMNS)
    .executeTakeFirst()
}
