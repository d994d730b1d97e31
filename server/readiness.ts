import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './db/open.ts'
import { databaseUnavailable } from './errors.ts'

/** How long a check waits for the database. */
const ANSWER_WITHIN_MS = 800
/** How often a write is tried at most. */
const WRITE_EVERY_MS = 10_000
/** A site that has not written for this long is not ready. */
const WRITTEN_WITHIN_MS = 30_000

/**
 * Checks whether the database answers and can write (START-5). A full disk or a database set to read-only still answers
 * reads. Concurrent checks share one query and one write.
 *
 * @returns a function that throws a refusal with 503 when the database is not ready
 */
export function createReadiness({ db, now }: { db: Db; now: () => Date }): () => Promise<void> {
  let read: Promise<unknown> | undefined
  let write: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  // The start has just written to the database.
  let writtenAt = now().getTime()

  const startWrite = () => {
    triedAt = now().getTime()
    write = tryWrite(db)
      .then(() => {
        writtenAt = now().getTime()
      })
      .catch(() => undefined)
      .finally(() => {
        write = undefined
      })
  }
  const isWriteOld = () => now().getTime() - writtenAt >= WRITTEN_WITHIN_MS

  return async () => {
    const timeout = sleep(ANSWER_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw databaseUnavailable()
    })
    read ??= sql`select 1`.execute(db).finally(() => {
      read = undefined
    })
    await Promise.race([read, timeout])
    if (write === undefined && now().getTime() - triedAt >= WRITE_EVERY_MS) startWrite()
    if (isWriteOld()) await Promise.race([write, timeout])
    if (isWriteOld()) throw databaseUnavailable()
  }
}

/** Writes about 400 kB into a temporary file, because the rows of the function do not fit into `work_mem`. */
export const FILL_TEMPORARY_FILE = sql`select count(*) from generate_series(1, 20000)`

/**
 * Writes what a full disk refuses, and leaves nothing behind: a temporary file and a record in the database's log.
 *
 * @throws the database's error
 */
async function tryWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ read_only: string }>`
      select current_setting('transaction_read_only') as read_only`.execute(tx)
    if (rows[0]?.read_only === 'on') throw databaseUnavailable()
    await sql`set local work_mem = '64kB'`.execute(tx)
    await FILL_TEMPORARY_FILE.execute(tx)
    await sql`select pg_logical_emit_message(true, 'tambayan', 'readiness')`.execute(tx)
  })
}
