import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { pageThrough } from '#contract/paging.ts'
import type { Deps } from '#server/deps.ts'
import { countShelf, type ItemRow, type Shelf, selectShelf } from './queries.ts'

const RIBBON_PICTURES: Record<string, string> = { NEW: 'new', HOT: 'hot' }

/** An item with the field names of the API, at the price of that moment, as `price_at` in the database has it. */
export function toShopItem(row: ItemRow, now: Date) {
  const isOnSale =
    row.sale_price !== null &&
    (row.sale_starts_at === null || row.sale_starts_at <= now) &&
    (row.sale_ends_at === null || now < row.sale_ends_at)
  const sale = {
    regular_price: row.price,
    ...(row.sale_ends_at !== null && { sale_ends_at: row.sale_ends_at }),
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

type ShopRequest = Partial<{ category: number; page: number; q: string; sort: Shelf['sort'] }>

const totalKey = (category: number) => `shop total ${category}`

/** The same request in full, with a page that is in range, if the total is known (SHOP-4). */
export function nearestShelf(request: ShopRequest, { cache }: Pick<Deps, 'cache'>): Required<ShopRequest> {
  const category = Math.max(0, request.category ?? 0)
  const q = (request.q ?? '').trim()
  const total = q === '' ? (cache.freshValue(totalKey(category)) as number | undefined) : undefined
  const { page } = pageThrough(request.page ?? 1, total ?? Number.MAX_SAFE_INTEGER, SHOP_PAGE_SIZE)
  return { category, page, q, sort: request.sort ?? '' }
}

/**
 * A page of the shop (SHOP-4). The total is counted once for all who ask within the lifetime of kept answers, that of a
 * search for each.
 */
export async function browseShop(deps: Deps, { category, page: wanted, q: words, sort }: Required<ShopRequest>) {
  const db = words === '' ? deps.db : deps.browseDb
  const count = () => countShelf(db, { category, words })
  const total = words === '' ? ((await deps.cache.value(totalKey(category), count)) as number) : await count()
  const { page, paging } = pageThrough(wanted, total, SHOP_PAGE_SIZE)
  const rows = await selectShelf(db, { category, words, sort }, page)
  return { itemshopdata: rows.map((row) => toShopItem(row, deps.now())), ...paging, total }
}
