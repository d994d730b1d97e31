import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { getDeskItems, ItemValues } from '#contract/desk-items.ts'
import type { CallOutput, ValidInput } from '#contract/endpoint.ts'
import { CLASS_NAMES, getClassCodes } from '#contract/game.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, cutPage, parseCursorPair, parseTypedNumber } from '#server/http/desk-lists.ts'

/** An item at the desk. `only_r_coin` is true if it was sold only for R-Coin in the last 30 days. */
export type DeskItem = CallOutput<typeof getDeskItems>['rows'][number] & { only_r_coin: boolean | null }

type TimeColumn = 'sale_starts_at' | 'sale_ends_at' | 'sold_from' | 'sold_until'
type ItemRow = Omit<DeskItem, TimeColumn | 'service_classes'> &
  Record<TimeColumn, Date | null> & { service_classes: string[] }

const computeState = (now: Date) => sql<DeskItem['state']>`
  case when i.hidden then 'hidden' when i.sold_until <= ${now} then 'over' when i.sold_from > ${now} then 'coming'
    when i.visible or i.sold_from is not null or i.sold_until is not null then 'shown' else 'hidden' end`

const isOnSale = (now: Date) => sql<boolean>`
  i.sale_price is not null and is_within(i.sale_starts_at, i.sale_ends_at, ${now}::timestamptz)`

const selectItems = (now: Date) => sql`
  select i.product_num, i.version, i.item_name, i.category_id, c.category_name, i.section, i.price, i.description,
    i.icon, i.image_url, i.ribbon, i.ribbon_picture, i.sale_price, i.sale_starts_at, i.sale_ends_at, i.account_limit,
    i.game_product_num, i.sold_from, i.sold_until, ${computeState(now)} = 'hidden' as hidden, ${computeState(now)} as state,
    ${isOnSale(now)} as on_sale, i.kind, i.service, i.service_pause_hours, i.service_classes, i.service_schools,
    i.service_choices, i.position, u.usual as usual_price, u.only_r_coin
  from shop_items i join shop_categories c on c.id = i.category_id
    cross join lateral usual_price_of(i, ${now}::timestamptz) u`

const toDeskItem = (row: ItemRow): DeskItem => ({
  ...row,
  sale_starts_at: row.sale_starts_at?.toISOString() ?? null,
  sale_ends_at: row.sale_ends_at?.toISOString() ?? null,
  sold_from: row.sold_from?.toISOString() ?? null,
  sold_until: row.sold_until?.toISOString() ?? null,
  service_classes: CLASS_NAMES.filter((name) => row.service_classes.includes(getClassCodes(name)[0] ?? '')),
})

/** Selects a page of the items in the shop's order, or the newest first. */
export async function selectDeskItems(db: Db, filters: ValidInput<typeof getDeskItems>, now: Date) {
  const { after, sort, q, category, state, kind } = filters
  const [position, productNum] = after === '' ? [0, 0] : parseCursorPair(after)
  const isAfterCursor =
    sort === '' ? sql`(i.position, i.product_num) > (${position}, ${productNum})` : sql`i.product_num < ${productNum}`
  const nameMatches = sql`search_fold(i.item_name) like '%' || search_fold(${escapeLike(q)}) || '%'`
  const conditions = combineConditions([
    after !== '' && isAfterCursor,
    category !== '' && sql`i.category_id = ${parseTypedNumber(category)}`,
    q !== '' && sql`(${nameMatches} or i.product_num = ${parseTypedNumber(q)})`,
    kind !== '' && sql`i.kind = ${kind}`,
    state !== '' && (state === 'sale' ? isOnSale(now) : sql`${computeState(now)} = ${state}`),
  ])
  const { rows } = await sql<ItemRow>`
    ${selectItems(now)} where ${conditions}
    order by ${sort === '' ? sql`i.position, i.product_num` : sql`i.product_num desc`}
    limit ${sql.lit(DESK_PAGE_SIZE + 1)}`.execute(db)
  return cutPage(rows, (row) => `${row.position}.${row.product_num}`, toDeskItem)
}

const FOUND_ITEMS_MAX = 8

