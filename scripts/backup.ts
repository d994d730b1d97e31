import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openBackup, saveWhole, streamBackup } from '../server/backup/backup-file.ts'
import { backupName } from '../server/backup/nightly.ts'
import { type Config, readConfig } from '../server/config.ts'
import { controlPath, DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'

/** `npm run backup -- [file]`: saves the whole database, of either kind, in one file. The site may run meanwhile. */
async function backup(config: Config, path: string): Promise<void> {
  if (config.databaseUrl !== undefined) {
    const { db, close } = await openPostgres(config.databaseUrl)
    await saveWhole(path, (file) => streamBackup(db, new Date(), file))
    return close()
  }
  const lock = await lockDataDir(config.dataDir, (socket) => socket.destroy()).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null
    throw error
  })
  if (lock === null) {
    const socket = connect(await controlPath(config.dataDir))
    socket.write('backup\n')
    return saveWhole(path, (file) => pipeline(socket, file))
  }
  const { db, close } = await openEmbedded(config.dataDir)
  await saveWhole(path, (file) => streamBackup(db, new Date(), file))
  await close()
  await lock.release()
}

/** The number of rows that a backup states in its last line. @throws when the backup is incomplete */
async function countRows(path: string): Promise<string> {
  let last = ''
  for await (const chunk of openBackup(path)) last = (last + chunk).slice(-200)
  const rows = /\{"end":true,"rows":(\d+)\}\s*$/.exec(last)?.[1]
  if (rows === undefined) throw new Error('its last line is missing')
  return rows
}

const path = resolve(process.argv[2] ?? backupName(new Date()))
try {
  await backup(readConfig(process.env), path)
  const rows = await countRows(path).catch(async (error: Error) => {
    await rm(path, { force: true })
    throw new Error(`The backup is incomplete (${error.message}). Please try again.`)
  })
  console.log(`${path}: ${rows} rows`)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
