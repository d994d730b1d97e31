import { useState } from 'react'
import { CARD_NAME_MAX } from '#contract/limits.ts'
import { SHOP, type ShopItem } from '#contract/shop.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import panel from '#web/ui/panel.module.css'
import { cutName } from './amounts.ts'
import styles from './item-grid.module.css'
import { ItemPicture, ItemPrice, ItemTerms, Ribbon } from './item-parts.tsx'
import { KEEP_FREE, type TipProps } from './item-tip.tsx'
import { usePurchasesClosed } from './purchases-closed.tsx'
import { itemPath } from './shop-view.ts'

type ItemCardsProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  /** `alone` is one card, as wide as in the shop. */
  shape: 'page' | 'row' | 'alone'
} & Omit<ItemCardProps, 'item'>

/** Cards of items in a grid. */
export function ItemCards({ items, label, shape, ...card }: ItemCardsProps) {
  return (
    <ul className={styles[shape]} aria-label={label}>
      {items.map((item) => (
        <ItemCard key={item.ProductNum} item={item} {...card} />
      ))}
    </ul>
  )
}

type ItemCardProps = {
  item: ShopItem
  tipProps?: TipProps
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
  const { 'aria-describedby': describedBy, ...tip } = tipProps?.(item) ?? {}
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
        {item.kind === 'item' && (
          <Button
            tone="secondary"
            className={styles.add}
            busy={busy === 'add'}
            onClick={() => void run('add', onAdd)}
            aria-label={`${SHOP.addToCart}: ${item.ItemName}`}
            title={SHOP.addToCart}
          >
            <span className={styles.addWord}>{SHOP.addToCart}</span>
            <span className={styles.addIcon}>
              <Icon name="cart" size={22} />
            </span>
          </Button>
        )}
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
