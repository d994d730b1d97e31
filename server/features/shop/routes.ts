import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import { paginate } from '#contract/paging.ts'
import { getItemShop, getShopCategories, getShopItem, openItem, toShopItem } from '#contract/shop.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { countItems, countItemView, type ShopFilter, selectCategories, selectItem, selectItems } from './queries.ts'

/** The players' calls about the shop and its items (CALL-2). */
export const shopCalls: MountedCall[] = [
  mount(getShopCategories, (_, { deps }) => selectCategories(deps.db)),
  mount(getItemShop, {
    nearest: normalizeRequest,
    read: (input, { deps }) => browseShop(deps, normalizeRequest(input, deps)),
  }),
  mount(getShopItem, async ({ productnum }, { deps }) => {
    const row = await selectItem(deps.db, productnum)
    if (row === undefined) throw refuse(getShopItem, 'itemNotFound')
    return { data: toShopItem(row, deps.now()) }
  }),
  mount(openItem, async ({ productnum }, { deps }) => {
    if (!(await countItemView(deps.db, productnum, toManilaDay(deps.now())))) throw refuse(openItem, 'itemNotFound')
    return {}
  }),
]

type ShopRequest = Partial<{ category: number; page: number; q: string; sort: ShopFilter['sort'] }>

const getTotalKey = (category: number) => `shop total ${category}`

/** Completes a request with defaults, and limits its page to the last one if the total is cached (SHOP-4). */
function normalizeRequest(request: ShopRequest, { cache }: Pick<Deps, 'cache'>): Required<ShopRequest> {
  const category = Math.max(0, request.category ?? 0)
  const q = (request.q ?? '').trim()
  const total = q === '' ? (cache.getFreshValue(getTotalKey(category)) as number | undefined) : undefined
  const { page } = paginate(request.page ?? 1, total ?? Number.MAX_SAFE_INTEGER, SHOP_PAGE_SIZE)
  return { category, page, q, sort: request.sort ?? '' }
}

/**
 * Returns a page of the shop (SHOP-4). Caches the total as long as responses, except for a search.
 */
async function browseShop(deps: Deps, { category, page: requestedPage, q: query, sort }: Required<ShopRequest>) {
  const db = query === '' ? deps.db : deps.browseDb
  const readCount = () => countItems(db, { category, query })
  const total =
    query === '' ? ((await deps.cache.getValue(getTotalKey(category), readCount)) as number) : await readCount()
  const { page, paging } = paginate(requestedPage, total, SHOP_PAGE_SIZE)
  const rows = await selectItems(db, { category, query, sort }, page)
  return { itemshopdata: rows.map((row) => toShopItem(row, deps.now())), ...paging, total }
}
