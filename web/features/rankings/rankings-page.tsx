import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { BOARDS, classFiltersOf } from '#contract/game.ts'
import { monthName } from '#contract/manila.ts'
import { RANKINGS } from '#contract/messages.ts'
import { getRankingPeriods } from '#contract/rankings.ts'
import { useComingSearch, usePageSearch } from '#web/api/page.ts'
import { useCall, useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { BOARD_NAMES, boardQuery, filterRanked, type RankingView, rankingPath, rankingSearch } from './boards.ts'
import { NobodyRanked, NothingLoaded, RankedSkeleton, RankedTable } from './ranked-table.tsx'
import { RankingFilters } from './ranking-filters.tsx'
import styles from './rankings-page.module.css'

export default function RankingsPage() {
  const view = usePageSearch(rankingSearch)
  const coming = useComingSearch(rankingSearch)
  const tabs = BOARDS.map((board) => ({ key: board, label: BOARD_NAMES[board], to: rankingPath({ ...coming, board }) }))
  return (
    <>
      <PageHead
        crumb="Overall rankings"
        title={`${BOARD_NAMES[view.board]} Ranking`}
        lines={[RANKINGS.noteTop, RANKINGS.noteReset]}
      />
      <div>
        <div className={styles.bar}>
          <TabLinks label="Rankings" tabs={tabs} current={view.board} panelId="ranking" />
          <RankingTools view={view} />
        </div>
        <RankingBoard view={view} />
      </div>
    </>
  )
}

/** The month on show and the button that asks for the boards again. */
function RankingTools({ view }: { view: RankingView }) {
  const months = useCall(getRankingPeriods, {})
  const coming = useComingSearch(rankingSearch)
  const { refetch, isFetching } = useLoaded(boardQuery(view.board, view.period))
  return (
    <div className={styles.tools}>
      <MonthMenu
        months={months.data?.data ?? []}
        current={view.period}
        pathOf={(period) => rankingPath({ ...coming, period })}
      />
      <Button tone="secondary" className={styles.update} busy={isFetching} onClick={() => refetch()}>
        Update
      </Button>
    </div>
  )
}

type MonthMenuProps = {
  months: readonly { period: string; open: boolean }[]
  /** The closed month on show, or null for the open one. */
  current: string | null
  pathOf: (period: string | null) => string
}

/** The month on show, opening a list of every month there is. Works without scripts; with them, Escape and leaving it close it. */
function MonthMenu({ months, current, pathOf }: MonthMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const shown = current ?? months.find(({ open }) => open)?.period
  const close = () => menu.current?.removeAttribute('open')
  const closeOnEscape = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const closeOnLeaving = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) close()
  }
  if (shown === undefined) return null
  if (months.length < 2) return <span className={styles.only}>{monthName(shown)}</span>
  return (
    <details ref={menu} className={styles.menu} onKeyDown={closeOnEscape} onBlur={closeOnLeaving}>
      <summary className={styles.summary}>
        <span className="visually-hidden">Month: </span>
        {monthName(shown)}
        <svg
          width="12"
          height="8"
          viewBox="0 0 12 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M1 1l5 5 5-5" />
        </svg>
      </summary>
      <ul className={styles.list}>
        {months.map(({ period, open }) => (
          <li key={period}>
            <Link
              to={pathOf(open ? null : period)}
              className={styles.month}
              aria-current={period === shown ? 'true' : undefined}
              preventScrollReset
              onClick={close}
            >
              {monthName(period)}
              <span className={styles.state}>{open ? 'this month' : 'closed'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

const SKELETON_ROWS = 15

/** The filters and the board they leave, in whatever state it is. */
function RankingBoard({ view }: { view: RankingView }) {
  const { data, refetch, isFetching } = useLoaded(boardQuery(view.board, view.period))
  const ranked = data && filterRanked(data, view)
  const coming = useComingSearch(rankingSearch)
  const month = view.period ? monthName(view.period) : 'this month'
  return (
    <section id="ranking" aria-label={`${BOARD_NAMES[view.board]} Ranking`}>
      <Panel>
        <RankingFilters
          choice={view}
          classes={classFiltersOf(view.board)}
          pathOf={(choice) => rankingPath({ ...coming, ...choice })}
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
