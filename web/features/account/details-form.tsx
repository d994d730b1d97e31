import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#contract/accounts.ts'
import { EMAIL_MAX, NAME_MAX } from '#contract/limits.ts'
import { DIALOG } from '#contract/messages.ts'
import type { SessionUser } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import styles from './details-form.module.css'
import { checkDetails, type DetailsForm as Details } from './details-rules.ts'
import { FieldErrorText } from './field-error.tsx'
import { resolverOf } from './form-resolver.ts'
import { PasswordConfirmDialog } from './password-confirm-dialog.tsx'
import { useDetailsChange } from './use-details-change.ts'

type Props = { user: SessionUser; account: User; onCancel: () => void }

const resolver = resolverOf(checkDetails)

/** The edit form of the details, behind the password-confirm dialog (SPEC §2.5). */
export function DetailsForm({ user, account, onCancel }: Props) {
  const { UserEmail, NameFirst, NameLast, PhoneNumber } = account
  const { register, handleSubmit, setFocus, formState } = useForm<Details>({
    resolver,
    defaultValues: { UserEmail, NameFirst, NameLast, PhoneNumber, UserPass2: '' },
  })
  const { errors } = formState
  useEffect(() => setFocus('NameFirst'), [setFocus])
  const { asking, ask, cancel, confirm, refusal } = useDetailsChange(user)
  return (
    <>
      <form method="dialog" noValidate onSubmit={handleSubmit(ask)} className={styles.form}>
        <TextField
          label="First Name"
          maxLength={NAME_MAX}
          autoComplete="given-name"
          error={errors.NameFirst?.message}
          {...register('NameFirst')}
        />
        <TextField
          label="Last Name"
          maxLength={NAME_MAX}
          autoComplete="family-name"
          error={errors.NameLast?.message}
          {...register('NameLast')}
        />
        <TextField
          label="Email"
          type="email"
          maxLength={EMAIL_MAX}
          autoComplete="email"
          error={errors.UserEmail?.message}
          {...register('UserEmail')}
        />
        <TextField
          label="Phone Number"
          hint="optional"
          type="tel"
          autoComplete="tel"
          error={errors.PhoneNumber?.message}
          {...register('PhoneNumber')}
        />
        <PasswordField
          label="Second Password"
          hint="of the game; empty: as it is"
          autoComplete="off"
          error={errors.UserPass2?.message}
          {...register('UserPass2')}
        />
        {refusal !== null && (
          <div role="alert">
            <FieldErrorText id="details-refusal">{refusal}</FieldErrorText>
          </div>
        )}
        <div className={styles.actions}>
          <Button type="submit">Save details</Button>
          <Button tone="secondary" onClick={onCancel}>
            {DIALOG.cancel}
          </Button>
        </div>
      </form>
      <PasswordConfirmDialog open={asking} userId={user.UserID} confirm={confirm} onCancel={cancel} />
    </>
  )
}
