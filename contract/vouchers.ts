import { z } from 'zod'
import { idempotency } from './cart.ts'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { VOUCHER } from './shop-messages.ts'

const tags = ['vouchers']
const guarded = {
  401: errorAnswer('No token, or a dead one'),
  403: errorAnswer('Somebody else’s account'),
  422: errorAnswer('A rule is broken'),
}
const codeText = ({ missing, unknown }: { missing: string; unknown: string }) =>
  z
    .string(missing)
    .max(200, unknown)
    .regex(/^\P{Cc}*$/u, unknown)

export const processCoupon = endpoint({
  method: 'post',
  path: '/processCoupon',
  summary: 'Redeem a voucher, once ever; optionally with a streamer’s referral code',
  tags,
  request: {
    headers: idempotency,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            CouponCode: codeText({ missing: VOUCHER.codeRequired, unknown: VOUCHER.unknown }).refine(
              (code) => code.trim() !== '',
              VOUCHER.codeRequired,
            ),
            ReferralCode: codeText({ missing: VOUCHER.unknownReferral, unknown: VOUCHER.unknownReferral })
              .nullish()
              .transform((code) => code?.trim() ?? ''),
          }),
        },
      },
    },
  },
  responses: {
    200: jsonAnswer(
      'Redeemed',
      z.object({
        message: z.string(),
        status: z.int(),
        couponcode: z.string(),
        userPoints: z.int(),
        userPoints2: z.int(),
      }),
    ),
    ...guarded,
    429: errorAnswer('Ten failures in 15 minutes'),
  },
})

export const getTopupHistory = endpoint({
  method: 'get',
  path: '/topuphistory',
  summary: 'What the caller redeemed, newest first, 10 a page',
  tags,
  request: { query: z.object({ page: wholeNumberNamed('Page').optional() }) },
  responses: {
    200: jsonAnswer(
      'The top-ups',
      z.object({
        topuphistory: z.array(
          z.object({
            CardCode: z.string(),
            DateTopUp: z.iso.datetime({ offset: true }),
            Cardvalue: z.int().meta({ description: 'R-Coin' }),
            CardMilleage: z.int(),
          }),
        ),
        ...pagingFields,
      }),
    ),
    ...guarded,
  },
})
