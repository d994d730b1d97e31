import type { CartLine } from '#contract/cart.ts'
import { CART_NAME_MAX } from '#contract/limits.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { useSession } from '#web/api/session.ts'
import { CURRENCIES, currencyOf } from '#web/features/shop/currency.ts'
import { cutName } from '#web/features/shop/cut-name.ts'
import { Price } from '#web/features/shop/price.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './cart-summary.module.css'
import { cartSums, linePrice } from './cart-sums.ts'
import { Receipt } from './receipt.tsx'
import { useCart } from './use-cart.ts'

/** The cart summary of the side panel (SPEC §2.3), for players. As high empty as with lines, so that nothing below it moves. */
export function CartSummary() {
  const userNum = useSession()?.user.UserNum ?? 0
  const { data: lines } = useCart(userNum)
  const { count, subtotal, total, cost, mixed } = cartSums(lines ?? [])
  return (
    <Receipt title="Shopping cart" note={`${count} ${count === 1 ? 'item' : 'items'}`}>
      <div className={`${styles.scroll} quiet-scroll`}>
        {lines === undefined || count === 0 ? (
          <p className={styles.empty}>{lines?.length === 0 && 'Nothing in it yet. What you add waits here.'}</p>
        ) : (
          <SummaryLines lines={lines} />
        )}
      </div>
      <dl className={styles.sums}>
        <div>
          <dt>{SHOP.subtotal}</dt>
          <dd>{formatMoney(subtotal)}</dd>
        </div>
        <div className={styles.total}>
          <dt>{SHOP.total}</dt>
          <dd>{formatMoney(total)}</dd>
        </div>
      </dl>
      <p className={styles.amounts}>
        {mixed &&
          CURRENCIES.map((currency) => <Price key={currency} amount={cost[currency]} currency={currency} mark={18} />)}
      </p>
      <ButtonLink to="/shoppingcart" tone="paper" className={styles.checkout}>
        {SHOP.checkout}
      </ButtonLink>
    </Receipt>
  )
}

function SummaryLines({ lines }: { lines: readonly CartLine[] }) {
  return (
    <table className={styles.lines}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Qty</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.seq} data-checked={line.isChecked === 1 || undefined}>
            <th scope="row" title={line.shopitem.ItemName}>
              {cutName(line.shopitem.ItemName, CART_NAME_MAX)}
            </th>
            <td>{line.quantity}</td>
            <td>
              <Price amount={linePrice(line)} currency={currencyOf(line.shopitem.section)} mark={16} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
