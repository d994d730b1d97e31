import { connect } from 'node:net'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openBackup, saveWhole, streamBackup } from '../server/backup/backup-file.ts'
import { backupName } from '../server/backup/nightly.ts'
import { readConfig } from '../server/config.ts'
import { controlSocketPath, DataDirInUse, lockDataDir } from '../server/data-lock.ts'
import { openEmbedded, openPostgres } from '../server/db/open.ts'

/** `npm run backup [file]`: the whole database in one file, while the site runs or not, from either kind of database. */
const config = readConfig(process.env)
const path = resolve(process.argv[2] ?? backupName(new Date()))

if (config.databaseUrl !== undefined) {
  const { db, close } = await openPostgres(config.databaseUrl)
  await saveWhole(path, (file) => streamBackup(db, new Date(), file))
  await close()
} else {
  const lock = await lockDataDir(config.dataDir, (socket) => socket.destroy()).catch((error: unknown) => {
    if (error instanceof DataDirInUse) return null
    throw error
  })
  if (lock === null) {
    const socket = connect(await controlSocketPath(config.dataDir))
    socket.write('backup\n')
    await saveWhole(path, (file) => pipeline(socket, file))
  } else {
    const { db, close } = await openEmbedded(config.dataDir)
    await saveWhole(path, (file) => streamBackup(db, new Date(), file))
    await close()
    await lock.release()
  }
}

let last = ''
for await (const chunk of openBackup(path)) last = (last + chunk).slice(-200)
const rows = /\{"end":true,"rows":(\d+)\}\s*$/.exec(last)?.[1]
if (rows === undefined) {
  console.error(`${path} is not whole. Try again.`)
  process.exit(1)
}
console.log(`${path}: ${rows} rows`)
