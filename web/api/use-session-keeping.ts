import { useEffect } from 'react'
import { type NavigateFunction, useLocation, useNavigate } from 'react-router'
import { SESSION_EXPIRED_REDIRECT_MS, TOASTS } from '#contract/limits.ts'
import { CALLS } from '#contract/messages.ts'
import { showToast, warmToasts } from '#web/ui/toast.ts'
import { type CallEvent, onCallEvent } from './call-events.ts'
import { leave, pause } from './leaving.ts'
import { browserQueries, MINE } from './queries.ts'
import { clearSession, isConfirmed, useAccessToken } from './session.ts'
import { refreshSession } from './session-actions.ts'

/** Several calls that fail at once are told once. */
const lastTold = new Map<string, number>()

function tellOnce(text: string): void {
  if (performance.now() - (lastTold.get(text) ?? -TOASTS.durationMs) < TOASTS.durationMs) return
  lastTold.set(text, performance.now())
  void showToast('error', text)
}

/**
 * Fetches what shows messages as soon as somebody touches the page, so that it is there when
 * the connection is not; pages that are only read never fetch it.
 */
function warmToastsOnce(): () => void {
  const given = new AbortController()
  const warm = () => {
    given.abort()
    warmToasts()
  }
  for (const touch of ['pointerdown', 'keydown', 'focusin']) {
    document.addEventListener(touch, warm, { passive: true, signal: given.signal })
  }
  return () => given.abort()
}

/** A session that ended on the server: SPEC §4, with its half second. */
function leaveExpired(message: string, navigate: NavigateFunction): Promise<void> {
  return leave(async () => {
    clearSession()
    if (message !== '') void showToast('error', message)
    void showToast('error', CALLS.sessionExpired)
    await pause(SESSION_EXPIRED_REDIRECT_MS)
    await navigate('/')
  })
}

/**
 * Keeps the session true, once for the whole site: confirms a stored token with the server in
 * the background, forgets a player's data with the player, and shows what concerns every page.
 * /login looks at a stored token itself, without alarm when it is dead (DECISIONS §4).
 */
export function useSessionKeeping(): void {
  const navigate = useNavigate()
  const token = useAccessToken()
  const isLogin = /^\/login\/?$/i.test(useLocation().pathname)

  useEffect(() => {
    if (token === null) browserQueries().removeQueries({ queryKey: [MINE] })
    else if (!isLogin && !isConfirmed(token)) refreshSession().catch(() => undefined)
  }, [token, isLogin])

  useEffect(warmToastsOnce, [])

  useEffect(
    () =>
      onCallEvent((event: CallEvent) => {
        if (event.kind === 'expired') void leaveExpired(event.message, navigate)
        else tellOnce(event.kind === 'too-many' ? CALLS.tooMany : CALLS.network)
      }),
    [navigate],
  )
}
