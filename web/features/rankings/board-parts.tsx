import { getOwnRanks } from '#contract/characters.ts'
import { type Board, listClassFilters } from '#contract/game.ts'
import { COUNTED_RANKS_MAX, RANKING_SIZE } from '#contract/limits.ts'
import { formatMonth } from '#contract/manila.ts'
import { formatCount } from '#contract/numbers.ts'
import { getRankingPeriods } from '#contract/rankings.ts'
import { useHydrated } from '#web/api/page.ts'
import { useCall, usePageQuery } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { LinkMenu, type MenuOption } from '#web/ui/link-menu.tsx'
import { SegmentLinks } from '#web/ui/tabs.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import styles from './board-parts.module.css'
import { EmptyRanking, RankedSkeleton, RankedTable, RankingLoadFailure } from './ranked-table.tsx'
import { RankingFilters } from './ranking-filters.tsx'
import {
  type BoardChoice,
  type BoardRow,
  type Column,
  filterAndRank,
  getCharacterPath,
  getRankingBoardPath,
} from './rankings-view.ts'

const SPANS = [
  { key: '/rankings', label: 'Month', to: '/rankings' },
  { key: '/rankings/season', label: 'Season', to: '/rankings/season' },
  { key: '/rankings/total', label: 'Total', to: '/rankings/total' },
  { key: '/rankings/club', label: 'Clubs', to: '/rankings/club' },
  { key: '/rankings/tournament', label: 'Tournaments', to: '/rankings/tournament' },
] as const

/**
 * Links to the rankings by month, season and all time, of clubs and of tournaments, for screens on which the section's
 * menu is far below. Links to empty pages are left out.
 */
export function RankingSpans({ current }: { current: (typeof SPANS)[number]['key'] }) {
  const hiddenPaths: readonly string[] = usePageQuery(getSiteQuery()).data?.preparing ?? []
  const options = SPANS.filter(({ to }) => to === current || !hiddenPaths.includes(to))
  return (
    <div className={styles.spans}>
      <SegmentLinks label="Rankings of" tabs={options} current={current} list="ranking" />
    </div>
  )
}

type BoardToolsProps = {
  label: string
  spans: readonly MenuOption[]
  /** Replaces the selected period in the menu, if the heading already names it. */
  summary?: string
  onUpdate: () => void
  busy: boolean
}

/** The tools in the title row: a menu of months or seasons, and a button that reloads the board (RANK-13). */
export function BoardTools({ spans, onUpdate, busy, ...menu }: BoardToolsProps) {
  return (
    <>
      <LinkMenu {...menu} options={spans} list="ranking" />
      <span className={layout.wideOnly}>
        <Button tone="secondary" className="needs-script" busy={busy} onClick={onUpdate}>
          Update
        </Button>
      </span>
    </>
  )
}

function UpdateIcon() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      aria-hidden="true"
    >
      <path d="M20 12a8 8 0 1 1-2.5-5.8M20 2v5.5h-5.5" />
    </svg>
  )
}

const RANKS_SHOWN = 4
const FRESH_MS = 60_000

type MyRanksProps = {
  choice: BoardChoice
  of: 'month' | 'season' | 'total'
  period?: string | undefined
  season?: number | undefined
}

/** Shows the ranks of the player's characters on the board below, within its filters. Hidden for guests. */
export function MyRanks(props: MyRanksProps) {
  const isPlayer = useSession() !== null
  const isHydrated = useHydrated()
  return (
    <section className={styles.myRanks} data-for="player" aria-label="Your ranks">
      <span className={styles.myRanksTitle}>Your ranks</span>
      {isHydrated && isPlayer && <MyRankList {...props} />}
    </section>
  )
}

/** The names of the values that a rank needs, by board. */
const VALUE_NAMES: Record<Board, string> = {
  resu: 'resu',
  mmr: 'MMR',
  level: 'level',
  richest: 'money',
  killer: 'kills',
}

