import { useState } from 'react'
import { formatMoney } from '#contract/numbers.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { useDocument } from '#web/api/documents.ts'
import { CurrencyText, useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Value } from '#web/ui/value.tsx'
import { type Amounts, CURRENCIES, findShortfall } from './amounts.ts'
import { Price } from './item-parts.tsx'
import styles from './purchase-sums.module.css'

/**
 * Returns the value from the moment `isFrozen` became true, otherwise the current one. A dialog shows the confirmed
 * sums until it closes, even if they change while the purchase runs (BUY-1).
 *
 * @param value must keep its identity until it changes
 */
export function useFrozen<Value>(value: Value, isFrozen: boolean): Value {
  const [frozen, setFrozen] = useState(value)
  if (!isFrozen && frozen !== value) setFrozen(value)
  return isFrozen ? frozen : value
}

type PurchaseSumsProps = {
  cost: Amounts
  purse: Amounts
  /** The number of units; 1 by default. */
  units?: number
  /** The id of the missing amounts, which describe a disabled button. */
  missingId?: string
}

/** Shows, for each currency of the cost: the price, the current balance, and the remaining or missing amount. */
export function PurchaseSums({ cost, purse, units = 1, missingId }: PurchaseSumsProps) {
  const missing = findShortfall(cost, purse)
  const names = useCurrencyNames()
  return (
    <div className={`${layout.stack} ${styles.sums}`}>
      {CURRENCIES.filter((currency) => cost[currency] > 0).map((currency) => (
        <dl key={currency} className={styles.sum}>
          <div>
            <dt>{units > 1 ? SHOP_TEXTS.total : 'Price'}</dt>
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
            <div className={styles.balanceAfter}>
              <dt>After this</dt>
              <dd>
                <Price amount={purse[currency] - cost[currency]} currency={currency} />
              </dd>
            </div>
          ) : (
            <div className={styles.shortfall} id={missingId}>
              <dt>Missing</dt>
              <dd>
                <Value>{formatMoney(missing[currency])}</Value> {names[currency]}
              </dd>
            </div>
          )}
        </dl>
      ))}
      {missing.milleage > 0 && <EarningMilleage open />}
    </div>
  )
}

/** The operators' text on earning Milleage (BUY-8); nothing without one. */
export function EarningMilleage({ open }: { open?: boolean }) {
  const milleageText = useDocument('frame')?.milleage
  if (!milleageText) return null
  return (
    <details className={styles.earning} open={open}>
      <summary>
        <CurrencyText>{SHOP_TEXTS.earnMilleage}</CurrencyText>
      </summary>
      <p>{milleageText}</p>
    </details>
  )
}
