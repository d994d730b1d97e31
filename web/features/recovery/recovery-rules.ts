import { RECOVERY } from '#contract/account-messages.ts'
import { checkEmail, checkRequired, onlyWrong } from '#web/features/account/field-rules.ts'
import type { FormErrors } from '#web/features/account/form-resolver.ts'

export type FindIdForm = { findIDEmail: string }
export type FindPasswordForm = { findPWID: string; findPWEmail: string }

/** The rules of the find-ID form (SPEC §5). */
export function checkFindId({ findIDEmail }: FindIdForm): FormErrors<FindIdForm> {
  return onlyWrong({ findIDEmail: checkEmail(findIDEmail, RECOVERY.findIdEmailRequired) })
}

/** The rules of the find-password form (SPEC §5). */
export function checkFindPassword({ findPWID, findPWEmail }: FindPasswordForm): FormErrors<FindPasswordForm> {
  return onlyWrong({
    findPWID: checkRequired(findPWID, RECOVERY.findPasswordIdRequired),
    findPWEmail: checkEmail(findPWEmail, RECOVERY.findPasswordEmailRequired),
  })
}
