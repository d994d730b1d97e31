import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#server/db/open.ts'
import { saveWhole, streamBackup } from './backup-file.ts'

const KEPT = 14

/** The name of a backup made at a moment; names sort by time. */
export function backupName(now: Date): string {
  return `tambayan-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.backup.gz`
}

/** Writes a backup to DATA_DIR/backups and deletes all but the newest fourteen. @returns its path */
export async function backupToFolder(db: Db, dataDir: string, now: Date): Promise<string> {
  const folder = join(dataDir, 'backups')
  await mkdir(folder, { recursive: true })
  const path = join(folder, backupName(now))
  await saveWhole(path, (file) => streamBackup(db, now, file))
  const old = (await readdir(folder))
    .filter((file) => file.endsWith('.backup.gz'))
    .sort()
    .slice(0, -KEPT)
  await Promise.all(old.map((file) => rm(join(folder, file))))
  return path
}
