import { openBackup } from '../server/backup/backup-file.ts'
import { RestoreError, readBackup } from '../server/backup/read-backup.ts'
import { readConfig } from '../server/config.ts'
import { DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'

/** `npm run restore file`: fills the empty database of the present settings with a backup. The site must be stopped. */
const [, , path] = process.argv
const fail = (line: string): never => {
  console.error(line)
  process.exit(1)
}
if (path === undefined) fail('Usage: npm run restore -- <file>')
const config = readConfig(process.env)
try {
  const lock = config.databaseUrl === undefined ? await lockDataDir(config.dataDir, (s) => s.destroy()) : undefined
  const { db, close } =
    config.databaseUrl === undefined ? await openEmbedded(config.dataDir) : await openPostgres(config.databaseUrl)
  const rows = await readBackup(db, openBackup(path ?? ''))
  await close()
  await lock?.release()
  console.log(`Restored ${rows} rows.`)
} catch (error) {
  if (error instanceof DataDirInUse) fail('The site is running. Stop it first.')
  if (error instanceof RestoreError) fail(error.message)
  throw error
}
