import { useState } from 'react'
import { scheduleMatches } from '#contract/desk-tournaments.ts'
import { partName, roundName } from '#contract/tournaments.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useAction } from '../../kit/call.ts'
import { manilaText, StateBadge } from '../../kit/facts.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { ResultDialog } from './result-dialog.tsx'
import styles from './tournaments.module.css'
import { type Match, nameOf, namesOf, type Tournament } from './words.ts'

type Scheduled = { title: string; matches: Match[] }

/** The matches, round by round: those that can be played first, on a phone too. */
export function Matches({ tournament }: { tournament: Tournament }) {
  const [entered, setEntered] = useState<Match | null>(null)
  const [scheduled, setScheduled] = useState<Scheduled | null>(null)
  const canChange = tournament.state === 'drawn'
  const ready = tournament.matches.filter(({ state }) => state === 'ready')
  const card = (match: Match) => (
    <MatchRow
      key={match.match}
      match={match}
      tournament={tournament}
      {...(canChange && {
        onResult: () => setEntered(match),
        onTime: () => setScheduled({ title: namesOf(tournament, match), matches: [match] }),
      })}
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
      {roundsOf(tournament).map(({ key, title, matches }) => (
        <Panel
          key={key}
          title={title}
          actions={
            canChange && (
              <Button tone="quiet" onClick={() => setScheduled({ title, matches })}>
                Set the time
                <span className="visually-hidden"> of {title}</span>
              </Button>
            )
          }
        >
          <ul className={styles.matches} aria-label={title}>
            {matches.map(card)}
          </ul>
        </Panel>
      ))}
      <ResultDialog tournament={tournament} match={entered} onClose={() => setEntered(null)} />
      <ScheduleDialog
        key={scheduled?.title ?? ''}
        tournament={tournament.tournament}
        scheduled={scheduled}
        onClose={() => setScheduled(null)}
      />
    </div>
  )
}

/** The rounds with something to play, each with the name of its group or bracket. */
function roundsOf(tournament: Tournament) {
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

type RowProps = { match: Match; tournament: Tournament; onResult?: () => void; onTime?: () => void }

function MatchRow({ match, tournament, onResult, onTime }: RowProps) {
  const { state, entry1, entry2, score1, score2, winner, outcome, starts_at } = match
  const names = namesOf(tournament, match)
  const side = (entry: number | null, score: number | null) => (
    <p data-won={(winner !== null && winner === entry) || undefined} data-empty={entry === null || undefined}>
      <span>{nameOf(tournament, entry)}</span>
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
        {onTime !== undefined && (state === 'ready' || state === 'open') && (
          <Button tone="quiet" onClick={onTime}>
            Time<span className="visually-hidden"> of {names}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

type ScheduleProps = { tournament: number; scheduled: Scheduled | null; onClose: () => void }

function ScheduleDialog({ tournament, scheduled, onClose }: ScheduleProps) {
  const [moment, setMoment] = useState<string | null>(scheduled?.matches[0]?.starts_at ?? null)
  const { run, busy } = useAction(scheduleMatches, { done: ({ message }) => message })
  const save = async () => {
    const matches = (scheduled?.matches ?? []).map(({ match }) => match)
    if ((await run({ tournament, matches, starts_at: moment })) !== undefined) onClose()
  }
  return (
    <DialogWindow
      open={scheduled !== null}
      onClose={busy ? undefined : onClose}
      title={`When is ${scheduled?.title ?? 'it'}?`}
      actions={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} onClick={() => void save()}>
            Set the time
          </Button>
        </>
      }
    >
      <MomentField label="Begins" value={moment} onChange={setMoment} />
    </DialogWindow>
  )
}
