import { currencyOf } from '#web/features/shop/currency.ts'
import { ItemPicture } from '#web/features/shop/item-picture.tsx'
import { Price } from '#web/features/shop/price.tsx'
import styles from './purchase-dialog.module.css'
import type { PurchaseLine } from './purchase-types.ts'

/** What is about to be bought, each line with its picture, quantity and price. */
export function PurchaseLines({ lines }: { lines: readonly PurchaseLine[] }) {
  return (
    <ul className={`${styles.lines} quiet-scroll`}>
      {lines.map(({ shopitem, quantity }) => (
        <li key={shopitem.ProductNum} className={lines.length === 1 ? styles.only : styles.line}>
          <ItemPicture item={shopitem} className={styles.picture} />
          <span className={styles.name}>{shopitem.ItemName}</span>
          {lines.length > 1 && <span className={styles.quantity}>× {quantity}</span>}
          <span className={styles.amount}>
            {lines.length === 1 && quantity > 1 && <span className={styles.times}>{quantity} × </span>}
            <Price
              amount={lines.length === 1 ? shopitem.price : shopitem.price * quantity}
              currency={currencyOf(shopitem.section)}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
