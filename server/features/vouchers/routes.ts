import { createRoute } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { getTopupHistory, processCoupon } from '#contract/vouchers.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireOwnAccount, requireSession, type WithSession } from '#server/http/session.ts'
import { listTopups } from './history.ts'
import { redeemVoucher } from './redeem.ts'

type Own = MiddlewareHandler<WithSession>

/** processCoupon and topuphistory (SPEC §7). */
export function voucherRoutes(deps: Deps) {
  const middleware: [Own, Own] = [requireSession(deps), requireOwnAccount]
  return createRouter()
    .openapi(createRoute({ ...processCoupon, middleware }), async (c) => {
      const { CouponCode: code, ReferralCode: referral } = c.req.valid('json')
      const key = c.req.valid('header')['idempotency-key'] ?? null
      const { status, body } = await redeemVoucher(deps, { userNum: c.get('session').userNum, key, code, referral })
      if (status !== 200) return c.json(body, status as ContentfulStatusCode) as never
      return c.json(processCoupon.responses[200].content['application/json'].schema.parse(body), 200)
    })
    .openapi(createRoute({ ...getTopupHistory, middleware }), async (c) =>
      reply(c, getTopupHistory, await listTopups(deps, c.get('session').userNum, c.req.valid('query').page ?? 1)),
    )
}
