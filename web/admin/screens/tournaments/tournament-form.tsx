import { useNavigate } from 'react-router'
import { saveTournament } from '#contract/desk-tournaments.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { decidedPlaces } from '#contract/tournaments.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { serverNow } from '../../kit/clock.ts'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { NumberField } from '../../kit/number-field.tsx'
import styles from './tournaments.module.css'
import type { Tournament } from './words.ts'

type Form = DeskFormParts<typeof saveTournament>
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
    name: '',
    about: '',
    kind: 'players',
    format: 'single',
    third_place: false,
    level_from: '1',
    level_to: '',
    max_entries: '32',
    registration_from: new Date(serverNow()).toISOString(),
    registration_until: before(3),
    checkin_from: before(2),
    checkin_until: before(0.5),
    starts_at: before(0),
    prizes: [],
  }
}

const valuesOf = (row: Tournament): Partial<Values> => ({
  tournament: row.tournament,
  version: row.version,
  name: row.name,
  about: row.about,
  kind: row.kind,
  format: row.format,
  third_place: row.third_place,
  level_from: String(row.level_from),
  level_to: row.level_to === null ? '' : String(row.level_to),
  max_entries: String(row.max_entries),
  registration_from: row.registration_from,
  registration_until: row.registration_until,
  checkin_from: row.checkin_from,
  checkin_until: row.checkin_until,
  starts_at: row.starts_at,
  prizes: row.offers.map(({ place, currency, amount, product_num, quantity }) => ({
    place,
    gift: currency ?? 'item',
    amount: amount ?? quantity,
    item: product_num,
  })),
})

const LABELS = {
  name: 'Name',
  about: 'Description',
  kind: 'Who takes part',
  format: 'Format',
  third_place: 'Third place',
  level_from: 'Lowest level',
  level_to: 'Highest level',
  max_entries: 'Places',
  prizes: 'Prizes',
}

type FormProps = { tournament: Tournament | null; reload?: () => Promise<{ data: Tournament | undefined }> }

/** The announcement. Once the bracket is drawn, only its words can be changed. */
export function TournamentForm({ tournament, reload }: FormProps) {
  const navigate = useNavigate()
  const isDrawn = tournament !== null && tournament.state !== 'draft' && tournament.state !== 'announced'
  return (
    <DeskForm
      endpoint={saveTournament}
      values={tournament === null ? newValues() : valuesOf(tournament)}
      version={tournament?.version ?? 0}
      input={(values, version) => ({ ...values, version: version ?? 0 })}
      {...(reload && {
        latest: async () => {
          const { data } = await reload()
          if (data === undefined) throw new Error('This no longer exists.')
          return { version: data.version, values: valuesOf(data) }
        },
      })}
      labels={LABELS}
      submit={tournament === null ? 'Save the draft' : 'Save'}
      done="Saved."
      onDone={({ tournament: saved }) => {
        if (tournament === null) void navigate(`/admin/tournaments/${saved}`)
      }}
    >
      {(form) => (
        <>
          <TextField label="Name" maxLength={80} autoComplete="off" {...form.field('name')} />
          <TextArea
            label="Description"
            typed={(form.watch('about') ?? '').length}
            limit={4000}
            rows={5}
            {...form.field('about')}
          />
          {isDrawn ? <p>The bracket is drawn, so only the name and the text can be changed.</p> : <Plan form={form} />}
        </>
      )}
    </DeskForm>
  )
}

function Plan({ form }: { form: Form }) {
  const { field, watch, setValue, touch } = form
  const moment = (
    name: 'registration_from' | 'registration_until' | 'checkin_from' | 'checkin_until' | 'starts_at',
  ) => ({
    value: watch(name),
    error: field(name).error,
    onChange: (value: string | null) => {
      setValue(name, value ?? '')
      touch()
    },
  })
  return (
    <>
      <FormGrid>
        <SelectField label="Who takes part" {...field('kind')}>
          <option value="players">Players, with one character each</option>
          <option value="clubs">Clubs, registered by their leaders</option>
        </SelectField>
        <SelectField label="Format" {...field('format')}>
          <option value="single">Single elimination: one defeat and you are out</option>
          <option value="double">Double elimination: out after two defeats</option>
          <option value="groups">Groups, then finals</option>
        </SelectField>
        <TextField label="Lowest level" inputMode="numeric" {...field('level_from')} />
        <TextField label="Highest level" hint="optional" inputMode="numeric" {...field('level_to')} />
        <TextField label="Maximum entries" hint="2 to 128" inputMode="numeric" {...field('max_entries')} />
      </FormGrid>
      {watch('format') !== 'double' && <Checkbox label="Play for third place" {...field('third_place')} />}
      <FormGrid>
        <MomentField label="Registration opens" {...moment('registration_from')} />
        <MomentField label="Registration closes" {...moment('registration_until')} />
        <MomentField label="Check-in opens" {...moment('checkin_from')} />
        <MomentField label="Check-in closes" {...moment('checkin_until')} />
        <MomentField label="First match" {...moment('starts_at')} />
      </FormGrid>
      <PrizeFields form={form} />
    </>
  )
}

/** What the places are worth, a row for each that this way of playing decides. */
function PrizeFields({ form: { watch, setValue, touch, field } }: { form: Form }) {
  const prizes = watch('prizes') ?? []
  const { error } = field('prizes')
  const places = decidedPlaces({ format: watch('format') ?? 'single', third_place: watch('third_place') ?? false })
  const shown = Math.max(places, ...prizes.map(({ place }) => place))
  const change = (place: number, gift: Prize['gift'] | '', more: Partial<Prize> = {}) => {
    const others = prizes.filter((prize) => prize.place !== place)
    const own = prizes.find((prize) => prize.place === place) ?? { amount: null, item: null }
    const next =
      gift === '' ? others : [...others, { ...own, ...more, place, gift, ...(gift !== 'item' && { item: null }) }]
    setValue(
      'prizes',
      next.toSorted((a, b) => a.place - b.place),
    )
    touch()
  }
  return (
    <fieldset className={styles.prizes}>
      <legend>Prizes</legend>
      <p>
        They are sent when the tournament is final, as letters with a gift. A club’s goes to its leader; staff win
        nothing.
      </p>
      {Array.from({ length: shown }, (_, index) => index + 1).map((place) => {
        const own = prizes.find((prize) => prize.place === place)
        return (
          <div key={place} className={styles.prize}>
            <SelectField
              label={`Place ${place}`}
              value={own?.gift ?? ''}
              onChange={({ currentTarget }) => change(place, currentTarget.value as Prize['gift'] | '')}
            >
              <option value="">Nothing</option>
              <option value="r_coin">R-Coin</option>
              <option value="milleage">Milleage</option>
              <option value="item">An item of the shop</option>
            </SelectField>
            {own?.gift === 'item' && (
              <NumberField
                label={`Item number for place ${place}`}
                value={own.item}
                onChange={(item) => change(place, 'item', { item: item as number })}
              />
            )}
            {own !== undefined && (
              <NumberField
                label={own.gift === 'item' ? `Quantity for place ${place}` : `How much for place ${place}`}
                value={own.amount}
                onChange={(amount) => change(place, own.gift, { amount: amount as number })}
              />
            )}
          </div>
        )
      })}
      {error !== undefined && (
        <p className={styles.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
