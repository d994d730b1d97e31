import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { maintenance } from './errors.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { VOUCHER } from './shop-messages.ts'
import { redeemForm } from './voucher-fields.ts'

export const processCoupon = endpoint({
  method: 'POST',
  path: '/processCoupon',
  summary: 'Redeem a voucher, which works only once; optionally with a streamer’s referral code',
  area: 'vouchers',
  access: 'player',
  idempotent: true,
  input: { body: z.object(redeemForm.shape) },
  fields: redeemForm,
  output: z.object({
    message: z.string(),
    status: z.int(),
    couponcode: z.string(),
    userPoints: z.int(),
    userPoints2: z.int(),
  }),
  errors: {
    unknown: { status: 422, message: VOUCHER.unknown, field: 'CouponCode' },
    used: { status: 422, message: VOUCHER.used, field: 'CouponCode' },
    expired: { status: 422, message: VOUCHER.expired, field: 'CouponCode' },
    oncePerAccount: { status: 422, message: VOUCHER.oncePerAccount, field: 'CouponCode' },
    maintenance,
    allRedeemed: { status: 422, message: VOUCHER.allRedeemed, field: 'CouponCode' },
    unknownReferral: { status: 422, message: VOUCHER.unknownReferral, field: 'ReferralCode' },
  },
})

export const getTopupHistory = endpoint({
  method: 'GET',
  path: '/topuphistory',
  summary: 'What the caller redeemed, newest first, 10 per page',
  area: 'vouchers',
  access: 'player',
  input: { query: z.object({ page: wholeNumberNamed('Page').optional() }) },
  output: z.object({
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
})
