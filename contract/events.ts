import { z } from 'zod'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { BOARDS } from './game.ts'
import { getMonth, getStartOfDay, toDayRange, toManilaDay } from './manila.ts'
import { count, id, offsetMoment } from './scalars.ts'

const events = declareCalls('events', 'public')

/** The texts that players see. */
export const EVENT_TEXTS = {
  description: 'What happens on the server and when. All times are Manila time.',
  eventNotFound: 'There is no such event.',
  empty: 'No events planned',
  emptyDescription: 'The next one is announced here, on the home page and in the news.',
  failed: 'We couldn’t load the events.',
  willRemind: 'We will send a letter to your mail box an hour before it begins.',
  willRemindEvery: 'We will send a letter to your mail box an hour before each time.',
  wontRemind: 'You won’t be reminded.',
  over: 'This event is over.',
  cancelled: 'This event is cancelled.',
} as const

/** The time before an event at which a player with a reminder gets a letter. */
export const REMINDER_BEFORE_MS = HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** The ways in which an event repeats. */
export const REPEATS = ['once', 'daily', 'weekly'] as const

/** The weekdays in the order of a week in Manila, with their numbers: Sunday is 0. */
export const WEEKDAYS = [
  [1, 'Mon'],
  [2, 'Tue'],
  [3, 'Wed'],
  [4, 'Thu'],
  [5, 'Fri'],
  [6, 'Sat'],
  [0, 'Sun'],
] as const

/** An occurrence of a repeated event that is cancelled (null) or moved. `day` is its regular day in Manila. */
export type EventException = { day: string; starts_at: Date | string | null }

/**
 * When an event takes place: its first occurrence, how it repeats, and the exceptions. `repeats_until` is null if the
 * repetition does not end.
 */
export type Schedule = {
  starts_at: Date | string
  ends_at: Date | string
  repeats: (typeof REPEATS)[number]
  /** The weekdays of a weekly event; empty if the event repeats on the weekday of its first occurrence. */
  weekdays: readonly number[]
  repeats_until: Date | string | null
  exceptions: readonly EventException[]
}

/** A period, from start to end in ms. */
export type Period = { from: number; until: number }

/** One occurrence of an event. */
export type Occurrence = Period

const toMs = (moment: Date | string) => new Date(moment).getTime()

/** Returns the weekday of a time in Manila; Sunday is 0. */
export const getWeekday = (moment: Date | number | string): number =>
  new Date(`${toManilaDay(new Date(moment))}T12:00:00Z`).getUTCDay()

/** Returns the weekdays of a weekly event, in the order of a week. */
export function getWeekdays({ weekdays, starts_at }: Pick<Schedule, 'weekdays' | 'starts_at'>): number[] {
  const eventWeekdays = weekdays.length === 0 ? [getWeekday(starts_at)] : weekdays
  return WEEKDAYS.flatMap(([weekday]) => (eventWeekdays.includes(weekday) ? [weekday] : []))
}

/** Formats the repetition of an event: 'Every day', 'Every week', or 'Wed, Sat, Sun'. */
export function formatRepeats(event: Pick<Schedule, 'repeats' | 'weekdays' | 'starts_at'>): string {
  if (event.repeats === 'once') return 'Once'
  if (event.repeats === 'daily' || event.weekdays.length === WEEKDAYS.length) return 'Every day'
  if (event.weekdays.length < 2) return 'Every week'
  const eventWeekdays = getWeekdays(event)
  return WEEKDAYS.flatMap(([weekday, name]) => (eventWeekdays.includes(weekday) ? [name] : [])).join(', ')
}

/**
 * Yields the regular start times of an event, in ms, including the days that have an exception. Begins with the first
 * occurrence that may end after `from`.
 */
function* listStarts(event: Schedule, from: number): Generator<number> {
  const [start, length] = [toMs(event.starts_at), toMs(event.ends_at) - toMs(event.starts_at)]
  if (event.repeats === 'once') {
    yield start
    return
  }
  const lastStart = event.repeats_until === null ? Number.POSITIVE_INFINITY : toMs(event.repeats_until)
  const weekdays = event.repeats === 'daily' ? WEEKDAYS.map(([weekday]) => weekday) : getWeekdays(event)
  // Manila has no daylight saving time, so 24 hours later is the same time of day.
  const skippedDays = Math.max(0, Math.floor((from - start - length) / DAY_MS))
  for (let startMs = start + skippedDays * DAY_MS; startMs <= lastStart; startMs += DAY_MS)
    if (weekdays.includes(getWeekday(startMs))) yield startMs
}

/**
 * Returns at most `limit` occurrences of an event that end after `from` and begin before `until`, in ms, earliest
 * first.
 */
export function getOccurrences(event: Schedule, { from, until, limit = 60 }: Period & { limit?: number }) {
  const length = toMs(event.ends_at) - toMs(event.starts_at)
  const occurrences: Occurrence[] = []
  const addOccurrence = (startMs: number) => {
    if (startMs < until && startMs + length > from) occurrences.push({ from: startMs, until: startMs + length })
  }
  const exceptionDays = new Set(event.exceptions.map(({ day }) => day))
  for (const startMs of listStarts(event, from)) {
    if (startMs >= until || occurrences.length >= limit) break
    if (exceptionDays.size === 0 || !exceptionDays.has(toManilaDay(startMs))) addOccurrence(startMs)
  }
  for (const { starts_at } of event.exceptions) if (starts_at !== null) addOccurrence(toMs(starts_at))
  return occurrences.sort((a, b) => a.from - b.from).slice(0, limit)
}

