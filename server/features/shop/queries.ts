import { sql } from 'kysely'
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
}

export type Shelf = { category: number; words: string; sort: '' | 'price' | '-price' | 'name' }

/** Escapes the wildcards of a like-pattern. */
const escapeLike = (text: string) => text.toLowerCase().replace(/[\\%_]/g, '\\$&')

function shelfOf(db: Db, { category, words }: Shelf) {
  return db
    .selectFrom('shop_items as i')
    .where('i.visible', '=', true)
    .$if(category !== 0, (query) => query.where('i.category_id', '=', category))
    .$if(words !== '', (query) => query.where(sql`lower(i.item_name)`, 'like', `%${escapeLike(words)}%`))
}

/** The numbers of every visible item. */
export async function selectVisibleItems(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('shop_items')
    .select('product_num')
    .where('visible', '=', true)
    .orderBy('product_num')
    .execute()
  return rows.map(({ product_num }) => product_num)
}

/** The number of visible items in a category. */
export async function countItems(db: Db, shelf: Shelf): Promise<number> {
  const { total } = await shelfOf(db, shelf)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** A page of visible items in a category. */
export function selectItems(db: Db, shelf: Shelf, { limit, offset }: { limit: number; offset: number }) {
  return shelfOf(db, shelf)
    .select(ITEM_COLUMNS)
    .$if(shelf.sort === 'price', (query) => query.orderBy('i.price'))
    .$if(shelf.sort === '-price', (query) => query.orderBy('i.price', 'desc'))
    .$if(shelf.sort === 'name', (query) => query.orderBy(sql`lower(i.item_name)`))
    .orderBy('i.position')
    .orderBy('i.product_num')
    .limit(limit)
    .offset(offset)
    .execute()
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
