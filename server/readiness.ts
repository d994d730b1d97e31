import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './db/open.ts'
import { createDatabaseUnavailable } from './errors.ts'

/** How long a check waits for the database. */
const DATABASE_TIMEOUT_MS = 800
/** The shortest interval between two test writes. */
const WRITE_EVERY_MS = 10_000
/** The age of the last successful write at which the site is no longer ready. */
const WRITE_MAX_AGE_MS = 30_000

/**
 * Creates the check that the database answers and can write (START-5): with a full disk or set to read-only, it still answers
 * reads. Concurrent checks share one query and one write.
 *
 * @returns a function that throws a refusal with 503 when the database is not ready
 */
export function createReadiness({ db, now }: { db: Db; now: () => Date }): () => Promise<void> {
  let runningRead: Promise<unknown> | undefined
  let runningWrite: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  // The site's start has just written to the database.
  let writtenAt = now().getTime()

  const startWrite = () => {
    triedAt = now().getTime()
    runningWrite = tryWrite(db)
      .then(() => {
        writtenAt = now().getTime()
      })
      .catch(() => undefined)
      .finally(() => {
        runningWrite = undefined
      })
  }
  const isWriteOld = () => now().getTime() - writtenAt >= WRITE_MAX_AGE_MS

  return async () => {
    const timeout = sleep(DATABASE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw createDatabaseUnavailable()
    })
    runningRead ??= sql`select 1`.execute(db).finally(() => {
      runningRead = undefined
    })
    await Promise.race([runningRead, timeout])
    if (runningWrite === undefined && now().getTime() - triedAt >= WRITE_EVERY_MS) startWrite()
    if (isWriteOld()) await Promise.race([runningWrite, timeout])
    if (isWriteOld()) throw createDatabaseUnavailable()
  }
}

/** A query that writes a temporary file of about 400 kB, because its rows do not fit into `work_mem`. */
export const FILL_TEMPORARY_FILE = sql`select count(*) from generate_series(1, 20000)`

/**
 * Writes a temporary file and a record in the database's log, which fails on a full disk. Leaves no data behind.
 *
 * @throws the database's error
 */
async function tryWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ read_only: string }>`
      select current_setting('transaction_read_only') as read_only`.execute(tx)
    if (rows[0]?.read_only === 'on') throw createDatabaseUnavailable()
    await sql`set local work_mem = '64kB'`.execute(tx)
    await FILL_TEMPORARY_FILE.execute(tx)
    await sql`select pg_logical_emit_message(true, 'tambayan', 'readiness')`.execute(tx)
  })
}
