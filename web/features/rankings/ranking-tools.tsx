import { getRankingPeriods } from '#contract/rankings.ts'
import { useCall, useLoaded } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { MonthMenu } from './month-menu.tsx'
import { boardQuery } from './queries.ts'
import { type RankingView, rankingPath } from './ranking-view.ts'
import styles from './rankings-page.module.css'

/** The month on show and the button that asks for the boards again. */
export function RankingTools({ view }: { view: RankingView }) {
  const months = useCall(getRankingPeriods, {})
  const { refetch, isFetching } = useLoaded(boardQuery(view.board, view.period))
  return (
    <div className={styles.tools}>
      <MonthMenu
        months={months.data?.data ?? []}
        current={view.period}
        pathOf={(period) => rankingPath({ ...view, period })}
      />
      <Button tone="secondary" className={styles.update} busy={isFetching} onClick={() => refetch()}>
        Update
      </Button>
    </div>
  )
}
