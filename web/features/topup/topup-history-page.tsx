import { getTopupHistory } from '#contract/vouchers.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { HISTORY_OPTIONS, HistoryBoard } from '#web/features/purchases/history-board.tsx'
import { historySearch } from '#web/features/purchases/history-page-number.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { TopupsTable } from './topups-table.tsx'

/** The codes a player redeemed (SPEC §2.13). Its HTML knows nobody. */
export default function TopupHistoryPage() {
  const userNum = useSession()?.user.UserNum ?? 0
  const page = usePageSearch(historySearch)
  const history = useCall(getTopupHistory, { page }, { ...HISTORY_OPTIONS, enabled: userNum > 0 })
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
        rowsOf={({ topuphistory }) => topuphistory}
        emptyLine="Codes you redeem are listed here with date and value."
        emptyAction={<ButtonLink to="/topup">Redeem a code</ButtonLink>}
      >
        {(rows) => <TopupsTable rows={rows} />}
      </HistoryBoard>
    </>
  )
}
