import { useId, useRef } from 'react'
import { useLoaded } from '#web/api/queries.ts'
import { useNearScreen } from '#web/ui/near-screen.ts'
import styles from './from-the-shop.module.css'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import { itemListQuery } from './shop-view.ts'

const ROW = 4

type FromTheShopProps = {
  title?: string | undefined
  /** The id of the category; 0 for the whole shop. */
  category?: number | undefined
  /** The ids of items that the page already shows. */
  without?: readonly number[]
  className?: string | undefined
}

/**
 * Items of the shop at the end of a page: one row, or two rows next to the side panel, which is often longer than the
 * page. If the page has not loaded them, they load when the reader scrolls near them.
 */
export function FromTheShop({ title = 'From the shop', category = 0, without = [], className = '' }: FromTheShopProps) {
  const place = useRef<HTMLElement>(null)
  const heading = useId()
  const { data, isError } = useLoaded(itemListQuery(category), { enabled: useNearScreen(place) })
  const others = data?.itemshopdata.filter(({ ProductNum }) => !without.includes(ProductNum))
  if (isError || others?.length === 0) return null
  return (
    <section ref={place} data-below aria-labelledby={heading} className={`${styles.shelf} ${className}`}>
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

/** Returns enough items for two full rows, otherwise for one. */
const fullRows = <Item,>(items: readonly Item[]) => (items.length < 2 * ROW ? items.slice(0, ROW) : items)
