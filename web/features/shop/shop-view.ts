import type { SHOP_SORTS } from '#contract/shop.ts'

export type ShopSort = (typeof SHOP_SORTS)[number]

/** What the shop shows. Category 0 is All; the empty sort is the shelf's own order. */
export type ShopView = { category: number; page: number; q: string; sort: ShopSort }

/** The orders on offer, in the words of the page. */
export const SORT_NAMES: readonly { sort: ShopSort; label: string }[] = [
  { sort: '', label: 'Featured' },
  { sort: 'price', label: 'Low price' },
  { sort: '-price', label: 'High price' },
  { sort: 'name', label: 'Name' },
]

/** The longest search the call takes. */
export const SEARCH_MAX = 60

const wholeNumber = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** Reads `?category=&page=&q=&sort=`; what it does not understand is the default (SPEC §9: category 0, page 1). */
export function readShopView(query: URLSearchParams): ShopView {
  return {
    category: wholeNumber(query.get('category')) ?? 0,
    page: Math.max(1, wholeNumber(query.get('page')) ?? 1),
    q: (query.get('q') ?? '').trim().slice(0, SEARCH_MAX),
    sort: SORT_NAMES.find(({ sort }) => sort === query.get('sort'))?.sort ?? '',
  }
}

/** The shop's part of an address. */
export const shopSearch = { names: ['category', 'page', 'q', 'sort'], read: readShopView }

function queryOf({ category, q, sort }: ShopView): string {
  return new URLSearchParams({
    category: String(category),
    ...(q !== '' && { q }),
    ...(sort !== '' && { sort }),
  }).toString()
}

/** The list's address without its page, for the pager. */
export function shelfTarget(view: ShopView): string {
  return `/itemshop?${queryOf(view)}`
}

/** The address of a view; the plain one for what the shop shows first. */
export function shopPath(view: ShopView): string {
  if (view.page > 1) return `${shelfTarget(view)}&page=${view.page}`
  return view.category === 0 && view.q === '' && view.sort === '' ? '/itemshop' : shelfTarget(view)
}

/** The address of an item. */
export function itemPath(productNum: number): string {
  return `/itemshop/${productNum}`
}
