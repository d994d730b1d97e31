import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import type { ShopItem } from '#contract/shop.ts'
import { useAddToCart } from '#web/features/cart/use-add-to-cart.ts'
import { Skeleton } from '#web/ui/states.tsx'
import { useBuyNow } from './buy-now.tsx'
import cardStyles from './item-card.module.css'
import { ItemCard } from './item-card.tsx'
import styles from './item-grid.module.css'
import { ItemTip } from './item-tip.tsx'
import { useItemTip } from './use-item-tip.ts'

type ItemGridProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  /** `row` is one line of cards, `page` the shop's grid of 450 px (SPEC §2.11). */
  shape?: 'page' | 'row'
}

/** Cards of items, with one tooltip and one purchase dialog for all of them. */
export function ItemGrid({ items, label, shape = 'page' }: ItemGridProps) {
  const { tipProps, ...tip } = useItemTip()
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  return (
    <>
      <ul className={styles[shape]} aria-label={label}>
        {items.map((item) => (
          <ItemCard key={item.ProductNum} item={item} tipProps={tipProps} onAdd={addToCart} onBuy={buyNow} />
        ))}
      </ul>
      <ItemTip {...tip} />
      {dialog}
    </>
  )
}

/** The grid's size before its items are here. */
export function ItemGridSkeleton({ cards = SHOP_PAGE_SIZE }: { cards?: number }) {
  return (
    <div className={cards === SHOP_PAGE_SIZE ? styles.page : styles.row} role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks without identity
        <div className={cardStyles.ghost} key={index}>
          <span className={cardStyles.blank} />
          <div className={cardStyles.words}>
            <Skeleton width={92} height={20} />
            <Skeleton width={76} height={20} />
          </div>
          <div className={cardStyles.buttons}>
            <Skeleton width="100%" height={44} />
            <Skeleton width="100%" height={44} />
          </div>
        </div>
      ))}
    </div>
  )
}
