import { MINUTE_MS } from '#contract/durations.ts'

const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** Formats a duration, rounded up to minutes, in its two largest units, such as '2 hours 10 minutes'. */
export function formatSpan(ms: number): string {
  let remainingMinutes = Math.ceil(ms / MINUTE_MS)
  const parts = UNITS.flatMap(([unit, minutes]) => {
    const count = Math.floor(remainingMinutes / minutes)
    remainingMinutes -= count * minutes
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`]
  })
  return parts.slice(0, 2).join(' ')
}

/** Formats the time until maintenance starts, or until the site is back. */
export function formatMaintenanceTime({ from, until }: { from: string; until: string }, now: number): string {
  const [startsAt, endsAt] = [Date.parse(from), Date.parse(until)]
  if (now < startsAt) return `Maintenance starts in ${formatSpan(startsAt - now)}`
  if (until === '') return 'Maintenance'
  return now < endsAt ? `Maintenance: back in ${formatSpan(endsAt - now)}` : 'Maintenance is over'
}

/** The browser's storage key for the ids of closed notices. */
export const CLOSED_NOTICES_KEY = 'CLOSED_NOTICES'

/** Runs before first paint: marks the closed notices on <html>, so they never appear or shift the page. */
export const CLOSED_NOTICES_SCRIPT = `try{const c=localStorage.getItem("${CLOSED_NOTICES_KEY}");if(c)document.documentElement.dataset.closed=c}catch{}`

/** Returns an id from a notice's kind, text and end. A closed notice appears again when any of these change. */
export function createNoticeId({ kind, text, until }: { kind: string; text: string; until: string }): string {
  let hash = 0
  for (const character of `${kind} ${text} ${until}`) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0
  return `n${(hash >>> 0).toString(36)}`
}
