import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { callerOf } from '#server/http/client-address.ts'
import { verifyEmail } from './verification.ts'

/** The link in a verification mail: opening it verifies the address, then the login page tells the result. */
export function verifyEmailPage(deps: Deps) {
  return new Hono().get('/verifyemail', async (c) => {
    const good = await verifyEmail(deps, c.req.query('token') ?? '', callerOf(c, deps.config.trustedProxies))
    c.header('Cache-Control', 'no-store')
    return c.redirect(`/login?verified=${good ? 1 : 0}`, 303)
  })
}
