import { useNavigate, useParams } from 'react-router'
import { enterEventResult, eventFields, eventResultFields, getDeskEvent, saveEvent } from '#contract/desk-events.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { WEEKDAYS } from '#contract/events.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { SiteOrExternalLink } from '#web/ui/link.tsx'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { formatManilaTime, When } from '../../kit/facts.tsx'
import { FieldRows, type FormState } from '../../kit/fields.tsx'
import { PostButton } from '../../kit/post-button.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './event.module.css'

type Event = CallOutput<typeof getDeskEvent>
type Values = Partial<FormValues<typeof saveEvent>>

const BACK_LINK = { to: '/admin/events', label: 'Events' }

/** The page of an event: a new, planned or finished one. */
export function Screen() {
  const { number = '' } = useParams()
  const isNew = number === 'new'
  const eventQuery = useCall(getDeskEvent, { event: Number(number) }, { enabled: !isNew })
  if (isNew)
    return (
      <RecordPage back={BACK_LINK} title="Plan an event">
        <EventForm values={createDefaultValues()} />
      </RecordPage>
    )
  return (
    <Loaded result={eventQuery} height={640}>
      {(event) => <EventPage key={number} event={event} />}
    </Loaded>
  )
}

function EventPage({ event }: { event: Event }) {
  const { title, starts_at, ends_at, repeats, reminders, visible, ended } = event
  const plan = <EventForm key={event.version} values={event} />
  return (
    <RecordPage
      back={BACK_LINK}
      title={title}
      actions={visible ? <PostButton kind="event" page={String(event.event)} /> : undefined}
      facts={{
        'First time': <When at={starts_at} show="both" />,
        Until: repeats === 'once' && <When at={ends_at} show="both" />,
        Reminders: reminders,
        'Its page': visible && (
          <SiteOrExternalLink to={`${location.origin}/events/${event.event}`}>Open</SiteOrExternalLink>
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

/** Returns the default values of a new event, tomorrow evening. */
function createDefaultValues(): Values {
  const evening = getStartOfDay(toManilaDay(getServerNow() + DAY_MS)).getTime() + 20 * HOUR_MS
  return {
    event: null,
    version: 0,
    starts_at: new Date(evening).toISOString(),
    ends_at: new Date(evening + 2 * HOUR_MS).toISOString(),
    repeats: 'once',
    weekdays: [],
    exceptions: [],
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
      {...(!isNew && { fetchLatest: () => call(getDeskEvent, { event: number }) })}
      submitLabel={isNew ? 'Plan it' : 'Save'}
      onDone={({ event }) => {
        if (isNew) void navigate(`/admin/events/${event}`)
      }}
      show={(form) => [
        'title',
        'about',
        ['starts_at', 'ends_at', 'repeats', form.values.repeats === 'once' ? <span key="gap" /> : 'repeats_until'],
        form.values.repeats === 'weekly' && <Weekdays key="weekdays" form={form} />,
        form.values.repeats !== 'once' && <Exceptions key="exceptions" form={form} />,
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

type EventFormState = FormState<Values>

/** The weekdays of a weekly event. By default it repeats on the weekday of its first date. */
function Weekdays({ form }: { form: EventFormState }) {
  const { weekdays = [] } = form.values
  const error = form.getError('weekdays')
  return (
    <fieldset className={deskLayout.set}>
      <legend>On these days (if you tick none, the weekday of the first date)</legend>
      <div className={styles.weekdays}>
        {WEEKDAYS.map(([weekday, label]) => (
          <Checkbox
            key={weekday}
            label={label}
            checked={weekdays.includes(weekday)}
            onChange={({ currentTarget }) =>
              form.change({
                weekdays: currentTarget.checked
                  ? [...weekdays, weekday]
                  : weekdays.filter((other) => other !== weekday),
              })
            }
          />
        ))}
      </div>
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const exceptionFields = {
  day: { kind: 'day', label: 'On this day' },
  starts_at: { kind: 'moment', label: 'It begins', hint: 'empty: it does not take place', isNullable: true },
} as const

/** Dates on which the event is cancelled or begins at another time. */
function Exceptions({ form }: { form: EventFormState }) {
  const { exceptions = [] } = form.values
  const error = form.getError('exceptions')
  return (
    <fieldset className={deskLayout.set}>
      <legend>Exceptions</legend>
      <FieldRows
        fields={exceptionFields}
        rows={exceptions}
        onChange={(rows) => form.change({ exceptions: rows })}
        getName={({ day }) => `the exception on ${day}`}
        className={styles.exception}
      />
      <Button
        tone="secondary"
        onClick={() =>
          form.change({ exceptions: [...exceptions, { day: toManilaDay(getServerNow()), starts_at: null }] })
        }
      >
        Add an exception
      </Button>
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Edits the result of each past date of the event. */
function Results({ event: { event, ended, results } }: { event: Event }) {
  return (
    <div className={layout.panels}>
      {ended.map((starts_at) => {
        const result = results.find((row) => row.starts_at === starts_at)?.result ?? ''
        return (
          <DeskForm
            key={`${starts_at} ${result}`}
            endpoint={enterEventResult}
            fields={eventResultFields}
            title={formatManilaTime(new Date(starts_at))}
            values={{ event, starts_at, result }}
            savesChanges
            show={['result']}
          />
        )
      })}
    </div>
  )
}
