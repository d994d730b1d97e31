import { SHOP } from '#contract/shop-messages.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import styles from './item-shelf.module.css'
import { itemsQuery, useShown } from './queries.ts'
import { type ShopView, shelfTarget, shopPath } from './shop-view.ts'
import { useFailureToast } from './use-failure-toast.ts'

/** One page of items with its pager, in whatever state it is (SPEC §2.11, §4 Shop). */
export function ItemShelf({ view }: { view: ShopView }) {
  const items = useShown(itemsQuery(view))
  const { data } = items
  useFailureToast(items, SHOP.itemsFailed)
  const page = Math.min(view.page, data?.last_page ?? view.page)
  return (
    <section id="shelf" aria-label="Items" aria-busy={items.isFetching}>
      {data === undefined && !items.isError && <ItemGridSkeleton />}
      {data === undefined && items.isError && (
        <Panel>
          <EmptyState
            title="The shelf did not come"
            line="Your connection may be away for a moment."
            action={<Button onClick={() => void items.refetch()}>Try again</Button>}
          />
        </Panel>
      )}
      {data?.total === 0 && <NothingFound view={view} />}
      {data !== undefined && data.total > 0 && <ItemGrid items={data.itemshopdata} label="Items" />}
      <div className={styles.foot}>
        <p className={styles.count} role="status">
          {data !== undefined && `${data.total} ${data.total === 1 ? 'item' : 'items'}`}
        </p>
        {data !== undefined && (
          <Pager target={shelfTarget(view)} page={page} lastPage={data.last_page} label="Pages of the item shop" />
        )}
      </div>
    </section>
  )
}

function NothingFound({ view }: { view: ShopView }) {
  const line = view.q === '' ? 'Nothing stands on this shelf yet.' : `No item here is called “${view.q}”.`
  return (
    <Panel>
      <EmptyState
        title="Nothing found"
        line={line}
        action={<ButtonLink to={shopPath({ ...view, category: 0, q: '', page: 1 })}>Show all items</ButtonLink>}
      />
    </Panel>
  )
}
