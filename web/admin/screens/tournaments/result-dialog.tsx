import { type FormEvent, useState } from 'react'
import { enterResult, resultFields } from '#contract/desk-tournaments.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { IdentityNotConfirmedError, useAction } from '../../kit/call.ts'
import { Fields, type FormState } from '../../kit/fields.tsx'
import { getMatchNames, type Match, type Tournament } from './names.ts'
import styles from './tournaments.module.css'

type ResultDialogProps = { tournament: Tournament; match: Match | null; onClose: () => void }

/** Enters, corrects or takes back the result of a match. */
export function ResultDialog({ tournament, match, onClose }: ResultDialogProps) {
  const [lastMatch, setLastMatch] = useState(match)
  if (match !== null && match !== lastMatch) setLastMatch(match)
  return (
    <DialogWindow
      open={match !== null}
      onClose={onClose}
      title={lastMatch === null ? '' : getMatchNames(tournament, lastMatch)}
    >
      {lastMatch !== null && (
        <ResultForm
          key={`${lastMatch.match} ${match === null}`}
          match={lastMatch}
          tournament={tournament}
          onClose={onClose}
        />
      )}
    </DialogWindow>
  )
}

type ResultValues = { outcome: '' | NonNullable<Match['outcome']>; score1: number | null; score2: number | null }

const getRedraws = (error: unknown): number[] | null => {
  const body = error instanceof CallError ? (error.body as { redraws?: unknown } | null) : null
  return Array.isArray(body?.redraws) ? body.redraws.map(Number) : null
}

function ResultForm({ tournament, match, onClose }: { tournament: Tournament; match: Match; onClose: () => void }) {
  const { match: number, version, score1, score2 } = match
  const [values, setValues] = useState<ResultValues>({ outcome: match.outcome ?? 'played', score1, score2 })
  const [failure, setFailure] = useState<CallError | null>(null)
  /** The matches whose results would be lost, as reported by the server. */
  const [redraws, setRedraws] = useState<number[]>([])
  const { attempt, busy } = useAction(enterResult)
  const isPlayed = values.outcome === 'played'
  const [firstName, secondName] = [match.entry1, match.entry2].map(
    (entry) => tournament.list.find((row) => row.entry === entry)?.name ?? '',
  )

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(null)
    try {
      const scores = isPlayed ? {} : { score1: null, score2: null }
      const answer = await attempt({ match: number, version, ...values, ...scores, redraws })
      if (answer !== undefined) onClose()
    } catch (error) {
      if (error instanceof IdentityNotConfirmedError) return
      const newRedraws = getRedraws(error)
      if (newRedraws !== null) setRedraws(newRedraws)
      else setFailure(error instanceof CallError ? error : new CallError(0, getAlertText(error)))
    }
  }
  const fieldErrors = failure?.fields ?? {}
  const formFailure = failure !== null && Object.keys(fieldErrors).length === 0 ? failure : null

  const fields = {
    outcome: {
      ...resultFields.outcome,
      options: {
        played: 'Played',
        walkover1: `${secondName} did not come: ${firstName} wins`,
        walkover2: `${firstName} did not come: ${secondName} wins`,
        cancelled: 'Cancelled: no winner',
        ...(match.outcome !== null && { '': 'Remove the result' }),
      },
    },
    score1: { ...resultFields.score1, label: `${resultFields.score1.label} of ${firstName}` },
    score2: { ...resultFields.score2, label: `${resultFields.score2.label} of ${secondName}` },
  }
  const form: FormState<ResultValues> = {
    values,
    getError: (name) => fieldErrors[name]?.[0],
    change: (part) => {
      setValues({ ...values, ...part })
      setRedraws([])
    },
  }

  return (
    <form noValidate className={layout.stack} onSubmit={(event) => void submit(event)}>
      <Fields fields={fields} show={['outcome']} form={form} />
      {isPlayed && (
        <div className={styles.scores}>
          <Fields fields={fields} show={['score1', 'score2']} form={form} />
        </div>
      )}
      {redraws.length > 0 && <RedrawWarning tournament={tournament} redraws={redraws} />}
      {formFailure !== null && (
        <p className={styles.failure} role="alert">
          {getAlertText(formFailure)}
        </p>
      )}
      <div className={styles.foot}>
        <Button tone="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" tone={redraws.length > 0 ? 'danger' : 'primary'} busy={busy}>
          {redraws.length > 0 ? 'Redraw them' : values.outcome === '' ? 'Remove it' : 'Save the result'}
        </Button>
      </div>
    </form>
  )
}

/** Lists the other results that a correction takes back. */
function RedrawWarning({ tournament, redraws }: { tournament: Tournament; redraws: number[] }) {
  const lostResults = tournament.matches.filter(({ match }) => redraws.includes(match))
  return (
    <div className={styles.warning} role="alert">
      <p>
        {lostResults.length === 1
          ? 'This result depends on it and will be removed:'
          : 'These results depend on it and will be removed:'}
      </p>
      <ul>
        {lostResults.map((match) => (
          <li key={match.match}>
            {getMatchNames(tournament, match)}
            {match.score1 !== null && ` ${match.score1}:${match.score2}`}
          </li>
        ))}
      </ul>
    </div>
  )
}
