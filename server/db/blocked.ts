import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the SQL condition that an account is locked and hidden: it is blocked, or waits for its erasure.
 *
 * @param account the alias of `accounts` in the statement
 * @param at the time; by default the database's current time
 */
export function isBlocked(account: string, at: Date | RawBuilder<unknown> = sql`now()`): RawBuilder<boolean> {
  return sql<boolean>`(${isBlockedByStaff(account, at)} or ${isErasing(account)})`
}

/** Returns the SQL condition that staff have blocked an account. A temporary block ends at its time. */
export function isBlockedByStaff(account: string, at: Date | RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${account}.${name}`)
  return sql<boolean>`is_blocked(${column('blocked_at')}, ${column('blocked_until')}, ${at})`
}

/** Returns the SQL condition that an account waits for its erasure. */
export function isErasing(account: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${account}.erasure_due_at`)} is not null`
}

/** Returns whether a selected account is blocked by staff at a time. */
export function isBlockedNow(account: { blocked_at: Date | null; blocked_until: Date | null }, at: Date): boolean {
  return account.blocked_at !== null && (account.blocked_until === null || account.blocked_until > at)
}

/** Returns whether a selected account cannot spend at a time, because staff helped its player to log in again. */
export function isFrozen({ frozen_until }: { frozen_until: Date | null }, at: Date): boolean {
  return frozen_until !== null && frozen_until > at
}

/**
 * Returns the SQL condition that an owner has suspended an account's access to the desk.
 *
 * @param account the alias of `accounts` in the statement
 */
export function isSuspended(account: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from staff_suspensions x where x.user_num = ${sql.ref(`${account}.user_num`)})`
}
