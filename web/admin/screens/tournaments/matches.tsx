import { useState } from 'react'
import { scheduleFields, scheduleMatches } from '#contract/desk-tournaments.ts'
import { partName, roundName } from '#contract/tournaments.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { manilaText, StateBadge } from '../../kit/facts.tsx'
import { getEntryName, getMatchNames, type Match, type Tournament } from './names.ts'
import { ResultDialog } from './result-dialog.tsx'
import styles from './tournaments.module.css'

/** The matches, round by round: those that can be played first, on a phone too. */
export function Matches({ tournament }: { tournament: Tournament }) {
  const [entered, setEntered] = useState<Match | null>(null)
  const canChange = tournament.state === 'drawn'
  const ready = tournament.matches.filter(({ state }) => state === 'ready')
  const card = (match: Match) => (
    <MatchRow
      key={match.match}
      match={match}
      tournament={tournament}
      {...(canChange && { onResult: () => setEntered(match) })}
    />
  )
  return (
    <div className={layout.panels}>
      {canChange && (
        <Panel title={`To be played (${ready.length})`}>
          {ready.length === 0 ? (
            <EmptyState
              title="Nothing to play"
              line={
                tournament.phase === 'decided' ? 'Every match is decided.' : 'The next matches are waiting for results.'
              }
            />
          ) : (
            <ul className={styles.matches} aria-label="To be played">
              {ready.map(card)}
            </ul>
          )}
        </Panel>
      )}
      {groupByRound(tournament).map(({ key, title, matches }) => (
        <Panel
          key={key}
          title={title}
          actions={
            canChange && (
              <Schedule
                tournament={tournament.tournament}
                title={title}
                matches={matches}
                label="Set the time"
                about={`of ${title}`}
              />
            )
          }
        >
          <ul className={styles.matches} aria-label={title}>
            {matches.map(card)}
          </ul>
        </Panel>
      ))}
      <ResultDialog tournament={tournament} match={entered} onClose={() => setEntered(null)} />
    </div>
  )
}

/** The rounds with something to play, each with the name of its group or bracket. */
function groupByRound(tournament: Tournament) {
  const played = tournament.matches.filter(({ state }) => state !== 'bye')
  const rounds = Map.groupBy(played, ({ stage, grp, round }) => `${stage}.${grp}.${round}`)
  return [...rounds].map(([key, matches]) => {
    const [first] = matches as [Match, ...Match[]]
    const inPart = tournament.matches.filter(({ stage, grp }) => stage === first.stage && grp === first.grp)
    const part = partName(first, tournament)
    const round = roundName(first, Math.max(...inPart.map((match) => match.round)), tournament)
    return { key, matches, title: part === round || part === 'Bracket' ? round : `${part}: ${round}` }
  })
}

type RowProps = { match: Match; tournament: Tournament; onResult?: () => void }

function MatchRow({ match, tournament, onResult }: RowProps) {
  const { state, entry1, entry2, score1, score2, winner, outcome, starts_at } = match
  const names = getMatchNames(tournament, match)
  const side = (entry: number | null, score: number | null) => (
    <p data-won={(winner !== null && winner === entry) || undefined} data-empty={entry === null || undefined}>
      <span>{getEntryName(tournament, entry)}</span>
      {score !== null && <b>{score}</b>}
    </p>
  )
  return (
    <li className={styles.match}>
      <div className={styles.sides}>
        {side(entry1, score1)}
        {side(entry2, score2)}
      </div>
      <p className={styles.about}>
        {outcome === 'cancelled' && <StateBadge tone="bad">Cancelled</StateBadge>}
        {(outcome === 'walkover1' || outcome === 'walkover2') && <StateBadge>Walkover</StateBadge>}
        {state === 'unneeded' && <StateBadge tone="off">Not needed</StateBadge>}
        {starts_at === null ? 'No time yet' : manilaText(new Date(starts_at))}
        {match.result_by !== null && `, entered by ${match.result_by}`}
      </p>
      <div className={styles.buttons}>
        {onResult !== undefined && (state === 'ready' || state === 'done') && (
          <Button tone={state === 'ready' ? 'primary' : 'secondary'} onClick={onResult}>
            {state === 'ready' ? 'Result' : 'Correct'}
            <span className="visually-hidden"> of {names}</span>
          </Button>
        )}
        {onResult !== undefined && (state === 'ready' || state === 'open') && (
          <Schedule
            tournament={tournament.tournament}
            title={names}
            matches={[match]}
            label="Time"
            about={`of ${names}`}
          />
        )}
      </div>
    </li>
  )
}

type ScheduleProps = { tournament: number; title: string; matches: Match[]; label: string; about: string }

/** Sets when matches begin. */
function Schedule({ tournament, title, matches, ...button }: ScheduleProps) {
  return (
    <DeskAction
      endpoint={scheduleMatches}
      input={({ starts_at }) => ({ tournament, matches: matches.map(({ match }) => match), starts_at })}
      {...button}
      tone="quiet"
      ask={{
        title: `When is ${title}?`,
        action: 'Set the time',
        values: { starts_at: matches[0]?.starts_at ?? null },
        fields: scheduleFields,
      }}
    />
  )
}
