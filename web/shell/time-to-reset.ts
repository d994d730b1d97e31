import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { getMonth } from '#contract/manila.ts'

export type TimeToReset = {
  amount: number
  label: string
  /** The short name of the month. */
  month: string
  /** Today’s day of the month. */
  day: number
  /** The number of days in the month. */
  days: number
}

/**
 * Returns the time until the rankings restart, at midnight on the first of the next month in Manila. The amount is
 * in whole days, on the last day in hours.
 */
export function getTimeToReset(now: number): TimeToReset {
  const month = getMonth(now)
  const remainingMs = month.endsAt.getTime() - now
  const hasWholeDays = remainingMs >= DAY_MS
  const amount = hasWholeDays ? Math.floor(remainingMs / DAY_MS) : Math.ceil(remainingMs / HOUR_MS)
  const unit = hasWholeDays ? 'day' : 'hour'
  return {
    amount,
    label: `${unit}${amount === 1 ? '' : 's'} until the rankings reset`,
    month: month.name.slice(0, 3),
    day: month.day,
    days: month.days,
  }
}
