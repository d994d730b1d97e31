import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ensureBuilt } from '#scripts/build.ts'
import { waitUntil } from '#test/wait-until.ts'
import { BackupError, listBackups } from './backup/backup-folder.ts'
import { copyEmbedded } from './backup/copy-embedded.ts'
import { runBackup } from './backup/run-backup.ts'
import { migrate, readSchemaState } from './db/migrate.ts'
import { openEmbedded } from './db/open.ts'

// These tests use one data directory in order: an earlier schema is upgraded, backed up, lost, damaged and restored.
const ROOT = join(import.meta.dirname, '..')
const folder = await mkdtemp(join(tmpdir(), 'tambayan-upgrade-'))
const dataDir = join(folder, 'data')
const backupDir = join(folder, 'elsewhere')
const children = new Set<ChildProcess>()
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
await ensureBuilt(() => {})

let demoVariable = '0'

function runScript(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      BACKUP_DIR: backupDir,
      PORT: '0',
      DEMO: demoVariable,
      LOG_LEVEL: 'error',
    },
  })
  children.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const exit = once(child, 'close').then(([code]) => {
    children.delete(child)
    return { code: code as number | null, ...output }
  })
  return { child, output, exit }
}

async function openSite() {
  const site = runScript('server.ts')
  const address = await waitUntil('the site is open', () => {
    assert.ok(children.has(site.child), site.output.err)
    return / is open: (\S+)\n/.exec(site.output.out)?.[1]
  })
  return { ...site, address }
}

/** Runs a script that must refuse, and returns the line that it prints. */
async function readRefusal(script: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await runScript(script, ...args).exit
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err)
  assert.match(err, /^[^\n]+\n$/)
  return err.trimEnd()
}

/** Lists the child processes of this one; Linux only. */
const listChildren = async () =>
  (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '')).trim().split(/\s+/).map(Number)

const listCopies = async () => (await readdir(dataDir)).filter((name) => name.startsWith('backup-copy-'))
/** The schema before the upgrade. */
const EARLIER_SCHEMA = '009-messages'

test('the next start backs up and upgrades a site of an earlier schema; commands do not upgrade it', async (t) => {
  const oldDatabase = await openEmbedded(dataDir)
  await migrate(oldDatabase.db, { target: EARLIER_SCHEMA })
  await sql`insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash)
    values ('Lakan', 'lakan@example.ph', 'Lakan', 'Dula', 'x', 1, 'x')`.execute(oldDatabase.db)
  await sql`insert into ranking_periods (period, starts_at, ends_at, opened_at)
    values ('2026-11', '2026-10-31T16:00Z', '2026-11-30T16:00Z', now())`.execute(oldDatabase.db)
  await oldDatabase.close()

  assert.match(
    await readRefusal('scripts/operate.ts', 'ledger'),
    /^The database is of an older version .*\(009-messages\)/,
  )
  const site = await openSite()
  const [backupPath = ''] = await listBackups(backupDir)
  assert.ok(site.output.out.includes(`Backed up before the upgrade: ${backupPath}\n`), site.output.out)
  assert.equal((await fetch(`${site.address}/readyz`)).status, 200)

  await t.test('a suspended backup does not delay the site, and leaves nothing when it is killed', async (t) => {
    const suspendedBackup = runScript('scripts/backup.ts', join(folder, 'never.gz'))
    await waitUntil('the backup has its copy', async () => (await listCopies())[0])
    suspendedBackup.child.kill('SIGSTOP')
    for (const path of ['/readyz', '/api/getnewsall/0/8/1/0'])
      assert.equal((await fetch(`${site.address}${path}`)).status, 200)
    const backupConfig = { dataDir, backupDir, databaseUrl: undefined }
    const { output } = await runBackup(backupConfig, AbortSignal.timeout(60_000))
    assert.match(output, /^\S+\.backup\.gz: \d+ rows$/)
    assert.equal((await listBackups(backupDir)).length, 2)
    await assert.rejects(
      runBackup({ ...backupConfig, backupDir: join(ROOT, 'package.json') }, AbortSignal.timeout(60_000)),
      (error) => error instanceof BackupError && /^Backups cannot be written to [^\n]+$/.test(error.message),
    )
    await t.test('a suspended backup of the site leaves nothing when it is aborted', async () => {
      await waitUntil('there is one copy', async () => ((await listCopies()).length === 1 ? true : undefined))
      const abortController = new AbortController()
      const backupRun = runBackup(backupConfig, abortController.signal)
      await waitUntil('the backup of the site has its copy too', async () =>
        (await listCopies()).length === 2 ? true : undefined,
      )
      for (const pid of await listChildren()) if (pid !== site.child.pid) process.kill(pid, 'SIGSTOP')
      abortController.abort()
      await assert.rejects(backupRun)
      await waitUntil('its copy is deleted', async () => ((await listCopies()).length === 1 ? true : undefined))
    })
    suspendedBackup.child.kill('SIGKILL')
    await waitUntil('the copies are deleted', async () => ((await listCopies()).length === 0 ? true : undefined))
  })

  site.child.kill('SIGTERM')
  assert.equal((await site.exit).code, 0)
  const upgradedDatabase = await openEmbedded(dataDir)
  assert.deepEqual((await readSchemaState(upgradedDatabase.db)).pending, [])
  assert.equal((await upgradedDatabase.db.selectFrom('accounts').select('user_id').execute())[0]?.user_id, 'Lakan')
  await assert.rejects(
    copyEmbedded(upgradedDatabase, async () => 90e6),
    (error) =>
      error instanceof BackupError && /needs \d+ MB of free space in .*, but only 86 MB are free/.test(error.message),
  )
  assert.deepEqual(await listCopies(), [])
  await upgradedDatabase.close()
})

