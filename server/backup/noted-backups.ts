import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** How many backups the desk remembers. */
const REMEMBERED = 30

/** A backup that was made: its file's name, and how much is in it. */
export type MadeBackup = { name: string; rows: number; bytes: number }

/** Notes that a backup was made, at the database's time, wherever it was written to. */
export async function noteBackup(db: Db, { name, rows, bytes }: MadeBackup): Promise<void> {
  await db
    .insertInto('backups')
    .values({ made_at: sql`clock_timestamp()`, name: name.slice(0, 200), rows, bytes })
    .execute()
  await sql`delete from backups where backup not in (select backup from backups order by backup desc limit ${REMEMBERED})`.execute(
    db,
  )
}

/**
 * When the last backup was made, as a subquery; null for never. Versions before this one noted only that the nightly job
 * went well.
 */
export const lastBackup = sql<Date | null>`(
  select greatest((select max(made_at) from backups), (select succeeded_at from jobs where name = 'backup')))`
