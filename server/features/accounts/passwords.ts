import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { DEMO_USER_IDS, isCommonPassword, isStaffPassword, STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { PASSWORD_COST, type PasswordCost } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal } from '#server/errors.ts'

/** The largest number of password tasks that may wait for a thread. Further tasks are refused. */
const QUEUE_MAX = 256

/** Milliseconds until an idle thread ends. An idle thread takes 10 MB or more. */
const IDLE_MS = 60_000

/**
 * The threads that hash passwords, one per core. They start with the first password, end when idle, and do not keep the
 * process running. On Linux, where each thread has its own priority, they have a low one.
 */
export const passwordThreads = new Piscina({
  filename: pathToFileURL(join(import.meta.dirname, 'password-worker.ts')).href,
  minThreads: 0,
  maxThreads: availableParallelism(),
  idleTimeout: IDLE_MS,
  maxQueue: QUEUE_MAX,
  stricterFIFO: true,
  niceIncrement: process.platform === 'linux' ? 5 : 0,
  recordTiming: false,
})

/** Runs a function of password-worker.ts in a thread. @throws Refusal 503 when too many tasks wait */
async function runInThread(name: 'hash' | 'verify', task: unknown): Promise<unknown> {
  // The pool itself would throw a plain Error when its queue is full.
  if (passwordThreads.queueSize >= QUEUE_MAX) {
    throw new Refusal(503, 'password-queue-full', 'Too many people are logging in right now. Please try again.', {
      retryAfterSeconds: 5,
    })
  }
  return passwordThreads.run(task, { name })
}

let cost = PASSWORD_COST

/** Sets the cost of every further hash in this process. */
export function setPasswordCost(newCost: PasswordCost): void {
  cost = newCost
}

/** Hashes the NFC form of a password with argon2id. @throws Refusal 503 when too many wait */
export async function hashPassword(password: string): Promise<string> {
  return String(await runInThread('hash', { password: password.normalize('NFC'), cost }))
}

/** Lists the Unicode variants of a password, one of which may be stored: as typed, NFC and NFD, without repeats (PASS-8). */
export const listUnicodeVariants = (password: string): string[] => [
  ...new Set([password, password.normalize('NFC'), password.normalize('NFD')]),
]

/** The hash of a random text. Unknown IDs are checked against it and so take as long as existing ones. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$cFDsggjt9Hw07MkMnlGHCA$VOHNiqbVT1BWcKwEwya83PLWntbfXIjbHatTukU2OQc'

/**
 * Returns the Unicode variant of a password that matches a stored hash; undefined when none does. The check takes as long
 * without a hash, because the time must not reveal that an ID is unknown.
 *
 * @throws Refusal 503 when too many wait
 */
export async function findMatchingVariant(
  storedHash: string | undefined,
  password: string,
): Promise<string | undefined> {
  const isUsable = storedHash?.startsWith('$argon2') === true
  const comparedHash = isUsable && storedHash !== undefined ? storedHash : DUMMY_HASH
  for (const variant of listUnicodeVariants(password))
    if ((await runInThread('verify', { password: variant, storedHash: comparedHash })) === true && isUsable)
      return variant
  return undefined
}

/** Returns whether a password matches a stored hash, in any of its Unicode variants. @throws Refusal 503 when too many wait */
export const verifyPassword = async (storedHash: string | undefined, password: string): Promise<boolean> =>
  (await findMatchingVariant(storedHash, password)) !== undefined

/** Stored instead of a hash in an account without a usable password. */
export const NO_PASSWORD = '!'

const normaliseAnswer = (answer: string) => answer.normalize('NFC').trim().toLowerCase()

/** Hashes a secret answer like a password, trimmed and in lower case (PASS-4). */
export function hashSecretAnswer(answer: string): Promise<string> {
  return hashPassword(normaliseAnswer(answer))
}

/** Returns whether a secret answer matches a stored hash. */
export function verifySecretAnswer(storedHash: string, answer: string): Promise<boolean> {
  return verifyPassword(storedHash, normaliseAnswer(answer))
}

/**
 * Returns the reason why an operator may not use a password (DESK-24). Returns null for players, whose passwords the
 * form checks, and for the accounts of the demo world.
 */
export function findStaffPasswordFault(
  { config }: Pick<Deps, 'config'>,
  account: { user_id: string; user_type: number },
  password: string,
): string | null {
  const isDemo = config.demo && DEMO_USER_IDS.includes(account.user_id.toLowerCase())
  if (account.user_type < ADMIN_USER_TYPE || isDemo || isStaffPassword(password)) return null
  return isCommonPassword(password) ? STAFF_PASSWORD_TEXTS.common : STAFF_PASSWORD_TEXTS.tooShort
}

/** Stops the password threads; a later password starts them again. */
export async function stopPasswordThreads(): Promise<void> {
  await passwordThreads.destroy()
}
