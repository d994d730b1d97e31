import { queryOptions } from '@tanstack/react-query'
import { type ApiClient, read } from '#web/api/client.ts'
import type { ShopView } from './shop-view.ts'

const CATEGORIES_STALE_MS = 5 * 60_000

/** Long enough that what a change of page has just fetched is not fetched again when it is shown. */
const JUST_FETCHED_MS = 1000

/** The categories, for the tab row. */
export const categoriesQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['shop', 'categories'],
    staleTime: CATEGORIES_STALE_MS,
    retryOnMount: false,
    retry: false,
    queryFn: () => read(api.shopcategories.$get()),
  })

/** A page of a shelf. What came with the document counts as fetched; each change of the view asks anew (`loadShop`). */
export const itemsQuery = (view: ShopView) => (api: ApiClient) =>
  queryOptions({
    queryKey: ['shop', 'items', view],
    staleTime: JUST_FETCHED_MS,
    refetchOnMount: false,
    retryOnMount: false,
    retry: false,
    queryFn: () => {
      const { category, page, q, sort } = view
      const query = { category: `${category}`, page: `${page}`, ...(q && { q }), ...(sort && { sort }) }
      return read(api.itemshop.$get({ query }))
    },
  })

/** One item. */
export const itemQuery = (productNum: number) => (api: ApiClient) =>
  queryOptions({
    queryKey: ['shop', 'item', productNum],
    staleTime: JUST_FETCHED_MS,
    refetchOnMount: false,
    retryOnMount: false,
    retry: false,
    queryFn: async () =>
      (await read(api.shopitem[':productnum'].$get({ param: { productnum: `${productNum}` } }))).data,
  })
