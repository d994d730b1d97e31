import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openBackup } from '../server/backup/backup-file.ts'
import { restoreBackup } from '../server/backup/restore-backup.ts'
import { listTables } from '../server/backup/tables.ts'
import { readConfig } from '../server/config.ts'
import { type Db, openEmbedded } from '../server/db/open.ts'

const PREFIX = 'backup-check-'

/**
 * Restores a backup into an embedded database in a temporary folder in DATA_DIR and prints the number of its
 * rows. The site runs this script, one at a time, when an operator checks a backup.
 */
async function check(path: string): Promise<void> {
  const { dataDir } = readConfig(process.env)
  await mkdir(dataDir, { recursive: true })
  for (const leftover of await readdir(dataDir))
    if (leftover.startsWith(PREFIX)) await rm(join(dataDir, leftover), { recursive: true, force: true })
  const folder = await mkdtemp(join(dataDir, PREFIX))
  try {
    const { db, close } = await openEmbedded(folder)
    try {
      const statedCount = await restoreBackup(db, openBackup(path))
      const foundCount = await countRows(db)
      if (foundCount !== statedCount)
        throw new Error(`The backup states ${statedCount} rows, but ${foundCount} are in it.`)
      console.log(foundCount)
    } finally {
      await close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function countRows(db: Db): Promise<number> {
  let foundCount = 0
  for (const { name } of await listTables(db)) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(db)
    foundCount += rows[0]?.count ?? 0
  }
  return foundCount
}

try {
  await check(process.argv[2] ?? '')
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
