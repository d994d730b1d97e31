import { useState } from 'react'
import { correctPlace, payPrize, placeFields, withdrawPrize } from '#contract/desk-tournaments.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, State, StateBadge, When } from '../../kit/facts.tsx'
import { createWithdrawalProps, PRIZE_STATES } from '../../kit/sent-prizes.ts'
import { useMay } from '../../me.ts'
import type { Tournament } from './names.ts'
import styles from './tournaments.module.css'

type Holder = Tournament['holders'][number]
type Prize = Tournament['prizes'][number]

/** Shows the prize of each rank, and the prizes that were sent. */
export function PrizesTab({ tournament }: { tournament: Tournament }) {
  const { holders, prizes, state } = tournament
  const [isCorrecting, setCorrecting] = useState(false)
  return (
    <div className={layout.panels}>
      <Panel title="Prizes by place">
        {holders.length === 0 ? (
          <EmptyState title="No prizes" line="This tournament is played for honour." />
        ) : (
          <ul className={styles.entries} aria-label="Prizes by place">
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

function HolderRow({ holder, tournament: tournamentRecord }: { holder: Holder; tournament: Tournament }) {
  const { place, words, entry, why_not, is_paid } = holder
  const name = tournamentRecord.list.find((row) => row.entry === entry)?.name
  const may = useMay()
  const mayPay =
    may('prizes.pay') && tournamentRecord.state === 'finalised' && entry !== null && why_not === null && !is_paid
  return (
    <li>
      <div>
        <p className={`${text.breaks} ${deskLayout.strong}`}>
          Place {place}: {words}
        </p>
        <p className={text.quiet}>
          {name ?? (tournamentRecord.state === 'drawn' && tournamentRecord.phase === 'running' ? 'To be decided' : '')}{' '}
          {why_not !== null && tournamentRecord.phase !== 'running' && why_not}
        </p>
      </div>
      <div className={styles.buttons}>
        {is_paid && <StateBadge tone="good">Sent</StateBadge>}
        {mayPay && (
          <DeskAction
            endpoint={payPrize}
            input={{ tournament: tournamentRecord.tournament, place }}
            label="Send the prize"
            confirmation={{
              title: `Send ${words} to ${name}?`,
              text: 'The player gets a letter with the prize. If someone else already got a prize for this place, they keep it unless you withdraw it.',
            }}
          />
        )}
      </div>
    </li>
  )
}

function PrizeRow({ prize: prizeRecord, tournament }: { prize: Prize; tournament: Tournament }) {
  const { prize, place, entry, name, state, replaced, made_at } = prizeRecord
  const holdsRank = tournament.list.find((row) => row.entry === entry)?.place === place && !replaced
  return (
    <li>
      <div>
        <p className={`${text.breaks} ${deskLayout.strong}`}>
          Place {place}: {name}
        </p>
        <p className={text.quiet}>
          to <PlayerLink userNum={prizeRecord.user_num} userId={prizeRecord.user_id} />, <When at={made_at} />
          {!holdsRank &&
            state === 'claimed' &&
            '. Someone else has this rank now, but the claimed prize stays with this player.'}
        </p>
      </div>
      <div className={styles.buttons}>
        <State states={PRIZE_STATES} state={state} />
        {!holdsRank && state === 'open' && (
          <DeskAction endpoint={withdrawPrize} input={{ prize }} {...createWithdrawalProps(name)} />
        )}
      </div>
    </li>
  )
}

/** Moves an entry to another rank or removes it from the ranks; the entries below move up. */
function PlaceForm({ tournament: tournamentRecord, onClose }: { tournament: Tournament; onClose: () => void }) {
  const { tournament, version } = tournamentRecord
  const playedEntries = tournamentRecord.list.filter(({ seed }) => seed !== null)
  return (
    <DeskForm
      endpoint={correctPlace}
      fields={placeFields}
      fieldAdditions={{
        entry: {
          options: playedEntries.map(({ entry, name, place }) => [
            entry,
            `${place === null ? 'No place' : `Place ${place}`}: ${name}`,
          ]),
        },
      }}
      show={['entry', 'place', 'reason']}
      values={{ tournament, version, entry: playedEntries[0]?.entry ?? 0 }}
      submitLabel="Correct the place"
      successMessage="Corrected. Now check the prizes."
      onDone={onClose}
      onCancel={onClose}
    />
  )
}
