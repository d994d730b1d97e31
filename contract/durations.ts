/** Durations in milliseconds. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Formats a duration of several days: '30 days'. */
export const formatDays = (ms: number) => `${ms / DAY_MS} days`
