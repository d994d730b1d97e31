import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackup } from '../server/backup/backup-file.ts'
import { readBackup } from '../server/backup/read-backup.ts'
import { readConfig } from '../server/config.ts'
import { DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'
import { markWorld } from '../server/embedded-world.ts'
import { repeatErasures } from '../server/features/players/erasures.ts'
import { keepPrivate } from '../server/private-folder.ts'

/** `npm run restore -- file`: restores a backup into the empty database of the settings. The site must be stopped. */
async function restore(path: string): Promise<{ rows: number; erased: number }> {
  const { databaseUrl, dataDir, backupDir } = readConfig(process.env)
  // A wrong name must not install a database first.
  await access(path).catch(() => {
    throw new Error(`There is no file ${path}.`)
  })
  const lock = databaseUrl === undefined ? await lockDataDir(dataDir, (socket) => socket.destroy()) : undefined
  const { jobsDb: db, close } =
    databaseUrl === undefined ? await openOrExplain(dataDir) : await openPostgres(databaseUrl)
  try {
    if (databaseUrl === undefined) {
      // Only now, because a new database has files of all modes.
      keepPrivate(dataDir)
      // Should this be interrupted, the next start does not take the folder for a new one.
      await markWorld(dataDir, new Date())
    }
    const rows = await readBackup(db, openBackup(path))
    return { rows, erased: await repeatErasures(db, backupDir) }
  } finally {
    await close()
    await lock?.release()
  }
}

function openOrExplain(dataDir: string) {
  return openEmbedded(dataDir).catch((error: Error) => {
    throw new Error(
      `The database in ${dataDir} could not be opened (${error.message}). Rename the folder ${join(dataDir, 'db')} and try again.`,
    )
  })
}

const [, , path] = process.argv
try {
  if (path === undefined) throw new Error('Usage: npm run restore -- <file>')
  const { rows, erased } = await restore(path)
  console.log(`Restored ${rows} rows.`)
  if (erased > 0) console.log(`Erased the personal data of ${erased} accounts again, as was done after the backup.`)
} catch (error) {
  console.error(error instanceof DataDirInUse ? 'The site is running. Stop it first.' : (error as Error).message)
  process.exit(1)
}
