import { manilaMinute } from '#contract/manila.ts'
import { FORMATS, getTournaments, PHASES, TOURNAMENTS, type Tournament } from '#contract/tournaments.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { ABOVE, PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { LIST_PATH, tournamentPath, tournamentsSearch } from './tournament-view.ts'
import styles from './tournaments-page.module.css'

type Summary = Pick<
  Tournament,
  | 'tournament'
  | 'name'
  | 'kind'
  | 'format'
  | 'phase'
  | 'entries'
  | 'max_entries'
  | 'starts_at'
  | 'registration_until'
  | 'winner'
>

/** The list of tournaments: what is on or coming, and what is over. */
export default function TournamentsPage() {
  const { after } = usePageSearch(tournamentsSearch)
  const { data, error, refetch } = useCall(getTournaments, { after })
  const rows = data?.data ?? []
  const isOver = ({ phase }: Summary) => phase === 'finalised' || phase === 'cancelled'
  const [current, past] = [rows.filter((row) => !isOver(row)), rows.filter(isOver)]
  return (
    <>
      <PageHead above={[ABOVE.rankings]} crumb="Tournaments" title="Tournaments" lines={[TOURNAMENTS.line]} />
      <div className={layout.panels}>
        {data === undefined && <Panel>{error === null ? <Ghost /> : <Failed onRetry={() => void refetch()} />}</Panel>}
        {data !== undefined && rows.length === 0 && (
          <Panel>
            <EmptyState
              title={after === '' ? TOURNAMENTS.empty : 'No older tournaments'}
              line={TOURNAMENTS.emptyLine}
              action={<ButtonLink to="/news">News</ButtonLink>}
            />
          </Panel>
        )}
        {current.length > 0 && <Cards title="On now and upcoming" rows={current} />}
        {past.length > 0 && <Cards title="Past" rows={past} />}
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

function Cards({ title, rows }: { title: string; rows: readonly Summary[] }) {
  return (
    <Panel title={title}>
      <ul className={layout.rows}>
        {rows.map((row) => (
          <li key={row.tournament}>
            <Link to={tournamentPath(row.tournament)} className={styles.card}>
              <span className={styles.name}>{row.name}</span>
              <span className={styles.phase} data-phase={row.phase}>
                {PHASES[row.phase]}
              </span>
              <span className={text.quiet}>
                {row.kind === 'clubs' ? 'Clubs' : 'Players'} · {FORMATS[row.format]} · {row.entries} of{' '}
                {row.max_entries}
              </span>
              <span className={styles.when}>
                {row.winner === null ? (
                  <>
                    Begins <time dateTime={row.starts_at}>{manilaMinute(new Date(row.starts_at))}</time>
                  </>
                ) : (
                  <>
                    Won by <strong>{row.winner}</strong>
                  </>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Ghost() {
  return (
    <Loading className={styles.ghost}>
      <Skeleton width="50%" height={28} />
      <Skeleton width="70%" height={20} />
      <Skeleton width="40%" height={28} />
      <Skeleton width="60%" height={20} />
    </Loading>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title={TOURNAMENTS.failed}
        line="Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  )
}
