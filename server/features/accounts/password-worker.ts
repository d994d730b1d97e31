import { hashSync, verifySync } from '@node-rs/argon2'

/** argon2id with 19 MiB of memory, two passes and one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a password. Runs in a thread of the pool in passwords.ts, which calls it by its name. */
export function hash(password: string): string {
  return hashSync(password, COST)
}

/** Whether a password matches a hash. Runs in a thread of the pool, like `hash`. */
export function verify({ password, against }: { password: string; against: string }): boolean {
  return verifySync(against, password)
}
