import { useState } from 'react'
import type { ShopItem } from '#contract/shop.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { useSession } from '#web/api/session.ts'
import { useAddToCart } from '#web/features/cart/use-add-to-cart.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { purseOf } from './amounts.ts'
import { useBuyNow } from './buy-now.tsx'
import { CURRENCY_NAMES, currencyOf } from './currency.ts'
import styles from './item-details.module.css'
import { ItemPicture } from './item-picture.tsx'
import { Price } from './price.tsx'
import { categoriesQuery, itemQuery, useShown } from './queries.ts'
import { Ribbon } from './ribbon.tsx'
import { shopPath } from './shop-view.ts'

/** An item in full: its picture, what it does, its price and what the player has. `shown` came with the page. */
export function ItemDetails({ shown }: { shown: ShopItem }) {
  const { data: item = shown } = useShown(itemQuery(shown.ProductNum))
  const { data: categories } = useShown(categoriesQuery())
  const user = useSession()?.user
  const addToCart = useAddToCart()
  const { buyNow, dialog } = useBuyNow()
  const [busy, setBusy] = useState<'add' | 'buy' | null>(null)
  const currency = currencyOf(item.section)
  const shelf = categories?.find(({ id }) => id === item.category)
  return (
    <Panel>
      <div className={styles.item}>
        <div className={styles.scene}>
          <Ribbon item={item} />
          <ItemPicture item={item} className={styles.picture} />
        </div>
        <div className={styles.words}>
          <p className={styles.description}>{item.description}</p>
          <p className={styles.price}>
            <Price amount={item.price} currency={currency} mark={34} />
          </p>
          <p className={styles.purse}>
            Paid with {CURRENCY_NAMES[currency]}.{' '}
            {user && (
              <>
                You have <Price amount={purseOf(user)[currency]} currency={currency} mark={18} />.
              </>
            )}
          </p>
          <div className={styles.buttons}>
            <Button
              size="lg"
              busy={busy === 'buy'}
              onClick={() => {
                setBusy('buy')
                void buyNow(item).finally(() => setBusy(null))
              }}
            >
              {SHOP.buyNow}
            </Button>
            <Button
              size="lg"
              tone="secondary"
              busy={busy === 'add'}
              onClick={() => {
                setBusy('add')
                void addToCart(item).finally(() => setBusy(null))
              }}
            >
              {SHOP.addToCart}
            </Button>
          </div>
          <ButtonLink tone="quiet" to={shopPath({ category: item.category, page: 1, q: '', sort: '' })}>
            {shelf === undefined ? 'Back to the shop' : `All ${shelf.category_name}`}
          </ButtonLink>
        </div>
      </div>
      {dialog}
    </Panel>
  )
}
