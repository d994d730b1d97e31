import { type Amounts, CURRENCIES, CURRENCY_NAMES } from '#web/features/shop/currency.ts'
import { Link } from '#web/ui/link.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './cart-receipt.module.css'

/** What is missing for a purchase, and the way to top up. */
export function MissingMoney({ missing }: { missing: Amounts }) {
  const parts = CURRENCIES.filter((currency) => missing[currency] > 0).map(
    (currency) => `${formatMoney(missing[currency])} ${CURRENCY_NAMES[currency]}`,
  )
  return (
    <p className={styles.missing}>
      Missing: {parts.join(' and ')}. <Link to="/topup">Top Up R-Coin</Link>
    </p>
  )
}
