import { openAsBlob } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as calls from '#contract/backups.ts'
import { DAY_MS } from '#contract/durations.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { isNightly } from '#server/backup/backup-jobs.ts'
import { findRestoredBackup } from '#server/backup/backup-records.ts'
import { findTarget, type StoredTarget } from '#server/backup/targets.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { findUnknownRequests } from '#server/features/players/erasure-lists.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { writeRestoreCommand } from './restore-command.ts'

const BACKUPS_MAX = 40

/** The desk's calls about backups. */
export const backupDeskCalls: MountedCall[] = [
  mount(calls.getBackups, async (_, { deps, staff }) => {
    const { db, config } = deps
    const [openRequest] = await selectRequests(db, true)
    const [lastRequest] = await selectRequests(db, false)
    return {
      nightly: await isNightly(deps),
      making:
        openRequest === undefined ? null : { asked_at: openRequest.asked_at, asked_by: openRequest.user_id ?? '' },
      failed:
        lastRequest === undefined || lastRequest.problem === '' || lastRequest.ended_at === null
          ? null
          : { at: lastRequest.ended_at, problem: lastRequest.problem },
      rows: await listBackups(deps, staff),
      setup: staff.permissions.has('backups.manage') ? await readSetup(db, config, staff) : null,
    }
  }),

  mount(calls.makeBackup, async (_, { deps: { db, now }, staff, record }) => {
    await db.insertInto('backup_requests').values({ asked_at: now(), asked_by: staff.userNum }).execute()
    record({ target: ['backup', 'new'] })
    return { message: 'A backup is being made. It appears here in a moment.' }
  }),

  mount(calls.checkBackup, async ({ name }, { deps: { db, config, now }, record }) => {
    const file = await findFile(config.backupDir, name)
    if (file === undefined) throw refuse(calls.checkBackup, 'backupNotFound')
    await db
      .insertInto('backups')
      .values({ name, made_at: file.mtime, rows: null, bytes: file.size, check_asked_at: now() })
      .onConflict((conflict) =>
        conflict.column('name').where('restored_at', 'is', null).doUpdateSet({ check_asked_at: now() }),
      )
      .execute()
    record({ target: ['backup', name], after: { 'check requested': true } })
    return { message: 'The backup is being restored into a temporary database. This can take minutes.' }
  }),

  mount(calls.allowBackupDownload, async ({ name }, { deps, staff, record, requireApproval }) => {
    const { db, config, now } = deps
    const file = await findFile(config.backupDir, name)
    if (file === undefined) throw refuse(calls.allowBackupDownload, 'backupNotFound')
    await requireApproval({
      approverKind: 'owner',
      accounts: [],
      summary: `Download the backup ${name}, with the data of all players`,
      effect: { backup: name, bytes: file.size, written: file.mtime.toISOString() },
    })
    const until = new Date(now().getTime() + DAY_MS)
    await db
      .insertInto('backup_downloads')
      .values({ name, user_num: staff.userNum, until })
      .onConflict((conflict) => conflict.columns(['name', 'user_num']).doUpdateSet({ until }))
      .execute()
    await mailOwners(db, deps, {
      subject: 'A backup can be downloaded',
      lines: [
        `${staff.userId} may download the backup ${name} until ${formatManilaMinute(until)}, Manila time. It holds the data of all players.`,
      ],
    })
    record({ target: ['backup', name], after: { 'download until': until.toISOString() } })
    return { message: `You may download it until ${formatManilaMinute(until)}, Manila time.`, until }
  }),

  mount(calls.getBackupFile, async ({ name }, { deps: { db, config, now }, staff, record }) => {
    const downloadPermit = await db
      .selectFrom('backup_downloads')
      .where('name', '=', name)
      .where('user_num', '=', staff.userNum)
      .where('until', '>', now())
      .select('until')
      .executeTakeFirst()
    if (downloadPermit === undefined) throw refuse(calls.getBackupFile, 'notAsked')
    const path = join(config.backupDir, name)
    const content = await openAsBlob(path).catch(() => {
      throw refuse(calls.getBackupFile, 'backupNotFound')
    })
    record({ target: ['backup', name], after: { bytes: content.size } })
    return new File([content], name, { type: 'application/gzip' })
  }),
]

