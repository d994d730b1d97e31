import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { ROOT } from '#scripts/root.ts'
import { migrate, readMigrations, splitStatements } from '#server/db/migrate.ts'
import type { Database, Db } from '#server/db/open.ts'
import { openBareDatabase, openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { insertNews, insertRows } from '#test/factories.ts'
import { openBackup, saveAtomically, streamBackup } from './backup-file.ts'
import { BackupError, saveInFolder } from './backup-folder.ts'
import { RestoreError, restoreBackup } from './restore-backup.ts'
import { FILLED_BY_MIGRATIONS, listTables } from './tables.ts'

const folder = await mkdtemp(join(tmpdir(), 'tambayan-backup-'))
after(() => rm(folder, { recursive: true }))
const sourceDatabase = await openTestDatabase('demo')
after(() => sourceDatabase.close())

/** Opens a new database without any table to restore into; it is closed after this file. */
async function openBare(kind: Database['kind']): Promise<Database> {
  const database = await openBareDatabase(kind)
  after(() => database.close())
  return database
}

async function saveBackup(db: Db, name: string): Promise<string> {
  const path = join(folder, name)
  await saveAtomically(path, (file) => streamBackup(db, TEST_NOW, file))
  return path
}

/** Reads every stored column of every row, except generated ones. Times do not depend on the server's time zone. */
async function readEverything(db: Db): Promise<Record<string, unknown[]>> {
  const snapshot: Record<string, unknown[]> = {}
  for (const { name, columns } of await listTables(db)) {
    const columnList = sql.join(columns.map((column) => sql.ref(column)))
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(t) as row from (select ${columnList} from ${sql.table(name)}) t`.execute(db)
    snapshot[name] = rows.map(({ row }) => JSON.stringify(row).replace(/\+00:00"/g, 'Z"')).sort()
  }
  return snapshot
}

const readLines = async (path: string) =>
  gunzipSync(await readFile(path))
    .toString()
    .trimEnd()
    .split('\n')
const toInput = (lines: string[]) => Readable.from([`${lines.join('\n')}\n`])
const matchRefusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof RestoreError && pattern.test(error.message)

const backupPath = await saveBackup(sourceDatabase.db, 'whole.backup.gz')
const lines = await readLines(backupPath)
const bareDatabase = await openBare(sourceDatabase.kind)
const freshDatabase = await openBare(sourceDatabase.kind)
await migrate(freshDatabase.db)

/** Returns the first line of a backup from an earlier schema. */
async function readEarlierHeader(): Promise<string> {
  const [, earlierMigration] = await readMigrations()
  return JSON.stringify({
    ...JSON.parse(lines[0] ?? ''),
    migration: earlierMigration?.name,
    schema: earlierMigration?.hash,
  })
}

async function assertNothingLoaded(db: Db) {
  for (const [table, rows] of Object.entries(await readEverything(db))) {
    if (!FILLED_BY_MIGRATIONS.has(table)) assert.deepEqual(rows, [], table)
  }
}

test('a new database has only the rows of its migrations', async () => {
  await assertNothingLoaded(freshDatabase.db)
  await assert.rejects(
    restoreBackup(freshDatabase.db, toInput([await readEarlierHeader(), ...lines.slice(1)])),
    matchRefusal(/newer \(.*\) than the backup/),
  )
  assert.deepEqual(await migrate(freshDatabase.db), [])
})

test('a backup begins with its header and ends with its row count', () => {
  assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), {
    format: 'tambayan-backup-1',
    created_at: TEST_NOW.toISOString(),
  })
  const { end, rows } = JSON.parse(lines.at(-1) ?? '')
  assert.ok(end === true && rows > 4000)
})

test('a restore that fails leaves no database behind', async () => {
  const cutPath = await saveBackup(sourceDatabase.db, 'half.backup.gz')
  await truncate(cutPath, Math.floor((await stat(cutPath)).size / 2))
  const dataDir = join(folder, 'failed')
  await mkdir(dataDir)
  // The operator renamed the folder db; the marker file is still there.
  await writeFile(join(dataDir, 'world.txt'), 'A site was here.')
  const restoreProcess = spawnSync(process.execPath, [join(ROOT, 'scripts/restore.ts'), cutPath], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    encoding: 'utf8',
  })
  assert.equal(restoreProcess.status, 1)
  assert.match(restoreProcess.stderr, /cut off/)
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['site.lock', 'world.txt'])
})

test('refuses an incomplete backup or one of a later version with a message, and loads nothing', async () => {
  const cutPath = await saveBackup(sourceDatabase.db, 'cut.backup.gz')
  await truncate(cutPath, Math.floor((await stat(cutPath)).size / 2))
  const letterPath = join(folder, 'letter.txt')
  await writeFile(letterPath, 'Mahal kong Maria,')
  const emptyDatabase = await openTestDatabase('empty')
  after(() => emptyDatabase.close())
  const shortLines = await readLines(await saveBackup(emptyDatabase.db, 'empty.backup.gz'))
  const [firstLine = '', ...otherLines] = shortLines
  const { schema, ...header } = JSON.parse(firstLine)
  const createInput = (values: object) => toInput([JSON.stringify({ ...header, schema, ...values }), ...otherLines])
  const neverReleased = /^The backup was made by a version of the site that was never released/
  const pictures = JSON.stringify({ table: 'nowhere', rows: [{ content: 'f'.repeat(24_000_000) }] })
  const cases: [string, () => Readable, RegExp][] = [
    ['a file that is cut off', () => openBackup(cutPath), /cut off/],
    ['without its last line', () => toInput(shortLines.slice(0, -1)), /cut off/],
    ['with its first line alone', () => toInput([firstLine]), /cut off/],
    ['without a line in the middle', () => toInput(shortLines.toSpliced(-2, 1)), /damaged: \d+ of \d+ rows/],
    ['a letter', () => openBackup(letterPath), /not a backup/],
    ['no file', () => openBackup(join(folder, 'nowhere.gz')), /cannot be read|no such file/i],
    ...['', '{}', '{"format":"other-1"}', 'null', '<html>'].map((text): [string, () => Readable, RegExp] => [
      text,
      () => toInput([text]),
      /not a backup/,
    ]),
    ['of a newer version', () => createInput({ migration: '999-from-the-future' }), /newer/],
    ['without a schema', () => toInput([JSON.stringify(header), ...otherLines]), neverReleased],
    [
      'with a migration of another program',
      () => createInput({ migration: '085-discord-alone', schema: undefined }),
      neverReleased,
    ],
    ['with another schema', () => createInput({ schema: schema.toUpperCase() }), neverReleased],
    [
      'with a line of many megabytes, like those of pictures',
      () => Readable.from(`${firstLine}\n${pictures}\n`.match(/.{1,16384}/gs) ?? []),
      /unknown table nowhere/,
    ],
  ]
  for (const [caseName, openInput, pattern] of cases)
    await assert.rejects(restoreBackup(bareDatabase.db, openInput()), matchRefusal(pattern), caseName)
  await assertNothingLoaded(bareDatabase.db)
})

test('refuses to restore into a database that is not empty, from a backup of any version', async () => {
  const before = await readEverything(sourceDatabase.db)
  const readApplied = () =>
    sql<{ name: string }>`select name from site_migrations order by name`
      .execute(sourceDatabase.db)
      .then(({ rows }) => rows)
  const migrations = await readApplied()
  await assert.rejects(restoreBackup(sourceDatabase.db, openBackup(backupPath)), matchRefusal(/not empty/))
  await assert.rejects(
    restoreBackup(sourceDatabase.db, toInput([await readEarlierHeader(), ...lines.slice(1)])),
    matchRefusal(/not empty/),
  )
  assert.deepEqual(await readApplied(), migrations)
  assert.deepEqual(await readEverything(sourceDatabase.db), before)
})

test('restores a whole backup into an empty database, and continues its numbers', async () => {
  const rows = await restoreBackup(bareDatabase.db, openBackup(backupPath))
  assert.equal(rows, JSON.parse(lines.at(-1) ?? '').rows)
  assert.deepEqual(await readEverything(bareDatabase.db), await readEverything(sourceDatabase.db))
  const newest = await bareDatabase.db.selectFrom('news').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  assert.equal(await insertNews(bareDatabase.db), newest.id + 1)
})

/** Statements that insert rows into the tables of a migration. */
const ROW_STATEMENTS: Record<string, string> = {
  '002-accounts': `
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin)
      values ('Lakan', 'lakan@example.ph', 'Lakan', 'Dula', 'x', 1, 'x', 70), ('Urduja', 'urduja@example.ph', 'U', 'D', 'x', 2, 'x', 0);
    insert into account_events (user_num, kind, created_at) values (1, 'login', '2026-11-01');`,
  '004-content': `
    insert into news (subject, type, author, content) values ('Ñandú <b>', 0, 'GM', '<p>Mabuhay</p>');
    insert into banners (position, title, href) values (1, '{a,"b, c"}', '/news');`,
  '005-shop': `
    insert into shop_categories (category_name, position) values ('Arms', 1);
    insert into shop_items (category_id, item_name, price, section, position) values (1, 'Kris', 30, 2, 1);`,
  '006-money': `
    insert into ledger (user_num, currency, delta, balance_after, reason) values (1, 'r_coin', 100, 100, 'voucher'), (1, 'r_coin', -30, 70, 'purchase');
    insert into voucher_campaigns (name, r_coin, codes, redeemed) values ('Fiesta', 100, 1, 1);
    insert into vouchers (code_hash, campaign, redeemed_by, redeemed_at) values (voucher_hash('BBBB'), 1, 1, '2026-11-01');
    insert into topups (user_num, ordinal, code, r_coin, milleage, created_at) values (1, 1, 'BBBB', 100, 0, '2026-11-01');`,
  '009-messages': `
    insert into tickets (number, user_num, category, subject, created_at, updated_at) values ('T-AAAA-BBBB', 1, 'bug', 'Hole', '2026-11-01', '2026-11-01');
    insert into ticket_messages (ticket, writer, body, created_at) values (1, 'requester', 'I fell.', '2026-11-01');
    insert into ticket_screenshots values ('6f1c1f0e-3a54-4a44-8d0c-0d5b8a1f0a11', 1, 1, 2, 2, '\\x00ff0a22');`,
}

/** The schema whose backup is restored. */
const RESTORED_SCHEMA = '006-money'

test('records the schema in a backup, and restores a backup of an earlier schema', async () => {
  const [oldDatabase, restoredDatabase] = [await openBare(sourceDatabase.kind), await openBare(sourceDatabase.kind)]
  let savedTables: string[] = []
  for (const { name, hash } of await readMigrations()) {
    await migrate(oldDatabase.db, { target: name })
    for (const statement of splitStatements(ROW_STATEMENTS[name] ?? ''))
      await sql.raw(statement).execute(oldDatabase.db)
    if (name !== RESTORED_SCHEMA) continue
    const path = await saveBackup(oldDatabase.db, 'earlier.backup.gz')
    assert.partialDeepStrictEqual(JSON.parse((await readLines(path))[0] ?? ''), { migration: name, schema: hash })
    savedTables = (await listTables(oldDatabase.db)).map((table) => table.name)
  }
  await restoreBackup(restoredDatabase.db, openBackup(join(folder, 'earlier.backup.gz')))
  const expectedTables = await readEverything(oldDatabase.db)
  const restoredTables = await readEverything(restoredDatabase.db)
  assert.ok(savedTables.includes('ledger'))
  for (const table of savedTables) {
    // Migration 026 draws a random word for each account that has none.
    if (table !== 'account_words') assert.deepEqual(restoredTables[table], expectedTables[table], table)
  }
  assert.deepEqual(await migrate(restoredDatabase.db), [])
  await assert.rejects(sql`update ledger set delta = 1`.execute(restoredDatabase.db), { code: '23001' })
})

test('restores rows that a rule for new rows would refuse, and applies the rule afterwards', async () => {
  await sql`alter table news add constraint news_shouts check (subject = upper(subject)) not valid`.execute(
    freshDatabase.db,
  )
  await restoreBackup(freshDatabase.db, openBackup(backupPath))
  await assert.rejects(insertNews(freshDatabase.db, { subject: 'Quiet' }), { constraint: 'news_shouts' })
})

test('restores a backup of one kind of database into the other kind and back', async (t) => {
  if (process.env.TEST_DATABASE_URL === undefined) return t.skip('needs PostgreSQL: npm run test:postgres')
  const embeddedDatabase = await openBare('embedded')
  await restoreBackup(embeddedDatabase.db, openBackup(backupPath))
  assert.deepEqual(await readEverything(embeddedDatabase.db), await readEverything(sourceDatabase.db))
  const postgresDatabase = await openBare('postgres')
  await restoreBackup(postgresDatabase.db, openBackup(await saveBackup(embeddedDatabase.db, 'embedded.backup.gz')))
  assert.deepEqual(await readEverything(postgresDatabase.db), await readEverything(sourceDatabase.db))
})

test('a backup is a consistent snapshot: every balance equals the sum of its ledger entries', async () => {
  const { user_num } = await sourceDatabase.db
    .selectFrom('accounts')
    .where('user_id', '=', 'juan')
    .select('user_num')
    .executeTakeFirstOrThrow()
  const spendOne = () =>
    sourceDatabase.db.transaction().execute(async (tx) => {
      const { r_coin } = await tx
        .updateTable('accounts')
        .set((eb) => ({ r_coin: eb('r_coin', '-', 1) }))
        .where('user_num', '=', user_num)
        .returning('r_coin')
        .executeTakeFirstOrThrow()
      await insertRows(tx, 'ledger', { user_num, currency: 'r_coin', delta: -1, balance_after: r_coin, reason: 'test' })
    })
  let isSaved = false
  const runningSave = saveBackup(sourceDatabase.db, 'moving.backup.gz').finally(() => {
    isSaved = true
  })
  let spentCount = 0
  while (!isSaved || spentCount < 20) {
    await spendOne()
    spentCount++
    // The embedded database never yields to the event loop, but writing the file needs it.
    await setImmediate()
  }
  const snapshot = { balance: Number.NaN, ledger: 0 }
  for (const line of await readLines(await runningSave)) {
    const { table, rows } = JSON.parse(line) as { table?: string; rows?: Record<string, unknown>[] }
    for (const row of Array.isArray(rows) ? rows : []) {
      if (row.user_num !== user_num) continue
      if (table === 'accounts') snapshot.balance = Number(row.r_coin)
      if (table === 'ledger' && row.currency === 'r_coin') snapshot.ledger += Number(row.delta)
    }
  }
  assert.equal(snapshot.balance, snapshot.ledger)
})

test('a reader that disconnects fails only its backup', async () => {
  const abortingStream = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error('aborted'))
    },
  })
  await assert.rejects(streamBackup(sourceDatabase.db, TEST_NOW, abortingStream), /aborted/)
  const closingStream = new Writable({
    write(_chunk, _encoding, done) {
      this.destroy()
      done()
    },
  })
  await assert.rejects(streamBackup(sourceDatabase.db, TEST_NOW, closingStream))
  assert.equal((await sql`select 1`.execute(sourceDatabase.db)).rows.length, 1)
})

test('a failed backup leaves no file, not even a partial one', async () => {
  const path = join(folder, 'failing.backup.gz')
  await assert.rejects(
    saveAtomically(path, async (file) => {
      file.write('half')
      throw new Error('disk')
    }),
    /disk/,
  )
  await assert.rejects(
    saveAtomically(join(folder, 'nowhere', 'x.gz'), (file) => streamBackup(sourceDatabase.db, TEST_NOW, file)),
  )
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('failing')),
    [],
  )
})

/** Saves the backup of a day, on a disk with this many free bytes. */
function saveOfDay(folder: string, day: string, writeContent: (file: Writable) => Promise<unknown>, freeBytes = 1e9) {
  const now = new Date(`${day}T04:30:00+08:00`)
  return saveInFolder({ folder, now, freeBytes: async () => freeBytes }, writeContent)
}
const writeSixteenBytes = async (file: Writable) => file.end('0123456789abcdef')
const listDays = async (folder: string) =>
  (await readdir(folder)).sort().map((name) => /2026-11-(\d\d)/.exec(name)?.[1] ?? name)

test('the backup folder retains the newest fourteen backups and all other files', async () => {
  const backups = join(folder, 'data', 'backups')
  await mkdir(backups, { recursive: true })
  await writeFile(join(backups, 'notes.txt'), 'mine')
  await writeFile(join(backups, 'before-patch.backup.gz'), 'mine')
  for (let day = 1; day <= 16; day++)
    await saveOfDay(backups, `2026-11-${String(day).padStart(2, '0')}`, writeSixteenBytes)
  const now = new Date('2026-11-20T20:30:00Z')
  const { path } = await saveInFolder({ folder: backups, now }, (file) => streamBackup(sourceDatabase.db, now, file))
  assert.equal(path, join(backups, 'tambayan-2026-11-21T04-30-00.backup.gz'))
  const storedNames = (await readdir(backups)).sort()
  assert.equal(storedNames.length, 16)
  assert.deepEqual(storedNames.slice(0, 3), [
    'before-patch.backup.gz',
    'notes.txt',
    'tambayan-2026-11-04T04-30-00.backup.gz',
  ])
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.ok((await readLines(path)).length > 3)
})

test('twenty attempts of a failing upgrade leave one backup, and replace only the oldest', async () => {
  const backups = join(folder, 'crash loop')
  await mkdir(backups)
  const nightlyNames = Array.from(
    { length: 14 },
    (_, day) => `tambayan-2026-11-${String(day + 1).padStart(2, '0')}T04-30-00.backup.gz`,
  )
  for (const name of nightlyNames) await writeFile(join(backups, name), '')
  for (let attempt = 0; attempt < 20; attempt++) {
    const now = new Date(Date.UTC(2026, 10, 15, 8, 0, 5 * attempt))
    await saveInFolder({ folder: backups, now, purpose: 'before-upgrade-from-012' }, async (file) => void file.end('x'))
  }
  assert.deepEqual((await readdir(backups)).sort(), [
    ...nightlyNames.slice(1),
    'tambayan-2026-11-15T16-01-35.before-upgrade-from-012.backup.gz',
  ])
})

test('deletes old backups before writing a new one when space is short, but never the newest', async () => {
  const backups = join(folder, 'short')
  for (const day of ['01', '02', '03', '04']) await saveOfDay(backups, `2026-11-${day}`, writeSixteenBytes)
  const freeBytes = async () => 5 * 16 - 16 * (await readdir(backups)).length
  const backup = await saveInFolder(
    { folder: backups, now: new Date('2026-11-05T04:30:00+08:00'), freeBytes },
    writeSixteenBytes,
  )
  assert.equal(backup.deletedForSpace, 1)
  assert.deepEqual(await listDays(backups), ['02', '03', '04', '05'])
  assert.equal((await saveOfDay(backups, '2026-11-06', writeSixteenBytes, 0)).deletedForSpace, 3)
  assert.deepEqual(await listDays(backups), ['05', '06'])
})

test('deletes older backups one by one on a full disk, but never the last one', async () => {
  const backups = join(folder, 'full')
  for (const day of ['01', '02', '03']) await saveOfDay(backups, `2026-11-${day}`, writeSixteenBytes)
  let attempts = 0
  const writeOnSecondAttempt = async (file: Writable) => {
    file.write('half')
    if (++attempts < 2) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    file.end()
  }
  assert.equal((await saveOfDay(backups, '2026-11-04', writeOnSecondAttempt)).deletedForSpace, 1)
  assert.deepEqual(await listDays(backups), ['02', '03', '04'])
  const failOnFullDisk = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await assert.rejects(
    saveOfDay(backups, '2026-11-05', failOnFullDisk),
    (error) =>
      error instanceof BackupError &&
      /disk of .* is full, so no backup was written\. The newest earlier backup/.test(error.message),
  )
  assert.deepEqual(await listDays(backups), ['04'])
  await writeFile(join(folder, 'file'), '')
  await assert.rejects(saveOfDay(join(folder, 'file'), '2026-11-05', writeSixteenBytes), BackupError)
})
