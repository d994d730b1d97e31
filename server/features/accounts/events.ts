import { sql } from 'kysely'
import { deleteOld } from '#server/db/delete-old.ts'
import type { Db } from '#server/db/open.ts'
import type { Caller } from '#server/http/client-address.ts'
import { attemptsKey } from '#server/http/limits.ts'
import { failuresOf } from './queries.ts'

/** How long a player can look back at the account's history. */
const EVENTS_KEPT_MS = 365 * 24 * 3_600_000

/** Adds an event to an account's history, which its player can read. */
export async function recordEvent(
  db: Db,
  event: { userNum: number; kind: string; caller: Caller; note?: string; now: Date },
): Promise<void> {
  await db
    .insertInto('account_events')
    .values({
      user_num: event.userNum,
      kind: event.kind,
      address: event.caller.address,
      device: event.caller.device,
      note: event.note ?? '',
      created_at: event.now,
    })
    .execute()
}

/**
 * Adds a failed login to the account's history. One statement that writes either way, so an
 * unknown ID costs the database as much as a known one.
 */
export async function recordFailedLogin(
  db: Db,
  { userId, caller, now }: { userId: string; caller: Caller; now: Date },
): Promise<void> {
  await sql`
    with counted as (update attempts set count = count where key = ${attemptsKey('loginFailures', failuresOf(userId))})
    insert into account_events (user_num, kind, address, device, created_at)
    select user_num, 'login-failed', ${caller.address}, ${caller.device}, ${now}
    from accounts where lower(user_id) = ${userId.toLowerCase()}`.execute(db)
}

/** Deletes events that are older than a year. */
export async function sweepEvents(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - EVENTS_KEPT_MS)
  await deleteOld(db, { table: 'account_events', column: 'created_at', before }, signal)
}
