import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { streamBackup } from './backup/backup-file.ts'
import { BackupError, listBackups, readFreeBytes, saveInFolder } from './backup/backup-folder.ts'
import { deleteAbandonedCopies } from './backup/copy-embedded.ts'
import { type Config, StartError } from './config.ts'
import type { Recovery } from './db/embedded-engine.ts'
import { IncompatibleDatabase } from './db/errors.ts'
import { readSchemaState } from './db/migrate.ts'
import { type Database, type Db, hasEmbedded, openEmbedded } from './db/open.ts'

/** The space that the embedded database needs to work. */
const MIN_FREE_BYTES = 50 * 1024 * 1024

type Folders = Pick<Config, 'dataDir' | 'backupDir'>

/** The path of the file that marks the database as set up. */
const getMarkerPath = (dataDir: string) => join(dataDir, 'world.txt')

type Log = { error(line: string): void; warn(line: string): void }

/**
 * Opens the embedded database for the site. If it later stops on a full disk, it is reopened when there is space. Refuses a
 * folder whose marker shows that it once had a database that is now lost: an empty database would hide the loss, and its
 * nightly backups would soon replace the good ones.
 *
 * @throws StartError
 */
export async function openSiteDatabase(folders: Folders, print: (line: string) => void, log: Log): Promise<Database> {
  const { dataDir } = folders
  await refuseFullDisk(dataDir)
  await deleteAbandonedCopies(dataDir)
  const marker = await readFile(getMarkerPath(dataDir), 'utf8').catch(() => null)
  const isInstalled = await hasEmbedded(dataDir).catch(() => true)
  if (marker !== null && !isInstalled) throw await describeLoss(folders, 'is missing')
  const onInstall = () => print('Installing the embedded database …')
  const database = await openEmbedded(dataDir, { onInstall, recovery: createRecovery(dataDir, log) }).catch(
    async (error: Error) => {
      await refuseFullDisk(dataDir)
      throw await describeDamage(folders, error)
    },
  )
  try {
    const hasSite = await isSetUp(database.db)
    if (marker !== null && !hasSite) throw await describeLoss(folders, 'is empty')
    if (hasSite) await backUpBeforeUpgrade(database.db, folders, print)
    return database
  } catch (error) {
    await database.close()
    if (error instanceof BackupError) throw new StartError(`Before the upgrade: ${error.message}`)
    if (error instanceof IncompatibleDatabase) throw new StartError(error.message)
    throw isDamage(error) ? await describeDamage(folders, error) : error
  }
}

/** PostgreSQL's codes for internal errors, damaged pages and indexes, and missing files. */
const DAMAGE_CODES = ['XX000', 'XX001', 'XX002', '58P01']

/** Returns whether a statement failed because files of the database are damaged. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && DAMAGE_CODES.includes((error as { code?: string }).code ?? '')
}

/** Describes why a damaged database does not open, and how to restore the newest backup. */
export async function describeDamage(folders: Folders, error: Error): Promise<StartError> {
  const { dataDir } = folders
  return new StartError(
    `The database in ${dataDir} could not be opened (${error.message.replace(/\s+/g, ' ')}): it is probably damaged. Rename the folder ${join(dataDir, 'db')}, then ${await describeRestore(folders)}`,
  )
}

/** Marks the database as set up, in a file next to it. */
export async function markSetUp(dataDir: string, now: Date): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const text = `A Tambayan site has its database in the folder db, since ${now.toISOString().slice(0, 10)}. While this file is here, the site
does not start if that database is missing or empty. To give it up and start over, delete this file.
`
  await writeFile(getMarkerPath(dataDir), text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Lists the paths that make up an embedded database in a data directory. */
export const listDatabaseFiles = (dataDir: string): string[] => [join(dataDir, 'db'), getMarkerPath(dataDir)]

/** Returns whether a first start was completed: its last step creates a ranking month. */
async function isSetUp(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('ranking_periods') is not null as found`.execute(db)
  if (tables[0]?.found !== true) return false
  const { rows } = await sql`select from ranking_periods limit 1`.execute(db)
  return rows.length > 0
}

/** Writes a backup if this version has migrations that the database lacks; it replaces the one of an earlier attempt. */
async function backUpBeforeUpgrade(db: Db, { backupDir }: Folders, print: (line: string) => void): Promise<void> {
  const { newest, pending } = await readSchemaState(db)
  if (pending.length === 0) return
  const now = new Date()
  const { path } = await saveInFolder({ folder: backupDir, now, purpose: `before-upgrade-from-${newest}` }, (file) =>
    streamBackup(db, now, file),
  )
  print(`Backed up before the upgrade: ${path}`)
}

const MIN_FREE_TEXT = `${MIN_FREE_BYTES / 1024 / 1024} MB`

const hasRoom = async (dataDir: string) => (await readFreeBytes(dataDir)) >= MIN_FREE_BYTES

async function refuseFullDisk(dataDir: string): Promise<void> {
  if (await hasRoom(dataDir)) return
  throw new StartError(`The disk of DATA_DIR ${dataDir} is full. Free at least ${MIN_FREE_TEXT}.`)
}

function createRecovery(dataDir: string, log: Log): Recovery {
  return {
    hasRoom: () => hasRoom(dataDir),
    onStop: (reason) =>
      log.error(
        `The database has stopped (${reason}). It reopens as soon as the disk of DATA_DIR ${dataDir} has ${MIN_FREE_TEXT} free; until then pages are old and nothing is saved.`,
      ),
    onRecovery: () => log.warn('The database is open again.'),
  }
}

async function describeLoss(folders: Folders, problem: string): Promise<StartError> {
  return new StartError(
    `The database in DATA_DIR ${folders.dataDir} ${problem}, but there used to be one: ${await describeRestore(folders)} To start over instead, delete ${getMarkerPath(folders.dataDir)}.`,
  )
}

/** Describes how to restore the newest backup. */
async function describeRestore({ backupDir }: Folders): Promise<string> {
  const newestBackup = (await listBackups(backupDir)).at(-1)
  return newestBackup === undefined
    ? `restore a backup: npm run restore -- FILE (there is none in ${backupDir}).`
    : `restore the newest backup: npm run restore -- "${newestBackup}".`
}
