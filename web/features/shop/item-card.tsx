import { type ComponentProps, useState } from 'react'
import { CARD_NAME_MAX } from '#contract/limits.ts'
import { findServiceName } from '#contract/services.ts'
import { SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { Squares } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import panel from '#web/ui/panel.module.css'
import { cutName } from './amounts.ts'
import styles from './item-grid.module.css'
import { hasTerms, ItemPicture, ItemPrice, ItemTerms, Ribbon } from './item-parts.tsx'
import { KEEP_FREE, type TipProps } from './item-tip.tsx'
import { usePurchasesClosed } from './purchases-closed.tsx'
import { categoriesQuery, itemPath, useShown } from './shop-view.ts'

type ItemCardsProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  /** `alone` is a single card, as wide as in the shop. */
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

/**
 * An item's card: picture, shortened name, price, and the buttons to buy it (SHOP-3, SHOP-6). Its last line is the terms
 * of the item, or else its category, which does not belong to the link's name. A service has its own name there.
 */
function ItemCard({ item, tipProps, onAdd, onBuy }: ItemCardProps) {
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const run = async (what: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusy(what)
    await action(item).finally(() => setBusy(null))
  }
  const { 'aria-describedby': describedBy, ...tip } = tipProps?.(item) ?? {}
  const closed = usePurchasesClosed()
  const shortName = cutName(item.ItemName, CARD_NAME_MAX)
  const plainName = findServiceName(item.service)
  const category = useShown(categoriesQuery()).data?.find(({ id }) => id === item.category)
  return (
    <li className={`${panel.panel} ${styles.card}`} {...tip}>
      {/* The full name is hidden text, because a label would replace the visible text. */}
      <Link to={itemPath(item.ProductNum)} className={styles.link} aria-describedby={describedBy}>
        {shortName !== item.ItemName && <span className="visually-hidden">{item.ItemName}: </span>}
        <span className={styles.scene}>
          <Ribbon item={item} />
          <ItemPicture item={item} className={styles.picture} />
        </span>
        <span className={styles.text}>
          {plainName === undefined ? (
            <span className={styles.name}>{shortName}</span>
          ) : (
            <span className={styles.names}>
              <span className={styles.name}>{plainName}</span> <span className={styles.operatorName}>{shortName}</span>
            </span>
          )}
          <span className={styles.price}>
            <ItemPrice item={item} />
          </span>
          <ItemTerms item={item} className={styles.terms} />
          {!hasTerms(item) && plainName === undefined && (
            <span className={styles.terms} aria-hidden="true">
              {category?.category_name ?? '\u00a0'}
            </span>
          )}
        </span>
      </Link>
      <div className={styles.buttons} {...KEEP_FREE}>
        {item.kind === 'item' && (
          <CardButton
            className={styles.add}
            isBusy={busy === 'add'}
            onPress={() => void run('add', onAdd)}
            text={SHOP_TEXTS.addToCart}
            item={item}
          />
        )}
        <CardButton
          className={styles.buy}
          isBusy={busy === 'buy'}
          {...closed}
          onPress={() => void run('buy', onBuy)}
          text={SHOP_TEXTS.buyNow}
          item={item}
        />
      </div>
    </li>
  )
}

type CardButtonProps = ComponentProps<'button'> & { isBusy: boolean; onPress: () => void; text: string; item: ShopItem }

/** A button at the bottom of a card. It stays focusable while busy, so keyboard users do not lose their position. */
function CardButton({ isBusy, onPress, text, item, ...rest }: CardButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={`${text}: ${item.ItemName}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : onPress}
    >
      {isBusy ? <Squares /> : text}
    </button>
  )
}
