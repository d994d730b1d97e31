import { useParams } from 'react-router'
import { formatGift } from '#contract/gifts.ts'
import { formatScore, getLeague, LEAGUE_PHASES, type League } from '#contract/leagues.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { readId } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { getEventPath } from '#web/paths.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { Value } from '#web/ui/value.tsx'
import { ClubName, LeagueEnd, LeagueStart } from './club-parts.tsx'
import { formatSigned, LeagueTable } from './league-table.tsx'
import { describePoints } from './league-view.ts'
import styles from './wars.module.css'

/** The page of a league of club wars: table, results, bonuses and penalties (WAR-3). */
export default function LeaguePage() {
  const { data: league } = useCall(getLeague, { league: String(readId(useParams().league)) })
  if (league === undefined) return null
  const { name, phase, about, cancelled_why, table, wars, adjustments } = league
  return (
    <>
      <PageHead
        parents={[['/wars', 'Club wars']]}
        crumb={name}
        title={name}
        lines={[<strong key="phase">{LEAGUE_PHASES[phase]}</strong>, describePoints(league)]}
        actions={<ShareButton name={name} />}
      />
      <div className={layout.panels}>
        {phase === 'cancelled' && (
          <Panel tone="paper">
            <p className={layout.padded}>
              <strong>Called off:</strong> {cancelled_why}
            </p>
          </Panel>
        )}
        <Panel title="Table">
          <LeagueTable rows={table} name={name} />
        </Panel>
        <Panel title="About">
          {about !== '' && <p className={styles.text}>{about}</p>}
          <LeagueFacts league={league} />
        </Panel>
        {wars.length > 0 && <Wars league={league} />}
        {adjustments.length > 0 && <Adjustments adjustments={adjustments} />}
      </div>
    </>
  )
}

const renderMoment = (moment: string) => <Value dateTime={moment}>{formatManilaMinute(Date.parse(moment))}</Value>

function LeagueFacts({ league: { starts_at, ends_at, next_at, events, offers, prizes_to } }: { league: League }) {
  const names = useCurrencyNames()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>From</dt>
        <dd>
          <LeagueStart at={starts_at} />
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>
          <LeagueEnd at={ends_at} />
        </dd>
      </div>
      {next_at !== null && (
        <div>
          <dt>Next war</dt>
          <dd>{renderMoment(next_at)}</dd>
        </div>
      )}
      <div>
        <dt>What counts</dt>
        {events.map(({ event, title }) => (
          <dd key={title}>{event === null ? title : <Link to={getEventPath(event)}>{title}</Link>}</dd>
        ))}
      </div>
      {offers.length > 0 && (
        <div>
          <dt>{prizes_to === 'leader' ? 'Prizes for the club' : 'Prizes for each member'}</dt>
          {offers.map((offer) => (
            <dd key={offer.place}>
              Place {offer.place}: <Value>{formatGift(offer, names)}</Value>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

function Wars({ league: { wars, counts } }: { league: League }) {
  return (
    <Panel title="Results">
      <ul className={layout.rows}>
        {wars.map(({ event, title, starts_at, is_final, scores }) => (
          <li key={`${event} ${starts_at}`} className={styles.result}>
            <p>
              {event === null ? title : <Link to={getEventPath(event)}>{title}</Link>}, {renderMoment(starts_at)}{' '}
              {!is_final && <span className={styles.provisional}>Not final yet</span>}
            </p>
            {scores.length === 0 ? (
              <p className={styles.details}>No club scored.</p>
            ) : (
              <ol className={styles.scores}>
                {scores.map((score) => (
                  <li key={score.club}>
                    <ClubName club={score} />
                    <span className={styles.details}>
                      <Value>{formatScore(counts, score.value)}</Value>,{' '}
                      <Value>{formatPlural(score.points, 'point')}</Value>
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Adjustments({ adjustments }: Pick<League, 'adjustments'>) {
  return (
    <Panel title="Bonuses and penalties">
      <ul className={layout.rows}>
        {adjustments.map((adjustment) => (
          <li key={`${adjustment.made_at} ${adjustment.club}`} className={styles.result}>
            <p>
              <ClubName club={adjustment} /> <strong>{formatSigned(adjustment.points)}</strong>,{' '}
              {renderMoment(adjustment.made_at)}
            </p>
            <p>{adjustment.reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
