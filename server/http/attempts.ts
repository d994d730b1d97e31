import { sql } from 'kysely'
import { ATTEMPT_WINDOW_MS } from '#contract/limits.ts'
import type { Db } from '../db/open.ts'

type Attempt = { key: string; now: Date; windowMs?: number }

/**
 * Counts one more attempt under a key. A single statement, so concurrent attempts in any process
 * all count.
 *
 * @returns how many attempts the window has so far, and the seconds until it ends
 */
export async function countAttempt(db: Db, { key, now, windowMs = ATTEMPT_WINDOW_MS }: Attempt) {
  const endsAt = new Date(now.getTime() + windowMs)
  const { rows } = await sql<{ count: number; ends_at: Date }>`
    insert into attempts (key, count, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      count = case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end,
      ends_at = case when attempts.ends_at <= ${now} then excluded.ends_at else attempts.ends_at end
    returning count, ends_at`.execute(db)
  const row = rows[0]
  const retryAfterSeconds = Math.max(1, Math.ceil(((row?.ends_at.getTime() ?? 0) - now.getTime()) / 1000))
  return { count: row?.count ?? 0, retryAfterSeconds }
}

/** Takes back one attempt that was counted but not carried out. */
export async function takeBackAttempt(db: Db, key: string): Promise<void> {
  await sql`update attempts set count = count - 1 where key = ${key} and count > 0`.execute(db)
}

/** Deletes a key's attempts, for example after a success. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

/** Deletes windows that have ended. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('ends_at', '<', now).execute()
}
