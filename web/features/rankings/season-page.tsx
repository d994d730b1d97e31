import { BOARD_NAMES, BOARDS } from '#contract/game.ts'
import { getSeasons } from '#contract/seasons.ts'
import { usePageSearch, usePendingSearch } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { BoardPanel, BoardTools, MonthsArchive, MyRanks, RankingSpans } from './board-parts.tsx'
import styles from './season-page.module.css'
import {
  describeRule,
  formatSeasonMonths,
  getSeasonColumns,
  getSeasonPath,
  getSeasonQuery,
  type SeasonView,
  STATE_LABELS,
  seasonSearch,
} from './span-view.ts'

/** The page with the boards of a season of several months. */
export default function SeasonPage() {
  const view = usePageSearch(seasonSearch)
  const pendingView = usePendingSearch(seasonSearch)
  const { data } = usePageQuery(getSeasonQuery(view))
  const season = data?.season ?? null
  const tabs = BOARDS.map((board) => ({
    key: board,
    label: BOARD_NAMES[board],
    to: getSeasonPath({ ...pendingView, board }),
  }))
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb="Season"
        title={season?.name ?? 'Season'}
        lines={
          season === null
            ? ['Several months, one ranking.']
            : [`${formatSeasonMonths(season)}, ${STATE_LABELS[season.state]}.`, data && describeRule(data.rule)]
        }
        actions={season !== null && <SeasonTools view={view} shownSeason={season.season} />}
      />
      <div>
        <RankingSpans current="/rankings/season" />
        {data !== undefined && season === null ? (
          <NoSeason />
        ) : (
          <>
            <TabLinks label="Rankings" tabs={tabs} current={view.board} list="ranking" />
            <MyRanks choice={view} of="season" season={view.season ?? undefined} />
            <SeasonBoard view={view} />
          </>
        )}
        <MonthsArchive board={view.board} />
      </div>
    </>
  )
}

/** Shown before the first season, with the next announced season. */
function NoSeason() {
  const { data } = useCall(getSeasons, {})
  const nextSeason = data?.data.at(-1)
  return (
    <Panel>
      <EmptyState
        title="No season yet"
        line={
          nextSeason === undefined
            ? 'The boards will appear here when the operators open a season.'
            : `${nextSeason.name} begins soon: ${formatSeasonMonths(nextSeason)}.`
        }
        action={<ButtonLink to="/rankings">This month’s rankings</ButtonLink>}
      />
    </Panel>
  )
}

function SeasonTools({ view, shownSeason }: { view: SeasonView; shownSeason: number | undefined }) {
  const seasons = useCall(getSeasons, {})
  const pendingView = usePendingSearch(seasonSearch)
  const { refetch, isFetching } = usePageQuery(getSeasonQuery(view))
  return (
    <BoardTools
      label="Season"
      summary="Seasons"
      spans={(seasons.data?.data ?? [])
        .filter(({ state }) => state !== 'planned')
        .map(({ season, name, state }) => ({
          key: String(season),
          name,
          state: STATE_LABELS[state],
          to: getSeasonPath({ ...pendingView, season: state === 'running' ? null : season }),
          isShown: season === shownSeason,
        }))}
      onUpdate={() => void refetch()}
      busy={isFetching}
    />
  )
}

/** The board of a season, with its divisions below. */
function SeasonBoard({ view }: { view: SeasonView }) {
  const { data, refetch, isFetching } = usePageQuery(getSeasonQuery(view))
  const pendingView = usePendingSearch(seasonSearch)
  const name = `${BOARD_NAMES[view.board]} Ranking`
  return (
    <>
      <BoardPanel
        name={name}
        caption={`${name}, ${data?.season?.name ?? 'season'}`}
        choice={view}
        getPath={(choice) => getSeasonPath({ ...pendingView, ...choice })}
        rows={data?.data}
        isFetching={isFetching}
        onUpdate={() => void refetch()}
        season={
          data && {
            columns: getSeasonColumns(view.board, data.rule),
            ranked: Math.max(data.ranked, data.data.length),
          }
        }
      />
      {data?.season && (
        <>
          <ul className={styles.divisions} aria-label="Divisions">
            {data.season.divisions.map(({ name: division, share }) => (
              <li key={division}>
                <strong>{division}</strong> {share === 100 ? 'everyone else' : `the best ${share}%`}
              </li>
            ))}
          </ul>
          <div className={styles.share}>
            <ShareButton name={data.season.name} />
          </div>
        </>
      )}
    </>
  )
}
