import { sql } from 'kysely'
import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { findServices } from '#contract/services.ts'
import { escapeLike } from '#server/db/like.ts'
import type { Db } from '#server/db/open.ts'

/** Selects the categories in their order. */
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
  'i.kind',
  'i.service',
] as const

/** The filter and the order of a list in the shop. Category 0 means all items, and the empty sort the operators' order. */
export type ShopFilter = { category: number; query: string; sort: '' | 'price' | '-price' | 'name' }

/** The first column of each order. Position and number follow, so the order of items is always the same. */
const SORT_COLUMNS = {
  '': sql`i.position`,
  price: sql`i.shelf_price`,
  '-price': sql`-i.shelf_price`,
  name: sql`i.name_lower`,
} as const

const selectVisibleItems = (db: Db, { category, query }: Omit<ShopFilter, 'sort'>) =>
  db
    .selectFrom('shop_items as i')
    .where('i.visible', '=', true)
    .$if(category !== 0, (items) => items.where('i.category_id', '=', category))
    .$if(query !== '', (items) =>
      items.where((eb) => {
        const services = findServices(query.toLowerCase())
        const nameMatches = eb('i.name_lower', 'like', `%${escapeLike(query.toLowerCase())}%`)
        return services.length === 0 ? nameMatches : eb.or([nameMatches, eb('i.service', 'in', services)])
      }),
    )

/** Selects a page of a category's items whose names contain the query, and of services that match it. `page` is from 1. */
export function selectItems(db: Db, filter: ShopFilter, page: number) {
  return selectVisibleItems(db, filter)
    .select(ITEM_COLUMNS)
    .orderBy(SORT_COLUMNS[filter.sort])
    .orderBy('i.position')
    .orderBy('i.product_num')
    .limit(SHOP_PAGE_SIZE)
    .offset((page - 1) * SHOP_PAGE_SIZE)
    .execute()
}

/** Counts a category's items whose names contain the query, and services that match it. */
export async function countItems(db: Db, filter: Omit<ShopFilter, 'sort'>): Promise<number> {
  const totalQuery = selectVisibleItems(db, filter).select(({ fn }) => fn.countAll<number>().as('total'))
  return (await totalQuery.executeTakeFirstOrThrow()).total
}

/** Selects a visible item. */
export function selectItem(db: Db, productNum: number) {
  return db
    .selectFrom('shop_items as i')
    .where('i.product_num', '=', productNum)
    .where('i.visible', '=', true)
    .select(ITEM_COLUMNS)
    .executeTakeFirst()
}

/** Counts a view of a visible item's page. @returns whether the item exists */
export async function countItemView(db: Db, productNum: number, day: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into item_opens (day, product_num, opens)
    select ${day}::date, product_num, 1 from shop_items where product_num = ${productNum} and visible
    on conflict (day, product_num) do update set opens = item_opens.opens + 1`.execute(db)
  return numAffectedRows === 1n
}
