import { DAY_MS, HOUR_MS } from './durations.ts'

/** Manila time (GMT+08:00, no daylight saving): the game's months and the clock (RANK-8, SHELL-2). */

const MANILA_OFFSET_MS = 8 * HOUR_MS
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Returns the wall clock in Manila at a time, as a Date whose UTC fields are Manila's. */
function toManilaClock(moment: Date | number): Date {
  return new Date(Number(moment) + MANILA_OFFSET_MS)
}

const padTwoDigits = (value: number) => String(value).padStart(2, '0')

export type ClockParts = { leading: string; minutes: string; seconds: string; zone: string; date: string }

/** The displayed time zone of every time on the site. */
export const TIME_ZONE = 'GMT+08:00'

/** Returns the texts of the clock: the date, the zone, both together, hh:mm, and the seconds. */
export function getClockParts(moment: Date | number): ClockParts {
  const wallClock = toManilaClock(moment)
  const month = (MONTHS[wallClock.getUTCMonth()] ?? '').slice(0, 3)
  const date = `${DAYS[wallClock.getUTCDay()]} ${wallClock.getUTCDate()} ${month} ${wallClock.getUTCFullYear()}`
  return {
    date,
    zone: TIME_ZONE,
    leading: `${date} · ${TIME_ZONE}`,
    minutes: `${padTwoDigits(wallClock.getUTCHours())}:${padTwoDigits(wallClock.getUTCMinutes())}`,
    seconds: padTwoDigits(wallClock.getUTCSeconds()),
  }
}

/** Formats the day of a time: '5 December 2026'. */
export function formatManilaDate(moment: Date | number): string {
  const wallClock = toManilaClock(moment)
  return `${wallClock.getUTCDate()} ${MONTHS[wallClock.getUTCMonth()]} ${wallClock.getUTCFullYear()}`
}

/** Formats a time to the minute: '5 December 2026, 14:00'. */
export function formatManilaMinute(moment: Date | number): string {
  const wallClock = toManilaClock(moment)
  return `${formatManilaDate(moment)}, ${padTwoDigits(wallClock.getUTCHours())}:${padTwoDigits(wallClock.getUTCMinutes())}`
}

/** Returns whether a time is midnight in Manila. */
export const isMidnight = (moment: Date | number) => Number(toManilaClock(moment)) % DAY_MS === 0

/** Formats the start of a period: its first day, with the time unless it is midnight. */
export const formatManilaStart = (moment: Date | number): string =>
  isMidnight(moment) ? formatManilaDate(moment) : formatManilaMinute(moment)

/** Formats the end of a period: its last day, with the time unless it is midnight (TEXT-4). */
export const formatManilaEnd = (moment: Date | number): string =>
  isMidnight(moment) ? formatManilaDate(Number(moment) - 1) : formatManilaMinute(moment)

/** Formats a time in the clock's short form: 'Sun 22 Nov 2026, 18:00'. */
export function formatClockMinute(moment: Date | number): string {
  const { date, minutes } = getClockParts(moment)
  return `${date}, ${minutes}`
}

/** Formats the end of a period like `formatManilaEnd`, in the clock's short form. */
export const formatClockEnd = (moment: Date | number): string =>
  isMidnight(moment) ? getClockParts(Number(moment) - 1).date : formatClockMinute(moment)

/**
 * Formats a period (TEXT-4): 'Sat 5 Dec 2026, 20:00 to 22:00', '… 20:00 to midnight', or only the days of a period of whole
 * days.
 */
export function formatPeriod(from: Date | number, until: Date | number): string {
  const [firstDay, lastDay] = [getClockParts(from), getClockParts(Number(until) - 1)]
  const isOneDay = firstDay.date === lastDay.date
  if (isMidnight(from) && isMidnight(until))
    return isOneDay ? `${firstDay.date}, all day` : `${firstDay.date} to ${lastDay.date}`
  const end = isOneDay ? (isMidnight(until) ? 'midnight' : getClockParts(until).minutes) : formatClockEnd(until)
  return `${formatClockMinute(from)} to ${end}`
}

/** Formats a time in Manila for a file's name: '2026-12-31T18-00-00'. Such names sort by time. */
export const formatFileTime = (moment: Date | number): string =>
  toManilaClock(moment).toISOString().slice(0, 19).replaceAll(':', '-')

/** Formats a time in Manila for the browser's date and time field: '2026-12-31T18:00'. */
export function toManilaLocal(moment: Date | number): string {
  return toManilaClock(moment).toISOString().slice(0, 16)
}

export type Month = { id: string; name: string; startsAt: Date; endsAt: Date; day: number; days: number }

/** Returns the calendar month in Manila that contains a time. `day` counts from 1. */
export function getMonth(moment: Date | number): Month {
  const wallClock = toManilaClock(moment)
  const year = wallClock.getUTCFullYear()
  const month = wallClock.getUTCMonth()
  const startsAt = new Date(Date.UTC(year, month, 1) - MANILA_OFFSET_MS)
  const endsAt = new Date(Date.UTC(year, month + 1, 1) - MANILA_OFFSET_MS)
  return {
    id: `${year}-${padTwoDigits(month + 1)}`,
    name: `${MONTHS[month]} ${year}`,
    startsAt,
    endsAt,
    day: wallClock.getUTCDate(),
    days: Math.round((endsAt.getTime() - startsAt.getTime()) / DAY_MS),
  }
}

/** Returns the month before the one that contains a time. */
export function getPreviousMonth(moment: Date | number): Month {
  return getMonth(getMonth(moment).startsAt.getTime() - 1)
}

/** Formats '2026-10' as 'October 2026'. */
export function formatMonth(id: string): string {
  return `${MONTHS[Number(id.slice(5, 7)) - 1]} ${id.slice(0, 4)}`
}

/**
 * Returns the first and the last time of a day in Manila such as '2026-12-31'; undefined for a day that does not exist.
 */
export function toDayRange(day: string): { startsAt: Date; endsAt: Date } | undefined {
  const noon = new Date(`${day}T12:00:00Z`)
  if (Number.isNaN(noon.getTime()) || !noon.toISOString().startsWith(`${day}T`)) return undefined
  return { startsAt: new Date(`${day}T00:00:00+08:00`), endsAt: new Date(`${day}T23:59:59.999+08:00`) }
}

/** Returns the day in Manila that contains a time, such as '2026-12-31'. */
export function toManilaDay(moment: Date | number): string {
  return toManilaClock(moment).toISOString().slice(0, 10)
}

/** Returns the first time of a day in Manila. */
export const getStartOfDay = (day: string) => new Date(`${day}T00:00:00+08:00`)

/** Returns the day after a day. */
export const getNextDay = (day: string) => toManilaDay(getStartOfDay(day).getTime() + DAY_MS)
