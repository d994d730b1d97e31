import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addToCart, type CartLine, getShopCart, updateCheck, updateQuantity } from '#contract/cart.ts'
import type { ShopItem } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import { getLoginPath, type LoginIntent } from '#web/api/guard.ts'
import { toKeyPrefix, toQueryKey, useCall } from '#web/api/queries.ts'
import { getAccessToken, useSession } from '#web/api/session.ts'
import { showToast } from '#web/ui/toast.ts'
import { applyChange, type CartChange, getRefusalText, revertChange } from './cart.ts'

/** Shows the alert of a failed call, unless the shell shows one. */
export function alertRefusal(error: unknown): void {
  const text = getRefusalText(error)
  if (text !== null) void showToast('error', text)
}

let channel: BroadcastChannel | undefined

/** Opens the channel on which tabs announce a changed cart (CART-7). Other tabs then reload theirs. */
function getCartChannel(client: QueryClient): BroadcastChannel {
  if (channel === undefined) {
    channel = new BroadcastChannel('cart')
    channel.onmessage = () => client.invalidateQueries({ queryKey: toKeyPrefix(getShopCart) })
  }
  return channel
}

/** Reloads the cart after a change, in every tab of this browser. */
export async function reloadCart(client: QueryClient): Promise<void> {
  getCartChannel(client).postMessage('changed')
  await client.invalidateQueries({ queryKey: toKeyPrefix(getShopCart) })
}

/** Loads a player's cart and follows changes in other tabs. A failed load shows the server's message (FAIL-6). */
export function useCart() {
  const userNum = useSession()?.user.UserNum ?? 0
  const client = useQueryClient()
  useEffect(() => void getCartChannel(client), [client])
  const cart = useCall(
    getShopCart,
    { usernum: userNum },
    {
      enabled: userNum > 0,
      staleTime: 2000,
      // Another device may have changed the cart.
      refetchOnWindowFocus: 'always',
      retry: false,
    },
  )
  const { error, errorUpdatedAt } = cart
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorUpdatedAt distinguishes one failure from the next
  useEffect(() => {
    if (error !== null) alertRefusal(error)
  }, [error, errorUpdatedAt])
  return cart
}

/**
 * Returns a function that checks the login before an action and returns whether to continue. It sends guests to /login,
 * which names the action and leads back here (SHOP-8).
 */
export function useRequireLogin(): (intent?: LoginIntent) => boolean {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (intent) => {
    if (getAccessToken() !== null) return true
    void navigate(getLoginPath(pathname + search, intent))
    return false
  }
}

/** Returns a function that adds one unit of an item to the player's cart and reloads the cart (CART-6). */
export function useAddItem(): (productNum: number) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (productNum) => {
    try {
      const { message } = await call(addToCart, { productnum: productNum })
      const to = '/shoppingcart'
      void showToast('done', message, { action: { label: 'View cart', to, onPress: () => void navigate(to) } })
    } catch (error) {
      alertRefusal(error)
    }
    await reloadCart(client)
  }
}

/** Returns the action of 'Add to cart' (SHOP-3). A guest's item is added after the login (SHOP-8). */
export function useAddToCart(): (item: ShopItem) => Promise<void> {
  const requireLogin = useRequireLogin()
  const addItem = useAddItem()
  return async ({ ProductNum }) => {
    if (requireLogin({ add: ProductNum })) await addItem(ProductNum)
  }
}

const CHANGE_KEY = ['cart-change']

function sendChange({ step, ...line }: CartChange) {
  if (step === 'check') return call(updateCheck, line, { shellFailures: 'ended-session' })
  return call(updateQuantity, { ...line, quantityChange: step }, { shellFailures: 'ended-session' })
}

/**
 * Changes the cart: plus, minus and check apply to the page at once and are sent one by one. The cart reloads after the
 * last change. A failed change is reverted and only logged (FAIL-6). `restoreLine` restores a removed line after all
 * earlier changes.
 */
export function useCartChange(userNum: number) {
  const client = useQueryClient()
  const queryKey = toQueryKey(getShopCart, { usernum: userNum })
  const readLines = () => client.getQueryData<CartLine[]>(queryKey)
  const updateLines = (update: (lines: CartLine[]) => CartLine[]) =>
    client.setQueryData<CartLine[]>(queryKey, (lines) => lines && update(lines))
  const onSettled = () => (client.isMutating({ mutationKey: CHANGE_KEY }) === 1 ? reloadCart(client) : undefined)
  const queueOptions = { mutationKey: CHANGE_KEY, scope: { id: 'cart' }, onSettled }

  const { mutate: changeLine } = useMutation({
    ...queueOptions,
    mutationFn: sendChange,
    onMutate: async (change: CartChange) => {
      const lineBefore = readLines()?.find(({ seq }) => seq === change.seq)
      updateLines((lines) => applyChange(lines, change))
      await client.cancelQueries({ queryKey })
      return { lineBefore }
    },
    onError: (error, change, context) => {
      console.warn('cart change failed', change, error.message)
      updateLines((lines) => revertChange(lines, change, context?.lineBefore))
    },
  })

  const { mutate: restoreLine } = useMutation({
    ...queueOptions,
    mutationFn: async ({ seq, productnum, isChecked }: CartLine) => {
      // If the removal failed, the line still exists.
      if (readLines()?.some((line) => line.seq === seq)) return
      await call(addToCart, { productnum })
      if (isChecked === 1) return
      const lines = await call(getShopCart, { usernum: userNum })
      const addedLine = lines.find((line) => line.productnum === productnum && line.isChecked === 1)
      if (addedLine) await call(updateCheck, { seq: addedLine.seq, ProductNum: productnum })
    },
    onError: alertRefusal,
  })

  return { changeLine, restoreLine }
}

/** Returns a function that loads the current cart from the server. It throws a `CallError`. */
export function useLoadCart(userNum: number): () => Promise<CartLine[]> {
  const client = useQueryClient()
  return async () => {
    const lines = await call(getShopCart, { usernum: userNum })
    client.setQueryData(toQueryKey(getShopCart, { usernum: userNum }), lines)
    return lines
  }
}
