import { existsSync } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openBackup } from '../server/backup/backup-file.ts'
import { restoreBackup } from '../server/backup/restore-backup.ts'
import { DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'
import { listDatabaseFiles, markSetUp } from '../server/embedded-database.ts'
import {
  describeRepeatedErasures,
  repeatErasures,
  restartGracePeriods,
} from '../server/features/players/erasure-lists.ts'
import { makePrivate } from '../server/private-folder.ts'
import { readCommandConfig } from '../server/running-sites.ts'
import { deleteUnreadableSecrets } from '../server/sealed-secrets.ts'

/** `npm run restore -- file` restores a backup into the empty database of the settings. The site must be stopped. */
async function restore(path: string) {
  const { databaseUrl, dataDir, backupDir, siteKeyFile } = await readCommandConfig(process.env)
  // Checked first, because a wrong name must not create a database.
  await access(path).catch(() => {
    throw new Error(`There is no file ${path}.`)
  })
  const lock = databaseUrl === undefined ? await lockDataDir(dataDir, (socket) => socket.destroy()) : undefined
  // A failed restore deletes these, because an empty database would prevent the site from starting.
  const createdFiles = databaseUrl === undefined ? listDatabaseFiles(dataDir).filter((file) => !existsSync(file)) : []
  const { jobsDb: db, close } =
    databaseUrl === undefined ? await openDatabaseIn(dataDir) : await openPostgres(databaseUrl)
  let isRestored = false
  try {
    if (databaseUrl === undefined) {
      // Only after the database was opened, because a new one creates files with other modes.
      makePrivate(dataDir)
      // Marked now: after an interruption, the next start must not treat the folder as new.
      await markSetUp(dataDir, new Date())
    }
    const rows = await restoreBackup(db, openBackup(path), basename(path))
    isRestored = true
    const repeatedErasures = await repeatErasures(db, backupDir)
    await restartGracePeriods(db, new Date())
    return {
      rows,
      repeatedErasures,
      siteKeyFile,
      removedSecrets: await deleteUnreadableSecrets(db, siteKeyFile, new Date()),
    }
  } finally {
    await close()
    if (!isRestored) for (const file of createdFiles) await rm(file, { recursive: true, force: true })
    await lock?.release()
  }
}

function openDatabaseIn(dataDir: string) {
  return openEmbedded(dataDir).catch((error: Error) => {
    throw new Error(
      `The database in ${dataDir} could not be opened (${error.message}). Rename the folder ${join(dataDir, 'db')} and try again.`,
    )
  })
}

const [, , path] = process.argv
try {
  if (path === undefined) throw new Error('Usage: npm run restore -- <file>')
  const { rows, repeatedErasures, siteKeyFile, removedSecrets } = await restore(path)
  console.log(`Restored ${rows} rows.`)
  if (repeatedErasures > 0) console.log(`${describeRepeatedErasures(repeatedErasures)}, as was done after the backup.`)
  if (removedSecrets.length > 0)
    console.log(
      `The key that sealed this backup's secrets is not in ${siteKeyFile}, so these were removed: ${removedSecrets.join(', ')}. Passkeys and recovery codes still work. If you have the key, put it there and restore into an empty database once more.`,
    )
} catch (error) {
  console.error(error instanceof DataDirInUse ? 'The site is running. Stop it first.' : (error as Error).message)
  process.exit(1)
}
