import type { ShopItem } from '#contract/shop.ts'
import { getItemShop, getShopCategories, getShopItem } from '#contract/shop.ts'
import type { Head, Load, Where } from '#web/api/page.ts'
import { callQuery, derivedQuery, type Query, useLoaded } from '#web/api/queries.ts'
import { itemHead } from './item-head.ts'
import type { ShopView } from './shop-view.ts'

/** The categories, for the tab row. */
export const categoriesQuery = () => callQuery(getShopCategories, {})

/** A page of a shelf. */
export const itemsQuery = ({ category, page, q, sort }: ShopView) =>
  callQuery(getItemShop, { category, page, q: q || undefined, sort: sort || undefined })

/** One item. */
export const itemQuery = (productNum: number): Query<ShopItem> =>
  derivedQuery(
    getShopItem,
    'item',
    productNum,
    async (call) => (await call(getShopItem, { productnum: productNum })).data,
  )

/** The rest of an item's shelf, for the row below it. */
export const shelfOf = (item: ShopItem) => itemsQuery({ category: item.category, page: 1, q: '', sort: '' })

/** Each change of the view asks anew (DECISIONS §4), so showing what has just been loaded asks for nothing. */
const SHOWN = { refetchOnMount: false, retryOnMount: false, retry: false } as const

/** What the shop shows of a query. */
export const useShown = <Value>(query: Query<Value>) => useLoaded(query, SHOWN)

/** The number in an item's address; NaN for what is no number. */
export const readProductNum = (text: string | undefined) =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN

/** Loads an item, its shelf and the categories. @throws the 404 of the call when there is no such item */
export async function loadItem({ params, site }: Where, load: Load): Promise<Partial<Head>> {
  const item = await load(itemQuery(readProductNum(params.productnum)))
  await Promise.all([load(shelfOf(item)), load(categoriesQuery())])
  return itemHead(item, site.publicUrl)
}
