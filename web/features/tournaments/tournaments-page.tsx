import { MINUTE_MS } from '#contract/durations.ts'
import { formatGift } from '#contract/gifts.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import {
  getTournaments,
  TOURNAMENT_FORMATS,
  TOURNAMENT_PHASES,
  TOURNAMENT_TEXTS,
  type TournamentPhase,
} from '#contract/tournaments.ts'
import { usePageSearch, useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { getTournamentPath } from '#web/paths.ts'
import { formatSpan } from '#web/shell/notice-time.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import {
  getNextStep,
  getRefreshMs,
  getScenePath,
  LIST_PATH,
  type TournamentSummary,
  tournamentsSearch,
} from './tournament-view.ts'
import styles from './tournaments-page.module.css'

/** Lists the tournaments: current and upcoming ones, then finished ones. */
export default function TournamentsPage() {
  const { after } = usePageSearch(tournamentsSearch)
  const { data, error, refetch } = useCall(
    getTournaments,
    { after },
    { refetchInterval: ({ state }) => getRefreshMs(state.data?.data.map(({ phase }) => phase) ?? []) },
  )
  const rows = data?.data ?? []
  const isOver = ({ phase }: TournamentSummary) => phase === 'finalised' || phase === 'cancelled'
  const [currentRows, pastRows] = [rows.filter((row) => !isOver(row)), rows.filter(isOver)]
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb="Tournaments"
        title="Tournaments"
        lines={[TOURNAMENT_TEXTS.line]}
      />
      <div className={layout.panels}>
        {data === undefined && (
          <Panel>{error === null ? <TournamentsSkeleton /> : <LoadFailure onRetry={() => void refetch()} />}</Panel>
        )}
        {data !== undefined && rows.length === 0 && (
          <Panel>
            <EmptyState
              title={after === '' ? TOURNAMENT_TEXTS.empty : 'No older tournaments'}
              line={TOURNAMENT_TEXTS.emptyLine}
              action={<ButtonLink to="/news">News</ButtonLink>}
            />
          </Panel>
        )}
        {currentRows.length > 0 && <TournamentList title="On now and upcoming" rows={currentRows} />}
        {pastRows.length > 0 && <TournamentList title="Past" rows={pastRows} />}
        {(after !== '' || (data?.next ?? null) !== null) && (
          <nav className={layout.buttons} aria-label="Pages of the list">
            {after !== '' && (
              <ButtonLink to={LIST_PATH} tone="secondary">
                Latest
              </ButtonLink>
            )}
            {data?.next && (
              <ButtonLink to={`${LIST_PATH}?after=${data.next}`} tone="secondary">
                Older
              </ButtonLink>
            )}
          </nav>
        )}
      </div>
    </>
  )
}

function TournamentList({ title, rows }: { title: string; rows: readonly TournamentSummary[] }) {
  return (
    <Panel title={title}>
      <ul className={layout.rows}>
        {rows.map((row) => (
          <li key={row.tournament}>
            <TournamentRow tournament={row} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A tournament in the list: its scene, prizes, free spots, and next step. */
function TournamentRow({ tournament }: { tournament: TournamentSummary }) {
  const names = useCurrencyNames()
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const { kind, phase, entries, max_entries, first_prize, winner, starts_at } = tournament
  const nextStep = getNextStep(tournament, now)
  return (
    <Link to={getTournamentPath(tournament.tournament)} className={styles.card}>
      <span className={styles.scene}>
        <img src={getScenePath(kind)} alt="" width="320" height="180" className={layout.cover} loading="lazy" />
        {phase === 'running' && <span className={styles.live}>Live</span>}
      </span>
      <span className={layout.stack4}>
        <span className={`${text.breaks} ${text.size24Loose}`}>{tournament.name}</span>
        <span className={text.quiet}>
          {kind === 'clubs' ? 'Clubs' : 'Players'} · {TOURNAMENT_FORMATS[tournament.format]} ·{' '}
          <span className={styles.count}>
            {entries} of {max_entries} spots taken
          </span>
        </span>
        {first_prize !== null && (
          <span className={styles.prize}>
            Prize <strong>{formatGift(first_prize, names)}</strong>
          </span>
        )}
        {BEFORE_DRAW.has(phase) && <FreeSpots entries={entries} max={max_entries} />}
      </span>
      <span className={styles.side}>
        <span className={styles.phase} data-phase={phase}>
          {TOURNAMENT_PHASES[phase]}
        </span>
        {nextStep !== undefined && (
          <span className={styles.nextStep}>
            {nextStep.label}{' '}
            <strong>
              <Value>{formatSpan(nextStep.at - now)}</Value>
            </strong>
          </span>
        )}
        <span className={styles.time}>
          {winner === null ? (
            <>
              Begins <Value dateTime={starts_at}>{formatManilaMinute(new Date(starts_at))}</Value>
            </>
          ) : (
            <>
              Won by <strong>{winner}</strong>
            </>
          )}
        </span>
      </span>
    </Link>
  )
}

/** The phases before the draw. Until then, the list shows how many spots are free. */
const BEFORE_DRAW = new Set<TournamentPhase>(['coming', 'open', 'closed', 'checkin', 'ready'])

/** Shows the number of entries and free spots. */
function FreeSpots({ entries, max }: { entries: number; max: number }) {
  const spotsLeft = Math.max(0, max - entries)
  return (
    <span className={styles.places}>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${Math.min(100, (entries / max) * 100)}%` }} />
      </span>
      <span>{spotsLeft === 0 ? 'Full' : `${formatPlural(spotsLeft, 'spot')} left`}</span>
    </span>
  )
}

function TournamentsSkeleton() {
  return (
    <Loading className={`${layout.stack12} ${layout.padded}`}>
      <Skeleton width="50%" height={28} />
      <Skeleton width="70%" height={20} />
      <Skeleton width="40%" height={28} />
      <Skeleton width="60%" height={20} />
    </Loading>
  )
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={TOURNAMENT_TEXTS.failed}
        line="Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  )
}
