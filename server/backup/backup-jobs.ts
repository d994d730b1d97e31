import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { describeFault } from '#server/errors.ts'
import type { JobContext } from '#server/job-runner.ts'
import { BackupError, STORED_BACKUPS_MAX } from './backup-folder.ts'
import { runBackup, runCheck } from './run-backup.ts'
import { findTarget, openTarget, type TargetFiles } from './targets.ts'

/** The lists of erased accounts and of erasure requests, which a restore needs because it can use an older backup. */
const ERASURE_LISTS = ['erasures.json', 'erasure-requests.json']

type BackupJobDeps = Pick<Deps, 'config' | 'log' | 'siteKey'> & { jobsDb: Db }

async function hasRows(db: Db, query: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select exists (${query})`.execute(db)
  return rows[0]?.exists === true
}

/**
 * Returns whether the site makes a backup each night: always with the embedded database, on PostgreSQL only with a backup
 * target.
 */
export const isNightly = async ({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> =>
  config.databaseUrl === undefined || (await findTarget(db)) !== undefined

/** Returns whether an operator requested a backup. */
export const hasBackupRequest = (db: Db) => hasRows(db, sql`select from backup_requests where ended_at is null`)

/** Returns whether an operator requested the check of a backup. */
export const hasCheckRequest = (db: Db) => hasRows(db, sql`select from backups where check_asked_at is not null`)

/** Returns whether the newest backup still has to be copied. A failed copy waits for the job's schedule. */
export const hasBackupToCopy = (db: Db) =>
  hasRows(
    db,
    sql`select from backup_targets t, lateral (
        select copied_at, copy_tried_at from backups where restored_at is null order by made_at desc limit 1) b
      where t.used_at is not null and t.ended_at is null and b.copied_at is null and b.copy_tried_at is null`,
  )

/** Makes a backup, on request or at night. One backup completes all requests. */
export async function makeBackups(
  { jobsDb: db, config, log }: BackupJobDeps,
  { now, signal }: JobContext,
): Promise<void> {
  const requests = await db
    .selectFrom('backup_requests')
    .where('ended_at', 'is', null)
    .select(['request', 'asked_by'])
    .orderBy('request')
    .execute()
  const [firstRequest] = requests
  if (firstRequest === undefined && !(await isNightly({ db, config }))) return
  const endRequests = (problem: string) =>
    db
      .updateTable('backup_requests')
      .set({ ended_at: now(), problem: problem.slice(0, 500) })
      .where('request', '<=', requests.at(-1)?.request ?? 0)
      .where('ended_at', 'is', null)
      .execute()
  try {
    const { name, output } = await runBackup(config, signal)
    await db
      .updateTable('backups')
      .set({ made_for: firstRequest === undefined ? 'night' : 'desk', made_by: firstRequest?.asked_by ?? null })
      .where('name', '=', name)
      .where('restored_at', 'is', null)
      .execute()
    log.info({ backup: output }, 'backed up')
  } catch (error) {
    await endRequests((error as Error).message)
    throw error
  }
  await endRequests('')
}

/**
 * Copies the newest backup and the lists of erasures to the backup target (DESK-22), and deletes the oldest copies there.
 *
 * @throws BackupError
 */
export async function copyBackup(
  { jobsDb: db, config, siteKey, log }: BackupJobDeps,
  { now }: JobContext,
): Promise<void> {
  const target = await findTarget(db)
  const newestBackup = await db
    .selectFrom('backups')
    .where('restored_at', 'is', null)
    .select(['backup', 'name', 'copied_at'])
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (target === undefined || newestBackup === undefined || newestBackup.copied_at !== null) return
  const recordCopy = (values: { copied_at?: Date; copy_problem: string }) =>
    db
      .updateTable('backups')
      .set({ ...values, copy_tried_at: now() })
      .where('backup', '=', newestBackup.backup)
      .execute()
  const path = join(config.backupDir, newestBackup.name)
  if (!(await fileExists(path))) {
    // A command wrote the backup to another path, or another machine made it and copies it itself.
    await recordCopy({ copy_problem: '' })
    return
  }
  try {
    const targetFiles = openTarget(target, siteKey)
    await targetFiles.put(path)
    for (const listName of ERASURE_LISTS) {
      const listPath = join(config.backupDir, listName)
      if (await fileExists(listPath)) await targetFiles.put(listPath)
    }
    await deleteOldCopies(db, targetFiles)
  } catch (error) {
    log.warn({ err: describeFault(error) }, 'backup not copied')
    const problem = `The backup could not be copied to the ${target.kind === 'folder' ? 'folder' : 'store'}: ${explainCopyError(error)}`
    await recordCopy({ copy_problem: problem })
    throw new BackupError(problem)
  }
  await recordCopy({ copied_at: now(), copy_problem: '' })
}

/** Deletes all copies at the target except the newest ones. */
async function deleteOldCopies(db: Db, targetFiles: TargetFiles): Promise<void> {
  const oldCopies = await db
    .selectFrom('backups')
    .where('copied_at', 'is not', null)
    .select(['backup', 'name'])
    .orderBy('made_at', 'desc')
    // One less than the retained number, because the newest is not recorded yet.
    .offset(STORED_BACKUPS_MAX - 1)
    .execute()
  for (const { backup, name } of oldCopies) {
    await targetFiles.remove(name)
    await db.updateTable('backups').set({ copied_at: null }).where('backup', '=', backup).execute()
  }
}

const fileExists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Explains a failed copy in fixed sentences. The response is not quoted, because any program could have sent it. */
function explainCopyError(error: unknown): string {
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'it is full.'
  if (typeof code === 'string' && /^E(ACCES|PERM|ROFS|NOENT|NOTDIR)$/.test(code))
    return 'it was deleted, or the site may not write there.'
  if (status === 401 || status === 403) return 'it no longer accepts the key.'
  if (status === 404) return 'it has no such bucket.'
  return 'it could not be reached, or refused the backup.'
}

/** Checks the backups of all requests by restoring each, and records each error. */
export async function checkBackups({ jobsDb: db, config }: BackupJobDeps, { now, signal }: JobContext): Promise<void> {
  const requests = await db
    .selectFrom('backups')
    .where('check_asked_at', 'is not', null)
    .select(['backup', 'name', 'rows'])
    .orderBy('check_asked_at')
    .execute()
  for (const { backup, name, rows } of requests) {
    const outcome = await runCheck(join(config.backupDir, name), config, signal).then(
      (restoredRows) => ({ restoredRows, problem: '' }),
      (error: unknown) => {
        if (signal.aborted) throw error
        return { restoredRows: null, problem: (error as Error).message.slice(0, 500) }
      },
    )
    await db
      .updateTable('backups')
      .set({
        check_asked_at: null,
        checked_at: now(),
        check_problem: outcome.problem,
        rows: outcome.restoredRows ?? rows,
      })
      .where('backup', '=', backup)
      .execute()
  }
}
