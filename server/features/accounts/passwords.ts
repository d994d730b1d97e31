import { Refusal } from '#server/errors.ts'
import { createLine } from './line.ts'
import { computeInWorker, WORKERS } from './password-workers.ts'

/** A computation in each thread and the next one at its hand, so that none waits for us; behind them a bounded line. */
export const PASSWORD_LINE = { atOnce: WORKERS * 2, waitingMax: 256 }

/** Runs a password computation when it is its turn, so that a flood of logins cannot stop the site. @throws Refusal 503 */
export const inPasswordLine = createLine({
  ...PASSWORD_LINE,
  full: () =>
    new Refusal(503, 'password-queue-full', 'Too many people are logging in right now. Please try again.', {
      retryAfterSeconds: 5,
    }),
})

/** The stored form of a password, argon2id. */
export async function hashPassword(password: string): Promise<string> {
  return String(await inPasswordLine(() => computeInWorker({ password })))
}

/** The hash of a random text that nobody knows, so that unknown IDs cost the same time as known ones. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$cFDsggjt9Hw07MkMnlGHCA$VOHNiqbVT1BWcKwEwya83PLWntbfXIjbHatTukU2OQc'

/** Whether a password fits a stored form. Without one (an unknown ID) it takes as long and is false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const usable = stored?.startsWith('$argon2') === true
  const against = usable && stored !== undefined ? stored : NOBODY
  const fits = await inPasswordLine(() => computeInWorker({ password, against }))
  return usable && fits === true
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
