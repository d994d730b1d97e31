import { useState } from 'react'
import { CARD_NAME_MAX } from '#contract/limits.ts'
import type { ShopItem } from '#contract/shop.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { currencyOf } from './currency.ts'
import { cutName } from './cut-name.ts'
import styles from './item-card.module.css'
import { ItemPicture } from './item-picture.tsx'
import { Price } from './price.tsx'
import { Ribbon } from './ribbon.tsx'
import { itemPath } from './shop-view.ts'
import type { useItemTip } from './use-item-tip.ts'

type ItemCardProps = {
  item: ShopItem
  tipProps: ReturnType<typeof useItemTip>['tipProps']
  onAdd: (item: ShopItem) => Promise<void>
  onBuy: (item: ShopItem) => Promise<void>
}

/** An item on its lit scene, with its name cut short, its price, and what to do with it (SPEC §2.11). */
export function ItemCard({ item, tipProps, onAdd, onBuy }: ItemCardProps) {
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const run = async (what: 'add' | 'buy', action: (item: ShopItem) => Promise<void>) => {
    setBusy(what)
    await action(item).finally(() => setBusy(null))
  }
  const { 'aria-describedby': describedBy, ...tip } = tipProps(item)
  return (
    <li className={styles.card} {...tip}>
      <Link
        to={itemPath(item.ProductNum)}
        className={styles.link}
        aria-label={item.ItemName}
        aria-describedby={describedBy}
      >
        <span className={styles.scene}>
          <Ribbon item={item} />
          <ItemPicture item={item} className={styles.picture} />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{cutName(item.ItemName, CARD_NAME_MAX)}</span>
          <span className={styles.price}>
            <Price amount={item.price} currency={currencyOf(item.section)} />
          </span>
        </span>
      </Link>
      <div className={styles.buttons}>
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
          onClick={() => void run('buy', onBuy)}
          aria-label={`${SHOP.buyNow}: ${item.ItemName}`}
        >
          {SHOP.buyNow}
        </Button>
      </div>
    </li>
  )
}
