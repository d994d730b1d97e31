import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { saveWhole, streamBackup } from '#server/backup/backup-file.ts'
import { copyEmbedded } from '#server/backup/copy-embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openEmbedded } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'

/**
 * How long statements on the embedded database wait while a backup is made: from a copy of its files, as the site does,
 * and through its own connection. `node bench/backup-pause.ts --characters 200000`
 */
const { values } = parseArgs({ options: { characters: { type: 'string', default: '0' } } })
const folder = await mkdtemp(join(tmpdir(), 'tambayan-pause-'))
const database = await openEmbedded(folder)
const { db } = database
await migrate(db)
await seedDemoWorld(db, new Date())
await sql`
  insert into characters (user_num, cha_name, cha_level, cha_class, cha_school, cha_pk_score)
  select 1, 'Pause' || n, 1 + n % 200, '1', n % 3, n from generate_series(1, ${Number(values.characters)}::int) n`.execute(
  db,
)

/** The longest wait of a small statement, and the time of the whole work, in milliseconds. */
async function measure(work: () => Promise<unknown>) {
  let isRunning = true
  const began = performance.now()
  const working = work().finally(() => {
    isRunning = false
  })
  let longest = 0
  while (isRunning) {
    const asked = performance.now()
    await sql`select 1`.execute(db)
    longest = Math.max(longest, performance.now() - asked)
    await setImmediate()
  }
  await working
  return { longest: Math.round(longest), whole: Math.round(performance.now() - began) }
}

const copied = await measure(() => copyEmbedded(database))
const read = await measure(() => saveWhole(join(folder, 'x.gz'), (file) => streamBackup(db, new Date(), file)))
console.log(`copy of the files:      a statement waits up to ${copied.longest} ms (${copied.whole} ms in all)`)
console.log(`through the connection: a statement waits up to ${read.longest} ms (${read.whole} ms in all)`)
await database.close()
await rm(folder, { recursive: true, force: true })
