import { useQueryClient } from '@tanstack/react-query'
import { addToCart } from '#contract/cart.ts'
import type { ShopItem } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import { useSession } from '#web/api/session.ts'
import { useLoginFirst } from '#web/features/shop/use-login-first.ts'
import { showToast } from '#web/ui/toast.ts'
import { alertCall } from './alert-call.ts'
import { cartKey } from './queries.ts'

/** 'Add to cart' (SPEC §2.11): adds one and reloads the cart; a guest is sent to /login. */
export function useAddToCart(): (item: ShopItem) => Promise<void> {
  const client = useQueryClient()
  const loginFirst = useLoginFirst()
  const userNum = useSession()?.user.UserNum ?? 0
  return async (item) => {
    if (!loginFirst()) return
    try {
      const query = { productnum: String(item.ProductNum) }
      const { message } = await call(addToCart, query)
      void showToast('done', message)
    } catch (error) {
      alertCall(error)
    }
    await client.invalidateQueries({ queryKey: cartKey(userNum) })
  }
}
