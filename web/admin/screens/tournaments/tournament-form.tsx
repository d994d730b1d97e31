import { useNavigate } from 'react-router'
import { getDeskTournament, prizeFields, saveTournament, tournamentFields } from '#contract/desk-tournaments.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { decidedPlaces } from '#contract/tournaments.ts'
import { call } from '#web/api/call.ts'
import { serverNow } from '../../kit/clock.ts'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import { Fields } from '../../kit/fields.tsx'
import type { Tournament } from './names.ts'
import styles from './tournaments.module.css'

type Values = FormValues<typeof saveTournament>
type Prize = Values['prizes'][number]

/** A plan for the Saturday after next, 20:00 in Manila, to be changed. */
function newValues(): Partial<Values> {
  const inDays = (days: number) => new Date(serverNow() + days * DAY_MS + 8 * HOUR_MS)
  const saturday = 7 + ((6 - inDays(7).getUTCDay() + 7) % 7)
  const evening = Date.parse(`${inDays(saturday).toISOString().slice(0, 10)}T20:00:00+08:00`)
  const before = (hours: number) => new Date(evening - hours * HOUR_MS).toISOString()
  return {
    tournament: null,
    version: 0,
    kind: 'players',
    format: 'single',
    level_from: 1,
    level_to: null,
    max_entries: 32,
    registration_from: new Date(serverNow()).toISOString(),
    registration_until: before(3),
    checkin_from: before(2),
    checkin_until: before(0.5),
    starts_at: before(0),
    prizes: [],
  }
}

const toValues = ({ offers, ...row }: Tournament): Partial<Values> => ({
  ...row,
  prizes: offers.map(({ place, currency, amount, product_num, quantity }) => ({
    place,
    gift: currency ?? 'item',
    amount: amount ?? quantity,
    item: product_num,
  })),
})

/** The announcement. Once the bracket is drawn, only its text can be changed. */
export function TournamentForm({ tournament }: { tournament: Tournament | null }) {
  const navigate = useNavigate()
  const isDrawn = tournament !== null && tournament.state !== 'draft' && tournament.state !== 'announced'
  return (
    <DeskForm
      endpoint={saveTournament}
      fields={tournamentFields}
      values={tournament === null ? newValues() : toValues(tournament)}
      {...(tournament !== null && {
        latest: async () => toValues(await call(getDeskTournament, { tournament: String(tournament.tournament) })),
      })}
      submit={tournament === null ? 'Save the draft' : 'Save'}
      done="Saved."
      onDone={({ tournament: saved }) => {
        if (tournament === null) void navigate(`/admin/tournaments/${saved}`)
      }}
      show={(form) => [
        'name',
        'about',
        ...(isDrawn
          ? [<p key="drawn">The bracket is drawn, so only the name and the text can be changed.</p>]
          : ([
              ['kind', 'format', 'level_from', 'level_to', 'max_entries'],
              form.values.format !== 'double' && 'third_place',
              ['registration_from', 'registration_until', 'checkin_from', 'checkin_until', 'starts_at'],
              <PrizeFields key="prizes" form={form} />,
            ] as const)),
      ]}
    />
  )
}

/** The prizes of the places, a row for each place that this format decides. */
function PrizeFields({ form: { values, error, change } }: { form: DeskFormState<typeof saveTournament> }) {
  const { prizes = [], format = 'single', third_place = false } = values
  const shown = Math.max(decidedPlaces({ format, third_place }), ...prizes.map(({ place }) => place))
  const put = (place: number, part: Partial<Omit<Prize, 'gift'>> & { gift?: Prize['gift'] | '' }) => {
    const others = prizes.filter((prize) => prize.place !== place)
    const own = prizes.find((prize) => prize.place === place) ?? { amount: null, item: null, gift: '' as const }
    const { gift, ...next } = { ...own, ...part, place }
    const changed = gift === '' ? [] : [{ ...next, gift, ...(gift !== 'item' && { item: null }) }]
    change({ prizes: [...others, ...changed].toSorted((a, b) => a.place - b.place) })
  }
  return (
    <fieldset className={styles.prizes}>
      <legend>{tournamentFields.prizes.label}</legend>
      <p>
        They are sent when the tournament is final, as letters with a gift. A club’s goes to its leader; staff win
        nothing.
      </p>
      {Array.from({ length: shown }, (_, index) => index + 1).map((place) => {
        const { gift = '', ...own }: Partial<Omit<Prize, 'gift'>> & { gift?: Prize['gift'] | '' } =
          prizes.find((prize) => prize.place === place) ?? {}
        const amount = gift === 'item' ? 'Quantity for place' : prizeFields.amount.label
        return (
          <div key={place} className={styles.prize}>
            <Fields
              fields={{
                gift: { ...prizeFields.gift, label: `${prizeFields.gift.label} ${place}` },
                item: { ...prizeFields.item, label: `${prizeFields.item.label} ${place}` },
                amount: { ...prizeFields.amount, label: `${amount} ${place}` },
              }}
              show={['gift', gift === 'item' && 'item', gift !== '' && 'amount']}
              form={{
                values: { gift, item: own.item ?? null, amount: own.amount ?? null },
                error: () => undefined,
                change: (part) => put(place, part),
              }}
            />
          </div>
        )
      })}
      {error('prizes') !== undefined && (
        <p className={styles.failure} role="alert">
          {error('prizes')}
        </p>
      )}
    </fieldset>
  )
}
