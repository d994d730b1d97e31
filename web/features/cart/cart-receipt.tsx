import { useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { isShort, missingMoney, purseOf } from '#web/features/shop/amounts.ts'
import { CURRENCIES } from '#web/features/shop/currency.ts'
import { Price } from '#web/features/shop/price.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './cart-receipt.module.css'
import { cartSums } from './cart-sums.ts'
import { MissingMoney } from './missing-money.tsx'
import { PurchaseDialog } from './purchase-dialog.tsx'
import { Receipt } from './receipt.tsx'
import { useCheckout } from './use-checkout.ts'

type CartReceiptProps = {
  lines: readonly CartLine[]
  user: { UserNum: number; UserPoint: number; UserPoint2: number }
}

/** The cart's summary as a receipt: item count, Subtotal, Total, what of it is which currency, and the way to buy. */
export function CartReceipt({ lines, user }: CartReceiptProps) {
  const { count, subtotal, total, checked, cost } = cartSums(lines)
  const purse = purseOf(user)
  const missing = missingMoney(cost, purse)
  const { proceed, dialog } = useCheckout(user.UserNum)
  const [busy, setBusy] = useState(false)
  const onProceed = async () => {
    setBusy(true)
    await proceed(lines).finally(() => setBusy(false))
  }
  return (
    <Receipt title="Summary" note={`${count} ${count === 1 ? 'item' : 'items'}`} className={styles.receipt}>
      <dl className={styles.sums}>
        <div className={styles.subtotal}>
          <dt>{SHOP.subtotal}</dt>
          <dd>{formatMoney(subtotal)}</dd>
        </div>
        <div className={styles.total}>
          <dt>{SHOP.total}</dt>
          <dd>{formatMoney(total)}</dd>
        </div>
      </dl>
      <ul className={styles.currencies} aria-label="By currency">
        {CURRENCIES.filter((currency) => cost[currency] > 0).map((currency) => (
          <li key={currency}>
            <strong>
              <Price amount={cost[currency]} currency={currency} mark={22} />
            </strong>
            <span>you have {formatMoney(purse[currency])}</span>
          </li>
        ))}
      </ul>
      {isShort(missing) && <MissingMoney missing={missing} />}
      <Button
        tone="paper"
        size="lg"
        className={styles.proceed}
        busy={busy}
        disabled={checked.length === 0}
        aria-describedby={checked.length === 0 ? 'nothing-checked' : undefined}
        onClick={() => void onProceed()}
      >
        {SHOP.proceed}
      </Button>
      {checked.length === 0 && (
        <p className={styles.reason} id="nothing-checked">
          Check at least one item.
        </p>
      )}
      <ButtonLink to="/itemshop" tone="quiet" className={styles.on}>
        Back to the shop
      </ButtonLink>
      <PurchaseDialog {...dialog} />
    </Receipt>
  )
}
