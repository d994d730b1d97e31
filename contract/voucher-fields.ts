/** The fields of the redeem form. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { VOUCHER } from './shop-messages.ts'

const codeText = ({ missing, unknown }: { missing: string; unknown: string }) =>
  z.string(missing).check(z.maxLength(200, unknown), z.regex(/^\P{Cc}*$/u, unknown))

/** Voucher code and the optional referral code of a streamer. Only the server knows whether they exist. */
export const redeemForm = z.object({
  CouponCode: codeText({ missing: VOUCHER.codeRequired, unknown: VOUCHER.unknown }).check(
    z.refine((code) => code.trim() !== '', VOUCHER.codeRequired),
  ),
  ReferralCode: z.pipe(
    z.nullish(codeText({ missing: VOUCHER.unknownReferral, unknown: VOUCHER.unknownReferral })),
    z.transform((code: string | null | undefined) => code?.trim() ?? ''),
  ),
})
