import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { EVENT_VIEWS, type EventView, getEvents, getViewSpan } from '#contract/events.ts'
import { getClockParts, getStartOfDay, toDayRange, toManilaDay } from '#contract/manila.ts'
import { toCallQuery } from '#web/api/queries.ts'

export const LIST_PATH = '/events'

/** The view of the page: the week or month that contains a day; '' means today. */
export type EventsView = { view: EventView; day: string }

export type EventTime = CallOutput<typeof getEvents>['data'][number]

/** The search parameters of the page, such as `?view=month&day=2026-12-01`. */
export const eventsSearch = {
  names: ['view', 'day'],
  read: (query: URLSearchParams): EventsView => {
    const day = query.get('day') ?? ''
    return {
      view: EVENT_VIEWS.find((view) => view === query.get('view')) ?? 'week',
      day: /^20\d\d-/.test(day) && toDayRange(day) !== undefined ? day : '',
    }
  },
}

/** Returns the address of a view. */
export function getEventsPath({ view, day }: EventsView): string {
  const query = new URLSearchParams()
  if (view !== 'week') query.set('view', view)
  if (day !== '') query.set('day', day)
  return query.size === 0 ? LIST_PATH : `${LIST_PATH}?${query}`
}

/** Returns whether a view is the current week, which also shows the following week. */
export const isCurrentWeek = ({ view, day }: EventsView) => view === 'week' && day === ''

/** Returns the query of the events of the following week. @param firstDay the first day of the current week */
export const getNextWeekQuery = (firstDay: string) =>
  toCallQuery(getEvents, { view: 'week', day: getViewSpan('week', firstDay, 1).first })

export type Day = {
  day: string
  /** Whether the day belongs to the previous or next month. */
  isOutsideMonth: boolean
  events: EventTime[]
}

/** Returns the days of a week, or of all weeks of a month, with their events. */
export function listDays(view: EventView, firstDay: string, events: readonly EventTime[]): Day[] {
  const span = getViewSpan(view, firstDay)
  // The columns begin with Monday, which is 1.
  const daysBefore = (new Date(`${firstDay}T12:00:00Z`).getUTCDay() + 6) % 7
  const start = span.from - daysBefore * DAY_MS
  const count = Math.ceil((span.until - start) / (7 * DAY_MS)) * 7
  return Array.from({ length: count }, (_, index) => {
    const from = start + index * DAY_MS
    const isOutsideMonth = from < span.from || from >= span.until
    const isOnDay = ({ starts_at, ends_at }: EventTime) =>
      Date.parse(starts_at) < from + DAY_MS && Date.parse(ends_at) > from
    return { day: toManilaDay(from), isOutsideMonth, events: isOutsideMonth ? [] : events.filter(isOnDay) }
  })
}

export const isStartDay = (day: string, { starts_at }: EventTime) => toManilaDay(Date.parse(starts_at)) === day

/** Returns the label of an event on a day: its start time, or that it continues from the day before. */
export const formatTimeOnDay = (day: string, event: EventTime) =>
  isStartDay(day, event) ? getClockParts(Date.parse(event.starts_at)).minutes : 'continues'

/** Formats a day for the head of its column or row: 'Sat', 5 and 'Dec'. */
export function formatDayParts(day: string): { weekday: string; number: string; month: string } {
  const [weekday = '', number = '', month = ''] = getClockParts(getStartOfDay(day)).date.split(' ')
  return { weekday, number, month }
}

/** An event that is shorter than this belongs to one day, even if it continues after midnight. */
const ONE_DAY_EVENT_MAX_MS = 18 * HOUR_MS

/** Formats the days of an event: 'Sat' and '5', or 'Fri to Sun' and '4–6', with the month of the first day. */
export function formatEventDays({ starts_at, ends_at }: EventTime): { weekday: string; number: string; month: string } {
  const [from, until] = [Date.parse(starts_at), Date.parse(ends_at)]
  const firstDay = formatDayParts(toManilaDay(from))
  if (until - from < ONE_DAY_EVENT_MAX_MS) return firstDay
  const lastDay = formatDayParts(toManilaDay(until - 1))
  return {
    weekday: `${firstDay.weekday} to ${lastDay.weekday}`,
    number: `${firstDay.number}–${lastDay.number}`,
    month: firstDay.month,
  }
}

/** The first hour of an evening in Manila. */
const EVENING_HOUR = 17

/** Describes the time of an event: 'On now', 'Tonight', 'Today', 'Next' or 'Over'. */
export function describeEventTime({ starts_at, ends_at }: EventTime, now: number): string {
  const [from, until] = [Date.parse(starts_at), Date.parse(ends_at)]
  if (until <= now) return 'Over'
  if (from <= now) return 'On now'
  if (toManilaDay(from) !== toManilaDay(now)) return 'Next'
  return Number(getClockParts(from).minutes.slice(0, 2)) >= EVENING_HOUR ? 'Tonight' : 'Today'
}
