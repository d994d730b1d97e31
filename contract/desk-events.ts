import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { choiceFilter, declareDeskCalls } from './desk.ts'
import { DAY_MS } from './durations.ts'
import { conflict, messageSchema } from './errors.ts'
import { EVENT_TEXTS, eventSchema, findStart, getWeekday, REPEATS } from './events.ts'
import { lineField, linesField, pictureField } from './fields.ts'
import { BOARDS } from './game.ts'
import { idParam } from './paging.ts'
import { count, id, offsetMoment } from './scalars.ts'

const desk = declareDeskCalls('events', { read: 'events.write' })

/** The maximum durations of a single event and of an occurrence of a repeated event. */
const SINGLE_EVENT_MAX_MS = 62 * DAY_MS
const REPEATED_EVENT_MAX_MS = 7 * DAY_MS

const timeField = f.iso.datetime({ error: 'Enter a date and a time.', offset: true })
const eventShape = {
  event: f.nullable(f.int('Reload the page.')),
  version: f.int('Reload the page.'),
  title: lineField(80, 'Enter a title.'),
  about: linesField(4000),
  picture: pictureField,
  prize: lineField(200),
  board: f.nullable(f.enum(BOARDS, 'Choose a ranking.')),
  news: f.nullable(f.int('Enter the number of a news item, or nothing.')),
  starts_at: timeField,
  ends_at: timeField,
  repeats: f.enum(REPEATS, 'Choose how often it happens.'),
  weekdays: f._default(f.array(f.int('Choose weekdays.').check(f.minimum(0), f.maximum(6))), []),
  repeats_until: f.nullable(timeField),
  exceptions: f._default(
    f
      .array(
        f.object({
          day: f.string('Choose a day.').check(f.regex(/^20\d\d-\d\d-\d\d$/, 'Choose a day.')),
          starts_at: f.nullable(timeField),
        }),
      )
      .check(f.maxLength(60, 'Remove exceptions that are past: at most 60 are possible.')),
    [],
  ),
  visible: f.boolean('Choose whether players see it.'),
  club_war: f._default(f.boolean('Choose whether it is a club war.'), false),
  cancelled_why: lineField(300),
}

type EventValues = { [Name in keyof typeof eventShape]: f.output<(typeof eventShape)[Name]> }
const createRule = (field: keyof EventValues, error: string, isMet: (form: EventValues) => boolean) =>
  f.refine<EventValues>(isMet, { error, path: [field] })
/** The maximum shift of an exception from the noon of its day in Manila. */
const SHIFT_MAX_MS = 7 * DAY_MS

/** Whether the exceptions are for different days on which the event takes place. */
const hasValidExceptionDays = (form: EventValues) =>
  new Set(form.exceptions.map(({ day }) => day)).size === form.exceptions.length &&
  form.exceptions.every(({ day }) => findStart({ ...form, exceptions: [] }, day) !== undefined)

const getDurationMs = ({ starts_at, ends_at }: EventValues) => Date.parse(ends_at) - Date.parse(starts_at)

export const eventForm = f.object(eventShape).check(
  createRule('ends_at', 'The event ends before it begins.', (form) => getDurationMs(form) > 0),
  createRule('ends_at', 'An event lasts at most two months.', (form) => getDurationMs(form) <= SINGLE_EVENT_MAX_MS),
  createRule(
    'ends_at',
    'A weekly event lasts at most a week.',
    (form) => form.repeats === 'once' || getDurationMs(form) <= REPEATED_EVENT_MAX_MS,
  ),
  createRule(
    'ends_at',
    'An event that is on more than one day a week lasts at most a day.',
    (form) => (form.repeats !== 'daily' && form.weekdays.length < 2) || getDurationMs(form) <= DAY_MS,
  ),
  createRule(
    'weekdays',
    'The first time is on another weekday. Choose that weekday too, or change the first time.',
    ({ repeats, weekdays, starts_at }) =>
      repeats !== 'weekly' || weekdays.length === 0 || weekdays.includes(getWeekday(starts_at)),
  ),
  createRule(
    'exceptions',
    'Choose days on which the event takes place, and each day only once.',
    (form) => form.repeats === 'once' || hasValidExceptionDays(form),
  ),
  createRule('exceptions', 'A time can be moved by at most a week.', (form) =>
    form.exceptions.every(
      ({ day, starts_at }) =>
        starts_at === null || Math.abs(Date.parse(starts_at) - Date.parse(`${day}T12:00:00+08:00`)) <= SHIFT_MAX_MS,
    ),
  ),
  createRule(
    'repeats_until',
    'The last time is before the first.',
    ({ repeats, repeats_until, starts_at }) =>
      repeats === 'once' || repeats_until === null || Date.parse(repeats_until) >= Date.parse(starts_at),
  ),
)

