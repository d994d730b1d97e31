import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isExpired } from '#web/api/call.ts'
import { isLeaving } from '#web/api/guard.ts'
import { accessToken, clearSession, useAccessToken } from '#web/api/session.ts'
import { refreshSession } from '#web/api/session-actions.ts'

/**
 * /login with a stored token: one that the server still accepts goes on, a dead one is
 * forgotten without alarm and the form is shown (DECISIONS §4).
 */
export function useStoredToken(goTo: () => string): void {
  const navigate = useNavigate()
  const token = useAccessToken()
  const target = useRef(goTo)
  target.current = goTo
  useEffect(() => {
    if (token === null || isLeaving()) return
    refreshSession('none').then(
      () => {
        if (accessToken() === token) void navigate(target.current(), { replace: true })
      },
      (error: unknown) => {
        if (accessToken() === token && isExpired(error)) clearSession()
      },
    )
  }, [token, navigate])
}
