import { useState } from 'react'
import { CARD_NAME_MAX, SHOP_PAGE_SIZE } from '#contract/limits.ts'
import { SHOP, type ShopItem } from '#contract/shop.ts'
import { useBuyNow } from '#web/features/cart/purchase-dialog.tsx'
import { useAddToCart } from '#web/features/cart/use-cart.ts'
import { CapsuleBanner, RedeemBanner } from '#web/shell/side-panel.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import panel from '#web/ui/panel.module.css'
import { Skeleton } from '#web/ui/states.tsx'
import { cutName } from './amounts.ts'
import styles from './item-grid.module.css'
import { ItemPicture, ItemPrice, ItemTerms, Ribbon } from './item-parts.tsx'
import { KEEP_FREE, type TipProps, useItemTip } from './item-tip.tsx'
import { usePurchasesClosed } from './purchases-closed.tsx'
import { itemPath } from './shop-view.ts'

type ItemGridProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  /** `row` is one line of cards, `page` the shop's grid of 450 px (SHOP-1). */
  shape?: 'page' | 'row'
}

/** Cards of items, with one tooltip and one purchase dialog for all of them. */
export function ItemGrid({ items, label, shape = 'page' }: ItemGridProps) {
  const { tipProps, tooltip } = useItemTip()
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  return (
    <>
      <ul className={styles[shape]} aria-label={label}>
        {items.map((item) => (
          <ItemCard key={item.ProductNum} item={item} tipProps={tipProps} onAdd={addToCart} onBuy={buyNow} />
        ))}
      </ul>
      {tooltip}
      {dialog}
    </>
  )
}

type ItemCardProps = {
  item: ShopItem
  tipProps: TipProps
  onAdd: (item: ShopItem) => Promise<void>
  onBuy: (item: ShopItem) => Promise<void>
}

/** An item's picture, its name cut short, its price, and the buttons to buy it (SHOP-3, SHOP-6). */
function ItemCard({ item, tipProps, onAdd, onBuy }: ItemCardProps) {
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const run = async (what: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusy(what)
    await action(item).finally(() => setBusy(null))
  }
  const { 'aria-describedby': describedBy, ...tip } = tipProps(item)
  const closed = usePurchasesClosed()
  const shortName = cutName(item.ItemName, CARD_NAME_MAX)
  return (
    <li className={`${panel.panel} ${styles.card}`} {...tip}>
      {/* The whole name is hidden text and no label, because a label would replace the text that is seen. */}
      <Link to={itemPath(item.ProductNum)} className={styles.link} aria-describedby={describedBy}>
        {shortName !== item.ItemName && <span className="visually-hidden">{item.ItemName}: </span>}
        <span className={styles.scene}>
          <Ribbon item={item} />
          <ItemPicture item={item} className={styles.picture} />
          <ItemTerms item={item} className={styles.terms} />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{shortName}</span>
          <span className={styles.price}>
            <ItemPrice item={item} />
          </span>
        </span>
      </Link>
      <div className={styles.buttons} {...KEEP_FREE}>
        <Button
          tone="secondary"
          className={styles.add}
          busy={busy === 'add'}
          onClick={() => void run('add', onAdd)}
          aria-label={`${SHOP.addToCart}: ${item.ItemName}`}
        >
          {SHOP.addToCart}
        </Button>
        <Button
          className={styles.buy}
          busy={busy === 'buy'}
          {...closed}
          onClick={() => void run('buy', onBuy)}
          aria-label={`${SHOP.buyNow}: ${item.ItemName}`}
        >
          {SHOP.buyNow}
        </Button>
      </div>
    </li>
  )
}

/** Holds the grid's size while its items load. */
export function ItemGridSkeleton({ cards = SHOP_PAGE_SIZE }: { cards?: number }) {
  return (
    <div className={cards === SHOP_PAGE_SIZE ? styles.page : styles.row} role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: cards }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div className={`${panel.panel} ${styles.ghost}`} key={index}>
          <span className={styles.blank} />
          <div className={styles.words}>
            <Skeleton width={92} height={20} />
            <Skeleton width={76} height={20} />
          </div>
          <div className={styles.buttons}>
            <Skeleton width="100%" height={44} />
            <Skeleton width="100%" height={44} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** The side panel's two banners (SHELL-9), which are wide and below the items on the shop's pages. */
export function ShopBanners() {
  return (
    <div className={styles.banners}>
      <CapsuleBanner size="wide" />
      <RedeemBanner size="wide" />
    </div>
  )
}
