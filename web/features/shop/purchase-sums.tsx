import { useState } from 'react'
import { formatMoney } from '#contract/numbers.ts'
import { SHOP } from '#contract/shop.ts'
import { useDocument } from '#web/api/documents.ts'
import { CurrencyText, useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Value } from '#web/ui/value.tsx'
import { type Amounts, CURRENCIES, findShortfall } from './amounts.ts'
import { Price } from './item-parts.tsx'
import styles from './purchase-sums.module.css'

/**
 * Returns the value as it was when `isFrozen` became true, and the current one otherwise. A dialog shows the sums that
 * were confirmed until it is closed, whatever changes while the purchase runs (BUY-1).
 *
 * @param value has the same identity until it changes
 */
export function useFrozen<Value>(value: Value, isFrozen: boolean): Value {
  const [frozen, setFrozen] = useState(value)
  if (!isFrozen && frozen !== value) setFrozen(value)
  return isFrozen ? frozen : value
}

type PurchaseSumsProps = {
  cost: Amounts
  purse: Amounts
  /** How many units it is for; 1 unless given. */
  units?: number
  /** Given to what is missing, for a button that is disabled because of it. */
  missingId?: string
}

/** For each currency that is paid: the price, the balance now, and what is left or missing afterwards. */
export function PurchaseSums({ cost, purse, units = 1, missingId }: PurchaseSumsProps) {
  const missing = findShortfall(cost, purse)
  const names = useCurrencyNames()
  return (
    <div className={`${layout.stack} ${styles.sums}`}>
      {CURRENCIES.filter((currency) => cost[currency] > 0).map((currency) => (
        <dl key={currency} className={styles.sum}>
          <div>
            <dt>{units > 1 ? SHOP.total : 'Price'}</dt>
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
            <div className={styles.missing} id={missingId}>
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

/** The operators' text on earning Milleage (BUY-8); nothing until they have written it. */
export function EarningMilleage({ open }: { open?: boolean }) {
  const milleageText = useDocument('frame')?.milleage
  if (!milleageText) return null
  return (
    <details className={styles.earning} open={open}>
      <summary>
        <CurrencyText>{SHOP.earnMilleage}</CurrencyText>
      </summary>
      <p>{milleageText}</p>
    </details>
  )
}
