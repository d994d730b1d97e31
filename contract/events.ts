import { z } from 'zod'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { calls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { BOARDS } from './game.ts'
import { getMonth, manilaDay, startOfDay, toDayRange } from './manila.ts'
import { count, id, offsetMoment } from './scalars.ts'

const events = calls('events', 'public')

/** The texts that players see. */
export const EVENTS = {
  line: 'What happens on the server and when. All times are Manila time.',
  eventNotFound: 'There is no such event.',
  empty: 'No events planned',
  emptyLine: 'The next one is announced here, on the home page and in the news.',
  failed: 'We couldn’t load the events.',
  willRemind: 'We will send you a letter an hour before it begins.',
  wontRemind: 'You won’t be reminded.',
  over: 'This event is over.',
} as const

/** A player with a reminder gets a letter this long before an event begins. */
export const REMINDER_BEFORE_MS = HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** The times of an event: from and to, once, or every week until `repeats_until` or without an end. */
export type Schedule = {
  starts_at: Date | string
  ends_at: Date | string
  repeats: 'once' | 'weekly'
  repeats_until: Date | string | null
}

/** One time that an event happens, in ms. */
export type Occurrence = { from: number; until: number }

const ms = (moment: Date | string) => new Date(moment).getTime()

/**
 * Returns the times of an event that end after `from` and begin before `until`, in ms, the earliest first, at most
 * `most`.
 */
export function getOccurrences(event: Schedule, { from, until, most = 60 }: Occurrence & { most?: number }) {
  const [start, end] = [ms(event.starts_at), ms(event.ends_at)]
  const isWeekly = event.repeats === 'weekly'
  const last = isWeekly ? (event.repeats_until === null ? Number.POSITIVE_INFINITY : ms(event.repeats_until)) : start
  // Manila has no summer time, so a week later is the same time of the day.
  const skipped = isWeekly ? Math.max(0, Math.floor((from - end) / WEEK_MS) + 1) : 0
  const found: Occurrence[] = []
  for (let nth = skipped; found.length < most; nth++) {
    const [begins, ends] = [start + nth * WEEK_MS, end + nth * WEEK_MS]
    if (begins > last || begins >= until) break
    if (ends > from) found.push({ from: begins, until: ends })
    if (!isWeekly) break
  }
  return found
}

/** Returns the present or next time of an event; undefined when it is over. */
export const nextOccurrence = (event: Schedule, now: number): Occurrence | undefined =>
  getOccurrences(event, { from: now, until: Number.POSITIVE_INFINITY, most: 1 })[0]

export const EVENT_VIEWS = ['week', 'month'] as const
export type EventView = (typeof EVENT_VIEWS)[number]

/**
 * Returns the first day of the week or month in Manila that contains a day such as '2026-12-31'. A week begins on
 * Monday.
 */
export function getFirstDay(view: EventView, day: string): string {
  const { startsAt } = toDayRange(day) ?? { startsAt: startOfDay('2026-01-01') }
  if (view === 'month') return manilaDay(getMonth(startsAt).startsAt)
  const weekday = (new Date(`${manilaDay(startsAt)}T12:00:00Z`).getUTCDay() + 6) % 7
  return manilaDay(startsAt.getTime() - weekday * DAY_MS)
}

/**
 * Returns the first day and the end in ms of the week or month that begins with a day, or of the one `step` later or
 * earlier.
 */
export function spanOfView(view: EventView, first: string, step = 0): { first: string; from: number; until: number } {
  const start = startOfDay(first).getTime()
  if (view === 'week') {
    const from = start + step * WEEK_MS
    return { first: manilaDay(from), from, until: from + WEEK_MS }
  }
  const [year = 0, month = 0] = first.split('-').map(Number)
  const { startsAt, endsAt } = getMonth(Date.UTC(year, month - 1 + step, 2))
  return { first: manilaDay(startsAt), from: startsAt.getTime(), until: endsAt.getTime() }
}

const eventNotFound = { status: 404, message: EVENTS.eventNotFound } as const

const summaryFields = {
  event: id,
  title: z.string(),
  prize: z.string(),
  picture: z.string().nullable(),
  starts_at: offsetMoment,
  ends_at: offsetMoment,
  repeats: z.enum(['once', 'weekly']),
  cancelled: z.boolean(),
}

/** An event at one of its times. */
const occurrence = z.object(summaryFields).meta({ id: 'EventOccurrence' })

export const getEvents = events.get('/events', {
  summary: 'The events of a week or a month in Manila, each at each of its times, the earliest first',
  cache: { freshMs: 30_000 },
  cors: true,
  input: {
    query: z.object({
      view: z.enum(EVENT_VIEWS).default('week'),
      day: z
        .string()
        .regex(/^(20\d\d-\d\d-\d\d)?$/, 'Enter a day such as 2026-12-31.')
        .default('')
        .meta({ description: 'A day of the week or month; without one it is today' }),
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
    starts_at: offsetMoment.meta({ description: 'When it begins, the first time' }),
    about: z.string(),
    board: z.enum(BOARDS).nullable().meta({ description: 'The ranking that it is about' }),
    news: id.nullable().meta({ description: 'The news item about it' }),
    repeats_until: offsetMoment.nullable(),
    cancelled_why: z.string(),
    results: z.array(z.object({ starts_at: offsetMoment, result: z.string() })).meta({
      description: 'How it ended, by the time that it began, the latest first',
    }),
  })
  .meta({ id: 'Event' })

export type Event = z.infer<typeof eventSchema>

/** The number of an event in an address. */
export const eventParams = { params: z.object({ id: z.string().regex(/^\d{1,15}$/, EVENTS.eventNotFound) }) }

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
  output: z.object({ wanted: z.boolean() }),
  errors: { eventNotFound },
})

export const setEventReminder = events.post('/events/reminder', {
  summary: 'Ask for a letter an hour before an event begins, each time, or stop it',
  access: 'player',
  limit: 'eventReminders',
  input: { body: z.object({ event: count, wanted: z.boolean() }) },
  output: messageSchema,
  errors: { eventNotFound, over: { status: 409, message: EVENTS.over } },
})
