import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { getMonth } from '#contract/manila.ts'

export type TimeToReset = { amount: number; label: string; month: string; day: number; days: number }

/**
 * Returns the time until the rankings restart, at midnight of the next month in Manila: in whole days, on the last day
 * in hours.
 */
export function getTimeToReset(now: number): TimeToReset {
  const month = getMonth(now)
  const left = month.endsAt.getTime() - now
  const inDays = left >= DAY_MS
  const amount = inDays ? Math.floor(left / DAY_MS) : Math.ceil(left / HOUR_MS)
  const unit = inDays ? 'day' : 'hour'
  return {
    amount,
    label: `${unit}${amount === 1 ? '' : 's'} until the rankings reset`,
    month: month.name.slice(0, 3),
    day: month.day,
    days: month.days,
  }
}
