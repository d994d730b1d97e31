import { useId, useRef } from 'react'
import { useLoaded } from '#web/api/queries.ts'
import { useNearScreen } from '#web/ui/near-screen.ts'
import styles from './from-the-shop.module.css'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import { itemListQuery } from './shop-view.ts'

const ROW = 4

type FromTheShopProps = {
  title?: string | undefined
  /** The shelf; 0 is the whole shop. */
  category?: number | undefined
  /** Numbers of items that the page has already. */
  without?: readonly number[]
  className?: string | undefined
}

/**
 * Items at the end of a page: one row, and two next to the side panel, which is often longer than the page. If the
 * page has not loaded them, they are fetched when they come near the screen.
 */
export function FromTheShop({ title = 'From the shop', category = 0, without = [], className = '' }: FromTheShopProps) {
  const place = useRef<HTMLElement>(null)
  const heading = useId()
  const { data, isError } = useLoaded(itemListQuery(category), { enabled: useNearScreen(place) })
  const others = data?.itemshopdata.filter(({ ProductNum }) => !without.includes(ProductNum))
  if (isError || others?.length === 0) return null
  return (
    <section ref={place} aria-labelledby={heading} className={`${styles.shelf} ${className}`}>
      <h2 className={styles.title} id={heading}>
        {title}
      </h2>
      {others === undefined ? (
        <ItemGridSkeleton shape="row" />
      ) : (
        <ItemGrid items={fullRows(others)} label={title} shape="row" />
      )}
    </section>
  )
}

/** Without the rest that fills no second row. */
const fullRows = <Item,>(items: readonly Item[]) => (items.length < 2 * ROW ? items.slice(0, ROW) : items)
