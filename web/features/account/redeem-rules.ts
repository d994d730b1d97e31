export const REDEEM = {
  codeRequired: 'Voucher Code is required.',
  loginFirst: 'Please Login to Continue!',
} as const

export type RedeemForm = { CouponCode: string; ReferralCode: string }

/** What a redeemed code answers (SPEC §3 Coupon response); the balances come when they changed. */
export type CouponAnswer = { message?: string; status?: number; userPoints?: number; userPoints2?: number }
