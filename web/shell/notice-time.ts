import { MINUTE_MS } from '#contract/durations.ts'

const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** A span in words, in its two largest units, such as '2 hours 10 minutes'; under a minute 'less than a minute'. */
export function formatSpan(ms: number): string {
  let left = Math.ceil(ms / MINUTE_MS)
  const parts = UNITS.flatMap(([unit, minutes]) => {
    const count = Math.floor(left / minutes)
    left -= count * minutes
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return parts.slice(0, 2).join(' ')
}

/** What a maintenance notice says about its time: how long until it starts, or until the site is back. */
export function maintenanceTime({ from, until }: { from: string; until: string }, now: number): string {
  const [starts, ends] = [Date.parse(from), Date.parse(until)]
  if (now < starts) return `Maintenance starts in ${formatSpan(starts - now)}`
  if (until === '') return 'Maintenance'
  return now < ends ? `Maintenance: back in ${formatSpan(ends - now)}` : 'Maintenance is over'
}
