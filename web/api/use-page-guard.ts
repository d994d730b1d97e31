import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isLeaving } from './leaving.ts'
import { loginPathFor } from './own-path.ts'
import type { Page } from './page.ts'
import { useSessionState } from './session.ts'

/**
 * Guards the page on show (SPEC §6): guests are sent from a players' page to /login and come back here afterwards,
 * players from a guests' page home.
 */
export function usePageGuard(access: Page['access']): void {
  const state = useSessionState()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (isLeaving()) return
    if (access === 'players' && state === 'guest') void navigate(loginPathFor(pathname + search), { replace: true })
    if (access === 'guests' && state === 'in') void navigate('/', { replace: true })
  }, [access, state, navigate, pathname, search])
}
