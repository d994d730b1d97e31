import { REGISTER, requiredText } from '#contract/account-messages.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, SECRET_ANSWER_MAX, USER_ID_MAX } from '#contract/limits.ts'
import { LOGIN } from '#contract/messages.ts'
import { checkEmail, checkLength, checkRequired, checkText, onlyWrong } from '#web/features/account/field-rules.ts'
import type { FormErrors } from '#web/features/account/form-resolver.ts'

/** The registration as the form holds it: everything is text but the check box (SPEC §3 Registration payload). */
export type RegistrationForm = {
  userId: string
  userFirstName: string
  userLastName: string
  userEmail: string
  gender: 'Male' | 'Female'
  userPassword: string
  userPasswordConfirm: string
  secretQuestion: string
  secretAnswer: string
  country: string
  agreeTerms: boolean
}

/** The fields in the order of the page, so that the first wrong one gets the focus. */
export const REGISTRATION_FIELDS = [
  'userId',
  'userEmail',
  'userFirstName',
  'userLastName',
  'gender',
  'userPassword',
  'userPasswordConfirm',
  'secretQuestion',
  'secretAnswer',
  'country',
  'agreeTerms',
] as const satisfies readonly (keyof RegistrationForm)[]

/**
 * What the browser checks before a registration is sent (SPEC §5). That both passwords are the
 * same, the terms and what the database knows are the server's to say.
 */
export function checkRegistration(form: RegistrationForm): FormErrors<RegistrationForm> {
  return onlyWrong({
    userId: checkRequired(form.userId, LOGIN.userIdRequired) ?? checkLength(form.userId, 'Username', 0, USER_ID_MAX),
    userEmail: checkEmail(form.userEmail, REGISTER.emailRequired, EMAIL_MAX),
    userFirstName: checkText(form.userFirstName, 'First Name', NAME_MAX),
    userLastName: checkText(form.userLastName, 'Last Name', NAME_MAX),
    userPassword:
      checkRequired(form.userPassword, LOGIN.passwordRequired) ??
      checkLength(form.userPassword, 'Password', 0, PASSWORD_MAX),
    userPasswordConfirm: checkRequired(form.userPasswordConfirm, REGISTER.confirmRequired),
    secretQuestion: /^[1-6]$/.test(form.secretQuestion) ? undefined : requiredText('Secret Question'),
    secretAnswer: checkText(form.secretAnswer, 'Secret Answer', SECRET_ANSWER_MAX),
  })
}

/** The form as it travels. */
export function toRegistration(form: RegistrationForm) {
  return { ...form, secretQuestion: Number(form.secretQuestion) }
}

/** The one alert of a refused registration: each line prefixed '*' (SPEC §8). */
export function formErrorAlert(errors: Record<string, string[]>): string {
  return Object.values(errors)
    .flat()
    .map((line) => `*${line}`)
    .join('\n')
}
