import { constants } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/db/open.ts'
import { BackupError, readFreeBytes } from './backup-folder.ts'

const NAME = 'backup-copy-'
/** The space that stays free for the site, which goes on writing. */
const RESERVE_BYTES = 100 * 1024 * 1024

/**
 * Copies the files of an embedded database into a folder next to it, from which a backup can be written at any pace.
 * Statements wait while the files are copied. Opening the copy replays its log, as after a crash.
 *
 * @returns the folder, to be opened with `openEmbedded` and deleted by the caller
 * @throws BackupError when there is no space for it
 */
export async function copyEmbedded(database: Database, freeBytes = readFreeBytes): Promise<string> {
  const { db, files } = database
  if (files === undefined) throw new Error('This database has no files to copy.')
  const dataDir = dirname(files.folder)
  // Makes the log short, which is copied as well.
  await sql`checkpoint`.execute(db)
  const needed = (await measureFolder(files.folder)) + RESERVE_BYTES
  const free = await freeBytes(dataDir)
  if (free < needed) {
    const inMb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
    throw new BackupError(
      `A backup needs ${inMb(needed)} of free space in ${dataDir} for a moment, but only ${inMb(free)} are free. Free some space.`,
    )
  }
  const copy = await mkdtemp(join(dataDir, NAME))
  try {
    const templates = await listTemplates(database)
    await prepareCopy(files.folder, join(copy, 'db'), templates)
    await files.holdStill(() => fillCopy(files.folder, join(copy, 'db'), templates))
    return copy
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw error
  }
}

/** Deletes the copies that processes which were killed left in a data directory. */
export async function deleteLeftCopies(dataDir: string): Promise<void> {
  for (const file of await readdir(dataDir))
    if (file.startsWith(NAME)) await rm(join(dataDir, file), { recursive: true, force: true })
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

/** The folders of PostgreSQL's template databases: two thirds of all files, which nothing reads and which stay empty. */
async function listTemplates({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ oid: number }>`
    select oid::int from pg_database where datname <> current_database()`.execute(db)
  return rows.map(({ oid }) => join('base', String(oid)))
}

/** The folders of a tree, and its files except those in the folders of `emptied`; paths are relative. */
async function listTree(root: string, emptied: string[]) {
  const entries = (await listEntries(root)).map(({ path, isFile }) => ({ path: relative(root, path), isFile }))
  return {
    folders: entries.filter(({ isFile }) => !isFile).map(({ path }) => path),
    files: entries.filter(({ path, isFile }) => isFile && !emptied.includes(dirname(path))).map(({ path }) => path),
  }
}

async function makeFolders(root: string, folders: string[]): Promise<void> {
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
}

/** Makes the folders and empty files of a copy, because on some disks that takes longer than to fill them. */
async function prepareCopy(from: string, to: string, emptied: string[]): Promise<void> {
  const { folders, files } = await listTree(from, emptied)
  await makeFolders(to, ['', ...folders])
  await Promise.all(files.map((file) => writeFile(join(to, file), '')))
}

/** Fills a prepared copy; file systems that can do so share the blocks instead of copying them. */
async function fillCopy(from: string, to: string, emptied: string[]): Promise<void> {
  const { folders, files } = await listTree(from, emptied)
  await makeFolders(to, folders)
  await Promise.all(files.map((file) => copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE)))
  const there = new Set(files)
  const removed = (await listTree(to, [])).files.filter((file) => !there.has(file))
  for (const file of removed) await rm(join(to, file))
}
