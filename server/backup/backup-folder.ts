import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { BACKUP_NAME } from '#contract/backups.ts'
import { DAY_MS } from '#contract/durations.ts'
import { formatFileTime } from '#contract/manila.ts'
import { saveAtomically } from './backup-file.ts'

/** The number of backups in a folder and in a backup target. */
export const STORED_BACKUPS_MAX = 14
/** The expected size of a new backup, relative to the newest one. */
const EXPECTED_GROWTH = 1.25

/** A failed backup; the message is one line with the reason and the solution. */
export class BackupError extends Error {
  override name = 'BackupError'
}

export type SavedBackup = {
  path: string
  /** How many older backups were deleted early, because space was short. */
  deletedForSpace: number
}

/** Returns the end of a backup's name, with its purpose, if any. */
const getNameEnding = (purpose?: string) => `${purpose === undefined ? '' : `.${purpose}`}.backup.gz`

/** Returns the name of a backup made at this time, in Manila time (DESK-20). */
export function createBackupName(now: Date, purpose?: string): string {
  return `tambayan-${formatFileTime(now)}${getNameEnding(purpose)}`
}

/** Lists the paths of the backups in a folder, oldest first; none if the folder does not exist. */
export async function listBackups(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => [])
  return files
    .filter((file) => BACKUP_NAME.test(file))
    .sort()
    .map((file) => join(folder, file))
}

/** Reads the free space on the disk of a folder, in bytes. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Saves a backup in a folder and deletes all but the newest fourteen. While space is short, the oldest are deleted
 * before the new one is written; the newest one always stays.
 *
 * @param options.purpose a part of the name. The backup replaces earlier ones with the same purpose, so repeating
 *   it, as a failing upgrade does, displaces no other backup.
 * @throws BackupError when the folder cannot be written or has no space left
 */
export async function saveInFolder(
  {
    folder,
    now,
    purpose,
    freeBytes = readFreeBytes,
  }: { folder: string; now: Date; purpose?: string; freeBytes?: typeof readFreeBytes },
  writeContent: (output: Writable) => Promise<unknown>,
): Promise<SavedBackup> {
  const path = join(folder, createBackupName(now, purpose))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await deleteUnfinished(folder)
    let deletedForSpace = await makeRoom(folder, freeBytes)
    while (!(await writeUnlessFull(() => saveAtomically(path, writeContent)))) {
      if (!(await deleteOldest(folder))) throw createFullError(folder)
      deletedForSpace++
    }
    if (purpose !== undefined)
      for (const earlierPath of await listBackups(folder))
        if (earlierPath.endsWith(getNameEnding(purpose)) && earlierPath !== path) await rm(earlierPath)
    const storedPaths = await listBackups(folder)
    for (const oldPath of storedPaths.slice(0, -STORED_BACKUPS_MAX)) await rm(oldPath)
    return { path, deletedForSpace }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined && /^E(ACCES|PERM|ROFS|NOTDIR|EXIST)$/.test(code))
      throw new BackupError(
        `Backups cannot be written to ${folder} (${code}). Make it a folder that the site may write to, or set BACKUP_DIR.`,
      )
    throw error
  }
}

const createFullError = (folder: string) =>
  new BackupError(
    `The disk of ${folder} is full, so no backup was written. The newest earlier backup, if any, is still there. Free some space, or set BACKUP_DIR to a folder on another disk.`,
  )

/** Deletes unfinished files that a killed process left. */
async function deleteUnfinished(folder: string): Promise<void> {
  const aDayAgo = Date.now() - DAY_MS
  for (const file of await readdir(folder)) {
    if (!/^tambayan-.*\.unfinished$/.test(file)) continue
    const path = join(folder, file)
    if ((await stat(path)).mtimeMs < aDayAgo) await rm(path, { force: true })
  }
}

/** Deletes old backups until there is probably space for another one. @returns the number of deleted backups */
async function makeRoom(folder: string, freeBytes: typeof readFreeBytes): Promise<number> {
  const newestPath = (await listBackups(folder)).at(-1)
  if (newestPath === undefined) return 0
  const neededBytes = (await stat(newestPath)).size * EXPECTED_GROWTH
  let deletedCount = 0
  while ((await freeBytes(folder)) < neededBytes && (await deleteOldest(folder))) deletedCount++
  return deletedCount
}

/** Deletes the oldest backup unless it is the only one. @returns whether it did */
async function deleteOldest(folder: string): Promise<boolean> {
  const [oldestPath, ...newerPaths] = await listBackups(folder)
  if (oldestPath === undefined || newerPaths.length === 0) return false
  await rm(oldestPath)
  return true
}

/** Runs a function that writes a file. @returns false if the disk was full */
async function writeUnlessFull(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT') return false
    throw error
  }
}
