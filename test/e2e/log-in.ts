import type { BrowserContext, Page } from '@playwright/test'

/** Logs in by the call and stores the session as the site does, before the first page opens. */
export async function storeSession(
  page: Page | BrowserContext,
  userId: 'juan' | 'maria' | 'gm' = 'juan',
): Promise<void> {
  const answer = await page.request.post('/api/processlogin', {
    data: { UserID: userId, UserPass: `${userId}-demo-1` },
  })
  const { data } = await answer.json()
  await page.addInitScript(
    ([token, type, user]) => {
      if (sessionStorage.getItem('logged-in')) return
      sessionStorage.setItem('logged-in', '1')
      localStorage.setItem('ACCESS_TOKEN', String(token))
      localStorage.setItem('USER_TYPE', String(type))
      localStorage.setItem('USER_DATA', String(user))
    },
    [data.token, data.status, JSON.stringify(data.user)],
  )
}
