import { type ReactNode, useState } from 'react'
import { buyCartItem, type CartLine } from '#contract/cart.ts'
import { CART_NAME_MAX } from '#contract/limits.ts'
import { formatMoney } from '#contract/numbers.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import {
  type Amounts,
  CURRENCIES,
  computeShortfall,
  cutName,
  getCurrency,
  hasShortfall,
  toBalances,
} from '#web/features/shop/amounts.ts'
import { Price } from '#web/features/shop/item-parts.tsx'
import { EarningMilleage } from '#web/features/shop/purchase-sums.tsx'
import { useClosedPurchaseProps } from '#web/features/shop/purchases-closed.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { CurrencyText, useCurrencyNames } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { Count, Value } from '#web/ui/value.tsx'
import { describePriceChanges, getLinePrice, sumCart } from './cart.ts'
import styles from './cart-receipt.module.css'
import { usePurchase } from './purchase-dialog.tsx'
import { alertRefusal, useCart, useLoadCart } from './use-cart.ts'

type ReceiptProps = { title: string; note: ReactNode; className?: string | undefined; children: ReactNode }

/** A receipt on paper with a torn edge. */
export function Receipt({ title, note, className, children }: ReceiptProps) {
  return (
    <section className={[styles.receipt, className].filter(Boolean).join(' ')} data-surface="paper" aria-label={title}>
      <div className={styles.head}>
        <h2 className={text.size24}>{title}</h2>
        <span className={styles.note}>{note}</span>
      </div>
      {children}
    </section>
  )
}

/**
 * The cart summary for players in the side panel (SHELL-8). It is last in its column, so nothing else moves when it
 * grows.
 */
export function CartSummary() {
  const { data: lines } = useCart()
  const { count, subtotal, total, cost, hasBothCurrencies } = sumCart(lines ?? [])
  return (
    <Receipt title="Shopping cart" note={<Count of={count} unit="item" />}>
      <div className={`${styles.scroll} quiet-scroll`}>
        {lines === undefined || count === 0 ? (
          <p className={styles.empty}>{lines?.length === 0 && 'Your cart is empty. Items you add appear here.'}</p>
        ) : (
          <SummaryLines lines={lines} />
        )}
      </div>
      <dl className={styles.summarySums}>
        <div>
          <dt>{SHOP_TEXTS.subtotal}</dt>
          <dd>
            <Value>{formatMoney(subtotal)}</Value>
          </dd>
        </div>
        <div className={styles.summaryTotal}>
          <dt>{SHOP_TEXTS.total}</dt>
          <dd>
            <Value>{formatMoney(total)}</Value>
          </dd>
        </div>
      </dl>
      <p className={styles.amounts}>
        {hasBothCurrencies &&
          CURRENCIES.map((currency) => (
            <Price key={currency} amount={cost[currency]} currency={currency} markSize={18} />
          ))}
      </p>
      <ButtonLink to="/shoppingcart" tone="paper" className={styles.checkout}>
        {SHOP_TEXTS.checkout}
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
            <td>
              <Value>{line.quantity}</Value>
            </td>
            <td>
              <Price amount={getLinePrice(line)} currency={getCurrency(line.shopitem.section)} markSize={16} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type CartReceiptProps = {
  lines: readonly CartLine[]
  user: { UserNum: number; UserPoint: number; UserPoint2: number }
}

/** The cart's summary as a receipt: item count, Subtotal, Total, the amount in each currency, and the button to buy. */
export function CartReceipt({ lines, user }: CartReceiptProps) {
  const { count, subtotal, total, checkedLines, cost } = sumCart(lines)
  const balances = toBalances(user)
  const shortfall = computeShortfall(cost, balances)
  const closedProps = useClosedPurchaseProps()
  const { proceed, dialog } = useCheckout(user.UserNum)
  const [busy, setBusy] = useState(false)
  const onProceed = async () => {
    setBusy(true)
    await proceed(lines).finally(() => setBusy(false))
  }
  return (
    <Receipt title="Summary" note={<Count of={count} unit="item" />} className={styles.cart}>
      <dl className={styles.sums}>
        <div className={styles.subtotal}>
          <dt>{SHOP_TEXTS.subtotal}</dt>
          <dd>
            <Value>{formatMoney(subtotal)}</Value>
          </dd>
        </div>
        <div className={styles.total}>
          <dt>{SHOP_TEXTS.total}</dt>
          <dd>
            <Value>{formatMoney(total)}</Value>
          </dd>
        </div>
      </dl>
      <ul className={styles.currencies} aria-label="By currency">
        {CURRENCIES.filter((currency) => cost[currency] > 0).map((currency) => (
          <li key={currency}>
            <strong>
              <Price amount={cost[currency]} currency={currency} markSize={22} />
            </strong>
            <span>
              you have <Value>{formatMoney(balances[currency])}</Value>
            </span>
          </li>
        ))}
      </ul>
      {hasShortfall(shortfall) && <ShortfallNote shortfall={shortfall} />}
      <Button
        tone="paper"
        size="lg"
        className={styles.proceed}
        busy={busy}
        disabled={checkedLines.length === 0}
        aria-describedby={checkedLines.length === 0 ? 'nothing-checked' : undefined}
        {...closedProps}
        onClick={() => void onProceed()}
      >
        {SHOP_TEXTS.proceed}
      </Button>
      {checkedLines.length === 0 && (
        <p className={styles.reason} id="nothing-checked">
          Check at least one item.
        </p>
      )}
      <ButtonLink to="/itemshop" tone="quiet" className={styles.backLink}>
        Back to the shop
      </ButtonLink>
      {dialog}
    </Receipt>
  )
}

/** Shows the missing amounts and ways to get them. */
function ShortfallNote({ shortfall }: { shortfall: Amounts }) {
  const names = useCurrencyNames()
  const amountTexts = CURRENCIES.filter((currency) => shortfall[currency] > 0).map(
    (currency) => `${formatMoney(shortfall[currency])} ${names[currency]}`,
  )
  return (
    <div className={styles.shortfall}>
      <p>
        Missing: <Value>{amountTexts.join(' and ')}</Value>.{' '}
        {shortfall.rCoin > 0 && (
          <Link to="/topup">
            <CurrencyText>Top Up R-Coin</CurrencyText>
          </Link>
        )}
      </p>
      {shortfall.milleage > 0 && <EarningMilleage />}
    </div>
  )
}

const getItems = (lines: readonly CartLine[]) => lines.map(({ shopitem }) => shopitem)

/**
 * 'Proceed to Buy': loads the current cart, shows changed prices, prompts for confirmation, and buys the checked lines.
 */
function useCheckout(userNum: number) {
  const loadCart = useLoadCart(userNum)
  const { promptForPurchase, dialog } = usePurchase()

  const proceed = async (shownLines: readonly CartLine[]) => {
    try {
      const { checkedLines } = sumCart(await loadCart())
      if (checkedLines.length === 0) return void showToast('error', SHOP_TEXTS.nothingChecked)
      const items = JSON.stringify(checkedLines.map(({ seq, productnum }) => ({ seq, productnum })))
      await promptForPurchase({
        lines: checkedLines,
        notes: describePriceChanges(getItems(shownLines), getItems(checkedLines)),
        send: (idempotencyKey) => call(buyCartItem, { items }, { idempotencyKey }),
      })
    } catch (error) {
      alertRefusal(error)
    }
  }

  return { proceed, dialog }
}
