import type { ShopItem } from '#contract/shop.ts'
import { ItemGrid, ItemGridSkeleton } from './item-grid.tsx'
import { shelfOf, useShown } from './queries.ts'
import styles from './same-shelf.module.css'

const CARDS = 4

/** A row of other items of the same category. */
export function SameShelf({ item }: { item: ShopItem }) {
  const { data } = useShown(shelfOf(item))
  const others = data?.itemshopdata.filter(({ ProductNum }) => ProductNum !== item.ProductNum).slice(0, CARDS)
  if (others?.length === 0) return null
  return (
    <section aria-labelledby="same-shelf">
      <h2 className={styles.title} id="same-shelf">
        From the same shelf
      </h2>
      {others === undefined ? (
        <ItemGridSkeleton cards={CARDS} />
      ) : (
        <ItemGrid items={others} label="From the same shelf" shape="row" />
      )}
    </section>
  )
}
