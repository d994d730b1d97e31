import type { MetaFunction } from 'react-router'
import { policyMeta } from './policy-meta.ts'
import { PolicyPage } from './policy-page.tsx'
import { privacyPolicy } from './privacy-policy.ts'

export const meta: MetaFunction = ({ matches }) => policyMeta(matches, privacyPolicy)

export default function Page() {
  return <PolicyPage write={privacyPolicy} />
}
