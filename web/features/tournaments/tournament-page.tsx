import { useParams } from 'react-router'
import { MINUTE_MS } from '#contract/durations.ts'
import { findClassByCode, findSchool } from '#contract/game.ts'
import { formatGift } from '#contract/gifts.ts'
import { formatClockMinute, formatPeriod } from '#contract/manila.ts'
import { formatOrdinal } from '#contract/numbers.ts'
import { getTournament, TOURNAMENT_FORMATS, TOURNAMENT_PHASES, type Tournament } from '#contract/tournaments.ts'
import { readId, useRenderedAt } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { ClassMark, SchoolMark } from '#web/features/rankings/marks.tsx'
import { getCharacterPath } from '#web/features/rankings/rankings-view.ts'
import { formatSpan } from '#web/shell/notice-time.ts'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { useServerTime } from '#web/shell/server-clock.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShareButton } from '#web/ui/share-button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Value } from '#web/ui/value.tsx'
import { Bracket } from './bracket.tsx'
import { MyEntry } from './my-entry.tsx'
import styles from './tournament-page.module.css'
import { type Entry, getRefreshMs, LIST_PATH, type Match } from './tournament-view.ts'

/** A tournament's page: time and prizes, entries, and results so far. */
export default function TournamentPage() {
  const id = String(readId(useParams().id))
  const { data: tournament } = useCall(
    getTournament,
    { id },
    { refetchInterval: ({ state: { data } }) => data !== undefined && getRefreshMs([data.phase]) },
  )
  if (tournament === undefined) return null
  const { name, phase, kind, format, about, cancelled_why, matches } = tournament
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.rankings, PARENT_PAGES.tournaments]}
        crumb={name}
        title={name}
        lines={[
          <strong key="phase">{TOURNAMENT_PHASES[phase]}</strong>,
          `${TOURNAMENT_FORMATS[format]}, ${kind === 'clubs' ? 'for clubs' : 'for players'}. ${describeLevels(tournament)}`,
        ]}
        actions={
          <>
            <ShareButton name={name} />
            <ButtonLink to={LIST_PATH} tone="secondary">
              All tournaments
            </ButtonLink>
          </>
        }
      />
      <div className={layout.panels}>
        {phase === 'cancelled' && (
          <Panel title="Cancelled">
            <p className={styles.text}>{cancelled_why}</p>
          </Panel>
        )}
        <MyEntry tournament={tournament} />
        {phase === 'running' && <NextMatches tournament={tournament} />}
        {matches.length > 0 && <Bracket tournament={tournament} />}
        <ScheduleAndPrizes tournament={tournament} />
        {about !== '' && (
          <Panel title="About">
            <p className={styles.text}>{about}</p>
          </Panel>
        )}
        <Entries tournament={tournament} />
      </div>
    </>
  )
}

/** The number of next matches that are listed. */
const NEXT_MATCHES = 3

