import { constants } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/db/open.ts'
import { BackupError, readFreeBytes } from './backup-folder.ts'

const COPY_PREFIX = 'backup-copy-'
/** The free disk space to leave to the site, which continues to write. */
const RESERVE_BYTES = 100 * 1024 * 1024

/**
 * Copies the files of an embedded database into a folder next to it, from which a backup can be written at any pace.
 * Statements wait while the files are copied. Opening the copy replays its log, as after a crash.
 *
 * @returns the folder, which the caller opens with `openEmbedded` and deletes
 * @throws BackupError if there is not enough space
 */
export async function copyEmbedded(database: Database, readFree = readFreeBytes): Promise<string> {
  const { db, files } = database
  if (files === undefined) throw new Error('This database has no files to copy.')
  const dataDir = dirname(files.folder)
  // A checkpoint shortens the log, which is part of the copy.
  await sql`checkpoint`.execute(db)
  const neededBytes = (await measureFolder(files.folder)) + RESERVE_BYTES
  const freeBytesLeft = await readFree(dataDir)
  if (freeBytesLeft < neededBytes) {
    const formatMb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
    throw new BackupError(
      `A backup needs ${formatMb(neededBytes)} of free space in ${dataDir} for a moment, but only ${formatMb(freeBytesLeft)} are free. Free some space.`,
    )
  }
  const copyFolder = await mkdtemp(join(dataDir, COPY_PREFIX))
  try {
    const templates = await listTemplates(database)
    await prepareCopy(files.folder, join(copyFolder, 'db'), templates)
    await files.pauseStatements(() => fillCopy(files.folder, join(copyFolder, 'db'), templates))
    return copyFolder
  } catch (error) {
    await rm(copyFolder, { recursive: true, force: true })
    throw error
  }
}

/** Deletes the copies of killed processes in a data directory. */
export async function deleteAbandonedCopies(dataDir: string): Promise<void> {
  for (const file of await readdir(dataDir))
    if (file.startsWith(COPY_PREFIX)) await rm(join(dataDir, file), { recursive: true, force: true })
}

async function listEntries(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
}

async function measureFolder(folder: string): Promise<number> {
  const files = (await listEntries(folder)).filter(({ isFile }) => isFile)
  const sizes = await Promise.all(
    files.map(({ path }) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Lists the folders of all databases but the current one. They are PostgreSQL's templates, which have two thirds of all files.
 * The copy leaves their files empty.
 */
async function listTemplates({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ oid: number }>`
    select oid::int from pg_database where datname <> current_database()`.execute(db)
  return rows.map(({ oid }) => join('base', String(oid)))
}

/** Lists the folders of a tree, and its files except those in the folders of `emptiedFolders`, as relative paths. */
async function listTree(root: string, emptiedFolders: string[]) {
  const entries = (await listEntries(root)).map(({ path, isFile }) => ({ path: relative(root, path), isFile }))
  return {
    folders: entries.filter(({ isFile }) => !isFile).map(({ path }) => path),
    files: entries
      .filter(({ path, isFile }) => isFile && !emptiedFolders.includes(dirname(path)))
      .map(({ path }) => path),
  }
}

async function makeFolders(root: string, folders: string[]): Promise<void> {
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
}

/** Creates the folders and empty files of a copy. This can take longer than filling them, so it runs before statements wait. */
async function prepareCopy(sourceFolder: string, targetFolder: string, emptiedFolders: string[]): Promise<void> {
  const { folders, files } = await listTree(sourceFolder, emptiedFolders)
  await makeFolders(targetFolder, ['', ...folders])
  await Promise.all(files.map((file) => writeFile(join(targetFolder, file), '')))
}

/** Fills a prepared copy. File systems with copy-on-write share the blocks instead of copying them. */
async function fillCopy(sourceFolder: string, targetFolder: string, emptiedFolders: string[]): Promise<void> {
  const { folders, files } = await listTree(sourceFolder, emptiedFolders)
  await makeFolders(targetFolder, folders)
  await Promise.all(
    files.map((file) => copyFile(join(sourceFolder, file), join(targetFolder, file), constants.COPYFILE_FICLONE)),
  )
  const currentFiles = new Set(files)
  const removedFiles = (await listTree(targetFolder, [])).files.filter((file) => !currentFiles.has(file))
  for (const file of removedFiles) await rm(join(targetFolder, file))
}
