import { openBackup } from '../server/backup/backup-file.ts'
import { readBackup } from '../server/backup/read-backup.ts'
import { readConfig } from '../server/config.ts'
import { DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'

/** `npm run restore -- file`: restores a backup into the empty database of the settings. The site must be stopped. */
async function restore(path: string): Promise<number> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const lock = databaseUrl === undefined ? await lockDataDir(dataDir, (socket) => socket.destroy()) : undefined
  const { db, close } = databaseUrl === undefined ? await openEmbedded(dataDir) : await openPostgres(databaseUrl)
  try {
    return await readBackup(db, openBackup(path))
  } finally {
    await close()
    await lock?.release()
  }
}

const [, , path] = process.argv
try {
  if (path === undefined) throw new Error('Usage: npm run restore -- <file>')
  console.log(`Restored ${await restore(path)} rows.`)
} catch (error) {
  console.error(error instanceof DataDirInUse ? 'The site is running. Stop it first.' : (error as Error).message)
  process.exit(1)
}
