import type { CartLine } from '#contract/cart.ts'
import { costOf } from '#web/features/shop/amounts.ts'

type Line = Pick<CartLine, 'quantity' | 'isChecked'> & { shopitem: { price: number; section: number } }

/** What a line shows: price × quantity (DECISIONS §4 Cart). */
export function linePrice({ shopitem, quantity }: Line): number {
  return shopitem.price * quantity
}

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + linePrice(line), 0)

/**
 * The numbers of a cart (SPEC §9): its entries, the sum of all lines, the sum of the checked
 * ones, and what these cost in each currency. `mixed` when both currencies are checked.
 */
export function cartSums<L extends Line>(lines: readonly L[]) {
  const checked = lines.filter(({ isChecked }) => isChecked === 1)
  const cost = costOf(checked)
  return {
    count: lines.length,
    subtotal: sumOf(lines),
    total: sumOf(checked),
    checked,
    cost,
    mixed: cost.rCoin > 0 && cost.milleage > 0,
  }
}
