import { useEffect, useState } from 'react'

/** True once the browser has nothing better to do: the time to fetch what first paint can miss. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1000)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }, [])
  return idle
}
