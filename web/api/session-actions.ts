import { useEffect } from 'react'
import { type NavigateFunction, useLocation, useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE, LOGIN_REDIRECT_MS, SESSION_EXPIRED_REDIRECT_MS, TOASTS } from '#contract/limits.ts'
import { CALL_TEXTS, LOGIN_TEXTS } from '#contract/messages.ts'
import { getUser, logout, processLogin } from '#contract/session.ts'
import { showToast, warmToasts } from '#web/ui/toast.ts'
import { type CallEvent, type CallOptions, call, getAlertText, onCallEvent } from './call.ts'
import { getLoginPath, leavePage, pause, takeActionAfterLogin } from './guard.ts'
import { storeLogin, toWaitingLogin } from './incomplete-login.ts'
import { getBrowserQueryClient, PRIVATE_DATA_KEY } from './queries.ts'
import {
  clearSession,
  deleteDrafts,
  getAccessToken,
  isSessionTemporary,
  isTokenConfirmed,
  readLoginAnswer,
  saveSession,
  useAccessToken,
} from './session.ts'

/** With `keepAccount`, the login cancels a request to erase the account. */
export type Credentials = { UserID: string; UserPass: string; keepAccount?: boolean }

/** The time that a logout waits for the server's response, in ms. */
const LOGOUT_WAIT_MS = 2000

/**
 * Returns a function that logs in (LOGIN-6): it stores the session, shows the message and continues after half a
 * second. A failure clears the session and shows the server's message. If a second factor is needed, or the account is blocked, it opens /login.
 *
 * `isAccepted` is true if the login succeeded or waits for a second factor. Otherwise `refusal` is the server's message,
 * or null if there was no response.
 */
export function useLogin(): (
  credentials: Credentials,
  nextPath: string,
) => Promise<{ isAccepted: true } | { isAccepted: false; refusal: string | null }> {
  const navigate = useNavigate()
  const completeLogin = useLoginCompletion()
  return async (credentials, nextPath) => {
    try {
      const { data } = await call(processLogin, credentials, { shellFailures: 'none' })
      const incompleteLogin = toWaitingLogin(data, nextPath, credentials.keepAccount)
      const isBlocked = data.status === 3
      const isLoggedIn = incompleteLogin === null && (await completeLogin(data, nextPath))
      if (incompleteLogin !== null) clearSession()
      const { UserID, UserPass } = credentials
      const blockedLogin = { UserID, UserPass, message: data.message }
      const { erasure_due_at: erasureDueAt } = data
      storeLogin(
        !isBlocked
          ? incompleteLogin
          : erasureDueAt === undefined
            ? blockedLogin
            : { ...blockedLogin, erasureDueAt, nextPath },
      )
      const rejection = { isAccepted: false, refusal: data.message } as const
      if (incompleteLogin === null && !isBlocked) return isLoggedIn ? { isAccepted: true } : rejection
      if (!isLoginPath(location.pathname)) await navigate(getLoginPath(nextPath))
      return isBlocked ? rejection : { isAccepted: true }
    } catch (error) {
      const text = getAlertText(error)
      void showToast('error', text)
      return { isAccepted: false, refusal: text === CALL_TEXTS.network ? null : text }
    }
  }
}

/**
 * Returns a function that completes a login with its response, or shows the error. It returns whether the login
 * succeeded.
 */
export function useLoginCompletion(): (
  data: CallOutput<typeof processLogin>['data'],
  nextPath: string,
) => Promise<boolean> {
  const navigate = useNavigate()
  return async (data, nextPath) => {
    const login = readLoginAnswer(data)
    if (login === null) {
      clearSession()
      void showToast('error', data.message)
      return false
    }
    // Reads the action first, because the page that set it closes before the action runs.
    const runNextStep = takeActionAfterLogin()
    await leavePage(async () => {
      saveSession(login.token, login.type, login.user)
      void showToast('done', data.message)
      if (isSessionTemporary()) void showToast('note', LOGIN_TEXTS.storageBlocked)
      if (login.type >= ADMIN_USER_TYPE) void showToast('note', LOGIN_TEXTS.adminAlert(login.user.UserID))
      await pause(LOGIN_REDIRECT_MS)
      await navigate(data.claim ? '/claim' : nextPath)
    })
    if (!data.claim) runNextStep?.()
    return true
  }
}

