import { createRoute } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { VOUCHER } from '#contract/shop-messages.ts'
import { getTopupHistory, processCoupon } from '#contract/vouchers.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, ruleBroken } from '#server/errors.ts'
import { runOnce } from '#server/http/idempotency.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireOwnAccount, requireSession, type WithSession } from '#server/http/session.ts'
import { listTopups, redeemVoucher, type VoucherRefusal } from './redeem.ts'

type Own = MiddlewareHandler<WithSession>

const REFUSALS: Record<VoucherRefusal, Refusal> = {
  unknown: ruleBroken(VOUCHER.unknown),
  used: ruleBroken(VOUCHER.used),
  expired: ruleBroken(VOUCHER.expired),
  oncePerAccount: ruleBroken(VOUCHER.oncePerAccount),
  unknownReferral: ruleBroken(VOUCHER.unknownReferral),
}

/** processCoupon and topuphistory (SPEC §7). */
export function voucherRoutes(deps: Deps) {
  const middleware: [Own, Own] = [requireSession(deps), requireOwnAccount]
  return createRouter()
    .openapi(createRoute({ ...processCoupon, middleware }), async (c) => {
      const { userNum } = c.get('session')
      const { CouponCode: code, ReferralCode: referral } = c.req.valid('json')
      const key = c.req.valid('header')['idempotency-key'] ?? null
      const request = { owner: String(userNum), key, content: JSON.stringify(['processCoupon', code, referral]) }
      const work = () => redeemVoucher(deps, { userNum, request }, { code, referral })
      const outcome = await runOnce(deps, request, work)
      if ('refused' in outcome) throw REFUSALS[outcome.refused as VoucherRefusal]
      return reply(c, processCoupon, outcome.answer)
    })
    .openapi(createRoute({ ...getTopupHistory, middleware }), async (c) =>
      reply(c, getTopupHistory, await listTopups(deps, c.get('session').userNum, c.req.valid('query').page ?? 1)),
    )
}
