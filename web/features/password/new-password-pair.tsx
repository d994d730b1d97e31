import type { FieldError, UseFormRegisterReturn } from 'react-hook-form'
import { PASSWORD } from '#contract/account-messages.ts'
import { PasswordField } from '#web/ui/password-field.tsx'
import { NewPasswordField } from './new-password-field.tsx'

type Props = {
  newPassword: UseFormRegisterReturn
  retyped: UseFormRegisterReturn
  /** The new password as typed so far. */
  typed: string
  errors: { newPassword?: FieldError; retyped?: FieldError }
  userId?: string
}

/** The new password and the same again. */
export function NewPasswordPair({ newPassword, retyped, typed, errors, userId }: Props) {
  return (
    <>
      <NewPasswordField
        label={PASSWORD.newLabel}
        password={typed}
        userId={userId}
        error={errors.newPassword?.message}
        {...newPassword}
      />
      <PasswordField
        label={PASSWORD.retypeLabel}
        autoComplete="new-password"
        error={errors.retyped?.message}
        {...retyped}
      />
    </>
  )
}
