import { createRoute } from '@hono/zod-openapi'
import { getUserIp, whitelistUserIp } from '#contract/whitelist.ts'
import type { Deps } from '#server/deps.ts'
import { callerOf } from '#server/http/caller.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireSession } from '#server/http/session.ts'
import { isWhitelisted, whitelistAddress } from './service.ts'

/** user-ip and whitelist-user-ip (SPEC §7). */
export function whitelistRoutes(deps: Deps) {
  const middleware = requireSession(deps)
  return createRouter()
    .openapi(createRoute(getUserIp), async (c) => {
      const { address } = callerOf(c, deps.config.trustedProxies)
      const CC_status = (await isWhitelisted(c, deps, address)) ? 1 : 0
      return reply(c, getUserIp, { useripdata: { CC_IP: address, CC_status } })
    })
    .openapi(createRoute({ ...whitelistUserIp, middleware }), async (c) =>
      reply(c, whitelistUserIp, {
        message: await whitelistAddress(deps, c.get('session'), callerOf(c, deps.config.trustedProxies)),
      }),
    )
}
