import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import type { ShopItem } from '#contract/shop.ts'
import type { Deps } from '#server/deps.ts'
import { countItems, type ItemRow, type Shelf, selectItems, selectVisibleItems } from './queries.ts'

const RIBBON_PICTURES: Record<string, string> = { NEW: 'new', HOT: 'hot' }

/** An item with the field names of the API. */
export function toShopItem(row: ItemRow): ShopItem {
  return {
    ProductNum: row.product_num,
    ItemName: row.item_name,
    price: row.price,
    section: row.section,
    description: row.description,
    icon: row.icon,
    image_url: row.image_url,
    ribbon: row.ribbon === null ? null : `/art/ribbon-${RIBBON_PICTURES[row.ribbon] ?? 'sale'}.svg`,
    ribbon_label: row.ribbon,
    category: row.category_id,
  }
}

/** A page of the shop (DECISIONS §3 itemshop). A page out of range gives the nearest one, an unknown category none. */
export async function browseShop({ db }: Deps, { page, ...shelf }: Shelf & { page: number }) {
  const total = await countItems(db, shelf)
  const through = pageThrough(page, total, SHOP_PAGE_SIZE)
  const rows = await selectItems(db, shelf, { limit: SHOP_PAGE_SIZE, offset: (through.page - 1) * SHOP_PAGE_SIZE })
  return { itemshopdata: rows.map(toShopItem), ...through.paging, total }
}

/** The product numbers of every visible item. */
export function listVisibleItems({ db }: Deps): Promise<number[]> {
  return selectVisibleItems(db)
}
