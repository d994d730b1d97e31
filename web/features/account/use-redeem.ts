import { useRef } from 'react'
import { VOUCHER } from '#contract/shop-messages.ts'
import { processCoupon } from '#contract/vouchers.ts'
import { alertText, CallError, call, createIdempotencyKey, isExpired } from '#web/api/call.ts'
import { accessToken, saveBalances } from '#web/api/session.ts'
import { showToast } from '#web/ui/toast.ts'

export type RedeemForm = { CouponCode: string; ReferralCode: string }

/** Whether a voucher is asked for by somebody who is in; a guest is told to log in, before anything else (DECISIONS §4). */
export function mayRedeem(): boolean {
  if (accessToken() !== null) return true
  void showToast('error', VOUCHER.loginFirst)
  return false
}

/**
 * Redeems a voucher (SPEC §7 processCoupon) and shows the server's words; both balances follow
 * when they are answered. The same codes sent again after no answer count once.
 *
 * @returns whether the form may be emptied
 */
export function useRedeem(): (form: RedeemForm) => Promise<boolean> {
  const pending = useRef<{ codes: string; key: string }>(undefined)
  return async (form) => {
    const codes = JSON.stringify(form)
    if (pending.current?.codes !== codes) pending.current = { codes, key: createIdempotencyKey() }
    try {
      const options = { shellShows: 'ended-session', idempotencyKey: pending.current.key } as const
      const answer = await call(processCoupon, form, options)
      pending.current = undefined
      saveBalances(answer)
      void showToast(answer.status === 1 ? 'done' : 'error', answer.message)
      return answer.status === 1
    } catch (error) {
      if (error instanceof CallError && error.status !== 0) pending.current = undefined
      if (!isExpired(error)) void showToast('error', alertText(error))
      return false
    }
  }
}
