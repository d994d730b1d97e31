import { useRef, useState } from 'react'
import { scheduleFields, scheduleMatches } from '#contract/desk-tournaments.ts'
import { formatPlural } from '#contract/numbers.ts'
import { Bracket } from '#web/features/tournaments/bracket.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { getMatchNames, type Match, type Tournament } from './names.ts'
import { ResultDialog } from './result-dialog.tsx'
import styles from './tournaments.module.css'

/** Shows the bracket as players see it, with buttons to enter results and times. */
export function Matches({ tournament }: { tournament: Tournament }) {
  const [entered, setEntered] = useState<Match | null>(null)
  const bracket = useRef<HTMLDivElement>(null)
  const canChange = tournament.state === 'drawn'
  const byNumber = new Map(tournament.matches.map((match) => [match.match, match]))
  return (
    <div className={layout.panels} ref={bracket}>
      {canChange && (
        <Playable
          tournament={tournament}
          goToNext={() => bracket.current?.querySelector<HTMLElement>('[data-ready] button')?.focus()}
        />
      )}
      <Bracket
        tournament={tournament}
        additions={
          canChange
            ? {
                round: ({ name, matches }, part) => {
                  const open = matches.filter(({ state }) => state === 'ready' || state === 'open')
                  const title = part.name === name || part.name === 'Bracket' ? name : `${part.name}: ${name}`
                  return (
                    open.length > 1 && (
                      <Schedule
                        tournament={tournament.tournament}
                        title={title}
                        matches={open}
                        label="Set the time"
                        about={`of ${title}`}
                      />
                    )
                  )
                },
                match: ({ match: number }) => {
                  const match = byNumber.get(number)
                  return match && <Buttons match={match} tournament={tournament} onResult={() => setEntered(match)} />
                },
              }
            : {}
        }
      />
      <ResultDialog tournament={tournament} match={entered} onClose={() => setEntered(null)} />
    </div>
  )
}

/** Shows how many matches can be played now, with a link to the first of them. */
function Playable({ tournament, goToNext }: { tournament: Tournament; goToNext: () => void }) {
  const ready = tournament.matches.filter(({ state }) => state === 'ready').length
  return (
    <div className={styles.playable}>
      <p>
        {ready > 0
          ? `${formatPlural(ready, 'match', 'matches')} can be played now.`
          : tournament.phase === 'decided'
            ? 'Every match is decided.'
            : 'The next matches wait for results.'}
      </p>
      {ready > 0 && (
        <Button tone="secondary" onClick={goToNext}>
          Go to the next one
        </Button>
      )}
    </div>
  )
}

type ButtonsProps = { match: Match; tournament: Tournament; onResult: () => void }

/** The buttons of a match. */
function Buttons({ match, tournament, onResult }: ButtonsProps) {
  const { state, result_by } = match
  const names = getMatchNames(tournament, match)
  if (state === 'bye' || state === 'unneeded') return null
  return (
    <div className={styles.inMatch} data-ready={state === 'ready' || undefined}>
      {state !== 'open' && (
        <Button tone={state === 'ready' ? 'primary' : 'quiet'} onClick={onResult}>
          {state === 'ready' ? 'Result' : 'Correct'}
          <span className="visually-hidden"> of {names}</span>
        </Button>
      )}
      {state !== 'done' && (
        <Schedule
          tournament={tournament.tournament}
          title={names}
          matches={[match]}
          label="Time"
          about={`of ${names}`}
        />
      )}
      {result_by !== null && <span className={`${text.quiet} ${deskLayout.readable}`}>by {result_by}</span>}
    </div>
  )
}

type ScheduleProps = {
  tournament: number
  title: string
  matches: Pick<Match, 'match' | 'starts_at'>[]
  label: string
  about: string
}

/** Sets the start times of matches. */
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
