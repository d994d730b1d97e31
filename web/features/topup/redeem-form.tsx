import { type ChangeEvent, type ComponentProps, type FormEvent, useId } from 'react'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { processCoupon } from '#contract/vouchers.ts'
import { getAlertText, mayHaveTakenEffect } from '#web/api/call.ts'
import { getAccessToken, saveBalances } from '#web/api/session.ts'
import { refreshSession } from '#web/api/session-actions.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './redeem-form.module.css'

const NO_ANSWER_TEXT = 'The server didn’t answer. It is safe to press Redeem again: the code counts once.'

/**
 * The form for a voucher code and a referral code (REDEEM-1), on the account page and its own page. A success updates
 * both balances and clears the form. After a lost response the same code can be sent again and counts once.
 */
export function RedeemForm() {
  const { form, field, reset, busy, failure } = useCallForm(processCoupon, {
    input: ({ CouponCode, ReferralCode }) => ({ CouponCode: CouponCode.trim(), ReferralCode }),
    onDone: (answer) => {
      const isRedeemed = answer.status === 1
      saveBalances(answer)
      void showToast(isRedeemed ? 'done' : 'error', answer.message)
      if (isRedeemed) reset({ CouponCode: '', ReferralCode: '' })
    },
    onFailure: (error) => {
      void showToast('error', getAlertText(error))
      if (!mayHaveTakenEffect(error)) return
      // The code may have been redeemed despite the error.
      void refreshSession().catch(() => undefined)
      return NO_ANSWER_TEXT
    },
  })
  const failureId = useId()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // A guest has to log in before anything is checked (REDEEM-3).
    if (getAccessToken() !== null) return form.onSubmit(event)
    event.preventDefault()
    void showToast('error', VOUCHER_TEXTS.loginFirst)
  }
  return (
    <form {...form} onSubmit={onSubmit} className={layout.stack}>
      <div className={`${layout.stack} ${styles.fields}`}>
        <CodeField label="Voucher Code" {...field('CouponCode')} />
        <CodeField label="Referral Code" hint="optional" {...field('ReferralCode')} />
      </div>
      <ul className={styles.notices}>
        {VOUCHER_TEXTS.notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
      <div role="alert">{failure !== null && <FieldError id={failureId}>{failure}</FieldError>}</div>
      <div>
        <Button type="submit" busy={busy}>
          Redeem
        </Button>
      </div>
    </form>
  )
}

/** A field that turns typed text into capitals and preserves the caret's position (REDEEM-4). */
function CodeField({ onChange, ...field }: ComponentProps<typeof TextField>) {
  const changeToCapitals = (event: ChangeEvent<HTMLInputElement>) => {
    const { target } = event
    const { selectionStart, selectionEnd } = target
    target.value = target.value.toUpperCase()
    target.setSelectionRange(selectionStart, selectionEnd)
    onChange?.(event)
  }
  return (
    <TextField
      {...field}
      onChange={changeToCapitals}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
    />
  )
}
