import { useNavigate, useParams } from 'react-router'
import { enterEventResult, eventFields, eventResultFields, getDeskEvent, saveEvent } from '#contract/desk-events.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { manilaDay, startOfDay } from '#contract/manila.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import { OwnOrForeignLink } from '#web/ui/link.tsx'
import { serverNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { manilaText, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'

type Event = CallOutput<typeof getDeskEvent>
type Values = Partial<FormValues<typeof saveEvent>>

const BACK = { to: '/admin/events', label: 'Events' }

/** An event: a new one, or one that is planned or over. */
export function Screen() {
  const { number = '' } = useParams()
  if (number === 'new')
    return (
      <RecordPage back={BACK} title="Plan an event">
        <EventForm values={newValues()} />
      </RecordPage>
    )
  return <Known number={Number(number)} />
}

function Known({ number }: { number: number }) {
  const found = useCall(getDeskEvent, { event: number })
  return (
    <Loaded of={found} height={640}>
      {(event) => <EventPage key={number} event={event} />}
    </Loaded>
  )
}

function EventPage({ event }: { event: Event }) {
  const { title, starts_at, ends_at, repeats, reminders, visible, ended } = event
  const plan = <EventForm key={event.version} values={event} />
  return (
    <RecordPage
      back={BACK}
      title={title}
      facts={{
        'First time': <When at={starts_at} show="both" />,
        Until: repeats === 'once' && <When at={ends_at} show="both" />,
        Reminders: reminders,
        'Its page': visible && (
          <OwnOrForeignLink to={`${location.origin}/events/${event.event}`}>Open</OwnOrForeignLink>
        ),
      }}
      tabs={
        ended.length === 0
          ? []
          : [
              { key: 'plan', label: 'Plan', content: plan },
              { key: 'results', label: 'Results', content: <Results event={event} /> },
            ]
      }
    >
      {ended.length === 0 && plan}
    </RecordPage>
  )
}

/** Tomorrow evening, to be changed. */
function newValues(): Values {
  const evening = startOfDay(manilaDay(serverNow() + DAY_MS)).getTime() + 20 * HOUR_MS
  return {
    event: null,
    version: 0,
    starts_at: new Date(evening).toISOString(),
    ends_at: new Date(evening + 2 * HOUR_MS).toISOString(),
    repeats: 'once',
    visible: true,
    club_war: false,
  }
}

function EventForm({ values }: { values: Values }) {
  const navigate = useNavigate()
  const { event: number = null } = values
  const isNew = number === null
  return (
    <DeskForm
      endpoint={saveEvent}
      fields={eventFields}
      values={values}
      {...(!isNew && { latest: () => call(getDeskEvent, { event: number }) })}
      submit={isNew ? 'Plan it' : 'Save'}
      onDone={({ event }) => {
        if (isNew) void navigate(`/admin/events/${event}`)
      }}
      show={(form) => [
        'title',
        'about',
        ['starts_at', 'ends_at', 'repeats', form.values.repeats === 'weekly' ? 'repeats_until' : <span key="gap" />],
        'prize',
        ['board', 'news'],
        'picture',
        'visible',
        'club_war',
        !isNew && 'cancelled_why',
      ]}
    />
  )
}

/** How the event ended, for each time that it began. */
function Results({ event: { event, ended, results } }: { event: Event }) {
  return (
    <div className={layout.panels}>
      {ended.map((starts_at) => {
        const result = results.find((one) => one.starts_at === starts_at)?.result ?? ''
        return (
          <DeskForm
            key={`${starts_at} ${result}`}
            endpoint={enterEventResult}
            fields={eventResultFields}
            title={manilaText(new Date(starts_at))}
            values={{ event, starts_at, result }}
            savesChanges
            show={['result']}
          />
        )
      })}
    </div>
  )
}
