import type { CartLine } from '#contract/cart.ts'
import { LINE_QUANTITY_MAX } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { currencyOf } from '#web/features/shop/currency.ts'
import { ItemPicture } from '#web/features/shop/item-picture.tsx'
import { Price } from '#web/features/shop/price.tsx'
import { itemPath } from '#web/features/shop/shop-view.ts'
import type { useItemTip } from '#web/features/shop/use-item-tip.ts'
import { Link } from '#web/ui/link.tsx'
import type { CartChange } from './cart-changes.ts'
import styles from './cart-row.module.css'
import { linePrice } from './cart-sums.ts'
import { Stepper } from './stepper.tsx'

type CartRowProps = {
  line: CartLine
  tipProps: ReturnType<typeof useItemTip>['tipProps']
  onChange: (change: CartChange) => void
}

/** A line: check box, picture, name, quantity with its steps, and price × quantity (SPEC §2.12). */
export function CartRow({ line, tipProps, onChange }: CartRowProps) {
  const { seq, shopitem, quantity, isChecked } = line
  const own = { seq, ProductNum: shopitem.ProductNum }
  const currency = currencyOf(shopitem.section)
  return (
    <li className={styles.row} data-checked={isChecked === 1 || undefined}>
      <label className={styles.check}>
        <input type="checkbox" checked={isChecked === 1} onChange={() => onChange({ ...own, step: 'check' })} />
        <span className="visually-hidden">Buy {shopitem.ItemName}</span>
      </label>
      <Link to={itemPath(shopitem.ProductNum)} className={styles.item} {...tipProps(shopitem)}>
        <ItemPicture item={shopitem} className={styles.picture} lazy />
        <span className={styles.words}>
          <span className={styles.name}>{shopitem.ItemName}</span>
          <span className={styles.each}>
            <Price amount={shopitem.price} currency={currency} mark={16} /> each
          </span>
        </span>
      </Link>
      <Stepper
        what={shopitem.ItemName}
        quantity={quantity}
        full={quantity >= LINE_QUANTITY_MAX ? SHOP.lineFull : undefined}
        onStep={(step) => onChange({ ...own, step })}
      />
      <span className={styles.price}>
        <Price amount={linePrice(line)} currency={currency} mark={22} />
      </span>
    </li>
  )
}
