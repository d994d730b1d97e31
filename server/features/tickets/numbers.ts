import { createHash, randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A number such as T-7KQX-M2PD: 40 random bits, so numbers neither tell how many tickets there are nor can be guessed. */
export function createTicketNumber(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `T-${group()}-${group()}`
}

/** The form in which the database keeps an Idempotency-Key and the content it came with. */
export function digest(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
