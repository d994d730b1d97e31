import { useState } from 'react'
import {
  changeClubLeader,
  checkInEntry,
  drawTournament,
  leaderFields,
  removeEntry,
} from '#contract/desk-tournaments.ts'
import { findSchool } from '#contract/game.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { formatManilaTime, PlayerLink, StateBadge } from '../../kit/facts.tsx'
import { Fields } from '../../kit/fields.tsx'
import { MoveButtons } from '../../kit/move-buttons.tsx'
import type { Tournament } from './names.ts'
import styles from './tournaments.module.css'

type Entry = Tournament['list'][number]

/** Lists the registered entries, with their check-in and the draw. */
export function EntriesTab({ tournament }: { tournament: Tournament }) {
  const { list, state, matches, checkin_until } = tournament
  const isClosed = getServerNow() >= Date.parse(checkin_until)
  const hasResults = matches.some(({ outcome }) => outcome !== null)
  const canDraw = (state === 'announced' && isClosed) || (state === 'drawn' && !hasResults)
  return (
    <div className={layout.panels}>
      {canDraw && <DrawPanel tournament={tournament} />}
      {state === 'announced' && !isClosed && (
        <p className={`${text.quiet} ${deskLayout.readable}`}>
          You can draw the bracket after check-in has closed: {formatManilaTime(new Date(checkin_until))} in Manila.
          Anyone who has not checked in is left out.
        </p>
      )}
      <Panel title={`Registered (${list.length})`}>
        {list.length === 0 ? (
          <EmptyState title="No entries yet" line="Players register on the tournament’s page." />
        ) : (
          <ul className={styles.entries} aria-label="Registered">
            {list.map((entry) => (
              <EntryRow key={entry.entry} entry={entry} canChange={state === 'announced'} />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  )
}

function EntryRow({ entry: row, canChange }: { entry: Entry; canChange: boolean }) {
  const { entry, name, club, cha_name, cha_level, cha_school, checked_in, seed, is_staff } = row
  const [isChangingLeader, setIsChangingLeader] = useState(false)
  return (
    <li>
      <div>
        <p className={`${text.breaks} ${deskLayout.strong}`}>
          {seed !== null && <span>{seed}. </span>}
          {name}
        </p>
        <p className={text.quiet}>
          {club !== null && `led by ${cha_name}, `}level {cha_level}, {findSchool(cha_school)?.name ?? 'no school'},{' '}
          <PlayerLink userNum={row.user_num} userId={row.user_id} />
          {is_staff && ' (staff: wins nothing)'}
        </p>
      </div>
      <div className={styles.buttons}>
        {checked_in ? <StateBadge tone="good">Checked in</StateBadge> : <StateBadge>Registered</StateBadge>}
        {canChange && !checked_in && (
          <DeskAction endpoint={checkInEntry} input={{ entry }} label="Check in" about={name} tone="secondary" />
        )}
        {canChange && club !== null && !checked_in && (
          <Button tone="quiet" onClick={() => setIsChangingLeader(true)}>
            Change leader<span className="visually-hidden"> of {name}</span>
          </Button>
        )}
        {canChange && (
          <DeskAction
            endpoint={removeEntry}
            input={{ entry }}
            label="Take out"
            about={name}
            tone="quiet"
            confirmation={{
              title: `Take ${name} out?`,
              tone: 'danger',
              text: 'They can register again while registration is open.',
              reason: 'required',
            }}
          />
        )}
      </div>
      <DialogWindow open={isChangingLeader} onClose={() => setIsChangingLeader(false)} title={`Who leads ${name}?`}>
        <DeskForm
          endpoint={changeClubLeader}
          fields={leaderFields}
          values={{ entry }}
          show={['user_id', 'reason']}
          submitLabel="Change the leader"
          successMessage="The leader is changed."
          onDone={() => setIsChangingLeader(false)}
          onCancel={() => setIsChangingLeader(false)}
        />
      </DialogWindow>
    </li>
  )
}

const SEED_ORDERS = {
  mmr: 'Highest MMR first',
  level: 'Highest level first',
  registered: 'First to register first',
  chance: 'At random',
} as const

function sortEntries(entries: readonly Entry[], seedOrder: keyof typeof SEED_ORDERS): number[] {
  const sortedEntries = entries.toSorted((a, b) => {
    if (seedOrder === 'mmr') return (b.mmr ?? 0) - (a.mmr ?? 0)
    if (seedOrder === 'level') return b.cha_level - a.cha_level
    return Date.parse(a.registered_at) - Date.parse(b.registered_at)
  })
  const order = sortedEntries.map(({ entry }) => entry)
  if (seedOrder === 'chance')
    for (let last = order.length - 1; last > 0; last--) {
      // With at most 128 entries, the bias of a remainder of 32 random bits is negligible.
      const randomIndex = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % (last + 1)
      ;[order[last], order[randomIndex]] = [Number(order[randomIndex]), Number(order[last])]
    }
  return order
}

/** Lets operators reorder the proposed seeds of the checked-in entries, best first, and draw the bracket. */
function DrawPanel({ tournament: tournamentRecord }: { tournament: Tournament }) {
  const { tournament, version, format, list, state } = tournamentRecord
  const presentEntries = list.filter(({ checked_in }) => checked_in)
  const [plan, setPlan] = useState({ seedOrder: 'mmr' as keyof typeof SEED_ORDERS, groups: 2, advance: 2 })
  const { seedOrder, groups, advance } = plan
  const [chosenSeeds, setChosenSeeds] = useState<number[] | null>(null)
  const isPresent = (entry: number) => presentEntries.some((row) => row.entry === entry)
  const proposedSeeds = sortEntries(presentEntries, seedOrder === 'chance' ? 'registered' : seedOrder)
  const seeds =
    chosenSeeds === null
      ? proposedSeeds
      : [...chosenSeeds.filter(isPresent), ...proposedSeeds.filter((entry) => !chosenSeeds.includes(entry))]
  if (presentEntries.length < 2)
    return (
      <p className={`${text.quiet} ${deskLayout.readable}`}>
        Fewer than two entries are checked in. Check in those who are there, or call the tournament off.
      </p>
    )
  return (
    <Panel title={state === 'drawn' ? 'Draw it again' : 'Draw the bracket'}>
      <div className={styles.draw}>
        <Fields
          fields={{
            seedOrder: { kind: 'choice', label: 'Seeds', hint: 'the top seeds meet last', options: SEED_ORDERS },
            groups: {
              kind: 'choice',
              label: 'Groups',
              options: { 1: '1 (its table decides the winner)', 2: '2', 4: '4', 8: '8' },
              isNumber: true,
            },
            advance: {
              kind: 'choice',
              label: 'Advance from each group',
              options: { 1: '1', 2: '2', 4: '4' },
              isNumber: true,
            },
          }}
          show={['seedOrder', format === 'groups' && 'groups', format === 'groups' && groups > 1 && 'advance']}
          form={{
            values: plan,
            getError: () => undefined,
            change: (part) => {
              setPlan({ ...plan, ...part })
              if (part.seedOrder !== undefined) setChosenSeeds(sortEntries(presentEntries, part.seedOrder))
            },
          }}
        />
      </div>
      <ol className={styles.seeds} aria-label="Seeds">
        {seeds.map((entry, index) => {
          const seededEntry = presentEntries.find((row) => row.entry === entry)
          return (
            <li key={entry}>
              <span>
                {index + 1}. <b>{seededEntry?.name}</b> level {seededEntry?.cha_level}
                {seededEntry?.mmr != null && `, MMR ${formatCount(seededEntry.mmr)}`}
              </span>
              <MoveButtons ids={seeds} index={index} name={seededEntry?.name} onMove={setChosenSeeds} />
            </li>
          )
        })}
      </ol>
      <div className={styles.foot}>
        <DeskAction
          endpoint={drawTournament}
          input={{
            tournament,
            version,
            seeds,
            groups: format === 'groups' ? groups : null,
            advance: format === 'groups' ? (groups === 1 ? 1 : advance) : null,
          }}
          label="Draw the bracket"
          confirmation={{
            title: `Draw the bracket of ${formatPlural(seeds.length, 'entry', 'entries')}?`,
            text: 'After that, players can’t register, check in or withdraw. You can draw again until the first result.',
          }}
        />
      </div>
    </Panel>
  )
}
