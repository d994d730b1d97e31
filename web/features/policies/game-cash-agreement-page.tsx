import type { MetaFunction } from 'react-router'
import { gameCashAgreement } from './game-cash-agreement.ts'
import { policyMeta } from './policy-meta.ts'
import { PolicyPage } from './policy-page.tsx'

export const meta: MetaFunction = ({ matches }) => policyMeta(matches, gameCashAgreement)

export default function Page() {
  return <PolicyPage write={gameCashAgreement} />
}
