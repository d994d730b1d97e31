import { useQueryClient } from '@tanstack/react-query'
import { buyItem } from '#contract/cart.ts'
import type { ShopItem } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import { optionsOf } from '#web/api/queries.ts'
import { alertCall } from '#web/features/cart/alert-call.ts'
import { priceNotes } from '#web/features/cart/price-changes.ts'
import { PurchaseDialog } from '#web/features/cart/purchase-dialog.tsx'
import { usePurchase } from '#web/features/cart/use-purchase.ts'
import { itemQuery } from './queries.ts'
import { useLoginFirst } from './use-login-first.ts'

/** 'Buy now' (SPEC §2.11): looks at the item's present price, asks, and buys one. `dialog` has to be on the page. */
export function useBuyNow() {
  const loginFirst = useLoginFirst()
  const client = useQueryClient()
  const purchase = usePurchase()

  const buyNow = async (shown: ShopItem) => {
    if (!loginFirst()) return
    try {
      const item = await client.fetchQuery({ ...optionsOf(itemQuery(shown.ProductNum)), staleTime: 0 })
      await purchase.ask({
        lines: [{ shopitem: item, quantity: 1 }],
        notes: priceNotes([shown], [item]),
        send: (idempotencyKey) => call(buyItem, { productnum: item.ProductNum }, { idempotencyKey }),
      })
    } catch (error) {
      alertCall(error)
    }
  }

  return { buyNow, dialog: <PurchaseDialog {...purchase.dialog} /> }
}
