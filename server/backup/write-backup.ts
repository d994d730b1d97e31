import { sql } from 'kysely'
import { readSchemaState } from '#server/db/migrate.ts'
import type { Db } from '#server/db/open.ts'
import { listTables } from './tables.ts'

export const BACKUP_FORMAT = 'tambayan-backup-1'
const ROWS_PER_LINE = 500
/** Rows with files are few per line: a screenshot can have several megabytes, and twice as many as hex digits in JSON. */
const HEAVY_ROWS_PER_LINE = 4
const IDLE_MAX_MS = 15 * 60_000

export type BackupLine =
  | { format: string; migration: string; schema: string; created_at: string }
  | { table: string; rows: unknown[] }
  | { end: true; rows: number }

/**
 * Writes the whole database as lines of JSON. The first line has the newest migration and its hash; the last line has the
 * number of rows, which reveals a truncated file. One transaction reads everything, so the backup is a consistent
 * snapshot while the site runs.
 */
export async function writeBackup(db: Db, now: Date, write: (line: string) => Promise<void>): Promise<number> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      // A slow disk or a suspended process may take long, but the snapshot must end, because it prevents the cleanup of
      // old rows.
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_MAX_MS)}`.execute(tx)
      const { newest, hash } = await readSchemaState(tx)
      const writeLine = (line: BackupLine) => write(`${JSON.stringify(line)}\n`)
      await writeLine({ format: BACKUP_FORMAT, migration: newest, schema: hash, created_at: now.toISOString() })
      let count = 0
      for (const { name, columns, heavy } of await listTables(tx)) {
        const rowsPerLine = heavy ? HEAVY_ROWS_PER_LINE : ROWS_PER_LINE
        const columnList = sql.join(columns.map((column) => sql.ref(column)))
        await sql`declare backup_rows no scroll cursor for select to_jsonb(r) as row from (select ${columnList} from ${sql.table(name)}) r`.execute(
          tx,
        )
        for (;;) {
          const { rows } = await sql<{ row: unknown }>`fetch ${sql.raw(String(rowsPerLine))} from backup_rows`.execute(
            tx,
          )
          if (rows.length === 0) break
          await writeLine({ table: name, rows: rows.map(({ row }) => row) })
          count += rows.length
        }
        await sql`close backup_rows`.execute(tx)
      }
      await writeLine({ end: true, rows: count })
      return count
    })
}
