import { type Amounts, CURRENCIES, CURRENCY_NAMES } from '#web/features/shop/currency.ts'
import { Price } from '#web/features/shop/price.tsx'
import { formatMoney } from '#web/ui/money.ts'
import styles from './purchase-dialog.module.css'

type PurchaseSumsProps = { cost: Amounts; purse: Amounts; missing: Amounts }

/** For each currency that is paid: the price, the balance now, and what is left or missing afterwards. */
export function PurchaseSums({ cost, purse, missing }: PurchaseSumsProps) {
  return (
    <div className={styles.sums}>
      {CURRENCIES.filter((currency) => cost[currency] > 0).map((currency) => (
        <dl key={currency} className={styles.sum}>
          <div>
            <dt>Price</dt>
            <dd>
              <Price amount={cost[currency]} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>You have</dt>
            <dd>
              <Price amount={purse[currency]} currency={currency} />
            </dd>
          </div>
          {missing[currency] === 0 ? (
            <div className={styles.after}>
              <dt>After this</dt>
              <dd>
                <Price amount={purse[currency] - cost[currency]} currency={currency} />
              </dd>
            </div>
          ) : (
            <div className={styles.missing}>
              <dt>Missing</dt>
              <dd>
                {formatMoney(missing[currency])} {CURRENCY_NAMES[currency]}
              </dd>
            </div>
          )}
        </dl>
      ))}
    </div>
  )
}
