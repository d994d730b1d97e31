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
import { type GetTipProps, TIP_FREE_PROPS } from './item-tip.tsx'
import { useClosedPurchaseProps } from './purchases-closed.tsx'
import { getCategoriesQuery, getItemPath, useLoaderQuery } from './shop-view.ts'

type ItemCardsProps = {
  items: readonly ShopItem[]
  /** Names the list for screen readers. */
  label: string
  /** `alone` is a single card, as wide as in the shop. */
  shape: 'page' | 'row' | 'alone'
} & Omit<ItemCardProps, 'item'>

/** Cards of items in a grid. */
export function ItemCards({ items, label, shape, ...cardProps }: ItemCardsProps) {
  return (
    <ul className={styles[shape]} aria-label={label}>
      {items.map((item) => (
        <ItemCard key={item.ProductNum} item={item} {...cardProps} />
      ))}
    </ul>
  )
}

type ItemCardProps = {
  item: ShopItem
  getTipProps?: GetTipProps
  onAdd: (item: ShopItem) => Promise<void>
  onBuy: (item: ShopItem) => Promise<void>
}

/**
 * An item's card: picture, shortened name, price, and the buttons to buy it (SHOP-3, SHOP-6). Its last line shows
 * the item's terms, or else its category, which is not part of the link's name. A service shows no category.
 */
function ItemCard({ item, getTipProps, onAdd, onBuy }: ItemCardProps) {
  const [busyButton, setBusyButton] = useState<'add' | 'buy' | null>(null)
  const runAction = async (button: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusyButton(button)
    await action(item).finally(() => setBusyButton(null))
  }
  const { 'aria-describedby': describedBy, ...tipAttributes } = getTipProps?.(item) ?? {}
  const closedProps = useClosedPurchaseProps()
  const shortName = cutName(item.ItemName, CARD_NAME_MAX)
  const serviceName = findServiceName(item.service)
  const category = useLoaderQuery(getCategoriesQuery()).data?.find(({ id }) => id === item.category)
  return (
    <li className={`${panel.panel} ${styles.card}`} {...tipAttributes}>
      {/* The full name is hidden text, because a label would replace the visible text. */}
      <Link to={getItemPath(item.ProductNum)} className={styles.link} aria-describedby={describedBy}>
        {shortName !== item.ItemName && <span className="visually-hidden">{item.ItemName}: </span>}
        <span className={styles.scene}>
          <Ribbon item={item} />
          <ItemPicture item={item} className={styles.picture} />
        </span>
        <span className={styles.text}>
          {serviceName === undefined ? (
            <span className={styles.name}>{shortName}</span>
          ) : (
            <span className={styles.names}>
              <span className={styles.name}>{serviceName}</span>{' '}
              <span className={styles.operatorName}>{shortName}</span>
            </span>
          )}
          <span className={styles.price}>
            <ItemPrice item={item} />
          </span>
          <ItemTerms item={item} className={styles.terms} />
          {!hasTerms(item) && serviceName === undefined && (
            <span className={styles.terms} aria-hidden="true">
              {category?.category_name ?? '\u00a0'}
            </span>
          )}
        </span>
      </Link>
      <div className={styles.buttons} {...TIP_FREE_PROPS}>
        {item.kind === 'item' && (
          <CardButton
            className={styles.add}
            isBusy={busyButton === 'add'}
            onPress={() => void runAction('add', onAdd)}
            text={SHOP_TEXTS.addToCart}
            item={item}
          />
        )}
        <CardButton
          className={styles.buy}
          isBusy={busyButton === 'buy'}
          {...closedProps}
          onPress={() => void runAction('buy', onBuy)}
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
