import { createHash, randomInt } from 'node:crypto'
import { isIPv6 } from 'node:net'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A number such as T-7KQX-M2PD: 40 random bits, so that nobody counts tickets or meets one by trying. */
export function createTicketNumber(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `T-${group()}-${group()}`
}

/** The address whose tickets are counted together: of IPv6 the /64 that one household has. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const gap = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  const parts = [...left, ...gap, ...right].slice(0, 4)
  return `${parts.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/64`
}

/** What the database keeps of a caller's Idempotency-Key and of what came with it. */
export function digest(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
