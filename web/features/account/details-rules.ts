import { REGISTER, tooLongText } from '#contract/account-messages.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, SECOND_PASSWORD_MIN } from '#contract/limits.ts'
import { checkEmail, checkLength, checkText, type FieldError, onlyWrong } from './field-rules.ts'
import type { FormErrors } from './form-resolver.ts'

const PHONE_MAX = 30

/** The details a player may change, as they travel (SPEC §7 updateuserdetails). */
export type DetailsForm = {
  UserEmail: string
  NameFirst: string
  NameLast: string
  PhoneNumber: string
  UserPass2: string
}

function checkPhone(phone: string): FieldError {
  if (phone.trim().length > PHONE_MAX) return tooLongText('Phone Number', PHONE_MAX)
  return /^[\d +()./-]*$/.test(phone.trim()) ? undefined : 'Phone Number may have digits, spaces and + ( ) - only.'
}

/** What is wrong with changed details; an empty second password stays as it is. */
export function checkDetails(form: DetailsForm): FormErrors<DetailsForm> {
  return onlyWrong({
    UserEmail: checkEmail(form.UserEmail, REGISTER.emailRequired, EMAIL_MAX),
    NameFirst: checkText(form.NameFirst, 'First Name', NAME_MAX),
    NameLast: checkText(form.NameLast, 'Last Name', NAME_MAX),
    PhoneNumber: checkPhone(form.PhoneNumber),
    UserPass2:
      form.UserPass2 === ''
        ? undefined
        : checkLength(form.UserPass2, 'Second Password', SECOND_PASSWORD_MIN, PASSWORD_MAX),
  })
}
