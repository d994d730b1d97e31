import { type MetaFunction, useLoaderData } from 'react-router'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ItemDetails } from './item-details.tsx'
import { itemHeadOf } from './item-head.ts'
import { browserLoadItem, serverLoadItem } from './item-loads.ts'
import { SameShelf } from './same-shelf.tsx'
import { ShopBanners } from './shop-banners.tsx'

export const loader = serverLoadItem
export const clientLoader = browserLoadItem

/** Where the site stands, from the canonical link of its head. */
function siteUrlOf(tags: ReturnType<typeof pageMeta>, path: string): string {
  const canonical = tags.find((tag) => 'rel' in tag && tag.rel === 'canonical')
  return canonical && 'href' in canonical ? String(canonical.href).slice(0, -path.length) : ''
}

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  if (!loaderData) return undefined
  const { name, description, path, picture } = itemHeadOf(loaderData.item, '')
  const tags = pageMeta(matches, { crumb: name, description, path, picture })
  return [...tags, { 'script:ld+json': itemHeadOf(loaderData.item, siteUrlOf(tags, path)).jsonLd }]
}

/** One item at an address of its own, to link and to share. */
export default function ItemPage() {
  const { dehydrated, item } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead crumb={item.ItemName} title={item.ItemName} />
      <ItemDetails key={item.ProductNum} shown={item} />
      <SameShelf item={item} />
      <ShopBanners />
    </HydrateQueries>
  )
}
