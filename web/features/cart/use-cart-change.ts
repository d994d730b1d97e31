import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CartLine } from '#contract/cart.ts'
import { getShopCart, updateCheck, updateQuantity } from '#contract/cart.ts'
import { call } from '#web/api/call.ts'
import { applyChange, type CartChange, revertChange } from './cart-changes.ts'
import { cartKey } from './queries.ts'

const CHANGES = ['cart-change']

function send({ step, ...line }: CartChange) {
  if (step === 'check') return call(updateCheck, line, { shellShows: 'ended-session' })
  return call(updateQuantity, { ...line, quantityChange: step }, { shellShows: 'ended-session' })
}

/**
 * Plus, minus and check answer at once and are sent one after the other; the cart is reloaded when the last
 * of them is answered. A failed one goes back and is only logged (SPEC §8).
 */
export function useCartChange(userNum: number): (change: CartChange) => void {
  const client = useQueryClient()
  const queryKey = cartKey(userNum)
  const put = (update: (lines: CartLine[]) => CartLine[]) =>
    client.setQueryData<CartLine[]>(queryKey, (lines) => lines && update(lines))
  const { mutate } = useMutation({
    mutationKey: CHANGES,
    scope: { id: 'cart' },
    mutationFn: send,
    onMutate: async (change: CartChange) => {
      const before = client.getQueryData<CartLine[]>(queryKey)?.find(({ seq }) => seq === change.seq)
      put((lines) => applyChange(lines, change))
      await client.cancelQueries({ queryKey })
      return { before }
    },
    onError: (error, change, kept) => {
      console.warn('cart change failed', change, error.message)
      put((lines) => revertChange(lines, change, kept?.before))
    },
    onSettled: () =>
      client.isMutating({ mutationKey: CHANGES }) === 1 ? client.invalidateQueries({ queryKey }) : undefined,
  })
  return (change) => mutate(change)
}

/** The cart as the server has it now. @throws CallError */
export function useFreshCart(userNum: number): () => Promise<CartLine[]> {
  const client = useQueryClient()
  return async () => {
    const lines = await call(getShopCart, { usernum: userNum })
    client.setQueryData(cartKey(userNum), lines)
    return lines
  }
}
