import type { ChangeEvent, FormEvent } from 'react'
import { type UseFormRegisterReturn, useForm } from 'react-hook-form'
import { VOUCHER } from '#contract/shop-messages.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { checkRequired, onlyWrong } from './field-rules.ts'
import { resolverOf } from './form-resolver.ts'
import styles from './redeem-form.module.css'

import { type RedeemForm as Codes, mayRedeem, useRedeem } from './use-redeem.ts'

const resolver = resolverOf<Codes>(({ CouponCode }) =>
  onlyWrong({ CouponCode: checkRequired(CouponCode, VOUCHER.codeRequired) }),
)

/** Turns what is typed into capitals and leaves the caret where it was (SPEC §2.5). */
function inCapitals(field: UseFormRegisterReturn) {
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const { target } = event
    const { selectionStart, selectionEnd } = target
    target.value = target.value.toUpperCase()
    target.setSelectionRange(selectionStart, selectionEnd)
    return field.onChange(event)
  }
  return { ...field, onChange }
}

/** Voucher code and referral code (SPEC §2.5), for the account page and the page of its own. */
export function RedeemForm() {
  const { register, handleSubmit, reset, formState } = useForm<Codes>({ resolver })
  const redeem = useRedeem()
  const send = handleSubmit(async ({ CouponCode, ReferralCode }) => {
    const done = await redeem({ CouponCode: CouponCode.trim(), ReferralCode: (ReferralCode ?? '').trim() })
    if (done) reset({ CouponCode: '', ReferralCode: '' })
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (mayRedeem()) void send(event)
  }
  const code = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false }
  return (
    <form method="dialog" noValidate onSubmit={onSubmit} className={styles.form}>
      <div className={styles.fields}>
        <TextField
          {...code}
          label="Voucher Code"
          error={formState.errors.CouponCode?.message}
          {...inCapitals(register('CouponCode'))}
        />
        <TextField {...code} label="Referral Code" hint="optional" {...inCapitals(register('ReferralCode'))} />
      </div>
      <ul className={styles.notices}>
        {VOUCHER.notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
      <div>
        <Button type="submit" busy={formState.isSubmitting}>
          Redeem
        </Button>
      </div>
    </form>
  )
}