/** Returns the regular start of an event on a day; undefined if it does not take place on that day. */
export function findStart(event: Schedule, day: string): number | undefined {
  const range = toDayRange(day)
  if (range === undefined) return undefined
  for (const startMs of listStarts(event, range.startsAt.getTime())) {
    if (startMs >= range.endsAt.getTime()) return undefined
    if (toManilaDay(startMs) === day) return startMs
  }
  return undefined
}

/** Returns the current or next occurrence of an event; undefined when it is over. */
export const getNextOccurrence = (event: Schedule, now: number): Occurrence | undefined =>
  getOccurrences(event, { from: now, until: Number.POSITIVE_INFINITY, limit: 1 })[0]

export const EVENT_VIEWS = ['week', 'month'] as const
export type EventView = (typeof EVENT_VIEWS)[number]

/**
 * Returns the first day of the week or month in Manila that contains a day such as '2026-12-31'. A week begins on
 * Monday.
 */
export function getFirstDay(view: EventView, day: string): string {
  const startsAt = getStartOfDay(day)
  if (view === 'month') return toManilaDay(getMonth(startsAt).startsAt)
  const weekday = (new Date(`${toManilaDay(startsAt)}T12:00:00Z`).getUTCDay() + 6) % 7
  return toManilaDay(startsAt.getTime() - weekday * DAY_MS)
}

/**
 * Returns the first day, and the start and end in ms, of the week or month that begins on `first`, moved by `step` weeks
 * or months.
 */
export function getViewSpan(view: EventView, first: string, step = 0): { first: string; from: number; until: number } {
  const start = getStartOfDay(first).getTime()
  if (view === 'week') {
    const from = start + step * WEEK_MS
    return { first: toManilaDay(from), from, until: from + WEEK_MS }
  }
  const [year = 0, month = 0] = first.split('-').map(Number)
  const { startsAt, endsAt } = getMonth(Date.UTC(year, month - 1 + step, 2))
  return { first: toManilaDay(startsAt), from: startsAt.getTime(), until: endsAt.getTime() }
}

const eventNotFound = { status: 404, message: EVENT_TEXTS.eventNotFound } as const

const summaryFields = {
  event: id,
  title: z.string(),
  prize: z.string(),
  picture: z.string().nullable(),
  starts_at: offsetMoment,
  ends_at: offsetMoment,
  repeats: z.enum(REPEATS),
  weekdays: z.array(z.int()).meta({
    description:
      'The weekdays of a weekly event, Sunday is 0; empty if it repeats on the weekday of its first occurrence',
  }),
  cancelled: z.boolean(),
}

/** One occurrence of an event. */
const occurrence = z.object(summaryFields).meta({ id: 'EventOccurrence' })

const DAY_RULE = 'Enter a day such as 2026-12-31.'

export const getEvents = events.get('/events', {
  summary: 'The events of a week or a month in Manila, with an entry for each occurrence, earliest first',
  cache: { freshMs: 30_000 },
  cors: true,
  input: {
    query: z.object({
      view: z.enum(EVENT_VIEWS).default('week'),
      day: z
        .string()
        .regex(/^(20\d\d-\d\d-\d\d)?$/, { error: DAY_RULE, abort: true })
        .refine((day) => day === '' || toDayRange(day) !== undefined, DAY_RULE)
        .default('')
        .meta({ description: 'A day of the week or month; empty for today' }),
    }),
  },
  output: z.object({
    first: z.string().meta({ description: 'The first day' }),
    data: z.array(occurrence),
  }),
})

export const eventSchema = z
  .object({
    ...summaryFields,
    starts_at: offsetMoment.meta({ description: 'When the first occurrence begins' }),
    about: z.string(),
    board: z.enum(BOARDS).nullable().meta({ description: 'The ranking that it is about' }),
    news: id.nullable().meta({ description: 'The news item about it' }),
    repeats_until: offsetMoment.nullable(),
    exceptions: z.array(z.object({ day: z.string(), starts_at: offsetMoment.nullable() })).meta({
      description: 'The days in Manila on which it is cancelled (null) or begins at another time',
    }),
    cancelled_why: z.string(),
    results: z.array(z.object({ starts_at: offsetMoment, result: z.string() })).meta({
      description: 'The result of each occurrence, the latest first; starts_at is when that occurrence began',
    }),
  })
  .meta({ id: 'Event' })

export type Event = z.infer<typeof eventSchema>

/** The id of an event in an address. */
export const eventParams = { params: z.object({ id: z.string().regex(/^\d{1,15}$/, EVENT_TEXTS.eventNotFound) }) }

export const getEvent = events.get('/events/{id}', {
  summary: 'An event: when it is, what can be won and how it ended',
  cache: { freshMs: 30_000 },
  cors: true,
  input: eventParams,
  output: eventSchema,
  errors: { eventNotFound },
})

export const getEventReminder = events.get('/events/{id}/reminder', {
  summary: 'Whether the caller has a reminder for an event',
  access: 'player',
  input: eventParams,
  output: z.object({
    wanted: z.boolean(),
    every: z
      .boolean()
      .meta({ description: 'Whether the reminder is for each occurrence; otherwise only for the next one' }),
  }),
  errors: { eventNotFound },
})

export const setEventReminder = events.post('/events/reminder', {
  summary: 'Set or remove the caller’s reminder, a letter an hour before each or only the next occurrence of an event',
  access: 'player',
  limit: 'eventReminders',
  input: { body: z.object({ event: count, wanted: z.boolean(), every: z.boolean().default(true) }) },
  output: messageSchema,
  errors: {
    eventNotFound,
    over: { status: 409, message: EVENT_TEXTS.over },
    cancelled: { status: 409, message: EVENT_TEXTS.cancelled },
  },
})
