import { operationPolicy } from './operation-policy.ts'
import { PolicyPage } from './policy-page.tsx'

export default function Page() {
  return <PolicyPage write={operationPolicy} />
}