const isLoginPath = (pathname: string) => /^\/login\/?$/i.test(pathname)

/**
 * Returns a function that logs out (SESSION-3, ROUTE-6): it ends the session on the server, deletes it in every open tab,
 * and opens /login.
 */
export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()
  return () =>
    leavePage(async () => {
      const request = call(logout, {}, { shellFailures: 'none' }).catch(() => undefined)
      // The request already carries the token. Deleting it now prevents other tabs from reporting an expired session.
      clearSession()
      deleteDrafts()
      void unsubscribeFromPush()
      await Promise.race([request, pause(LOGOUT_WAIT_MS)])
      await navigate('/login')
    })
}

/** Ends push messages on this device, because the account logs out. */
async function unsubscribeFromPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

/** Returns a function that deletes a session that the server has already ended, and opens /login. */
export function useForgetSession(): () => Promise<void> {
  const navigate = useNavigate()
  return () =>
    leavePage(async () => {
      clearSession()
      await navigate('/login')
    })
}

/**
 * Requests the account of the stored token and stores the response.
 *
 * @throws CallError
 */
export async function refreshSession(shellFailures: CallOptions['shellFailures'] = 'all'): Promise<void> {
  const token = getAccessToken()
  if (token === null) return
  const { data, user_type } = await call(getUser, {}, { shellFailures })
  if (getAccessToken() === token) saveSession(token, user_type, data)
}

/** The time in ms at which each text was last shown. Concurrent failures with the same text are shown only once. */
const lastShownAt = new Map<string, number>()

function notifyOnce(text: string): void {
  if (performance.now() - (lastShownAt.get(text) ?? -TOASTS.durationMs) < TOASTS.durationMs) return
  lastShownAt.set(text, performance.now())
  void showToast('error', text)
}

/**
 * Downloads the code for messages at the first touch or key press, because the connection may be lost by the time that
 * a message is shown. Visitors who only read never download it.
 */
function warmToastsOnce(): () => void {
  const abort = new AbortController()
  const downloadToasts = () => {
    abort.abort()
    warmToasts()
  }
  for (const type of ['pointerdown', 'keydown', 'focusin']) {
    document.addEventListener(type, downloadToasts, { passive: true, signal: abort.signal })
  }
  return () => abort.abort()
}

/** Leaves a session that ended on the server (SESSION-4, ROUTE-6), after half a second. */
function leaveExpiredSession(message: string, navigate: NavigateFunction): Promise<void> {
  return leavePage(async () => {
    clearSession()
    if (message !== '') void showToast('error', message)
    void showToast('error', CALL_TEXTS.sessionExpired)
    await pause(SESSION_EXPIRED_REDIRECT_MS)
    await navigate('/')
  })
}

/**
 * Maintains the session for the whole site: verifies a stored token in the background, deletes a player's data after a
 * logout, and shows failures that concern every page. The page /login verifies a stored token itself, without an error
 * message if it has expired (ROUTE-4).
 */
export function useSessionMaintenance(): void {
  const navigate = useNavigate()
  const token = useAccessToken()
  const isLogin = isLoginPath(useLocation().pathname)

  useEffect(() => {
    if (token === null) getBrowserQueryClient().removeQueries({ queryKey: [PRIVATE_DATA_KEY] })
    else if (!isLogin && !isTokenConfirmed(token)) refreshSession().catch(() => undefined)
  }, [token, isLogin])

  useEffect(warmToastsOnce, [])

  useEffect(
    () =>
      onCallEvent((event: CallEvent) => {
        if (event.kind === 'expired') void leaveExpiredSession(event.message, navigate)
        else if (event.kind === 'claim') {
          if (location.pathname !== '/claim') void navigate('/claim', { replace: true })
        } else notifyOnce(event.kind === 'too-many' ? CALL_TEXTS.tooMany : CALL_TEXTS.network)
      }),
    [navigate],
  )
}
