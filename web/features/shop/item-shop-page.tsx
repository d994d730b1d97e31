import { SHELL } from '#contract/messages.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { usePageSearch } from '#web/api/page.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { ItemShelf } from './item-shelf.tsx'
import styles from './item-shop-page.module.css'
import { categoriesQuery, useShown } from './queries.ts'
import { ShopBanners } from './shop-banners.tsx'
import { ShopTools } from './shop-tools.tsx'
import { type ShopView, shopPath, shopSearch } from './shop-view.ts'
import { useFailureToast } from './use-failure-toast.ts'

/** The tab row: All, and the categories by their names. A change of category begins at page 1 (SPEC §2.11). */
function CategoryTabs({ view }: { view: ShopView }) {
  const categories = useShown(categoriesQuery())
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
  const view = usePageSearch(shopSearch)
  return (
    <>
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
    </>
  )
}
