import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useLoaderData, useSearchParams } from 'react-router'
import { SHELL } from '#contract/messages.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { browserClient } from '#web/api/client.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { pageMeta } from '#web/api/page-meta.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { ItemShelf } from './item-shelf.tsx'
import styles from './item-shop-page.module.css'
import { categoriesQuery } from './queries.ts'
import { ShopBanners } from './shop-banners.tsx'
import { browserLoadShop, serverLoadShop } from './shop-loads.ts'
import { ShopTools } from './shop-tools.tsx'
import { readShopView, type ShopView, shopPath } from './shop-view.ts'
import { useFailureToast } from './use-failure-toast.ts'

export const loader = serverLoadShop
export const clientLoader = browserLoadShop

export const meta: MetaFunction = ({ matches, location }) => {
  const view = readShopView(new URLSearchParams(location.search))
  return pageMeta(matches, {
    crumb: 'Item Shop',
    description: 'The campus coop, open all night: costumes, rides, potions and charms for R-Coin and Milleage.',
    path: shopPath(view),
    hidden: view.q !== '' || view.sort !== '',
  })
}

/** The tab row: All, and the categories by their names. A change of category begins at page 1 (SPEC §2.11). */
function CategoryTabs({ view }: { view: ShopView }) {
  const categories = useQuery(categoriesQuery(browserClient))
  useFailureToast(categories, SHOP.categoriesFailed)
  const all = [{ id: 0, category_name: 'All' }, ...(categories.data ?? [])]
  const tabs = all.map(({ id, category_name }) => ({
    key: String(id),
    label: category_name,
    to: shopPath({ ...view, category: id, page: 1 }),
  }))
  return (
    <div className={styles.tabs}>
      <TabLinks label="Categories" tabs={tabs} current={String(view.category)} panelId="shelf" />
    </div>
  )
}

export default function ItemShopPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  const [query] = useSearchParams()
  const view = readShopView(query)
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb="Item Shop"
        title="Item Shop"
        lines={[
          'The campus coop, open all night.',
          <span key="pay" className={styles.legend}>
            <span>
              <CoinMark size={20} /> {SHELL.rCoin}, from codes
            </span>
            <span>
              <MilleageMark size={20} /> {SHELL.milleage}, from playing
            </span>
          </span>,
        ]}
      />
      <div>
        <CategoryTabs view={view} />
        <ShopTools view={view} />
        <ItemShelf view={view} />
      </div>
      <ShopBanners />
    </HydrateQueries>
  )
}