function MyRankList({ choice: { board, school, cls }, of, period, season }: MyRanksProps) {
  const { data, isError } = useCall(
    getOwnRanks,
    {
      of,
      board,
      ...(period !== undefined && { period }),
      ...(season !== undefined && { season }),
      ...(school !== null && { school }),
      ...(cls !== null && { class: cls }),
    },
    { staleTime: FRESH_MS, retry: false },
  )
  if (isError) return <span className={text.faint}>We couldn’t load your ranks.</span>
  if (data === undefined) return null
  const isFiltered = school !== null || cls !== null
  if (data.data.length === 0)
    return (
      <span className={text.faint}>
        {isFiltered
          ? 'You have no character of this school and class.'
          : 'You have no characters yet. They appear here when you play.'}
      </span>
    )
  if (data.data.every(({ rank, behind }) => rank === null && !behind))
    return <span className={text.faint}>None of your characters is on this board yet.</span>
  const { last } = data
  const unit = of === 'season' ? 'points' : VALUE_NAMES[board]
  return (
    <ul className={`${styles.myRankList} ${layout.fading}`}>
      {data.data
        .filter(({ rank, behind }) => rank !== null || behind)
        .slice(0, RANKS_SHOWN)
        .map(({ ChaNum, ChaName, rank, division }) => (
          <li key={ChaNum} className={styles.myRank}>
            <Link to={getCharacterPath(ChaNum)}>{ChaName}</Link>
            {rank === null ? (
              <span>
                below place <Value>{formatCount(last?.rank ?? COUNTED_RANKS_MAX)}</Value>
                {last !== null && (
                  <span className={text.faint}>
                    {' '}
                    ({unit} needed: <Value>{formatCount(last.value)}</Value>)
                  </span>
                )}
              </span>
            ) : (
              <MyRank rank={rank} />
            )}
            {division !== null && <span className={text.faint}>{division}</span>}
          </li>
        ))}
    </ul>
  )
}

/** A rank, linked to its row if the board below shows it. */
function MyRank({ rank }: { rank: number }) {
  const rankText = (
    <strong>
      <Value>{`#${formatCount(rank)}`}</Value>
    </strong>
  )
  if (rank > RANKING_SIZE) return rankText
  return (
    <a href={`#place-${rank}`} className={styles.jump}>
      {rankText} <span>My place</span>
    </a>
  )
}

/** Lists all months as links to the same board. */
export function MonthsArchive({ board }: { board: Board }) {
  const { data } = useCall(getRankingPeriods, {})
  const choice = { board, school: null, cls: null }
  return (
    <section className={styles.archive} aria-labelledby="months-archive">
      <h2 className={text.size24Loose} id="months-archive">
        Month by month
      </h2>
      <ul className={styles.months}>
        {(data?.data ?? []).map(({ period, open }) => (
          <li key={period}>
            <Link to={getRankingBoardPath('/rankings', choice, open ? {} : { period })}>{formatMonth(period)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SKELETON_ROWS = 15
/** Long boards have a link that jumps to this rank. */
const MIDDLE_RANK = 50

type BoardPanelProps = {
  /** The board's name for screen readers. */
  name: string
  caption: string
  choice: BoardChoice
  getPath: (choice: Partial<BoardChoice>) => string
  /** The board's rows; undefined until they have loaded. */
  rows: readonly BoardRow[] | undefined
  isFetching: boolean
  onUpdate: () => void
  /** A season's columns and its number of ranked characters. */
  season?: { columns: readonly Column[]; ranked: number } | undefined
}

/** A board in any state: its filters and the matching rows. */
export function BoardPanel({ name, caption, choice, getPath, rows, isFetching, onUpdate, season }: BoardPanelProps) {
  const rankedRows = rows && filterAndRank(rows, choice)
  const isShown = rankedRows !== undefined && rankedRows.length > 0
  return (
    <section id="ranking" aria-labelledby="ranking-title">
      <h2 id="ranking-title" className="visually-hidden">
        {name}
      </h2>
      <RankingFilters
        choice={choice}
        classes={listClassFilters(choice.board)}
        getPath={getPath}
        count={rankedRows?.length}
      >
        <span className={layout.narrowOnly}>
          <Button tone="secondary" className={`needs-script ${styles.update}`} busy={isFetching} onClick={onUpdate}>
            <UpdateIcon />
            <span className="visually-hidden">Update</span>
          </Button>
        </span>
        {isShown && rankedRows.length > MIDDLE_RANK && (
          <>
            <a href={`#place-${MIDDLE_RANK}`} className={styles.jump}>
              Place {MIDDLE_RANK}
            </a>
            <a href={`#place-${rankedRows.length}`} className={styles.jump}>
              Last place
            </a>
          </>
        )}
      </RankingFilters>
      <div className={styles.board}>
        {rankedRows === undefined && isFetching && <RankedSkeleton rows={SKELETON_ROWS} />}
        {rankedRows === undefined && !isFetching && <RankingLoadFailure onUpdate={onUpdate} />}
        {rankedRows?.length === 0 && (
          <EmptyRanking isBoardEmpty={rows?.length === 0} allPath={getPath({ school: null, cls: null })} />
        )}
        {isShown && (
          <RankedTable
            board={choice.board}
            rankedRows={rankedRows}
            caption={caption}
            {...(season && { seasonColumns: season.columns })}
          />
        )}
      </div>
      <p className={styles.count} role="status">
        {isShown && (
          <span>{`Showing ${rankedRows.length} of ${rows?.length}${season === undefined ? '' : `, ${formatCount(season.ranked)} ranked in all`}`}</span>
        )}
      </p>
    </section>
  )
}
