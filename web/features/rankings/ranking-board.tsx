import { classFiltersOf } from '#contract/game.ts'
import { monthName } from '#contract/manila.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import { filterRanked } from './filter-ranked.ts'
import { boardQuery } from './queries.ts'
import { RankedSkeleton } from './ranked-skeleton.tsx'
import { RankedTable } from './ranked-table.tsx'
import { RankingFilters } from './ranking-filters.tsx'
import { NobodyRanked, NothingLoaded } from './ranking-states.tsx'
import { BOARD_NAMES, type RankingView, rankingPath } from './ranking-view.ts'
import styles from './rankings-page.module.css'

const SKELETON_ROWS = 15

/** The filters and the board they leave, in whatever state it is. */
export function RankingBoard({ view }: { view: RankingView }) {
  const { data, refetch, isFetching } = useLoaded(boardQuery(view.board, view.period))
  const ranked = data && filterRanked(data, view)
  const month = view.period ? monthName(view.period) : 'this month'
  return (
    <section id="ranking" aria-label={`${BOARD_NAMES[view.board]} Ranking`}>
      <Panel>
        <RankingFilters
          choice={view}
          classes={classFiltersOf(view.board)}
          pathOf={(choice) => rankingPath({ ...view, ...choice })}
        />
        {ranked === undefined && isFetching && <RankedSkeleton rows={SKELETON_ROWS} />}
        {ranked === undefined && !isFetching && <NothingLoaded onUpdate={refetch} />}
        {ranked?.length === 0 && (
          <NobodyRanked empty={data?.length === 0} allPath={rankingPath({ ...view, school: null, cls: null })} />
        )}
        {ranked !== undefined && ranked.length > 0 && (
          <RankedTable board={view.board} ranked={ranked} caption={`${BOARD_NAMES[view.board]} Ranking, ${month}`} />
        )}
      </Panel>
      <p className={styles.count} role="status">
        {ranked !== undefined && ranked.length > 0 && `Showing ${ranked.length} of ${data?.length}`}
      </p>
    </section>
  )
}