test('does not replace a lost or damaged database, and prints the path of the newest backup', async () => {
  const newestBackup = (await listBackups(backupDir)).at(-1) ?? ''
  const restoreAdvice = `npm run restore -- "${newestBackup}".`
  const db = join(dataDir, 'db')
  await rename(db, join(dataDir, 'db.aside'))
  const missingRefusal = await readRefusal('server.ts')
  assert.ok(
    missingRefusal.includes(`is missing, but there used to be one: restore the newest backup: ${restoreAdvice}`),
    missingRefusal,
  )
  assert.ok(missingRefusal.includes(`delete ${join(dataDir, 'world.txt')}`), missingRefusal)
  await mkdir(db)
  assert.ok((await readRefusal('server.ts')).includes('is missing'))
  await writeFile(join(db, 'notes.txt'), 'mine')
  assert.match(
    await readRefusal('server.ts'),
    /could not be opened \(.*PG_VERSION.*\): it is probably damaged\. Rename the folder/,
  )
  await rm(db, { recursive: true })
  await (await openEmbedded(dataDir)).close()
  assert.ok((await readRefusal('server.ts')).includes('is empty, but there used to be one'))
  await truncate(join(db, 'global/pg_control'), 0)
  const damagedRefusal = await readRefusal('server.ts')
  assert.ok(
    damagedRefusal.includes(`Rename the folder ${db}, then restore the newest backup: ${restoreAdvice}`),
    damagedRefusal,
  )
  assert.match(await readRefusal('scripts/restore.ts', newestBackup), /could not be opened .*Rename the folder/)

  await rename(db, join(dataDir, 'db.damaged'))
  const restoreResult = await runScript('scripts/restore.ts', newestBackup).exit
  assert.deepEqual({ code: restoreResult.code, err: restoreResult.err }, { code: 0, err: '' })
  assert.equal((await runScript('scripts/operate.ts', 'ledger').exit).code, 0)
})

test('prints the path of the newest backup if a table that the start reads is damaged', async () => {
  const newestBackup = (await listBackups(backupDir)).at(-1) ?? ''
  const restoreAdvice = `Rename the folder ${join(dataDir, 'db')}, then restore the newest backup: npm run restore -- "${newestBackup}".`
  const tables = ['ranking_periods', 'site_migrations', 'accounts', 'jobs']
  const database = await openEmbedded(dataDir)
  const { rows } = await sql<{ name: string; path: string }>`
    select name, pg_relation_filepath(name) as path from unnest(${tables}::text[]) name`.execute(database.db)
  await sql`checkpoint`.execute(database.db)
  await database.close()
  // With DEMO, the start checks for accounts, so it reads that table too.
  demoVariable = '1'
  for (const { name, path } of rows) {
    const file = join(dataDir, 'db', path)
    const intactPage = await readFile(file)
    await writeFile(file, Buffer.concat([Buffer.alloc(8192, 0xff), intactPage.subarray(8192)]))
    const line = await readRefusal('server.ts')
    assert.match(
      line,
      /could not be opened \(invalid page in block 0 of relation [^\n]*\): it is probably damaged/,
      name,
    )
    assert.ok(line.includes(restoreAdvice), `${name}: ${line}`)
    await writeFile(file, intactPage)
  }
  demoVariable = '0'
})

test('refuses to start with a damaged list of erasures, and prints its path', async () => {
  const list = join(backupDir, 'erasures.json')
  for (const text of ['', '{"about": "something else"}']) {
    await writeFile(list, text)
    const line = await readRefusal('server.ts')
    assert.ok(line.startsWith(`The list of erased accounts ${list} is damaged.`), line)
    assert.match(line, /delete it/)
  }
  await rm(list)
})

test('refuses a database of a version that was never released, and makes no backup', async () => {
  const countBefore = (await listBackups(backupDir)).length
  const database = await openEmbedded(dataDir)
  await sql`update site_migrations set hash = 'of another script' where name = ${EARLIER_SCHEMA}`.execute(database.db)
  await database.close()
  for (const script of ['server.ts', 'scripts/backup.ts'])
    assert.match(
      await readRefusal(script),
      /^The database was made by a version of the site that was never released, and cannot be upgraded\./,
    )
  assert.match(await readRefusal('scripts/operate.ts', 'ledger'), /never released/)
  assert.equal((await listBackups(backupDir)).length, countBefore)
})

test('a crash during the first start does not count as a lost database', async () => {
  await rm(dataDir, { recursive: true })
  await mkdir(join(dataDir, 'db.installing'), { recursive: true })
  await mkdir(join(dataDir, 'db'))
  await mkdir(join(dataDir, 'backup-copy-left'))
  const partialDatabase = await openEmbedded(dataDir)
  await migrate(partialDatabase.db, { target: EARLIER_SCHEMA })
  await partialDatabase.close()
  const site = await openSite()
  assert.deepEqual(await listCopies(), [])
  site.child.kill('SIGTERM')
  assert.equal((await site.exit).code, 0)
  assert.ok((await readdir(dataDir)).includes('world.txt'))
})
