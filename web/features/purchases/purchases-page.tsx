import { useQuery } from '@tanstack/react-query'
import { usePageSearch } from '#web/api/page.ts'
import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { HistoryBoard } from './history-board.tsx'
import { historySearch } from './history-page-number.ts'
import { PurchasesTable } from './purchases-table.tsx'
import { purchasesQuery } from './queries.ts'
import { ReceiptsSwitch } from './receipts-switch.tsx'

/** What a player bought (SPEC §2.13). Its HTML knows nobody. */
export default function PurchasesPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const page = usePageSearch(historySearch)
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
