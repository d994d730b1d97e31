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
export function MatchesTab({ tournament }: { tournament: Tournament }) {
  const [editedMatch, setEditedMatch] = useState<Match | null>(null)
  const bracket = useRef<HTMLDivElement>(null)
  const canChange = tournament.state === 'drawn'
  const matchesByNumber = new Map(tournament.matches.map((match) => [match.match, match]))
  return (
    <div className={layout.panels} ref={bracket}>
      {canChange && (
        <PlayableMatches
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
                  const openMatches = matches.filter(({ state }) => state === 'ready' || state === 'open')
                  const title = part.name === name || part.name === 'Bracket' ? name : `${part.name}: ${name}`
                  return (
                    openMatches.length > 1 && (
                      <ScheduleButton
                        tournament={tournament.tournament}
                        title={title}
                        matches={openMatches}
                        label="Set the time"
                        about={`of ${title}`}
                      />
                    )
                  )
                },
                match: ({ match: number }) => {
                  const match = matchesByNumber.get(number)
                  return (
                    match && (
                      <MatchButtons match={match} tournament={tournament} onResult={() => setEditedMatch(match)} />
                    )
                  )
                },
              }
            : {}
        }
      />
      <ResultDialog tournament={tournament} match={editedMatch} onClose={() => setEditedMatch(null)} />
    </div>
  )
}

/** Shows how many matches can be played now, with a link to the first of them. */
function PlayableMatches({ tournament, goToNext }: { tournament: Tournament; goToNext: () => void }) {
  const readyCount = tournament.matches.filter(({ state }) => state === 'ready').length
  return (
    <div className={styles.playable}>
      <p>
        {readyCount > 0
          ? `${formatPlural(readyCount, 'match', 'matches')} can be played now.`
          : tournament.phase === 'decided'
            ? 'Every match is decided.'
            : 'The next matches wait for results.'}
      </p>
      {readyCount > 0 && (
        <Button tone="secondary" onClick={goToNext}>
          Go to the next one
        </Button>
      )}
    </div>
  )
}

type MatchButtonsProps = { match: Match; tournament: Tournament; onResult: () => void }

/** The buttons of a match. */
function MatchButtons({ match, tournament, onResult }: MatchButtonsProps) {
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
        <ScheduleButton
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

type ScheduleButtonProps = {
  tournament: number
  title: string
  matches: Pick<Match, 'match' | 'starts_at'>[]
  label: string
  about: string
}

/** Sets the start times of matches. */
function ScheduleButton({ tournament, title, matches, ...button }: ScheduleButtonProps) {
  return (
    <DeskAction
      endpoint={scheduleMatches}
      input={({ starts_at }) => ({ tournament, matches: matches.map(({ match }) => match), starts_at })}
      {...button}
      tone="quiet"
      confirmation={{
        title: `When is ${title}?`,
        action: 'Set the time',
        values: { starts_at: matches[0]?.starts_at ?? null },
        fields: scheduleFields,
      }}
    />
  )
}
