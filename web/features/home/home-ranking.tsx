import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { HOME_CLASS_FILTERS } from '#contract/game.ts'
import { RANKINGS } from '#contract/messages.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { boardQuery } from '../rankings/queries.ts'
import { RankedSkeleton } from '../rankings/ranked-skeleton.tsx'
import { RankedTable } from '../rankings/ranked-table.tsx'
import { RankingFilters } from '../rankings/ranking-filters.tsx'
import { NobodyRanked, NothingLoaded } from '../rankings/ranking-states.tsx'
import { rankingPath } from '../rankings/ranking-view.ts'
import styles from './home-ranking.module.css'
import { type HomeView, homePath } from './home-view.ts'
import { homeRankingQuery } from './queries.ts'

const ROWS = 8

/** The main ranking widget: the level board's first eight, five on a phone (SPEC §2.1, §2.9). */
export function HomeRanking({ view }: { view: HomeView }) {
  const queries = useQueryClient()
  const { data, isFetching, refetch } = useLoaded(homeRankingQuery(view), { placeholderData: keepPreviousData })
  const ranked = data?.ranked
  const update = async () => {
    await queries.invalidateQueries({ queryKey: boardQuery('level', null).key })
    await refetch()
  }
  const allPath = rankingPath({ board: 'level', period: null, school: view.school, cls: view.cls })
  return (
    <Panel
      index={1}
      title="Main ranking"
      className={styles.panel}
      actions={
        <>
          <Button tone="quiet" className={styles.update} busy={isFetching} onClick={() => void update()}>
            Update
          </Button>
          <span className={styles.wide}>
            <ButtonLink tone="quiet" to={allPath}>
              Overall rankings
            </ButtonLink>
          </span>
        </>
      }
    >
      <RankingFilters
        compact
        choice={view}
        classes={HOME_CLASS_FILTERS}
        pathOf={(choice) => homePath({ ...view, ...choice })}
      />
      {ranked === undefined && isFetching && <RankedSkeleton rows={ROWS} compact />}
      {ranked === undefined && !isFetching && <NothingLoaded onUpdate={update} />}
      {ranked?.length === 0 && (
        <NobodyRanked empty={data?.nobody === true} allPath={homePath({ ...view, school: null, cls: null })} />
      )}
      {ranked !== undefined && ranked.length > 0 && (
        <div className={styles.rows}>
          <RankedTable compact board="level" ranked={ranked} caption="Main ranking" />
        </div>
      )}
      <div className={styles.foot}>
        <p>
          {RANKINGS.noteTop} {RANKINGS.noteReset}
        </p>
        <span className={styles.narrow}>
          <ButtonLink tone="secondary" to={allPath}>
            Overall rankings
          </ButtonLink>
        </span>
      </div>
    </Panel>
  )
}
