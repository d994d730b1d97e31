import { MINUTE_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { LEAGUE_PHASES } from '#contract/leagues.ts'
import { formatManilaMinute, formatPeriod } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { getWars } from '#contract/wars.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { getEventPath, getLeaguePath } from '#web/paths.ts'
import { formatSpan } from '#web/shell/notice-time.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Value } from '#web/ui/value.tsx'
import { getClubPath } from '../rankings/rankings-view.ts'
import { ClubName, LeagueEnd, LeagueStart, Shield } from './club-parts.tsx'
import { LeagueTable } from './league-table.tsx'
import { describePoints } from './league-view.ts'
import styles from './wars.module.css'

type Wars = CallOutput<typeof getWars>

/** The page of club wars: the next war, the holders of the areas, and the last results (WAR-1). */
export default function WarsPage() {
  const { data: wars } = useCall(getWars, {})
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  if (wars === undefined) return null
  const openLeagues = wars.leagues.filter(({ phase }) => phase !== 'finalised')
  const pastLeagues = wars.leagues.filter(({ phase }) => phase === 'finalised')
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings]}
        crumb="Club wars"
        title="Club wars"
        actions={<ShareButton name="Club wars" />}
      />
      <div className={layout.panels}>
        <NextWar next={wars.next} now={now} />
        {openLeagues.map((league) => (
          <OpenLeague key={league.league} league={league} />
        ))}
        <Areas areas={wars.areas} />
        {pastLeagues.length > 0 && <PastLeagues leagues={pastLeagues} />}
        {wars.results.length > 0 && <Results results={wars.results} />}
        {wars.changes.length > 0 && <HolderChanges changes={wars.changes} />}
      </div>
    </>
  )
}

function NextWar({ next, now }: { next: Wars['next']; now: number }) {
  if (next === null)
    return (
      <Panel>
        <EmptyState
          title="No war planned"
          line="The next one is announced here, with the events and in the news."
          action={<ButtonLink to="/events">All events</ButtonLink>}
        />
      </Panel>
    )
  const [from, until] = [Date.parse(next.starts_at), Date.parse(next.ends_at)]
  const isRunning = from <= now
  return (
    <Panel tone="paper">
      <div className={layout.headline}>
        <div>
          <p>
            <span className={layout.lead}>{isRunning ? 'On now, ends in' : 'The next war begins in'}</span>{' '}
            <span className={styles.countdown}>{formatSpan((isRunning ? until : from) - now)}</span>
          </p>
          <p>{formatPeriod(from, until)}</p>
        </div>
        <ButtonLink to={getEventPath(next.event)} tone="paper">
          {next.title}
        </ButtonLink>
      </div>
    </Panel>
  )
}

function Areas({ areas }: Pick<Wars, 'areas'>) {
  if (areas.length === 0)
    return (
      <Panel title="Areas">
        <EmptyState title="No areas yet" line="They appear here when the game reports them." />
      </Panel>
    )
  return (
    <Panel title="Who holds what">
      <ul className={layout.rows}>
        {areas.map((area) => (
          <li key={area.id} className={styles.area}>
            {area.img_url !== null && <img src={area.img_url} alt="" width="120" height="40" loading="lazy" />}
            <strong className={`${text.breaks} ${text.size20}`}>{area.name}</strong>
            <span className={styles.holder}>
              <Shield club={area} />
              <span>
                <ClubName club={area} />
                <span className={styles.details}>
                  {area.held_since !== null && (
                    <>
                      since <Value dateTime={area.held_since}>{formatManilaMinute(Date.parse(area.held_since))}</Value>
                      {', '}
                    </>
                  )}
                  <Value>{`${area.tax_percent}%`}</Value> tax
                </span>
                {area.alliance !== null && <AllianceLine holder={area.GuNum} leader={area.alliance} />}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The alliance of an area's holder: the club that leads it, or that the holder leads it. */
function AllianceLine({
  holder,
  leader,
}: {
  holder: number | null
  leader: NonNullable<Wars['areas'][number]['alliance']>
}) {
  return (
    <span className={styles.details}>
      {leader.GuNum === holder ? (
        'Leads an alliance'
      ) : (
        <>
          Alliance of <Link to={getClubPath(leader.GuNum)}>{leader.GuName}</Link>
        </>
      )}
    </span>
  )
}

/** The best clubs of a league that is not final. */
function OpenLeague({ league }: { league: Wars['leagues'][number] }) {
  return (
    <Panel
      title={league.name}
      actions={
        <ButtonLink to={getLeaguePath(league.league)} tone="quiet">
          The whole league
        </ButtonLink>
      }
    >
      <p className={styles.text}>
        <strong>{LEAGUE_PHASES[league.phase]}.</strong> {describePoints(league)} From{' '}
        <LeagueStart at={league.starts_at} /> to <LeagueEnd at={league.ends_at} />.
      </p>
      <LeagueTable rows={league.table} name={league.name} />
    </Panel>
  )
}

function PastLeagues({ leagues }: Pick<Wars, 'leagues'>) {
  return (
    <Panel title="Past leagues">
      <ul className={layout.rows}>
        {leagues.map(({ league, name, ends_at, table: [winner] }) => (
          <li key={league} className={styles.result}>
            <p>
              <Link to={getLeaguePath(league)}>{name}</Link>, ended <LeagueEnd at={ends_at} />
            </p>
            {winner !== undefined && (
              <p>
                Won by <ClubName club={winner} /> with <Value>{formatPlural(winner.points, 'point')}</Value>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Results({ results }: Pick<Wars, 'results'>) {
  return (
    <Panel title="Last results">
      <ul className={layout.rows}>
        {results.map(({ event, title, starts_at, result }) => (
          <li key={`${event} ${starts_at}`} className={styles.result}>
            <p>
              <Link to={getEventPath(event)}>{title}</Link>,{' '}
              <Value dateTime={starts_at}>{formatManilaMinute(Date.parse(starts_at))}</Value>
            </p>
            <p>{result}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function HolderChanges({ changes }: Pick<Wars, 'changes'>) {
  return (
    <Panel title="Changes of holders">
      <table className={styles.table}>
        <caption className="visually-hidden">The last changes of holders, newest first</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Area</th>
            <th scope="col">Club</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={`${change.since} ${change.area}`}>
              <td>
                <Value dateTime={change.since}>{formatManilaMinute(Date.parse(change.since))}</Value>
              </td>
              <th scope="row">{change.area}</th>
              <td>
                <ClubName club={change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
