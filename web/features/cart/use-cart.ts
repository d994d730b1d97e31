import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { alertCall } from './alert-call.ts'
import { cartQuery } from './queries.ts'

/** A player's cart. A load that failed shows the server's message (SPEC §8). */
export function useCart(userNum: number) {
  const cart = useQuery(cartQuery(userNum))
  const { error, errorUpdatedAt } = cart
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure has its own time
  useEffect(() => {
    if (error !== null) alertCall(error)
  }, [error, errorUpdatedAt])
  return cart
}
