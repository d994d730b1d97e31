import type { CartLine } from '#contract/cart.ts'
import { formatUnknownError } from '#contract/messages.ts'
import { formatMoney } from '#contract/numbers.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { sumCosts } from '#web/features/shop/amounts.ts'

/** A change of a line: a step of its quantity, or of its checkbox. */
export type CartChange = { seq: number; ProductNum: number } & ({ step: 1 | -1 } | { step: 'check' })

/** Returns the cart after a change. A quantity below one removes the line (CART-5). */
export function applyChange(lines: readonly CartLine[], { seq, step }: CartChange): CartLine[] {
  return lines.flatMap((line): CartLine[] => {
    if (line.seq !== seq) return [line]
    if (step === 'check') return [{ ...line, isChecked: line.isChecked === 1 ? 0 : 1 }]
    const quantity = line.quantity + step
    return quantity < 1 ? [] : [{ ...line, quantity }]
  })
}

/** Undoes a failed change without affecting the others. A removed line returns to its position. */
export function revertChange(
  lines: readonly CartLine[],
  change: CartChange,
  lineBefore: CartLine | undefined,
): CartLine[] {
  if (lines.some(({ seq }) => seq === change.seq)) {
    return applyChange(lines, { ...change, step: change.step === 'check' ? 'check' : change.step === 1 ? -1 : 1 })
  }
  return lineBefore === undefined ? [...lines] : [...lines, lineBefore].sort((a, b) => a.seq - b.seq)
}

/** Returns the rows to show: the cart's lines, and recently removed lines in their old positions. */
export function mergeRemovedLines(lines: readonly CartLine[], removedLines: readonly CartLine[]) {
  const cartSeqs = new Set(lines.map(({ seq }) => seq))
  return [
    ...lines.map((line) => ({ line, isRemoved: false })),
    ...removedLines.filter(({ seq }) => !cartSeqs.has(seq)).map((line) => ({ line, isRemoved: true })),
  ].sort((a, b) => a.line.seq - b.line.seq)
}

type PricedCartLine = Pick<CartLine, 'quantity' | 'isChecked'> & { shopitem: { price: number; section: number } }

/** Returns a line's price: price × quantity (CART-3). */
export function getLinePrice({ shopitem, quantity }: PricedCartLine): number {
  return shopitem.price * quantity
}

const sumLines = (lines: readonly PricedCartLine[]) => lines.reduce((sum, line) => sum + getLinePrice(line), 0)

/**
 * Returns the totals of a cart (CART-3): the number of entries, the sum of all lines, the sum of the checked lines, and
 * their cost in each currency. `hasBothCurrencies` is true if lines of both currencies are checked.
 */
export function sumCart<L extends PricedCartLine>(lines: readonly L[]) {
  const checkedLines = lines.filter(({ isChecked }) => isChecked === 1)
  const cost = sumCosts(checkedLines)
  return {
    count: lines.length,
    subtotal: sumLines(lines),
    total: sumLines(checkedLines),
    checkedLines,
    cost,
    hasBothCurrencies: cost.rCoin > 0 && cost.milleage > 0,
  }
}

type PricedItem = { ProductNum: number; ItemName: string; price: number }

/** Returns a sentence for each price that changed after it was shown; the current price is charged. */
export function describePriceChanges(shownItems: readonly PricedItem[], currentItems: readonly PricedItem[]): string[] {
  return currentItems.flatMap((item) => {
    const shownItem = shownItems.find(({ ProductNum }) => ProductNum === item.ProductNum)
    if (shownItem === undefined || shownItem.price === item.price) return []
    return [`The price of ${item.ItemName} changed from ${formatMoney(shownItem.price)} to ${formatMoney(item.price)}.`]
  })
}

/** The statuses of failures that the shell shows: no response, an ended session, too many requests (FAIL-3, FAIL-4). */
const SHELL_STATUSES = new Set([0, 401, 429])

/**
 * Returns the alert for a failed purchase, add to cart or cart load: the server's *message* field, or the generic
 * message (FAIL-6). Null if the shell shows the failure.
 */
export function getRefusalText(error: unknown): string | null {
  if (!(error instanceof CallError)) return getAlertText(error)
  return SHELL_STATUSES.has(error.status) ? null : (error.texts.message ?? formatUnknownError(error.status))
}
