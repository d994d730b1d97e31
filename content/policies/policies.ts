import { gameCashAgreement } from './game-cash-agreement.ts'
import { operationPolicy } from './operation-policy.ts'
import type { Policy, PolicyNames } from './policy.ts'
import { privacyPolicy } from './privacy-policy.ts'

/** The three policies in the order in which they name each other. */
export const POLICIES: readonly Policy[] = [operationPolicy, privacyPolicy, gameCashAgreement]

/** The day from which all three apply. */
export const IN_FORCE_SINCE = '20 November 2026'

/** The names in the texts, from the site's settings; an operator without an e-mail address is reached by ticket. */
export function policyNames(site: {
  app_name: string
  operator_name: string
  operator_email: string | null
}): PolicyNames {
  const { app_name: app, operator_name: operator, operator_email: email } = site
  return {
    app,
    operator,
    contact: email === null ? '[our support desk](/ticket)' : `[${email}](mailto:${email})`,
  }
}
