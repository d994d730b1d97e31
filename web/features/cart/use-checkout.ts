import { buyCartItem, type CartLine } from '#contract/cart.ts'
import { SHOP } from '#contract/shop-messages.ts'
import { call } from '#web/api/call.ts'
import { showToast } from '#web/ui/toast.ts'
import { alertCall } from './alert-call.ts'
import { cartSums } from './cart-sums.ts'
import { priceNotes } from './price-changes.ts'
import { useFreshCart } from './use-cart-change.ts'
import { usePurchase } from './use-purchase.ts'

const itemsOf = (lines: readonly CartLine[]) => lines.map(({ shopitem }) => shopitem)

/** 'Proceed to Buy': looks at the cart as the server has it now, tells what changed meanwhile, asks, and buys the checked lines. */
export function useCheckout(userNum: number) {
  const freshCart = useFreshCart(userNum)
  const { ask, dialog } = usePurchase()

  const proceed = async (shown: readonly CartLine[]) => {
    try {
      const lines = await freshCart()
      const { checked } = cartSums(lines)
      if (checked.length === 0) return void showToast('error', SHOP.nothingChecked)
      const items = JSON.stringify(checked.map(({ seq, productnum }) => ({ seq, productnum })))
      await ask({
        lines: checked,
        notes: priceNotes(itemsOf(shown), itemsOf(checked)),
        send: (idempotencyKey) => call(buyCartItem, { items }, { idempotencyKey }),
      })
    } catch (error) {
      alertCall(error)
    }
  }

  return { proceed, dialog }
}
