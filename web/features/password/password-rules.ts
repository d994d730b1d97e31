import { PASSWORD, requiredText } from '#contract/account-messages.ts'
import { CURRENT_PASSWORD_MIN, NEW_PASSWORD_MIN, PASSWORD_MAX } from '#contract/limits.ts'
import { checkLength, checkRequired, type FieldError, onlyWrong } from '#web/features/account/field-rules.ts'
import type { FormErrors } from '#web/features/account/form-resolver.ts'

export type NewPasswordForm = { newPassword: string; retyped: string }
export type ChangePasswordForm = NewPasswordForm & { current: string }

function checkPassword(value: string, label: string, min: number): FieldError {
  return checkRequired(value, requiredText(label)) ?? checkLength(value, label, min, PASSWORD_MAX)
}

function checkRetyped({ newPassword, retyped }: NewPasswordForm): FieldError {
  const wrong = checkPassword(retyped, PASSWORD.retypeLabel, NEW_PASSWORD_MIN)
  return wrong ?? (newPassword === retyped ? undefined : PASSWORD.mismatch)
}

/** A new password and the same again (SPEC §5 Change password). */
export function checkNewPassword(form: NewPasswordForm): FormErrors<NewPasswordForm> {
  return onlyWrong({
    newPassword: checkPassword(form.newPassword, PASSWORD.newLabel, NEW_PASSWORD_MIN),
    retyped: checkRetyped(form),
  })
}

/** The three fields of SPEC §5 Change password. */
export function checkChangePassword(form: ChangePasswordForm): FormErrors<ChangePasswordForm> {
  return {
    ...onlyWrong({ current: checkPassword(form.current, PASSWORD.currentLabel, CURRENT_PASSWORD_MIN) }),
    ...checkNewPassword(form),
  }
}
