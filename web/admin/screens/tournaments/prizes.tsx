import { useState } from 'react'
import { correctPlace, payPrize, withdrawPrize } from '#contract/desk-tournaments.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { PlayerLink, StateBadge, type Tone, When } from '../../kit/facts.tsx'
import { NumberField } from '../../kit/number-field.tsx'
import { useMay } from '../../me.ts'
import styles from './tournaments.module.css'
import type { Tournament } from './words.ts'

type Holder = Tournament['holders'][number]
type Prize = Tournament['prizes'][number]

/** The places, what they are worth, and what was sent. */
export function Prizes({ tournament }: { tournament: Tournament }) {
  const { holders, prizes, state } = tournament
  const [isCorrecting, setCorrecting] = useState(false)
  return (
    <div className={layout.panels}>
      <Panel title="What the places are worth">
        {holders.length === 0 ? (
          <EmptyState title="No prizes" line="This tournament is played for honour." />
        ) : (
          <ul className={styles.entries} aria-label="What the places are worth">
            {holders.map((holder) => (
              <HolderRow key={holder.place} holder={holder} tournament={tournament} />
            ))}
          </ul>
        )}
      </Panel>
      {prizes.length > 0 && (
        <Panel title="Prizes that were sent">
          <ul className={styles.entries} aria-label="Prizes that were sent">
            {prizes.map((prize) => (
              <PrizeRow key={prize.prize} prize={prize} tournament={tournament} />
            ))}
          </ul>
        </Panel>
      )}
      {state === 'finalised' && !isCorrecting && (
        <div>
          <Button tone="secondary" onClick={() => setCorrecting(true)}>
            Correct a place
          </Button>
        </div>
      )}
      {isCorrecting && <PlaceForm tournament={tournament} onClose={() => setCorrecting(false)} />}
    </div>
  )
}

const said = ({ message }: { message: string }) => message

function HolderRow({
  holder: { place, words, entry, why_not, is_paid },
  tournament: shown,
}: {
  holder: Holder
  tournament: Tournament
}) {
  const [isAsking, setAsking] = useState(false)
  const name = shown.list.find((one) => one.entry === entry)?.name
  const may = useMay()
  const mayPay = may('prizes.pay') && shown.state === 'finalised' && entry !== null && why_not === null && !is_paid
  return (
    <li>
      <div>
        <p className={styles.name}>
          Place {place}: {words}
        </p>
        <p className={styles.about}>
          {name ?? (shown.state === 'drawn' && shown.phase === 'running' ? 'To be decided' : '')}{' '}
          {why_not !== null && shown.phase !== 'running' && why_not}
        </p>
      </div>
      <div className={styles.buttons}>
        {is_paid && <StateBadge tone="good">Sent</StateBadge>}
        {mayPay && <Button onClick={() => setAsking(true)}>Send the prize</Button>}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Send ${words} to ${name}?`}
        action="Send the prize"
        endpoint={payPrize}
        input={() => ({ tournament: shown.tournament, place })}
        done={said}
      >
        <p>
          They get a letter with the gift in their mail box. A prize that someone else was sent for this place stays
          theirs unless you withdraw it.
        </p>
      </ConfirmDialog>
    </li>
  )
}

const STATES: Record<Prize['state'], [Tone, string]> = {
  open: ['calm', 'Not claimed yet'],
  claimed: ['good', 'Claimed'],
  withdrawn: ['off', 'Withdrawn'],
}

function PrizeRow({ prize: sent, tournament }: { prize: Prize; tournament: Tournament }) {
  const { prize, place, entry, name, state, replaced, made_at } = sent
  const [isAsking, setAsking] = useState(false)
  const [tone, words] = STATES[state]
  const holds = tournament.list.find((one) => one.entry === entry)?.place === place && !replaced
  return (
    <li>
      <div>
        <p className={styles.name}>
          Place {place}: {name}
        </p>
        <p className={styles.about}>
          to <PlayerLink userNum={sent.user_num} userId={sent.user_id} />, <When at={made_at} />
          {!holds && state === 'claimed' && '. Someone else holds the place now; what was claimed stays theirs.'}
        </p>
      </div>
      <div className={styles.buttons}>
        <StateBadge tone={tone}>{words}</StateBadge>
        {!holds && state === 'open' && (
          <Button tone="danger" onClick={() => setAsking(true)}>
            Withdraw<span className="visually-hidden"> the prize of {name}</span>
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Withdraw the prize of ${name}?`}
        action="Withdraw it"
        tone="danger"
        reason="required"
        endpoint={withdrawPrize}
        input={(reason) => ({ prize, reason })}
        done={said}
      >
        <p>
          The letter stays in the mail box, and its gift cannot be claimed any more. If they have already claimed it,
          nothing is taken back.
        </p>
      </ConfirmDialog>
    </li>
  )
}

/** Puts an entry on another place, or takes its place away; the others close up. */
function PlaceForm({ tournament: shown, onClose }: { tournament: Tournament; onClose: () => void }) {
  const { tournament, version } = shown
  const played = shown.list.filter(({ seed }) => seed !== null)
  return (
    <DeskForm
      endpoint={correctPlace}
      values={{ tournament, version, entry: played[0]?.entry ?? 0, place: null, reason: '' }}
      version={version}
      submit="Correct the place"
      done="Corrected. Now check the prizes."
      onDone={onClose}
      onCancel={onClose}
    >
      {({ field, watch, setValue, touch }) => (
        <>
          <SelectField
            label="Who"
            value={watch('entry')}
            onChange={({ currentTarget }) => {
              setValue('entry', Number(currentTarget.value))
              touch()
            }}
            error={field('entry').error}
          >
            {played.map(({ entry, name, place }) => (
              <option key={entry} value={entry}>
                {place === null ? 'No place' : `Place ${place}`}: {name}
              </option>
            ))}
          </SelectField>
          <NumberField
            label="Correct place"
            hint="empty: no place at all, for example after cheating"
            value={watch('place')}
            error={field('place').error}
            onChange={(place) => {
              setValue('place', place as number)
              touch()
            }}
          />
          <TextArea label="Reason" typed={(watch('reason') ?? '').length} limit={300} rows={2} {...field('reason')} />
        </>
      )}
    </DeskForm>
  )
}
