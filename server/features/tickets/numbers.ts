import { randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A number such as T-7KQX-M2PD: 40 random bits, so that tickets can be neither counted nor guessed. */
export function createTicketNumber(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `T-${group()}-${group()}`
}
