import { RECOVERY, requiredText, tooLongText, tooShortText } from '#contract/account-messages.ts'

/** What HTML calls a valid e-mail address. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** What is wrong with one field, or nothing. */
export type FieldError = string | undefined

const isBlank = (value: string | undefined) => (value ?? '').trim() === ''

/** A field that must not be blank after trimming. */
export function checkRequired(value: string | undefined, message: string): FieldError {
  return isBlank(value) ? message : undefined
}

/** Required, and at most `max` characters long. */
export function checkText(value: string | undefined, label: string, max: number): FieldError {
  return checkRequired(value, requiredText(label)) ?? checkLength(value, label, 0, max)
}

/** The length messages of SPEC §5, which name the field as its label. */
export function checkLength(value: string | undefined, label: string, min: number, max: number): FieldError {
  const { length } = value ?? ''
  if (length < min) return tooShortText(label, min)
  return length > max ? tooLongText(label, max) : undefined
}

/** Required, address-like, and at most `max` characters long. */
export function checkEmail(value: string | undefined, required: string, max = 200): FieldError {
  const address = (value ?? '').trim()
  if (address === '') return required
  if (address.length > max) return tooLongText('Email', max)
  return EMAIL.test(address) ? undefined : RECOVERY.emailInvalid
}

/** Leaves out the fields that are right. */
export function onlyWrong<Key extends string>(errors: Record<Key, FieldError>): Partial<Record<Key, string>> {
  return Object.fromEntries(Object.entries(errors).filter(([, message]) => message !== undefined)) as Partial<
    Record<Key, string>
  >
}
