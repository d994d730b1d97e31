import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useSearchParams } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { useMembersOnly } from '#web/api/use-guards.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { HistoryBoard } from './history-board.tsx'
import { readHistoryPage } from './history-page-number.ts'
import { PurchasesTable } from './purchases-table.tsx'
import { purchasesQuery } from './queries.ts'
import { ReceiptsSwitch } from './receipts-switch.tsx'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Purchase History',
    description: 'Everything you bought in the item shop, and where it is now.',
    path: '/shoppurchases',
    hidden: true,
  })

/** What a player bought (SPEC §2.13). Its HTML knows nobody. */
export default function PurchasesPage() {
  const userNum = useMembersOnly()?.user.UserNum ?? 0
  const [query] = useSearchParams()
  const page = readHistoryPage(query)
  const history = useQuery(purchasesQuery(userNum, page))
  return (
    <>
      <PageHead
        crumb="Purchase History"
        title="Purchase History"
        lines={['Everything you bought, and where it is now.', 'Times are Manila time.']}
      />
      <HistoryBoard
        title="Purchases"
        target="/shoppurchases"
        page={page}
        history={history}
        emptyLine="Things you buy are listed here with date and price."
        emptyAction={<ButtonLink to="/itemshop">Open the Item Shop</ButtonLink>}
        actions={userNum > 0 && <ReceiptsSwitch key={userNum} userNum={userNum} />}
      >
        {(rows) => <PurchasesTable rows={rows} />}
      </HistoryBoard>
    </>
  )
}
