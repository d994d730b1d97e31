import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { getClockParts } from '#contract/manila.ts'
import { NEWS_TEXTS } from '#contract/messages.ts'

const LAST_RELATIVE_DAY = 30

const formatCountAgo = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Formats the day of a time in Manila: '3 Oct 2026'. */
export function formatManilaDay(time: Date | number): string {
  const { date } = getClockParts(time)
  return date.slice(date.indexOf(' ') + 1)
}

/** Formats day and time in Manila: '3 Oct 2026, 21:42 GMT+08:00'. */
export function formatManilaMoment(time: Date | number): string {
  return `${formatManilaDay(time)}, ${getClockParts(time).minutes} GMT+08:00`
}

/**
 * Formats a time as a day in Manila, '12 Nov 2026', with day and time as its title; 'No date available' without a time.
 */
export function formatDay(iso: string | null | undefined): { day: string; title: string | undefined } {
  const time = iso ? Date.parse(iso) : Number.NaN
  if (Number.isNaN(time)) return { day: NEWS_TEXTS.dateMissing, title: undefined }
  return { day: formatManilaDay(time), title: formatManilaMoment(time) }
}

/**
 * Formats the time since an event with the texts of NEWS-5.
 *
 * @param iso ISO 8601 with a zone; 'No date available' if it is null or invalid
 * @param now milliseconds since 1970
 */
export function formatRelativeTime(iso: string | null, now: number): string {
  const eventTime = iso === null ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(eventTime)) return NEWS_TEXTS.dateMissing
  const elapsedMs = now - eventTime
  if (elapsedMs < MINUTE_MS) return NEWS_TEXTS.justNow
  if (elapsedMs < HOUR_MS) return formatCountAgo(Math.floor(elapsedMs / MINUTE_MS), 'minute')
  if (elapsedMs < DAY_MS) return formatCountAgo(Math.floor(elapsedMs / HOUR_MS), 'hour')
  const days = Math.floor(elapsedMs / DAY_MS)
  return days <= LAST_RELATIVE_DAY ? formatCountAgo(days, 'day') : formatManilaDay(eventTime)
}
