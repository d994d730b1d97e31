import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** How many backups the desk lists. */
const LISTED_BACKUPS_MAX = 30

/** A completed backup: its file's name and its size. */
export type CompletedBackup = { name: string; rows: number; bytes: number }

/** Records a completed backup with the database's time. */
export async function recordBackup(db: Db, { name, rows, bytes }: CompletedBackup): Promise<void> {
  await db
    .insertInto('backups')
    .values({ made_at: sql`clock_timestamp()`, name: name.slice(0, 200), rows, bytes })
    .onConflict((conflict) =>
      conflict.column('name').where('restored_at', 'is', null).doUpdateSet({
        made_at: sql`clock_timestamp()`,
        rows,
        bytes,
        made_for: 'command',
        made_by: null,
        copied_at: null,
        copy_tried_at: null,
        copy_problem: '',
        checked_at: null,
        check_problem: '',
      }),
    )
    .execute()
  await sql`delete from backups where restored_at is null and backup not in (select backup from backups where restored_at is null order by backup desc limit ${LISTED_BACKUPS_MAX})`.execute(
    db,
  )
}

/** A subquery for the time of the last backup; null without one. */
export const LAST_BACKUP_TIME = sql<Date | null>`(select max(made_at) from backups where restored_at is null)`

/** Records that this database was restored from a backup. */
export async function recordRestore(db: Db, backup: { name: string; madeAt: Date; rows: number }): Promise<void> {
  const { name, madeAt, rows } = backup
  await db
    .insertInto('backups')
    .values({ made_at: madeAt, name: name.slice(0, 200), rows, bytes: 0, restored_at: sql`clock_timestamp()` })
    .execute()
}

/** Finds the backup that this database was restored from; null if it was not restored. */
export const findRestoredBackup = (db: Db) =>
  db
    .selectFrom('backups')
    .select(['made_at', 'name', 'restored_at'])
    .where('restored_at', 'is not', null)
    .$narrowType<{ restored_at: Date }>()
    .orderBy('backup', 'desc')
    .limit(1)
    .executeTakeFirst()
    .then((row) => row ?? null)
