import { PolicyPage } from './policy-page.tsx'
import { privacyPolicy } from './privacy-policy.ts'

export default function Page() {
  return <PolicyPage write={privacyPolicy} />
}
