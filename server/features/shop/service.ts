import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import type { ShopItem } from '#contract/shop.ts'
import type { Deps } from '#server/deps.ts'
import { type ItemRow, type Shelf, searchShelf, selectShelf } from './queries.ts'

const RIBBON_PICTURES: Record<string, string> = { NEW: 'new', HOT: 'hot' }

/** An item with the field names of the API, at the price of that moment, as `price_at` in the database has it. */
export function toShopItem(row: ItemRow, now: Date): ShopItem {
  const isOnSale =
    row.sale_price !== null &&
    (row.sale_starts_at === null || row.sale_starts_at <= now) &&
    (row.sale_ends_at === null || now < row.sale_ends_at)
  const sale = {
    regular_price: row.price,
    ...(row.sale_ends_at !== null && { sale_ends_at: row.sale_ends_at.toISOString() }),
  }
  return {
    ProductNum: row.product_num,
    ItemName: row.item_name,
    price: isOnSale && row.sale_price !== null ? row.sale_price : row.price,
    section: row.section,
    description: row.description,
    icon: row.icon,
    image_url: row.image_url,
    ribbon:
      row.ribbon_picture ?? (row.ribbon === null ? null : `/art/ribbon-${RIBBON_PICTURES[row.ribbon] ?? 'sale'}.svg`),
    ribbon_label: row.ribbon,
    category: row.category_id,
    ...(isOnSale && sale),
    ...(row.account_limit !== null && { account_limit: row.account_limit }),
  }
}

/**
 * A page of the shop (SHOP-4). A page out of range gives the nearest one, an unknown category none. In
 * shops of more than 1,500 items, a search that finds more than 120 shows the first of them (decision 011).
 */
export async function browseShop({ db, browseDb, now }: Deps, { page, ...shelf }: Shelf & { page: number }) {
  const wanted = Math.max(1, page)
  const rows = await (shelf.words === '' ? selectShelf(db, shelf, wanted) : searchShelf(browseDb, shelf, wanted))
  const total = rows[0]?.total ?? 0
  return {
    itemshopdata: rows.map((row) => toShopItem(row, now())),
    ...pageThrough(wanted, total, SHOP_PAGE_SIZE).paging,
    total,
  }
}
