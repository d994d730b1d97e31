import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'
import type { Schema } from './schema.ts'

const ROWS_PER_STATEMENT = 1000

/** Selects old rows: those of `table` whose `column` is before `before` and that match `condition`. */
export type OldRowFilter = {
  table: keyof Schema
  column: string
  before: Date | string
  condition?: RawBuilder<unknown>
}

/**
 * Deletes old rows, the oldest first. Each statement deletes at most a thousand, to hold few locks at once. Skips locked
 * rows; the next clean-up deletes them. Needs an index on `column`.
 *
 * @param signal ends the work between two statements
 * @returns the number of deleted rows
 * @throws the signal's reason
 */
export async function deleteOld(
  db: Db,
  { table, column, before, condition = sql`true` }: OldRowFilter,
  signal?: AbortSignal,
): Promise<number> {
  for (let deletedCount = 0; ; ) {
    signal?.throwIfAborted()
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before} and ${condition}
        order by ${sql.ref(column)} limit ${sql.lit(ROWS_PER_STATEMENT)} for update skip locked))`.execute(db)
    deletedCount += Number(numAffectedRows)
    if (numAffectedRows < ROWS_PER_STATEMENT) return deletedCount
  }
}
