import { useRef } from 'react'
import { useLocation } from 'react-router'
import { useHydrated } from '#web/api/page.ts'
import { readWanted, type Wanted } from './ticket-address.ts'

/**
 * What the address asks for; nothing while rendering on the server, where the same document serves everyone. A jump
 * within the page (#content) takes the key out of the address, but not out of the page.
 */
export function useWanted(): Wanted {
  const hydrated = useHydrated()
  const location = useLocation()
  const shown = useRef<Wanted>(null)
  if (!hydrated) return null
  const wanted = readWanted(location)
  const isJump = location.hash !== '' && !location.hash.startsWith('#key=') && location.search === ''
  if (!(wanted === null && isJump)) shown.current = wanted
  return shown.current
}
