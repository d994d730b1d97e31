import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether scripts run: false in the document and while it is taken over, true from then on. */
export function useScripted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
