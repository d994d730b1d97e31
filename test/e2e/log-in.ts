import type { BrowserContext, Page } from '@playwright/test'

type UserId = 'juan' | 'maria' | 'gm'

/** This worker's sessions by account. Tests share them, because a login computes a password hash. */
const sessions = new Map<UserId, { token: string; confirmedUntil: number }>()

/** Shorter than the 15 minutes for which a login counts as a confirmation at the desk. */
const CONFIRMATION_VALID_MS = 10 * 60_000

/**
 * Stores a session as the site does, before the first page opens. Logs in if the worker has no valid session.
 *
 * @returns the token of the session, for calls
 */
export async function storeSession(page: Page | BrowserContext, userId: UserId = 'juan'): Promise<string> {
  const { token, type, user } = (await findSession(page, userId)) ?? (await logIn(page, userId))
  await page.addInitScript(
    ([token, type, user]) => {
      if (sessionStorage.getItem('logged-in')) return
      sessionStorage.setItem('logged-in', '1')
      localStorage.setItem('ACCESS_TOKEN', String(token))
      localStorage.setItem('USER_TYPE', String(type))
      localStorage.setItem('USER_DATA', String(user))
    },
    [token, type, JSON.stringify(user)],
  )
  return String(token)
}

async function findSession({ request }: Page | BrowserContext, userId: UserId) {
  const session = sessions.get(userId)
  if (session === undefined || session.confirmedUntil < Date.now()) return undefined
  const { token } = session
  const answer = await request.get('/api/user', { headers: { Authorization: `Bearer ${token}` } })
  if (!answer.ok()) return undefined
  const { data, user_type } = await answer.json()
  return { token, type: user_type, user: data }
}

async function logIn({ request }: Page | BrowserContext, userId: UserId) {
  const answer = await request.post('/api/processlogin', { data: { UserID: userId, UserPass: `${userId}-demo-1` } })
  const { token, status, user } = (await answer.json()).data
  sessions.set(userId, { token, confirmedUntil: Date.now() + CONFIRMATION_VALID_MS })
  return { token, type: status, user }
}
