import { hashSync, verifySync } from '@node-rs/argon2'
import type { PasswordCost } from '#server/config.ts'

/** Hashes a password. Runs in a thread of the pool in passwords.ts, which calls it by its name. */
export function hash({ password, cost }: { password: string; cost: PasswordCost }): string {
  return hashSync(password, cost)
}

/** Returns whether a password matches a hash. Runs in a thread of the pool, like `hash`. */
export function verify({ password, storedHash }: { password: string; storedHash: string }): boolean {
  return verifySync(storedHash, password)
}
