import { gameCashAgreement } from './game-cash-agreement.ts'
import { PolicyPage } from './policy-page.tsx'

export default function Page() {
  return <PolicyPage write={gameCashAgreement} />
}
