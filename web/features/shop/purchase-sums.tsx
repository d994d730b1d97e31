import { useState } from 'react'
import { formatMoney } from '#contract/numbers.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { useDocument } from '#web/api/documents.ts'
import { CurrencyText, useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Value } from '#web/ui/value.tsx'
import { type Amounts, CURRENCIES, computeShortfall } from './amounts.ts'
import { Price } from './item-parts.tsx'
import styles from './purchase-sums.module.css'

/**
 * Returns the value from the moment `isFrozen` became true, otherwise the current one. A dialog shows the confirmed
 * sums until it closes, even if they change while the purchase runs (BUY-1).
 *
 * @param value must keep its identity until it changes
 */
export function useFrozenValue<Value>(value: Value, isFrozen: boolean): Value {
  const [frozenValue, setFrozenValue] = useState(value)
  if (!isFrozen && frozenValue !== value) setFrozenValue(value)
  return isFrozen ? frozenValue : value
}

type PurchaseSumsProps = {
  cost: Amounts
  balances: Amounts
  /** The number of units; 1 by default. */
  units?: number
  /** The id of the missing amounts, which describe a disabled button. */
  shortfallId?: string
}

/** Shows, for each currency of the cost: the price, the current balance, and the remaining or missing amount. */
export function PurchaseSums({ cost, balances, units = 1, shortfallId }: PurchaseSumsProps) {
  const shortfall = computeShortfall(cost, balances)
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
              <Price amount={balances[currency]} currency={currency} />
            </dd>
          </div>
          {shortfall[currency] === 0 ? (
            <div className={styles.balanceAfter}>
              <dt>After this</dt>
              <dd>
                <Price amount={balances[currency] - cost[currency]} currency={currency} />
              </dd>
            </div>
          ) : (
            <div className={styles.shortfall} id={shortfallId}>
              <dt>Missing</dt>
              <dd>
                <Value>{formatMoney(shortfall[currency])}</Value> {names[currency]}
              </dd>
            </div>
          )}
        </dl>
      ))}
      {shortfall.milleage > 0 && <EarningMilleage isOpen />}
    </div>
  )
}

/** The operators' text on earning Milleage (SHOP-9, BUY-8); nothing without one. */
export function EarningMilleage({ isOpen }: { isOpen?: boolean }) {
  const milleageText = useDocument('frame')?.milleage
  if (!milleageText) return null
  return (
    <details className={styles.earning} open={isOpen}>
      <summary>
        <CurrencyText>{SHOP_TEXTS.earnMilleage}</CurrencyText>
      </summary>
      <p>{milleageText}</p>
    </details>
  )
}
