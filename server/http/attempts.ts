import { sql } from 'kysely'
import { ATTEMPT_WINDOW_MS } from '#contract/limits.ts'
import type { Db } from '../db/open.ts'

type Attempt = { key: string; now: Date; windowMs?: number }

/**
 * Counts one more attempt under a key and tells how many there are in its window. One
 * statement, so that attempts at the same moment, in any process, all count.
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

/** Takes one attempt back that could not be made after all. */
export async function takeBackAttempt(db: Db, key: string): Promise<void> {
  await sql`update attempts set count = count - 1 where key = ${key} and count > 0`.execute(db)
}

/** Forgets a key's attempts, as after a success. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

/** Removes windows that are over. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('attempts').where('ends_at', '<', now).execute()
}
