import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { formatPlural } from '../contract/numbers.ts'
import { openBackup, saveAtomically, streamBackup } from '../server/backup/backup-file.ts'
import { BackupError, saveInFolder } from '../server/backup/backup-folder.ts'
import { type CompletedBackup, recordBackup } from '../server/backup/backup-records.ts'
import type { Config } from '../server/config.ts'
import type { CopyAnswer } from '../server/control.ts'
import { DataDirInUse, getControlPath, lockDataDir } from '../server/data-lock.ts'
import { type Database, hasEmbedded, openEmbedded, openPostgres } from '../server/db/open.ts'
import { readCommandConfig } from '../server/running-sites.ts'

const RECORD_TIMEOUT_MS = 5000

/** The database to back up, and a function that records the backup. */
type Source = Pick<Database, 'db' | 'close'> & { record(madeBackup: CompletedBackup): Promise<void> }

/** Opens the database to back up: the database itself, or a copy of it from a running site. */
async function openSource({ databaseUrl, dataDir }: Config): Promise<Source> {
  if (databaseUrl !== undefined) {
    const { jobsDb: db, close } = await openPostgres(databaseUrl)
    return { db, close, record: (madeBackup) => recordBackup(db, madeBackup) }
  }
  if (!(await hasEmbedded(dataDir))) throw new BackupError(`There is no database in DATA_DIR ${dataDir}.`)
  const lock = await lockDataDir(dataDir, (socket) => socket.destroy()).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null
    throw error
  })
  if (lock === null) return requestCopy(dataDir)
  const { db, close } = await openEmbedded(dataDir)
  return { db, close: () => close().then(lock.release), record: (madeBackup) => recordBackup(db, madeBackup) }
}

/** Connects to the running site for a copy of its database. The site deletes the copy when this process ends. */
async function requestCopy(dataDir: string): Promise<Source> {
  const socket = connect(await getControlPath(dataDir))
  socket.write('copy\n')
  const [line] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])])
  if (line === undefined)
    throw new BackupError('The running site did not answer. If it is still starting, try again in a minute.')
  const copyAnswer = JSON.parse(String(line)) as CopyAnswer
  if ('refused' in copyAnswer) throw new BackupError(copyAnswer.refused)
  const { db, close } = await openEmbedded(copyAnswer.folder)
  const record = async (madeBackup: CompletedBackup) => {
    socket.write(`${JSON.stringify(madeBackup)}\n`)
    // A stopped site does not respond.
    await once(socket, 'data', { signal: AbortSignal.timeout(RECORD_TIMEOUT_MS) }).catch(() => {})
  }
  return { db, close: () => close().finally(() => socket.end()), record }
}

/** Returns the row count in the last line of a backup. @throws if the backup is incomplete */
async function countRows(path: string): Promise<number> {
  let lastLine = ''
  for await (const chunk of openBackup(path)) lastLine = (lastLine + chunk).slice(-200)
  const rows = /\{"end":true,"rows":(\d+)\}\s*$/.exec(lastLine)?.[1]
  if (rows === undefined) throw new BackupError(`${path} is incomplete. Please try again.`)
  return Number(rows)
}

/**
 * `npm run backup -- [file]` saves the whole database, of either kind, in BACKUP_DIR or in the given file. It also
 * works while the site runs.
 */
async function backup(config: Config, file: string | undefined): Promise<void> {
  const { db, close, record } = await openSource(config)
  const fill = (output: Writable) => streamBackup(db, new Date(), output)
  try {
    const { path, deletedForSpace } = await (file === undefined
      ? saveInFolder({ folder: config.backupDir, now: new Date() }, fill)
      : saveAtomically(resolve(file), fill).then(() => ({ path: resolve(file), deletedForSpace: 0 })))
    const rows = await countRows(path)
    console.log(`${path}: ${rows} rows`)
    if (deletedForSpace > 0)
      console.log(`Space was short, so ${formatPlural(deletedForSpace, 'old backup')} had to be deleted.`)
    await record({ name: basename(path), rows, bytes: (await stat(path)).size })
  } finally {
    await close()
  }
}

try {
  await backup(await readCommandConfig(process.env), process.argv[2])
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
