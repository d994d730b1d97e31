import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { getClockParts } from '#contract/manila.ts'
import { NEWS_TEXTS } from '#contract/messages.ts'

const LAST_RELATIVE_DAY = 30

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Formats the day of a time in Manila: '3 Oct 2026'. */
export function formatRelativeDay(moment: Date | number): string {
  const { date } = getClockParts(moment)
  return date.slice(date.indexOf(' ') + 1)
}

/** Formats day and time in Manila: '3 Oct 2026, 21:42 GMT+08:00'. */
export function manilaMoment(moment: Date | number): string {
  return `${formatRelativeDay(moment)}, ${getClockParts(moment).minutes} GMT+08:00`
}

/**
 * Formats a time as a day in Manila, '12 Nov 2026', with day and time as its title; 'No date available' without a time.
 */
export function formatDay(iso: string | null | undefined): { day: string; title: string | undefined } {
  const moment = iso ? Date.parse(iso) : Number.NaN
  if (Number.isNaN(moment)) return { day: NEWS_TEXTS.dateMissing, title: undefined }
  return { day: formatRelativeDay(moment), title: manilaMoment(moment) }
}

/**
 * Formats the time since an event with the texts of NEWS-5.
 *
 * @param iso ISO 8601 with a zone; 'No date available' if it is null or invalid
 * @param now milliseconds since 1970
 */
export function relativeTime(iso: string | null, now: number): string {
  const then = iso === null ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(then)) return NEWS_TEXTS.dateMissing
  const ago = now - then
  if (ago < MINUTE_MS) return NEWS_TEXTS.justNow
  if (ago < HOUR_MS) return plural(Math.floor(ago / MINUTE_MS), 'minute')
  if (ago < DAY_MS) return plural(Math.floor(ago / HOUR_MS), 'hour')
  const days = Math.floor(ago / DAY_MS)
  return days <= LAST_RELATIVE_DAY ? plural(days, 'day') : formatRelativeDay(then)
}