export const eventFields = describeFields(eventForm, {
  title: 'Title',
  about: { label: 'Text', kind: 'long', rows: 5 },
  picture: { label: 'Picture', use: 'news' },
  prize: { label: 'Prize', hint: 'a text; send items and coins by letter or tournament' },
  board: {
    label: 'Its ranking',
    none: 'None',
    options: { resu: 'Resu', mmr: 'MMR', level: 'Level', richest: 'Richest', killer: 'Killer' },
  },
  news: { label: 'News item', hint: 'its number, optional' },
  starts_at: 'From',
  ends_at: 'To',
  repeats: { label: 'How often', options: { once: 'Once', daily: 'Every day', weekly: 'Every week' } },
  repeats_until: { label: 'Repeats until', hint: 'empty: without an end' },
  visible: 'Players see it',
  club_war: { label: 'It is a club war', hint: 'needed for the setting “No free unstuck around club wars”' },
  cancelled_why: { label: 'Cancelled because', hint: 'empty: it takes place' },
})

export const eventResultForm = f.object({
  event: f.int('Reload the page.'),
  starts_at: timeField,
  /** An empty text removes the result. */
  result: linesField(2000),
})

export const eventResultFields = describeFields(eventResultForm, {
  result: { label: 'Result', kind: 'long', rows: 4 },
})

const eventNotFound = { status: 404, message: EVENT_TEXTS.eventNotFound } as const

export const getDeskEvents = desk.list('/admin/events', {
  summary: 'All events, newest first, including hidden, cancelled and past events',
  sorts: [''],
  filters: { state: choiceFilter(['coming', 'over', 'hidden', 'cancelled']) },
  row: z.object({
    event: id,
    title: z.string(),
    repeats: z.enum(REPEATS),
    weekdays: z.array(z.int()),
    starts_at: offsetMoment,
    next_at: offsetMoment
      .nullable()
      .meta({ description: 'When the current or next occurrence begins; null when the event is over' }),
    state: z.enum(['coming', 'over', 'hidden', 'cancelled']),
    reminders: count.meta({ description: 'The number of players with a reminder' }),
  }),
})

export const getDeskEvent = desk.read('/admin/events/{event}', {
  summary: 'The fields of an event’s form, and its results',
  input: { params: z.object({ event: idParam(EVENT_TEXTS.eventNotFound) }) },
  output: eventSchema.omit({ cancelled: true }).extend({
    version: count,
    visible: z.boolean(),
    club_war: z.boolean(),
    reminders: count,
    ended: z.array(offsetMoment).meta({ description: 'When the latest occurrences began, newest first' }),
  }),
  errors: { eventNotFound },
})

export const saveEvent = desk.write('/admin/events/save', {
  title: 'Save event',
  summary: 'Plan or change an event; cancelling it before it is over sends a letter to players with a reminder',
  fields: eventForm,
  output: messageSchema.extend({ event: id, version: count }),
  errors: {
    eventNotFound,
    conflict,
    newsNotFound: { status: 422, message: 'There is no news item with this number.', field: 'news' },
  },
})

export const enterEventResult = desk.write('/admin/events/result', {
  title: 'Enter event result',
  summary: 'Enter or remove the result of an event',
  fields: eventResultForm,
  errors: {
    eventNotFound,
    notThen: {
      status: 422,
      message: 'The event does not begin at this time, or has not begun yet.',
      field: 'starts_at',
    },
  },
})
