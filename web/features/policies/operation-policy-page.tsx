import type { MetaFunction } from 'react-router'
import { operationPolicy } from './operation-policy.ts'
import { policyMeta } from './policy-meta.ts'
import { PolicyPage } from './policy-page.tsx'

export const meta: MetaFunction = ({ matches }) => policyMeta(matches, operationPolicy)

export default function Page() {
  return <PolicyPage write={operationPolicy} />
}
