import { useNavigate } from 'react-router'
import { getUser, logout, processLogin } from '#contract/accounts.ts'
import { ADMIN_USER_TYPE, LOGIN_REDIRECT_MS } from '#contract/limits.ts'
import { LOGIN } from '#contract/messages.ts'
import { showToast } from '#web/ui/toast.ts'
import { type CallOptions, call } from './call.ts'
import { alertText } from './failure-text.ts'
import { leave, pause } from './leaving.ts'
import { readLoginAnswer } from './login-answer.ts'
import { accessToken, clearSession, saveSession } from './session.ts'

export type Credentials = { UserID: string; UserPass: string }

/** A logout does not wait longer than this for the server's word. */
const LOGOUT_WAIT_MS = 2000

/**
 * Logs in (SPEC §4): stores the session, shows the message and goes on after half a second;
 * on failure clears the session and shows what the server said.
 *
 * @returns whether the login succeeded
 */
export function useLogin(): (credentials: Credentials, goTo: string) => Promise<boolean> {
  const navigate = useNavigate()
  return async (credentials, goTo) => {
    try {
      const { data } = await call(processLogin, credentials, { shellShows: 'none' })
      const login = readLoginAnswer(data)
      if (login === null) {
        clearSession()
        void showToast('error', data.message)
        return false
      }
      await leave(async () => {
        saveSession(login.token, login.type, login.user)
        void showToast('done', data.message)
        if (login.type >= ADMIN_USER_TYPE) void showToast('note', LOGIN.adminAlert(login.user.UserID))
        await pause(LOGIN_REDIRECT_MS)
        await navigate(goTo)
      })
      return true
    } catch (error) {
      void showToast('error', alertText(error))
      return false
    }
  }
}

/** Logs out (SPEC §4): ends the session on the server, forgets it here and in every open tab, goes to /login. */
export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()
  return () =>
    leave(async () => {
      const ended = call(logout, {}, { shellShows: 'none' }).catch(() => undefined)
      // The call is on its way with the token; forgetting it now keeps other tabs from taking the end for an expiry.
      clearSession()
      await Promise.race([ended, pause(LOGOUT_WAIT_MS)])
      await navigate('/login')
    })
}

/** Forgets a session that the server has ended itself, and goes to /login. */
export function useForgetSession(): () => Promise<void> {
  const navigate = useNavigate()
  return () =>
    leave(async () => {
      clearSession()
      await navigate('/login')
    })
}

/**
 * Asks whose token is stored and keeps what the server says, whatever was written into the
 * storage meanwhile. @throws CallError
 */
export async function refreshSession(shellShows: CallOptions['shellShows'] = 'all'): Promise<void> {
  const token = accessToken()
  if (token === null) return
  const { data, user_type } = await call(getUser, {}, { shellShows })
  if (accessToken() === token) saveSession(token, user_type, data)
}
