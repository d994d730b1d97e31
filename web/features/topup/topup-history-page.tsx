import { useQuery } from '@tanstack/react-query'
import { usePageSearch } from '#web/api/page.ts'
import { useSession } from '#web/api/session.ts'
import { HistoryBoard } from '#web/features/purchases/history-board.tsx'
import { historySearch } from '#web/features/purchases/history-page-number.ts'
import { topupsQuery } from '#web/features/purchases/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { TopupsTable } from './topups-table.tsx'

/** The codes a player redeemed (SPEC §2.13). Its HTML knows nobody. */
export default function TopupHistoryPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const page = usePageSearch(historySearch)
  const history = useQuery(topupsQuery(userNum, page))
  return (
    <>
      <PageHead
        crumb="Redeem History"
        title="Redeem History"
        lines={['Every code you redeemed.', 'Times are Manila time.']}
      />
      <HistoryBoard
        title="Redeemed codes"
        target="/topuphistory"
        page={page}
        history={history}
        emptyLine="Codes you redeem are listed here with date and value."
        emptyAction={<ButtonLink to="/topup">Redeem a code</ButtonLink>}
      >
        {(rows) => <TopupsTable rows={rows} />}
      </HistoryBoard>
    </>
  )
}
