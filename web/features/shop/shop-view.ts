import { CURRENCY_NAMES } from '#contract/currencies.ts'
import { foldQuery } from '#contract/search.ts'
import {
  getItemShop,
  getShopCategories,
  getShopItem,
  SHOP_QUERY_MAX,
  type SHOP_SORTS,
  type ShopItem,
} from '#contract/shop.ts'
import { type Head, type Load, type PageLocation, readId, readWholeNumber } from '#web/api/page.ts'
import { type Query, toCallQuery, toDerivedQuery, usePageQuery } from '#web/api/queries.ts'
import { getCurrency } from './amounts.ts'

export type ShopSort = (typeof SHOP_SORTS)[number]

/** The view of the shop. Category 0 means All; an empty sort means the operators' order. */
export type ShopView = { category: number; page: number; q: string; sort: ShopSort }

/** The sort orders with their labels. */
export const SORT_NAMES: readonly { sort: ShopSort; label: string }[] = [
  { sort: '', label: 'Featured' },
  { sort: 'price', label: 'Low price' },
  { sort: '-price', label: 'High price' },
  { sort: 'name', label: 'Name' },
]

/** Parses `?category=&page=&q=&sort=`. Invalid parts become the default (ROUTE-9: category 0, page 1). */
export function readShopView(query: URLSearchParams): ShopView {
  return {
    category: readWholeNumber(query.get('category')) ?? 0,
    page: Math.max(1, readWholeNumber(query.get('page')) ?? 1),
    q: (query.get('q') ?? '').trim(),
    sort: SORT_NAMES.find(({ sort }) => sort === query.get('sort'))?.sort ?? '',
  }
}

/** Returns whether the query is too long for the call. The page then shows the limit and no items. */
export const isQueryTooLong = ({ q }: ShopView) => foldQuery(q).length > SHOP_QUERY_MAX

/** The search parameters of the shop. */
export const shopSearch = { names: ['category', 'page', 'q', 'sort'], read: readShopView }

function formatQuery({ category, q, sort }: ShopView): string {
  return new URLSearchParams({
    category: String(category),
    ...(q !== '' && { q }),
    ...(sort !== '' && { sort }),
  }).toString()
}

/** Returns the list's address without its page, for the pager. */
export function getListTarget(view: ShopView): string {
  return `/itemshop?${formatQuery(view)}`
}

/** Returns the address of a view. The first page of all items has no query. */
export function getShopPath(view: ShopView): string {
  if (view.page > 1) return `${getListTarget(view)}&page=${view.page}`
  return view.category === 0 && view.q === '' && view.sort === '' ? '/itemshop' : getListTarget(view)
}

/** Returns the address of an item. */
export function getItemPath(productNum: number): string {
  return `/itemshop/${productNum}`
}

/** Returns the query of the categories, for the tab row. */
export const getCategoriesQuery = () => toCallQuery(getShopCategories, {})

/** Returns the query of a page of items. */
export const getItemsQuery = ({ category, page, q, sort }: ShopView) =>
  toCallQuery(getItemShop, { category, page, q: q || undefined, sort: sort || undefined })

/** Returns the query of one item. */
export const getItemQuery = (productNum: number): Query<ShopItem> =>
  toDerivedQuery(
    getShopItem,
    'item',
    productNum,
    async (call) => (await call(getShopItem, { productnum: productNum })).data,
  )

/** Returns the query of the first items of a category, or of the whole shop for category 0. */
export const getItemListQuery = (category: number) => getItemsQuery({ category, page: 1, q: '', sort: '' })

/** The page's loader already reloads for every change of the view (SHOP-7), so components must not fetch again. */
const LOADED_OPTIONS = { refetchOnMount: false, retryOnMount: false, retry: false } as const

/** Returns the state of a query that the page's loader has fetched. */
export const useLoaderQuery = <Value>(query: Query<Value>) => usePageQuery(query, LOADED_OPTIONS)

/** The parameters that open a dialog on an item's page: `buy` the purchase, `gift` the gift, `to` its recipient. */
export const itemSearch = {
  names: ['buy', 'gift', 'to'],
  read: (query: URLSearchParams) => ({ buy: query.has('buy'), gift: query.has('gift'), to: query.get('to') ?? '' }),
}

/** Returns the address that opens the purchase of an item. */
export const getBuyPath = (productNum: number) => `${getItemPath(productNum)}?buy=1`

/** Returns the address that opens an item's gift dialog. */
export const getGiftPath = (productNum: number, to = '') =>
  `${getItemPath(productNum)}?gift=1${to === '' ? '' : `&to=${encodeURIComponent(to)}`}`

/**
 * Loads an item, the items of its category and the categories. @throws the 404 of the call if the item does not exist
 */
export async function loadItem({ params, site }: PageLocation, load: Load): Promise<Partial<Head>> {
  const item = await load(getItemQuery(readId(params.productnum)))
  await Promise.all([load(getItemListQuery(item.category)), load(getCategoriesQuery())])
  return createItemHead(item, site.publicUrl, site.currencies)
}

/** Returns the picture of an item for shared links. Each default drawing has a JPEG next to it. */
function getSharePicture({ image_url }: ShopItem): string | undefined {
  const drawing = /^(\/art\/item-[\w-]+)\.svg$/.exec(image_url ?? '')
  if (drawing) return `${drawing[1]}-share.jpg`
  return image_url?.startsWith('/') ? image_url : undefined
}

/** Returns the head of an item's page, with the item in terms of schema.org. `siteUrl` makes its addresses absolute. */
export function createItemHead(item: ShopItem, siteUrl: string, currencies = CURRENCY_NAMES) {
  const path = getItemPath(item.ProductNum)
  const picture = getSharePicture(item)
  return {
    crumb: item.ItemName,
    description: item.description,
    path,
    picture,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: item.ItemName,
      description: item.description,
      sku: String(item.ProductNum),
      image: [siteUrl + (item.image_url ?? picture ?? '/art/share.png')],
      offers: {
        '@type': 'Offer',
        url: siteUrl + path,
        price: item.price.toFixed(2),
        priceCurrency: currencies[getCurrency(item.section)],
        availability: 'https://schema.org/InStock',
      },
    },
  } satisfies Partial<Head>
}
