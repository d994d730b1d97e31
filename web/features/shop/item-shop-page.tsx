import { useEffect } from 'react'
import { SHELL_TEXTS } from '#contract/messages.ts'
import { SHOP_QUERY_RULE, SHOP_TEXTS } from '#contract/shop.ts'
import { useHeadLines } from '#web/api/documents.ts'
import { usePageSearch, usePendingSearch } from '#web/api/page.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { SearchForm } from '#web/forms/search-form.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { LinkMenu } from '#web/ui/link-menu.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { SegmentLinks, TabLinks } from '#web/ui/tabs.tsx'
import { showToast } from '#web/ui/toast.ts'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import styles from './item-shop-page.module.css'
import { EarningMilleage } from './purchase-sums.tsx'
import { PurchasesClosed } from './purchases-closed.tsx'
import {
  getCategoriesQuery,
  getItemsQuery,
  getListTarget,
  getShopPath,
  isQueryTooLong,
  type ShopView,
  SORT_NAMES,
  shopSearch,
  useLoaderQuery,
} from './shop-view.ts'

/** The page of the item shop (SHOP-1). */
export default function ItemShopPage() {
  const view = usePageSearch(shopSearch)
  const headLines = useHeadLines('shop')
  return (
    <>
      <PageHead
        crumb="Item Shop"
        title="Item Shop"
        lines={[
          ...headLines,
          <span key="pay" className={styles.legend}>
            <span>
              <CoinMark size={20} /> <CurrencyText>{SHELL_TEXTS.rCoin}</CurrencyText>, from codes
            </span>
            <span>
              <MilleageMark size={20} /> <CurrencyText>{SHELL_TEXTS.milleage}</CurrencyText>, from playing
            </span>
            <EarningMilleage />
          </span>,
        ]}
      />
      <PurchasesClosed />
      <div>
        <CategoryTabs view={view} />
        <ShopTools view={view} />
        {isQueryTooLong(view) ? <QueryTooLong view={view} /> : <ItemShelf view={view} />}
      </div>
    </>
  )
}

/** Shows a tab for all items and one for each category. Choosing another category returns to page 1 (SHOP-1, SHOP-7). */
function CategoryTabs({ view }: { view: ShopView }) {
  const categories = useLoaderQuery(getCategoriesQuery())
  useFailureToast(categories, SHOP_TEXTS.categoriesFailed)
  const pendingView = usePendingSearch(shopSearch)
  const allCategories = [{ id: 0, category_name: 'All' }, ...(categories.data ?? [])]
  const tabs = allCategories.map(({ id, category_name }) => ({
    key: String(id),
    label: category_name,
    to: getShopPath({ ...pendingView, category: id, page: 1 }),
  }))
  return <TabLinks label="Categories" tabs={tabs} current={String(view.category)} list="shelf" />
}

/** Shows the search field and the sort options. */
function ShopTools({ view }: { view: ShopView }) {
  const { category, q, sort } = view
  const pendingView = usePendingSearch(shopSearch)
  const sortOptions = SORT_NAMES.map((option) => ({
    key: option.sort,
    label: option.label,
    name: option.label,
    to: getShopPath({ ...pendingView, sort: option.sort, page: 1 }),
    isShown: option.sort === sort,
  }))
  return (
    <div className={styles.tools}>
      <SearchForm
        action="/itemshop"
        id="shop-search"
        label="Search for an item"
        placeholder="Search for an item"
        query={q}
        list="shelf"
      >
        <input type="hidden" name="category" value={category} />
        {sort !== '' && <input type="hidden" name="sort" value={sort} />}
      </SearchForm>
      <div className={styles.sortLinks}>
        <SegmentLinks label="Sort the items" tabs={sortOptions} current={sort} list="shelf" />
      </div>
      <div className={styles.sortMenu}>
        <LinkMenu label="Sort the items" options={sortOptions} list="shelf" />
      </div>
    </div>
  )
}

/** Replaces the items if the query is too long for the search (TEXT-2). */
function QueryTooLong({ view }: { view: ShopView }) {
  return (
    <section id="shelf" role="alert">
      <Panel>
        <EmptyState
          title="Use a shorter search"
          line={SHOP_QUERY_RULE}
          action={<ButtonLink to={getShopPath({ ...view, q: '', page: 1 })}>Show all items</ButtonLink>}
        />
      </Panel>
    </section>
  )
}

/** Explains why the list is empty. Links to all items unless the shop has none. */
function NoItems({ view }: { view: ShopView }) {
  if (view.category === 0 && view.q === '') return <EmptyState title="No items yet" line="Come back soon." />
  return (
    <EmptyState
      title="Nothing found"
      line={view.q === '' ? 'There are no items in this category yet.' : `No items match “${view.q}”.`}
      action={<ButtonLink to={getShopPath({ ...view, category: 0, q: '', page: 1 })}>Show all items</ButtonLink>}
    />
  )
}

/** A page of items with its pager, in any state (SHOP-1, SHOP-7). */
function ItemShelf({ view }: { view: ShopView }) {
  const items = useLoaderQuery(getItemsQuery(view))
  const { data } = items
  useFailureToast(items, SHOP_TEXTS.itemsFailed)
  const page = Math.min(view.page, data?.last_page ?? view.page)
  return (
    <section id="shelf" aria-labelledby="shelf-title" aria-busy={items.isFetching}>
      <h2 id="shelf-title" className="visually-hidden">
        Items
      </h2>
      {data === undefined && !items.isError && <ItemGridSkeleton />}
      {data === undefined && items.isError && (
        <Panel>
          <EmptyState
            title="We couldn't load the items"
            line="Check your connection and try again."
            action={<Button onClick={() => void items.refetch()}>Try again</Button>}
          />
        </Panel>
      )}
      {data?.total === 0 && (
        <Panel>
          <NoItems view={view} />
        </Panel>
      )}
      {data !== undefined && data.total > 0 && <ItemGrid items={data.itemshopdata} label="Items" />}
      <div className={`${layout.buttons} ${styles.foot}`}>
        <p className={styles.count} role="status">
          {data !== undefined && `${data.total} ${data.total === 1 ? 'item' : 'items'}`}
        </p>
        {data !== undefined && (
          <Pager
            list="shelf"
            target={getListTarget(view)}
            page={page}
            lastPage={data.last_page}
            label="Pages of the item shop"
          />
        )}
      </div>
    </section>
  )
}

type FailureState = { isError: boolean; errorUpdatedAt: number }

/** Shows the alert of a failed list, once for each failure (FAIL-7). */
function useFailureToast({ isError, errorUpdatedAt }: FailureState, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorUpdatedAt distinguishes one failure from the next
  useEffect(() => {
    if (isError) void showToast('error', text)
  }, [isError, errorUpdatedAt, text])
}
