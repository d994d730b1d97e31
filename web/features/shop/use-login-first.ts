import { useLocation, useNavigate } from 'react-router'
import { loginPathFor } from '#web/api/guard.ts'
import { accessToken } from '#web/api/session.ts'

/** For buttons of players only: sends a guest to /login and back here afterwards (SPEC §6). The result says whether to go on. */
export function useLoginFirst(): () => boolean {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return () => {
    if (accessToken() !== null) return true
    void navigate(loginPathFor(pathname + search))
    return false
  }
}
