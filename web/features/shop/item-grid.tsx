import { SHOP_PAGE_SIZE } from '#contract/limits.ts'
import type { ShopItem } from '#contract/shop.ts'
import { useBuyNow } from '#web/features/cart/purchase-dialog.tsx'
import { useAddToCart } from '#web/features/cart/use-cart.ts'
import panel from '#web/ui/panel.module.css'
import { Loading, Skeleton } from '#web/ui/states.tsx'
import { ItemCards } from './item-card.tsx'
import styles from './item-grid.module.css'
import { useItemTip } from './item-tip.tsx'

/** `page` is the shop's grid, 450 px high (SHOP-1); `row` grows with its rows of cards. */
type Shape = 'page' | 'row'

type ItemGridProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  shape?: Shape
}

/** Cards of items that share a tooltip and a purchase dialog. */
export function ItemGrid({ items, label, shape = 'page' }: ItemGridProps) {
  const { getTipProps, tooltip } = useItemTip()
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  return (
    <>
      <ItemCards items={items} label={label} shape={shape} getTipProps={getTipProps} onAdd={addToCart} onBuy={buyNow} />
      {tooltip}
      {dialog}
    </>
  )
}

/** A placeholder for the grid until its items have loaded. */
export function ItemGridSkeleton({ shape = 'page' }: { shape?: Shape }) {
  return (
    <Loading className={styles[shape]} rows={shape === 'page' ? SHOP_PAGE_SIZE : 4}>
      <div className={`${panel.panel} ${styles.skeletonCard}`}>
        <span className={styles.blank} />
        <div className={styles.text}>
          <Skeleton width={92} height={20} />
          <Skeleton width={76} height={20} />
        </div>
        <div className={styles.buttons}>
          <Skeleton width="100%" height={44} />
          <Skeleton width="100%" height={44} />
        </div>
      </div>
    </Loading>
  )
}
