import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and in the first rendering, then true: for what only the address in the browser tells. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
