import { useQuery } from '@tanstack/react-query'
import { browserClient } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { MonthMenu } from './month-menu.tsx'
import { boardQuery, periodsQuery } from './queries.ts'
import { type RankingView, rankingPath } from './ranking-view.ts'
import styles from './rankings-page.module.css'

/** The month on show and the button that asks for the boards again. */
export function RankingTools({ view }: { view: RankingView }) {
  const months = useQuery(periodsQuery(browserClient))
  const { refetch, isFetching } = useQuery(boardQuery(view.board, view.period)(browserClient))
  return (
    <div className={styles.tools}>
      <MonthMenu
        months={months.data ?? []}
        current={view.period}
        pathOf={(period) => rankingPath({ ...view, period })}
      />
      <Button tone="secondary" className={styles.update} busy={isFetching} onClick={() => refetch()}>
        Update
      </Button>
    </div>
  )
}