const selectRequests = (db: Db, isOpen: boolean) =>
  db
    .selectFrom('backup_requests as r')
    .leftJoin('accounts as a', 'a.user_num', 'r.asked_by')
    .where('r.ended_at', isOpen ? 'is' : 'is not', null)
    .select(['r.asked_at', 'r.ended_at', 'r.problem', 'a.user_id'])
    .orderBy('r.request', 'desc')
    .limit(1)
    .execute()

/** Returns the file information of a backup in the folder; undefined if there is no such file. */
const findFile = (folder: string, name: string) => stat(join(folder, name)).catch(() => undefined)

/** Lists the files in the folder that have the names of backups. */
async function listFiles(folder: string) {
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => calls.BACKUP_NAME.test(name))
  const files = await Promise.all(names.map(async (name) => ({ name, file: await findFile(folder, name) })))
  return new Map(files.flatMap(({ name, file }) => (file === undefined ? [] : [[name, file] as const])))
}

const TRIGGER_LABELS = { night: 'The site, in the night', desk: 'An operator', command: 'A command' }

/** Lists the recorded backups, and the files without a record. */
async function listBackups({ db, config, now }: Deps, staff: Staff) {
  const files = await listFiles(config.backupDir)
  const recordedBackups = await db
    .selectFrom('backups as b')
    .leftJoin('accounts as a', 'a.user_num', 'b.made_by')
    .where('b.restored_at', 'is', null)
    .selectAll('b')
    .select('a.user_id')
    .orderBy('b.made_at', 'desc')
    .limit(BACKUPS_MAX)
    .execute()
  const downloads = await db
    .selectFrom('backup_downloads')
    .where('user_num', '=', staff.userNum)
    .where('until', '>', now())
    .select(['name', 'until'])
    .execute()
  const recordedNames = new Set(recordedBackups.map(({ name }) => name))
  const rows = recordedBackups.map((row) => ({
    name: row.name,
    made_at: row.made_at,
    made_by: row.rows === null ? 'Not known' : (row.user_id ?? TRIGGER_LABELS[row.made_for]),
    rows: row.rows,
    bytes: row.bytes,
    here: files.has(row.name),
    copied_at: row.copied_at,
    checked_at: row.checked_at,
    check_problem: row.check_problem,
    checking: row.check_asked_at !== null,
  }))
  const unrecordedRows = [...files]
    .filter(([name]) => !recordedNames.has(name))
    .map(([name, file]) => ({
      name,
      made_at: file.mtime,
      made_by: 'Not known',
      rows: null,
      bytes: file.size,
      here: true,
      copied_at: null,
      checked_at: null,
      check_problem: '',
      checking: false,
    }))
  return [...rows, ...unrecordedRows]
    .sort((a, b) => b.made_at.getTime() - a.made_at.getTime())
    .slice(0, BACKUPS_MAX)
    .map((row) => ({ ...row, download_until: downloads.find(({ name }) => name === row.name)?.until ?? null }))
}

/**
 * Returns the target of copies, the operator's last tested target, the erasure requests unknown to a restored site, and the
 * commands that restore a backup.
 */
async function readSetup(db: Db, config: Deps['config'], staff: Staff) {
  const currentTarget = await findTarget(db)
  const restoredBackup = await findRestoredBackup(db)
  const testedTarget = await db
    .selectFrom('backup_targets')
    .where('tried_by', '=', staff.userNum)
    .where('used_at', 'is', null)
    .$if(currentTarget !== undefined, (query) => query.where('tried_at', '>', currentTarget?.used_at ?? new Date(0)))
    .selectAll()
    .orderBy('target', 'desc')
    .limit(1)
    .executeTakeFirst()
  const failedCopy = await db
    .selectFrom('backups')
    .where('copy_problem', '<>', '')
    .select('copy_problem')
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    folder: config.backupDir,
    target: currentTarget === undefined ? null : { ...toVisibleTarget(currentTarget), used_at: currentTarget.used_at },
    copy_problem: currentTarget === undefined ? '' : (failedCopy?.copy_problem ?? ''),
    tried:
      testedTarget === undefined
        ? null
        : { ...toVisibleTarget(testedTarget), target: testedTarget.target, tried_at: testedTarget.tried_at },
    unknown_requests:
      restoredBackup === null ? [] : await findUnknownRequests(db, config.backupDir, restoredBackup.made_at),
    restore: writeRestoreCommand(config, process.env),
  }
}

const toVisibleTarget = ({ kind, place, bucket, region, access_key }: StoredTarget) => ({
  kind,
  place,
  bucket,
  region,
  access_key,
})
