import { type FormEvent, useState } from 'react'
import { enterResult } from '#contract/desk-tournaments.ts'
import { alertText, CallError } from '#web/api/call.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { NotConfirmed, useAction } from '../../kit/call.ts'
import { NumberField } from '../../kit/number-field.tsx'
import styles from './tournaments.module.css'
import { type Match, namesOf, type Tournament } from './words.ts'

type DialogProps = { tournament: Tournament; match: Match | null; onClose: () => void }

/** Enters, corrects or takes back the result of a match. */
export function ResultDialog({ tournament, match, onClose }: DialogProps) {
  const [last, setLast] = useState(match)
  if (match !== null && match !== last) setLast(match)
  return (
    <DialogWindow open={match !== null} onClose={onClose} title={last === null ? '' : namesOf(tournament, last)}>
      {last !== null && (
        <ResultForm key={`${last.match} ${match === null}`} match={last} tournament={tournament} onClose={onClose} />
      )}
    </DialogWindow>
  )
}

type Outcome = '' | NonNullable<Match['outcome']>

const redrawsOf = (error: unknown): number[] | null => {
  const body = error instanceof CallError ? (error.body as { redraws?: unknown } | null) : null
  return Array.isArray(body?.redraws) ? body.redraws.map(Number) : null
}

function ResultForm({ tournament, match, onClose }: { tournament: Tournament; match: Match; onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome>(match.outcome ?? 'played')
  const [scores, setScores] = useState<(number | string | null)[]>([match.score1, match.score2])
  const [failure, setFailure] = useState<CallError | null>(null)
  /** The results that are lost, once the server has said so. */
  const [redraws, setRedraws] = useState<number[]>([])
  const { attempt, busy } = useAction(enterResult, { done: ({ message }) => message })
  const [one, two] = [match.entry1, match.entry2].map(
    (entry) => tournament.list.find((known) => known.entry === entry)?.name ?? '',
  )
  const scoreOf = (nth: 0 | 1) => (outcome === 'played' ? ((scores[nth] ?? null) as number | null) : null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(null)
    const { match: number, version } = match
    try {
      const answer = await attempt({ match: number, version, outcome, score1: scoreOf(0), score2: scoreOf(1), redraws })
      if (answer !== undefined) onClose()
    } catch (error) {
      if (error instanceof NotConfirmed) return
      const lost = redrawsOf(error)
      if (lost !== null) setRedraws(lost)
      else setFailure(error instanceof CallError ? error : new CallError(0, alertText(error)))
    }
  }
  const change = (values: { outcome?: Outcome; scores?: typeof scores }) => {
    if (values.outcome !== undefined) setOutcome(values.outcome)
    if (values.scores !== undefined) setScores(values.scores)
    setRedraws([])
  }
  const fieldErrors = failure?.fields ?? {}
  const own = failure !== null && Object.keys(fieldErrors).length === 0 ? failure : null

  return (
    <form noValidate className={styles.result} onSubmit={(event) => void submit(event)}>
      <SelectField
        label="How did it end?"
        value={outcome}
        onChange={({ currentTarget }) => change({ outcome: currentTarget.value as Outcome })}
      >
        <option value="played">Played</option>
        <option value="walkover1">
          {two} did not come: {one} wins
        </option>
        <option value="walkover2">
          {one} did not come: {two} wins
        </option>
        <option value="cancelled">Cancelled: nobody wins</option>
        {match.outcome !== null && <option value="">Remove the result</option>}
      </SelectField>
      {outcome === 'played' && (
        <div className={styles.scores}>
          {[one, two].map((name, nth) => (
            <NumberField
              // biome-ignore lint/suspicious/noArrayIndexKey: the two sides of a match
              key={nth}
              label={`Score of ${name}`}
              value={scores[nth]}
              error={fieldErrors[`score${nth + 1}`]?.[0]}
              onChange={(score) => change({ scores: scores.with(nth, score) })}
            />
          ))}
        </div>
      )}
      {redraws.length > 0 && <Warning tournament={tournament} redraws={redraws} />}
      {own !== null && (
        <p className={styles.failure} role="alert">
          {alertText(own)}
        </p>
      )}
      <div className={styles.foot}>
        <Button tone="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" tone={redraws.length > 0 ? 'danger' : 'primary'} busy={busy}>
          {redraws.length > 0 ? 'Redraw them' : outcome === '' ? 'Remove it' : 'Save the result'}
        </Button>
      </div>
    </form>
  )
}

/** Before a correction takes other results back: which ones. */
function Warning({ tournament, redraws }: { tournament: Tournament; redraws: number[] }) {
  const lost = tournament.matches.filter(({ match }) => redraws.includes(match))
  return (
    <div className={styles.warning} role="alert">
      <p>
        {lost.length === 1
          ? 'This result depends on it and will be removed:'
          : 'These results depend on it and will be removed:'}
      </p>
      <ul>
        {lost.map((match) => (
          <li key={match.match}>
            {namesOf(tournament, match)}
            {match.score1 !== null && ` ${match.score1}:${match.score2}`}
          </li>
        ))}
      </ul>
    </div>
  )
}
