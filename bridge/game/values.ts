import { createHash } from 'node:crypto'
import { MINUTE_MS } from '#contract/durations.ts'
import { type Cell, type Dialect, type GameConnection, toNumber } from './driver.ts'

/** Hashes a text, to compare rows by it. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** Converts a value to a whole number. Returns 0 if it is not a number. */
export function toWholeNumber(cell: Cell): number {
  const number = Math.trunc(Number(cell ?? 0))
  if (Number.isNaN(number)) return 0
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, number)) + 0
}

/** SQL for a database's local time, in seconds since 1970 as if it were UTC. */
const CLOCK_SQL: Record<Dialect, string> = {
  mssql: `datediff(second, '20000101', getdate()) + 946684800`,
  mariadb: `timestampdiff(second, '2000-01-01', now()) + 946684800`,
  postgres: `floor(extract(epoch from localtimestamp))`,
}
const QUARTER_HOUR_MS = 15 * MINUTE_MS

/**
 * Compares the clock of a database with this machine's (BRIDGE-21). Time zones differ by whole quarters of an hour.
 *
 * @returns the difference that the time zones cause, and the remaining difference of the clocks, both in milliseconds
 */
export async function readClock(
  connection: GameConnection,
  now = new Date(),
): Promise<{ zoneMs: number; driftMs: number }> {
  const [row] = await connection.query(`select ${CLOCK_SQL[connection.dialect]} as clock`)
  const localNow = now.getTime() - now.getTimezoneOffset() * MINUTE_MS
  const behindMs = localNow - (toNumber(row?.clock) ?? localNow / 1000) * 1000
  const zoneMs = Math.round(behindMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  return { zoneMs, driftMs: behindMs - zoneMs }
}

/** Returns whether a flag is set (BRIDGE-20). Its column may be a number, a bit or a boolean. */
export const isSet = (cell: Cell): boolean =>
  cell === true || cell === 't' || cell === 'true' || (toNumber(cell) ?? 0) !== 0

/**
 * Converts a time of the game to milliseconds since 1970.
 *
 * @param zoneMs how far the time zone of the database is behind this machine's, as `readClock` measures it
 */
export function toMoment(cell: Cell, zoneMs: number): number | null {
  const moment =
    cell instanceof Date
      ? cell.getTime()
      : typeof cell === 'string' && /^\d{4}-\d\d-\d\d/.test(cell)
        ? new Date(cell.trim().replace(' ', 'T')).getTime()
        : Number.NaN
  return Number.isNaN(moment) ? null : moment + zoneMs
}

/** Converts a time of the game to seconds since 1970. */
export function toSeconds(cell: Cell, zoneMs: number): number | null {
  const moment = toMoment(cell, zoneMs)
  return moment === null ? null : Math.floor(moment / 1000)
}
