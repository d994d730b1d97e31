import type { ClientLoaderFunctionArgs } from 'react-router'
import { browserClient } from '#web/api/client.ts'
import { NO_QUERIES } from '#web/api/hydrate-queries.tsx'
import { pause } from '#web/api/leaving.ts'
import { type PageData, serverLoad } from '#web/api/page-data.ts'
import { browserQueries } from '#web/api/query-client.ts'
import { categoriesQuery, itemsQuery } from './queries.ts'
import { readShopView } from './shop-view.ts'

/** An answer this quick is shown at once; a slower one shows its skeletons meanwhile. */
const QUICK_MS = 150

/** The server's loader of the shop: categories and one page of items. */
export const serverLoadShop = serverLoad(({ url }) => [categoriesQuery, itemsQuery(readShopView(url.searchParams))])

/** The browser's loader: asks for the items on every change of category and page (DECISIONS §4). */
export async function browserLoadShop({ request }: ClientLoaderFunctionArgs): Promise<PageData> {
  const client = browserQueries()
  const items = itemsQuery(readShopView(new URL(request.url).searchParams))(browserClient)
  const isSeen = client.getQueryData(items.queryKey) !== undefined
  const asked = Promise.all([
    client.prefetchQuery(categoriesQuery(browserClient)),
    client.prefetchQuery({ ...items, staleTime: 0 }),
  ])
  if (!isSeen) await Promise.race([asked, pause(QUICK_MS)])
  return { dehydrated: NO_QUERIES, renderedAt: Date.now() }
}
