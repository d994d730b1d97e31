import { queryOptions } from '@tanstack/react-query'
import { getShopCart } from '#contract/cart.ts'
import { call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'

/** The key of a player's cart. */
export const cartKey = (userNum: number) => [MINE, userNum, 'cart'] as const

/** The lines of a player's cart; not asked for while the user number is missing or 0 (SPEC §4). */
export const cartQuery = (userNum: number) =>
  queryOptions({
    queryKey: cartKey(userNum),
    queryFn: () => call(getShopCart, { usernum: userNum }),
    enabled: userNum > 0,
    staleTime: 2000,
    // Another tab or device may have changed it.
    refetchOnWindowFocus: 'always',
    retry: false,
  })
