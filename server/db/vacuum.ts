import { sql } from 'kysely'
import type { Db } from './open.ts'

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** Collects the statistics with which the database plans statements. */
export async function analyzeTables(db: Db): Promise<void> {
  const tables = (await listTables(db)).map((name) => sql.table(name))
  await sql`analyze ${sql.join(tables)}`.execute(db)
}

/**
 * Reclaims the space of deleted rows and collects statistics. A PostgreSQL server does both itself; the embedded database
 * has no process for it. Other statements can run after each table.
 *
 * @throws the signal's reason
 */
export async function vacuumTables(db: Db, signal: AbortSignal): Promise<void> {
  for (const name of await listTables(db)) {
    signal.throwIfAborted()
    await sql`vacuum (analyze) ${sql.table(name)}`.execute(db)
  }
}
