import { useId, useRef } from 'react'
import { usePageQuery } from '#web/api/queries.ts'
import { useNearScreen } from '#web/ui/near-screen.ts'
import styles from './from-the-shop.module.css'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import { getItemListQuery } from './shop-view.ts'

const ITEMS_PER_ROW = 4

type FromTheShopProps = {
  title?: string | undefined
  /** The id of the category; 0 for the whole shop. */
  category?: number | undefined
  /** The ids of items that the page already shows. */
  excludedIds?: readonly number[]
  className?: string | undefined
}

/**
 * Items of the shop at the end of a page: one row, or two rows next to the side panel, which is often longer than the
 * page. If the page has not loaded them, they load when the reader scrolls near them.
 */
export function FromTheShop({
  title = 'From the shop',
  category = 0,
  excludedIds = [],
  className = '',
}: FromTheShopProps) {
  const section = useRef<HTMLElement>(null)
  const headingId = useId()
  const { data, isError } = usePageQuery(getItemListQuery(category), { enabled: useNearScreen(section) })
  const otherItems = data?.itemshopdata.filter(({ ProductNum }) => !excludedIds.includes(ProductNum))
  if (isError || otherItems?.length === 0) return null
  return (
    <section ref={section} data-below aria-labelledby={headingId} className={`${styles.shelf} ${className}`}>
      <h2 className={styles.title} id={headingId}>
        {title}
      </h2>
      {otherItems === undefined ? (
        <ItemGridSkeleton shape="row" />
      ) : (
        <ItemGrid items={takeFullRows(otherItems)} label={title} shape="row" />
      )}
    </section>
  )
}

/** Returns all items if they fill two rows, otherwise those of the first row. */
const takeFullRows = <Item,>(items: readonly Item[]) =>
  items.length < 2 * ITEMS_PER_ROW ? items.slice(0, ITEMS_PER_ROW) : items
