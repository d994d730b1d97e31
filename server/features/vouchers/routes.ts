import { getTopupHistory, processCoupon } from '#contract/vouchers.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { listTopups, redeemVoucher } from './redeem.ts'

/** The calls of vouchers (CALL-2). */
export const voucherCalls: MountedCall[] = [
  mount(processCoupon, ({ CouponCode: code, ReferralCode: referral }, { deps, session }) =>
    redeemVoucher(deps, session.userNum, { code, referral }),
  ),
  mount(getTopupHistory, ({ page = 1 }, { deps, session }) => listTopups(deps, session.userNum, page)),
]
