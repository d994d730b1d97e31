import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { identifyCaller } from '#server/http/client-address.ts'
import { withdrawByLink } from './erasure-requests.ts'

/**
 * Handles the button of the page that a mail about an erasure links to (UNDO-4). The page is
 * web/features/account/keep-account-page.tsx. Opening it changes nothing, because mail scanners open links too.
 */
export function createKeepAccountRoute(deps: Deps) {
  return new Hono().post('/keepaccount', async (c) => {
    const isValid = await withdrawByLink(
      deps,
      c.req.query('token') ?? '',
      identifyCaller(c, deps.config.trustedProxies),
    )
    c.header('Cache-Control', 'no-store')
    return c.redirect(`/login?kept=${isValid ? 1 : 0}`, 303)
  })
}
