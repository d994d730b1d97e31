import type { Head } from '#web/api/page.ts'
import { gameCashAgreement } from './game-cash-agreement.ts'
import { operationPolicy } from './operation-policy.ts'
import { privacyPolicy } from './privacy-policy.ts'

const WRITERS = {
  '/operationpolicy': operationPolicy,
  '/privacypolicy': privacyPolicy,
  '/gamecashagreement': gameCashAgreement,
}

/** The head of a policy, in the site's name. */
export function policyHead(path: keyof typeof WRITERS, app: string): Partial<Head> {
  const { title, about } = WRITERS[path]({ app, operator: `the operators of ${app}`, contact: '' })
  return { crumb: title, description: about, path }
}
