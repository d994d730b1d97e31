import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#server/errors.ts'
import { createLine } from './line.ts'

/** argon2id with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** At most as many password computations at once as there are cores, and a bounded line behind them. */
export const PASSWORD_LINE = { atOnce: availableParallelism(), waitingMax: 256 }

/** Runs a password computation when it is its turn, so that a flood of logins cannot stop the site. @throws Refusal 503 */
export const inPasswordLine = createLine({
  ...PASSWORD_LINE,
  full: () =>
    new Refusal(503, 'password-queue-full', 'Too many people are logging in right now. Please try again.', {
      retryAfterSeconds: 5,
    }),
})

/** The stored form of a password. */
export function hashPassword(password: string): Promise<string> {
  return inPasswordLine(() => hash(password, COST))
}

/** A hash nobody's password has, so that unknown IDs cost the same time as known ones. */
const nobody = hash(crypto.randomUUID(), COST)

/** Whether a password fits a stored form. Without one (an unknown ID) it takes as long and is false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const usable = stored?.startsWith('$argon2') === true
  const against = usable && stored !== undefined ? stored : await nobody
  const fits = await inPasswordLine(() => verify(against, password))
  return usable && fits
}

const normalise = (answer: string) => answer.normalize('NFC').trim().toLowerCase()

/** Secret answers compare trimmed and without case (DECISIONS §3), stored like passwords. */
export function hashSecretAnswer(answer: string): Promise<string> {
  return hashPassword(normalise(answer))
}

/** Whether a secret answer fits a stored form. */
export function verifySecretAnswer(stored: string, answer: string): Promise<boolean> {
  return verifyPassword(stored, normalise(answer))
}