/** Finds items by name or number. Exact matches come first. */
export async function findItems(db: Db, q: string) {
  const { rows } = await sql<{ product_num: number; item_name: string; picture: string | null; hidden: boolean }>`
    select i.product_num, i.item_name, not i.visible as hidden,
      case when i.icon is null then i.image_url when starts_with(i.icon, '/') then i.icon else '/art/' || i.icon end as picture
    from shop_items i
    where i.kind = 'item'
      and (search_fold(i.item_name) like '%' || search_fold(${escapeLike(q)}) || '%' or i.product_num = ${parseTypedNumber(q)})
    order by i.product_num = ${parseTypedNumber(q)} desc, search_fold(i.item_name) = search_fold(${q}) desc, i.position, i.product_num
    limit ${sql.lit(FOUND_ITEMS_MAX)}`.execute(db)
  return rows
}

/**
 * Selects the items with the given numbers, or all items, in the shop's order. `lock` prevents concurrent changes.
 */
export async function selectItemsByNumber(
  db: Db,
  now: Date,
  { items, lock = false }: { items?: number[]; lock?: boolean },
): Promise<DeskItem[]> {
  const hasNumber = items === undefined ? sql`true` : sql`i.product_num = any(${items}::bigint[])`
  // Locks in the order of the numbers, because concurrent changes of the same items must not deadlock.
  if (lock) await sql`select from shop_items i where ${hasNumber} order by i.product_num for no key update`.execute(db)
  const { rows } = await sql<ItemRow>`
    ${selectItems(now)} where ${hasNumber} order by i.position, i.product_num`.execute(db)
  return rows.map(toDeskItem)
}

export type UsualPrice = Pick<DeskItem, 'usual_price' | 'only_r_coin'>

/**
 * Selects the usual prices that new items would have, in the order of the items. An item without `game_product_num` gets
 * its number when it is written, so it has none yet.
 */
export async function selectUsualPrices(
  db: Db,
  now: Date,
  newItems: Pick<ItemValues, 'game_product_num' | 'service' | 'service_choices'>[],
): Promise<UsualPrice[]> {
  const { rows } = await sql<UsualPrice>`
    select u.usual as usual_price, u.only_r_coin
    from jsonb_array_elements(${JSON.stringify(newItems)}::jsonb) with ordinality as input (item, position)
      cross join lateral usual_price_of(jsonb_populate_record(null::shop_items, item), ${now}::timestamptz) u
    order by position`.execute(db)
  return rows
}

/** Selects at most `limit` items of a category or of all, by currency. */
export async function selectItemsToReprice(
  db: Db,
  now: Date,
  { category, section, limit }: { category: string; section: '' | '2' | 'other'; limit: number },
): Promise<DeskItem[]> {
  const inCategory = category === '' ? sql`true` : sql`i.category_id = ${parseTypedNumber(category)}`
  const inSection = section === '' ? sql`true` : section === '2' ? sql`i.section = 2` : sql`i.section <> 2`
  const { rows } = await sql<ItemRow>`
    ${selectItems(now)} where ${inCategory} and ${inSection}
    order by i.position, i.product_num limit ${sql.lit(limit)}`.execute(db)
  return rows.map(toDeskItem)
}

const PRICES_SHOWN_MAX = 50

/** Selects the latest prices of an item, the newest first. */
export function selectPrices(db: Db, productNum: number) {
  return db
    .selectFrom('item_prices')
    .where('product_num', '=', productNum)
    .select(['price', 'sale_price', 'sale_starts_at', 'sale_ends_at', 'changed_at'])
    .orderBy('item_price', 'desc')
    .limit(PRICES_SHOWN_MAX)
    .execute()
}

/** Selects the categories in their order, or one category, with the number of items in each. */
export async function selectDeskCategories(db: Db, id?: number) {
  const { rows } = await sql<{ id: number; category_name: string; version: number; items: number }>`
    select c.id, c.category_name, c.version, (select count(*)::int from shop_items i where i.category_id = c.id) as items
    from shop_categories c where ${id ?? null}::bigint is null or c.id = ${id ?? null}
    order by c.position, c.id`.execute(db)
  return rows
}
