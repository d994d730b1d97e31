import { createHash } from 'node:crypto'
import type { Cell } from './driver.ts'

/** What rows are compared by. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** A whole number that travels; 0 for what is none. */
export function whole(cell: Cell): number {
  const number = Math.trunc(Number(cell ?? 0))
  if (Number.isNaN(number)) return 0
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, number)) + 0
}

/** Whether a column says yes, be it a number, a bit or a truth value. */
export function isSet(cell: Cell): boolean {
  if (cell === true || cell === 't' || cell === 'true') return true
  if (Buffer.isBuffer(cell)) return cell.some((byte) => byte !== 0)
  return whole(cell) !== 0
}

/** A moment of the game, whose clock is this machine's, in milliseconds since 1970. */
export function momentOf(cell: Cell): number | null {
  const moment =
    cell instanceof Date
      ? cell.getTime()
      : typeof cell === 'string' && /^\d{4}-\d\d-\d\d/.test(cell)
        ? new Date(cell.trim().replace(' ', 'T')).getTime()
        : Number.NaN
  return Number.isNaN(moment) ? null : moment
}

/** The same in seconds, as it travels. */
export function secondsOf(cell: Cell): number | null {
  const moment = momentOf(cell)
  return moment === null ? null : Math.floor(moment / 1000)
}
