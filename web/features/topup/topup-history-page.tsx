import { useQuery } from '@tanstack/react-query'
import { type MetaFunction, useSearchParams } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { useMembersOnly } from '#web/api/use-guards.ts'
import { HistoryBoard } from '#web/features/purchases/history-board.tsx'
import { readHistoryPage } from '#web/features/purchases/history-page-number.ts'
import { topupsQuery } from '#web/features/purchases/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { TopupsTable } from './topups-table.tsx'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Redeem History',
    description: 'Every code you redeemed, with its date and value.',
    path: '/topuphistory',
    hidden: true,
  })

/** The codes a player redeemed (SPEC §2.13). Its HTML knows nobody. */
export default function TopupHistoryPage() {
  const userNum = useMembersOnly()?.user.UserNum ?? 0
  const [query] = useSearchParams()
  const page = readHistoryPage(query)
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
