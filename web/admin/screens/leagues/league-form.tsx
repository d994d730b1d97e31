import { useNavigate } from 'react-router'
import { formatPoints, getDeskLeague, getLeagueEvents, leagueFields, saveLeague } from '#contract/desk-leagues.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { toPrize } from '#contract/prizes.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { Link } from '#web/ui/link.tsx'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PrizeFields } from '../../kit/prize-fields.tsx'
import type { League } from './wars.tsx'

type Values = Partial<FormValues<typeof saveLeague>>
type Choice = League['choices'][number]

/** Returns the default values of a new league: eight weeks, starting tomorrow. */
function createDefaultValues(): Values {
  const first = getStartOfDay(toManilaDay(getServerNow() + DAY_MS)).getTime()
  return {
    league: null,
    version: 0,
    counts: 'areas',
    points: '3',
    starts_at: new Date(first).toISOString(),
    ends_at: new Date(first + 56 * DAY_MS).toISOString(),
    events: [],
    prizes: [],
    prizes_to: 'leader',
  }
}

const toValues = ({ points, offers, ...league }: League): Values => ({
  ...league,
  points: formatPoints(points),
  prizes: offers.map(toPrize),
})

/** Creates or edits a league. After the first result, only the name, the text and the end can change. */
export function LeagueForm({ league }: { league: League | null }) {
  const navigate = useNavigate()
  const { data } = useCall(getLeagueEvents, {})
  const choices = league?.choices ?? data?.choices ?? []
  const hasResults = league?.wars.some(({ war }) => war !== null) ?? false
  return (
    <DeskForm
      endpoint={saveLeague}
      fields={leagueFields}
      values={league === null ? createDefaultValues() : toValues(league)}
      {...(league !== null && {
        fetchLatest: async () => toValues(await call(getDeskLeague, { league: String(league.league) })),
      })}
      submitLabel={league === null ? 'Save the draft' : 'Save'}
      successMessage="Saved."
      onDone={({ league: savedLeague }) => {
        if (league === null) void navigate(`/admin/leagues/${savedLeague}`)
      }}
      show={(form) => [
        'name',
        'about',
        ...(hasResults
          ? [<p key="begun">There are results already, so only the name, the text and the end can be changed.</p>]
          : (['counts', 'points', <EventChoices key="events" form={form} choices={choices} />, 'starts_at'] as const)),
        'ends_at',
        !hasResults && 'prizes_to',
        !hasResults && (
          <PrizeFields
            key="prizes"
            line="When you make the league final, each winner gets one letter with the prize: the club’s leader, or every player with a ranked character in the club. Staff win nothing."
            rankCount={3}
            prizes={form.values.prizes ?? []}
            error={form.getError('prizes')}
            onChange={(prizes) => form.change({ prizes })}
          />
        ),
      ]}
    />
  )
}

/** Chooses the club wars that count. */
function EventChoices({ form, choices }: { form: DeskFormState<typeof saveLeague>; choices: readonly Choice[] }) {
  const { events = [] } = form.values
  const error = form.getError('events')
  return (
    <fieldset className={deskLayout.set}>
      <legend>Events that count</legend>
      {choices.length === 0 && (
        <p>
          There is no club war yet. <Link to="/admin/events/new">Plan an event</Link> and tick “It is a club war”.
        </p>
      )}
      {choices.map(({ event, title }) => (
        <Checkbox
          key={event}
          label={`${title} (event ${event})`}
          checked={events.includes(event)}
          onChange={({ currentTarget }) =>
            form.change({
              events: currentTarget.checked ? [...events, event] : events.filter((id) => id !== event),
            })
          }
        />
      ))}
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