/** Lists current and next matches. */
function NextMatches({ tournament: { matches, list } }: { tournament: Tournament }) {
  const renderedAt = useRenderedAt()
  const now = useServerTime(MINUTE_MS) ?? renderedAt
  const getTime = ({ starts_at }: Match) => (starts_at === null ? Number.POSITIVE_INFINITY : Date.parse(starts_at))
  const nextMatches = matches
    .filter(({ state }) => state === 'ready')
    .toSorted((a, b) => getTime(a) - getTime(b) || a.match - b.match)
    .slice(0, NEXT_MATCHES)
  const findName = (entry: number | null) => list.find((listEntry) => listEntry.entry === entry)?.name
  if (nextMatches.length === 0) return null
  return (
    <Panel title={nextMatches.length === 1 ? 'Next match' : 'Next matches'}>
      <ol className={`${layout.rows} ${styles.nextMatches}`}>
        {nextMatches.map((match) => (
          <li key={match.match}>
            <span className={styles.name}>
              {findName(match.entry1)} <span className={styles.versus}>vs</span> {findName(match.entry2)}
            </span>
            <span className={styles.level}>
              {match.starts_at === null
                ? 'Time to be announced'
                : getTime(match) > now
                  ? `in ${formatSpan(getTime(match) - now)}`
                  : 'on now'}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles.zone}>This page refreshes itself while matches are played.</p>
    </Panel>
  )
}

function describeLevels({ level_from, level_to }: Tournament): string {
  if (level_to !== null) return `Levels ${level_from} to ${level_to}.`
  return level_from > 1 ? `From level ${level_from}.` : 'Every level.'
}

/** The schedule and the prizes. */
function ScheduleAndPrizes({ tournament }: { tournament: Tournament }) {
  const names = useCurrencyNames()
  const { registration_from, registration_until, checkin_from, checkin_until, starts_at, offers, list } = tournament
  const findHolder = (place: number) => {
    const holders = list.filter((entry) => entry.place === place)
    return holders.length === 1 ? holders[0]?.name : undefined
  }
  return (
    <div className={`${layout.panels} ${styles.facts}`}>
      <Panel title="When">
        <dl className={styles.schedule}>
          <TimeRange name="Registration" from={registration_from} until={registration_until} />
          <TimeRange name="Check-in" from={checkin_from} until={checkin_until} />
          <TimeRange name="First match" from={starts_at} />
        </dl>
        <p className={styles.zone}>Manila time, GMT+08:00.</p>
      </Panel>
      {offers.length > 0 && (
        <Panel title="Prizes">
          <dl className={styles.prizes}>
            {offers.map((offer) => (
              <div key={offer.place}>
                <dt>{formatOrdinal(offer.place)}</dt>
                <dd>
                  {formatGift(offer, names)}
                  {findHolder(offer.place) !== undefined && <span>{findHolder(offer.place)}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </div>
  )
}

function TimeRange({ name, from, until }: { name: string; from: string; until?: string }) {
  const start = Date.parse(from)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {until === undefined ? (
          <Value dateTime={from}>{formatClockMinute(start)}</Value>
        ) : (
          <Value>{formatPeriod(start, Date.parse(until))}</Value>
        )}
      </dd>
    </div>
  )
}

/** Lists the entries: by registration before the draw, by seed after it, by rank when the tournament is final. */
function Entries({ tournament: { list, kind, phase, matches } }: { tournament: Tournament }) {
  const isDrawn = matches.length > 0
  const shownEntries = isDrawn ? list.filter(({ seed }) => seed !== null) : list
  return (
    <Panel
      title={
        phase === 'finalised' ? 'Final places' : `${kind === 'clubs' ? 'Clubs' : 'Players'} (${shownEntries.length})`
      }
    >
      {shownEntries.length === 0 ? (
        <EmptyState title="No one yet" line="The first to register will appear here." />
      ) : (
        <ol className={`${layout.rows} ${styles.entries}`}>
          {shownEntries.map((entry) => (
            <li key={entry.entry}>
              <span className={styles.place}>{phase === 'finalised' ? (entry.place ?? '–') : (entry.seed ?? '')}</span>
              <span className={styles.name}>
                {entry.club ?? <CharacterName entry={entry} />}
                {entry.club !== null && (
                  <small>
                    led by <CharacterName entry={entry} />
                  </small>
                )}
              </span>
              <span className={styles.level}>Level {entry.cha_level}</span>
              <span className={styles.marks}>
                <ClassMark name={findClassByCode(entry.cha_class)} />
                <SchoolMark school={findSchool(entry.cha_school)} />
              </span>
              {!isDrawn && <span className={styles.state}>{entry.checked_in ? 'Checked in' : 'Registered'}</span>}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** A character's name, linked to its page. */
function CharacterName({ entry: { cha_num, cha_name, has_page } }: { entry: Entry }) {
  return has_page ? <Link to={getCharacterPath(cha_num)}>{cha_name}</Link> : cha_name
}
