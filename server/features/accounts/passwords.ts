import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '#server/errors.ts'

/** argon2id with 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = availableParallelism()
const WAITING_MAX = 256

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs one password computation off the main thread, at most as many at once as there are
 * cores; the rest wait in a bounded line, so that a flood of logins cannot stop the site.
 *
 * @throws Refusal 503 when the line is full
 */
async function inLine<Result>(compute: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) {
      throw new Refusal(503, 'password-queue-full', 'Too many people are logging in right now. Please try again.', {
        retryAfterSeconds: 5,
      })
    }
    await new Promise<void>((go) => waiting.push(go))
  } else {
    running++
  }
  try {
    return await compute()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** The stored form of a password. */
export function hashPassword(password: string): Promise<string> {
  return inLine(() => hash(password, COST))
}

/** A hash nobody's password has, so that unknown IDs cost the same time as known ones. */
const nobody = hash(crypto.randomUUID(), COST)

/** Whether a password fits a stored form. Without one (an unknown ID) it takes as long and is false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const usable = stored?.startsWith('$argon2') === true
  const against = usable && stored !== undefined ? stored : await nobody
  const fits = await inLine(() => verify(against, password))
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
