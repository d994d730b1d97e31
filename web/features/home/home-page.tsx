import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { HOME_CLASS_FILTERS } from '#contract/game.ts'
import { CLUB_TEXTS, EMPTY_LIST_TEXTS, RANKING_TEXTS } from '#contract/messages.ts'
import { getClubAreas } from '#contract/site.ts'
import { useDocument } from '#web/api/documents.ts'
import { usePageSearch, usePendingSearch, useRenderedAt } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { MoreLinks } from '#web/shell/more-links.tsx'
import { ResetCard } from '#web/shell/reset-card.tsx'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import { ActivityList } from '../activity/activity-list.tsx'
import { getHomeActivityQuery } from '../activity/activity-view.ts'
import { EmptyRanking, RankedSkeleton, RankedTable, RankingLoadFailure } from '../rankings/ranked-table.tsx'
import { WidgetFilters } from '../rankings/ranking-filters.tsx'
import { getRankingBoardQuery, getRankingPath } from '../rankings/rankings-view.ts'
import { HomeEvents } from './home-events.tsx'
import { HomeNews } from './home-news.tsx'
import styles from './home-page.module.css'
import { getHomePath, getHomeRankingQuery, HOME_ROWS, type HomeView, homeSearch } from './home-view.ts'

/** The content of the home page. The hero and the side column belong to the shell. */
export default function HomePage() {
  const view = usePageSearch(homeSearch)
  const renderedAt = useRenderedAt()
  return (
    <>
      <div className={`${layout.panels} ${styles.top}`}>
        <HomeRanking view={view} />
        <div className={`${layout.panels} ${styles.side}`}>
          <ClubAreas />
          <ResetCard tone="paper" />
          <SocialSign />
        </div>
      </div>
      <HomeEvents />
      <HomeActivity />
      <HomeNews view={view} renderedAt={renderedAt} />
    </>
  )
}

/**
 * The main ranking with its class filters (HOME-2): the first eight rows of the level board, five on a phone (HOME-1,
 * LOOK-10).
 */
function HomeRanking({ view }: { view: HomeView }) {
  const queries = useQueryClient()
  const pendingView = usePendingSearch(homeSearch)
  const { data, isFetching, refetch } = usePageQuery(getHomeRankingQuery(view), { placeholderData: keepPreviousData })
  const rankedRows = data?.ranked
  const reloadRanking = async () => {
    await queries.invalidateQueries({ queryKey: getRankingBoardQuery('level', null).key })
    await refetch()
  }
  const allPath = getRankingPath({ board: 'level', period: null, school: view.school, cls: view.cls })
  return (
    <Panel
      id="main-ranking"
      index={1}
      title="Main ranking"
      className={styles.ranking}
      actions={
        <>
          <Button tone="quiet" className="needs-script" busy={isFetching} onClick={() => void reloadRanking()}>
            Update
          </Button>
          <span className={layout.wideOnly}>
            <ButtonLink tone="quiet" to={allPath}>
              Overall rankings
            </ButtonLink>
          </span>
        </>
      }
    >
      <WidgetFilters
        choice={view}
        classes={HOME_CLASS_FILTERS}
        getPath={(choice) => getHomePath({ ...pendingView, ...choice })}
        list="main-ranking"
      />
      {rankedRows === undefined && isFetching && <RankedSkeleton rows={HOME_ROWS} />}
      {rankedRows === undefined && !isFetching && <RankingLoadFailure onUpdate={reloadRanking} />}
      {rankedRows?.length === 0 && (
        <EmptyRanking
          isBoardEmpty={data?.isEmpty === true}
          allPath={getHomePath({ ...view, school: null, cls: null })}
        />
      )}
      {rankedRows !== undefined && rankedRows.length > 0 && (
        <div className={styles.rows}>
          <RankedTable isCompact board="level" rankedRows={rankedRows} caption="Main ranking" />
        </div>
      )}
      <div className={styles.rankingFoot}>
        <p>
          {RANKING_TEXTS.noteTop} {RANKING_TEXTS.noteReset}
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

const AREAS = [1, 2, 3]

/** The table of club areas: a drawn scene, the club that holds the area, and its tax (HOME-1, LOOK-12). */
function ClubAreas() {
  const { data, isFetching } = useCall(getClubAreas, {})
  return (
    <Panel
      index={2}
      title="Club areas"
      className={styles.areas}
      actions={
        <ButtonLink to="/wars" tone="quiet">
          Wars
        </ButtonLink>
      }
    >
      {data === undefined && isFetching && AREAS.map((area) => <Skeleton key={area} width="100%" height={88} />)}
      {data?.data.length === 0 && (
        <EmptyState title={EMPTY_LIST_TEXTS.emptyText} line="The areas appear when the club wars begin." />
      )}
      {data !== undefined && data.data.length > 0 && (
        <table className={styles.areaTable}>
          <caption className="visually-hidden">Who holds the club areas</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Area</th>
              <th scope="col">Club</th>
              <th scope="col">Tax</th>
            </tr>
          </thead>
          <tbody className={styles.areaRows}>
            {data.data.map(({ id, name, club, tax_percent, img_url }) => (
              <tr key={id} className={styles.areaRow}>
                <td className={styles.area}>
                  {img_url && <img src={img_url} alt="" width="180" height="60" loading="lazy" />}
                  <span>{name}</span>
                </td>
                <td className={styles.club} data-head="Club">
                  {club ?? CLUB_TEXTS.noClub}
                </td>
                <td className={styles.tax} data-head="Tax">
                  {tax_percent}%
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

/** The operators' social link and further links, which open in new tabs. */
function SocialSign() {
  const { data } = usePageQuery(getSiteQuery())
  const frame = useDocument('frame')
  return (
    <>
      {data?.social_url && (
        <Signboard
          to={data.social_url}
          tone="blue"
          icon={<Megaphone />}
          title={frame?.social_title || 'Our page'}
          line={frame?.social_line ?? ''}
        />
      )}
      <MoreLinks />
    </>
  )
}

function Megaphone() {
  return (
    <svg width="48" height="44" viewBox="0 0 48 44" fill="currentColor" aria-hidden="true">
      <path d="M30 4v32l-12-7H6V12h12ZM9 31h8l3 10h-8Z" />
      <path d="M35 12l8-6M36 20h9M35 28l8 6" fill="none" stroke="currentColor" strokeWidth="4" />
    </svg>
  )
}

/** Lists the newest activity on the server; nothing if there is none (ACTIVITY-1). */
function HomeActivity() {
  const { data } = usePageQuery(getHomeActivityQuery())
  if (data === undefined || data.data.length === 0) return null
  return (
    <div data-wide className={styles.activity}>
      <Panel
        title="Activity"
        actions={
          <ButtonLink tone="quiet" to="/activity">
            All activity
          </ButtonLink>
        }
      >
        <ActivityList rows={data.data} />
      </Panel>
    </div>
  )
}
