import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LIMITS, type Limit, type LimitName } from '#contract/request-limits.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import { createTooManyRequests } from '../errors.ts'

/** Returns the key of a row in `attempts`. */
export const createAttemptsKey = (name: LimitName, subject: string | number) => `${name}:${subject}`

export type Limits = ReturnType<typeof createLimits>

/** The names of the limits that protect the database and the processor. They are counted in memory. */
type QuickLimitName = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends { perProcess: true } ? Name : never
}[LimitName]

/** The maximum number of counts in memory; beyond it, the least recently used one is deleted. */
const QUICK_WINDOWS_MAX = 20_000

/**
 * Creates the functions that count attempts against `LIMITS`. `subject` is an address, an account or a ticket. The counts are
 * in the database and shared by all processes, except those that protect the database. With `RATE_LIMIT=off` nothing is
 * counted or refused.
 */
export function createLimits({ db, now, config }: { db: Db; now: () => Date; config: Config }) {
  const countWindows = new LRUCache<string, { count: number; endsAt: Date }>({ max: QUICK_WINDOWS_MAX })

  /**
   * Counts an attempt and returns the count of the window. It is one statement, so concurrent attempts in all processes
   * are counted.
   */
  async function countAttempt(name: LimitName, subject: string | number, tx: Db = db) {
    const { windowMs }: Limit = LIMITS[name]
    const time = now()
    const endsAt = new Date(time.getTime() + windowMs)
    const { rows } = await sql<{ count: number; ends_at: Date }>`
      insert into attempts (key, count, ends_at) values (${createAttemptsKey(name, subject)}, 1, ${endsAt})
      on conflict (key) do update set
        count = case when attempts.ends_at <= ${time} then 1 else attempts.count + 1 end,
        ends_at = case when attempts.ends_at <= ${time} then excluded.ends_at else attempts.ends_at end
      returning count, ends_at`.execute(tx)
    const [row] = rows
    if (row === undefined) throw new Error('An attempt was not counted.')
    return { isWithin: row.count <= LIMITS[name].max, retryAfterSeconds: countSecondsUntil(row.ends_at, time) }
  }

  return {
    /** Counts an attempt in the memory of this process. @throws Refusal 429 past the limit */
    consumeInMemory(name: QuickLimitName, subject: string | number): void {
      if (!config.rateLimit) return
      const { max, windowMs }: Limit = LIMITS[name]
      const key = createAttemptsKey(name, subject)
      const time = now()
      let countWindow = countWindows.get(key)
      if (countWindow === undefined || countWindow.endsAt <= time) {
        countWindow = { count: 0, endsAt: new Date(time.getTime() + windowMs) }
        countWindows.set(key, countWindow)
      }
      if (++countWindow.count > max) throw createTooManyRequests(countSecondsUntil(countWindow.endsAt, time))
    },

    /** Counts an attempt. A rolled-back transaction rolls the count back too. @throws Refusal 429 past the limit */
    async consume(name: LimitName, subject: string | number, tx?: Db): Promise<void> {
      if (!config.rateLimit) return
      const { isWithin, retryAfterSeconds } = await countAttempt(name, subject, tx)
      if (!isWithin) throw createTooManyRequests(retryAfterSeconds)
    },

    /** Counts an attempt, as `consume` does. @returns whether it is within the limit */
    async count(name: LimitName, subject: string | number, tx?: Db): Promise<boolean> {
      return !config.rateLimit || (await countAttempt(name, subject, tx)).isWithin
    },

    /** Checks without counting. @throws Refusal 429 when the limit is used up */
    async check(name: LimitName, subject: string | number, tx: Db = db): Promise<void> {
      if (!config.rateLimit) return
      const time = now()
      const row = await tx
        .selectFrom('attempts')
        .where('key', '=', createAttemptsKey(name, subject))
        .where('ends_at', '>', time)
        .select(['count', 'ends_at'])
        .executeTakeFirst()
      if (row !== undefined && row.count >= LIMITS[name].max)
        throw createTooManyRequests(countSecondsUntil(row.ends_at, time))
    },

    /** Uncounts an attempt that could not be made. */
    async release(name: LimitName, subject: string | number): Promise<void> {
      if (!config.rateLimit) return
      await sql`update attempts set count = count - 1 where key = ${createAttemptsKey(name, subject)} and count > 0`.execute(
        db,
      )
    },

    /** Deletes the count, for example after a success. */
    async reset(name: LimitName, subject: string | number, tx: Db = db): Promise<void> {
      if (!config.rateLimit) return
      await tx.deleteFrom('attempts').where('key', '=', createAttemptsKey(name, subject)).execute()
    },
  }
}

const countSecondsUntil = (end: Date, now: Date) => Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))
