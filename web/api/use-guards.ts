import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isLeaving } from './leaving.ts'
import { loginPathFor } from './own-path.ts'
import { type Session, useSession, useSessionState } from './session.ts'

/**
 * For pages of players only: sends guests to /login and back here afterwards (SPEC §6).
 * @returns the session, or null while it is not known or the guest is on the way
 */
export function useMembersOnly(): Session | null {
  const state = useSessionState()
  const session = useSession()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (state === 'guest' && !isLeaving()) void navigate(loginPathFor(pathname + search), { replace: true })
  }, [state, navigate, pathname, search])
  return session
}

/** For pages of guests only: sends players home (SPEC §6). */
export function useGuestsOnly(): void {
  const state = useSessionState()
  const navigate = useNavigate()
  useEffect(() => {
    if (state === 'in' && !isLeaving()) void navigate('/', { replace: true })
  }, [state, navigate])
}
