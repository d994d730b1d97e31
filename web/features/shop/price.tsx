import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { CURRENCY_NAMES, type Currency } from './currency.ts'
import styles from './price.module.css'

type PriceProps = {
  amount: number
  currency: Currency
  /** Side of the mark in px. */
  mark?: number
}

/** An amount with two decimals behind its currency's mark; the currency's name is read out. */
export function Price({ amount, currency, mark = 20 }: PriceProps) {
  const Mark = currency === 'rCoin' ? CoinMark : MilleageMark
  return (
    <span className={styles.price}>
      <Mark size={mark} />
      {formatMoney(amount)}
      <span className="visually-hidden"> {CURRENCY_NAMES[currency]}</span>
    </span>
  )
}
