import { type ClientLoaderFunctionArgs, data, type LoaderFunctionArgs } from 'react-router'
import type { ShopItem } from '#contract/shop.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { browserClient, CallError } from '#web/api/client.ts'
import { NO_QUERIES, packQueries, unpackQueries } from '#web/api/hydrate-queries.tsx'
import { type PageData, serverLoad } from '#web/api/page-data.ts'
import { browserQueries } from '#web/api/query-client.ts'
import { categoriesQuery, itemQuery, itemsQuery } from './queries.ts'

export type ItemData = PageData & { item: ShopItem }

/** The rest of an item's shelf, for the row below it. */
export const shelfOf = (item: ShopItem) => itemsQuery({ category: item.category, page: 1, q: '', sort: '' })

const missing = () => data({ message: SHOP.noItem }, { status: 404 })

/** The number in the address. @throws 404 for what is no number */
function numberOf(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw missing()
  return Number(text)
}

/** The server's loader of an item's page; 404 when there is no such item. */
export async function serverLoadItem(args: LoaderFunctionArgs): Promise<ItemData> {
  const number = numberOf(args.params.productnum)
  const own = await serverLoad(() => [itemQuery(number)])(args)
  const found = unpackQueries(own.dehydrated)
  const item = found[0]?.state.data as ShopItem
  const more = await serverLoad(() => [shelfOf(item), categoriesQuery])(args)
  return { ...own, dehydrated: packQueries([...found, ...unpackQueries(more.dehydrated)]), item }
}

/** The browser's loader of an item's page, on a change of page. */
export async function browserLoadItem({ params }: ClientLoaderFunctionArgs): Promise<ItemData> {
  const client = browserQueries()
  try {
    const item = await client.fetchQuery(itemQuery(numberOf(params.productnum))(browserClient))
    void client.prefetchQuery({ ...shelfOf(item)(browserClient), staleTime: 60_000 })
    void client.prefetchQuery(categoriesQuery(browserClient))
    return { dehydrated: NO_QUERIES, renderedAt: Date.now(), item }
  } catch (error) {
    if (error instanceof CallError) throw data({ message: error.message }, { status: error.status || 503 })
    throw error
  }
}
