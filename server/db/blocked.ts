import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an account is locked and hidden: it is blocked, or waits to be erased.
 *
 * @param account the alias of `accounts` in the statement
 * @param at the moment; by default the database's present
 */
export function isBlocked(account: string, at: Date | RawBuilder<unknown> = sql`now()`): RawBuilder<boolean> {
  return sql<boolean>`(${isBlockedByStaff(account, at)} or ${isErasing(account)})`
}

/** Whether staff blocked an account. A block with an end is over when the end has come, in every process at once. */
export function isBlockedByStaff(account: string, at: Date | RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${account}.${name}`)
  return sql<boolean>`is_blocked(${column('blocked_at')}, ${column('blocked_until')}, ${at})`
}

/** Whether an account waits to be erased. */
export function isErasing(account: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${account}.erasure_due_at`)} is not null`
}

/** Whether an account, read before, is blocked by staff at a moment. */
export function isBlockedNow(account: { blocked_at: Date | null; blocked_until: Date | null }, at: Date): boolean {
  return account.blocked_at !== null && (account.blocked_until === null || account.blocked_until > at)
}

/** Whether an account, read before, cannot spend at this time, because staff helped a player back into it. */
export function isFrozen({ frozen_until }: { frozen_until: Date | null }, at: Date): boolean {
  return frozen_until !== null && frozen_until > at
}

/**
 * Whether an owner has suspended an account's access to the desk.
 *
 * @param account the alias of `accounts` in the statement
 */
export function isSuspended(account: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from staff_suspensions x where x.user_num = ${sql.ref(`${account}.user_num`)})`
}
