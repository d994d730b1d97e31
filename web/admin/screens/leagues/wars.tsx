import { useState } from 'react'
import { confirmWarResult, enterWarResult, type getDeskLeague, scoreFields } from '#contract/desk-leagues.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatScore } from '#contract/leagues.ts'
import { formatPlural } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { formatManilaTime, StateBadge, When } from '../../kit/facts.tsx'
import { FieldRows } from '../../kit/fields.tsx'
import styles from './leagues.module.css'

export type League = CallOutput<typeof getDeskLeague>
type War = League['wars'][number]

/** Lists the finished wars, with buttons to enter, correct and confirm their results. */
export function WarsTab({ league }: { league: League }) {
  const { wars, counts, state } = league
  const [editedKey, setEditedKey] = useState<string | null>(null)
  return (
    <div className={layout.panels}>
      {counts === 'areas' && state === 'announced' && (
        <p className={text.quiet}>
          15 minutes after the end of a war, the site takes its result from the holders of the areas. Check it before
          you confirm it.
        </p>
      )}
      <Panel title="Wars">
        {wars.length === 0 ? (
          <EmptyState title="No war has ended yet" line="The first one that counts appears here when it is over." />
        ) : (
          <ul className={layout.rows} aria-label="Wars">
            {wars.map((war) => {
              const key = `${war.event} ${war.starts_at}`
              const isEdited = editedKey === key
              return (
                <li key={key} className={`${layout.stack12} ${deskLayout.inset12}`}>
                  <WarRow
                    war={war}
                    league={league}
                    onEdit={isEdited || war.is_final || state !== 'announced' ? undefined : () => setEditedKey(key)}
                  />
                  {isEdited && <ResultForm war={war} league={league} onClose={() => setEditedKey(null)} />}
                </li>
              )
            })}
          </ul>
        )}
      </Panel>
    </div>
  )
}

function WarRow({ war, league, onEdit }: { war: War; league: League; onEdit: (() => void) | undefined }) {
  const { title, starts_at, scores, entered_by, entered_at, confirmed_by, final_at, is_final, not_yet } = war
  const about = `${title}, ${formatManilaTime(new Date(starts_at))}`
  return (
    <div className={styles.row}>
      <div>
        <p className={deskLayout.strong}>
          {title}, <When at={starts_at} show="both" />
        </p>
        {war.war !== null && (
          <>
            <p>
              {scores.length === 0
                ? 'No club scored.'
                : scores
                    .map(({ club, value, points }) => {
                      return `${club}: ${formatScore(league.counts, value)}, ${formatPlural(points, 'point')}`
                    })
                    .join('; ')}
            </p>
            <p className={text.quiet}>
              {entered_by === null ? 'From the areas of the game' : `Entered by ${entered_by}`},{' '}
              {entered_at !== null && <When at={entered_at} />}
              {confirmed_by !== null && `, confirmed by ${confirmed_by}`}
              {final_at !== null && !is_final && (
                <>
                  , final from <When at={final_at} show="both" />
                </>
              )}
              {not_yet !== null && `. ${not_yet}`}
            </p>
          </>
        )}
      </div>
      <div className={deskLayout.row}>
        <StateBadge
          tone={is_final ? 'off' : war.war === null ? 'attention' : confirmed_by === null ? 'attention' : 'good'}
        >
          {is_final ? 'Final' : war.war === null ? 'No result' : confirmed_by === null ? 'To confirm' : 'Confirmed'}
        </StateBadge>
        {war.war !== null && war.version !== null && confirmed_by === null && not_yet === null && onEdit && (
          <DeskAction
            endpoint={confirmWarResult}
            input={{ war: war.war, version: war.version }}
            label="Confirm"
            about={`the result of ${about}`}
          />
        )}
        {onEdit && (
          <Button tone="secondary" onClick={onEdit}>
            {war.war === null ? 'Enter the result' : 'Correct it'}
            <span className="visually-hidden"> of {about}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

function ResultForm({ war, league: leagueRecord, onClose }: { war: War; league: League; onClose: () => void }) {
  const { league, counts } = leagueRecord
  const fields = {
    club: scoreFields.club,
    value: { ...scoreFields.value, label: counts === 'areas' ? 'Areas' : 'Place' },
  }
  const scores = war.scores.map(({ club, value }) => ({ club, value }))
  const initialScores = war.war === null ? [{ club: '', value: 1 }] : scores
  return (
    <DeskForm
      endpoint={enterWarResult}
      fields={{}}
      values={{ league, event: war.event, starts_at: war.starts_at, version: war.version, scores: initialScores }}
      submitLabel="Save the result"
      onDone={onClose}
      onCancel={onClose}
      show={(form) => {
        const { scores: rows = [] } = form.values
        const error = form.getError('scores')
        return [
          <fieldset key="scores" className={deskLayout.set}>
            <legend>Result (leave it empty if no club scored)</legend>
            <FieldRows
              fields={fields}
              rows={rows}
              onChange={(newScores) => form.change({ scores: newScores })}
              getName={({ club }) => String(club)}
              className={styles.score}
            />
            <Button
              tone="secondary"
              onClick={() =>
                form.change({ scores: [...rows, { club: '', value: counts === 'areas' ? 1 : rows.length + 1 }] })
              }
            >
              Add a club
            </Button>
            {error !== undefined && (
              <p className={deskLayout.failure} role="alert">
                {error}
              </p>
            )}
          </fieldset>,
        ]
      }}
    />
  )
}
