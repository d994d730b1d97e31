import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { HOUR_MS } from '#contract/durations.ts'
import { saveAtomically, streamBackup } from '#server/backup/backup-file.ts'
import { createBackupName } from '#server/backup/backup-folder.ts'
import { copyBackup, hasBackupRequest, hasBackupToCopy } from '#server/backup/backup-jobs.ts'
import { recordBackup } from '#server/backup/backup-records.ts'
import { sweepBackupTargets } from '#server/backup/targets.ts'
import { assertRefused, logInAs } from '#test/account-helpers.ts'
import { TEST_KEY, TEST_NOW } from '#test/databases.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { STORE_KEY, startStore } from '#test/s3-store.ts'
import { writeRestoreCommand } from './restore-command.ts'

const folder = await mkdtemp(join(tmpdir(), 'tambayan-backups-'))
after(() => rm(folder, { recursive: true, force: true }))
const backupDir = join(folder, 'backups')
const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, config: { backupDir, dataDir: join(folder, 'data') } })
const { db, clock } = site
const gm = await logInAs(site, 'gm', 'gm-demo-1')
const jobContext = { now: clock.now, signal: new AbortController().signal }
const runCopy = () => copyBackup({ ...site, jobsDb: db }, jobContext)

beforeEach(async () => {
  for (const table of ['mail_outbox', 'backups', 'backup_targets', 'backup_requests', 'backup_downloads'] as const)
    await db.deleteFrom(table).execute()
  await rm(backupDir, { recursive: true, force: true })
  await mkdir(backupDir, { recursive: true })
})

/** Makes a real backup in the folder and records it, as the command does. */
async function makeBackup(at = clock.now()): Promise<string> {
  const name = createBackupName(at)
  let rows = 0
  await saveAtomically(join(backupDir, name), async (file) => {
    rows = await streamBackup(db, at, file)
  })
  await recordBackup(db, { name, rows, bytes: 1000 })
  return name
}

/** Creates a file with the name of a backup, and records it as a backup. */
async function fakeBackup(at: Date): Promise<string> {
  const name = createBackupName(at)
  await writeFile(join(backupDir, name), 'x')
  await recordBackup(db, { name, rows: 1, bytes: 1 })
  return name
}

const readBackups = async (operator: Pick<typeof gm, 'get'> = gm) => (await operator.get('/api/admin/backups')).json()
const readRow = async (name: string) => (await readBackups()).rows.find((row: { name: string }) => row.name === name)
const readMailSubjects = async () =>
  (await db.selectFrom('mail_outbox').select('subject').execute()).map(({ subject }) => subject.split(' | ')[0])

type TargetValues = {
  kind?: 'folder' | 's3'
  place: string
  bucket?: string
  region?: string
  access_key?: string
  secret?: string
}
const testTarget = ({ kind = 's3', bucket = '', region = '', access_key = '', secret = '', place }: TargetValues) =>
  gm.post('/api/admin/backups/target/try', { kind, place, bucket, region, access_key, secret })
const applyTarget = (target: number | null) => gm.post('/api/admin/backups/target/use', { target })

async function setTarget(target: TargetValues) {
  const testResponse = await testTarget(target)
  assert.equal(testResponse.status, 200, testResponse.text)
  const applyResponse = await applyTarget(testResponse.json().target)
  assert.equal(applyResponse.status, 200, applyResponse.text)
}

test('names backups by the time in Manila, which sorts them by age', () => {
  assert.equal(createBackupName(TEST_NOW), 'tambayan-2026-11-20T21-42-07.backup.gz')
  assert.ok(createBackupName(TEST_NOW) < createBackupName(new Date(TEST_NOW.getTime() + HOUR_MS)))
})

test('lists backups with their creators, and files without a record', async () => {
  const name = await makeBackup()
  await db.updateTable('backups').set({ made_for: 'desk', made_by: gm.user.UserNum }).execute()
  await recordBackup(db, { name: 'by-hand.gz', rows: 3, bytes: 7 })
  await writeFile(join(backupDir, 'tambayan-2026-01-01T04-30-00.backup.gz'), 'old')
  await writeFile(join(backupDir, 'notes.txt'), 'mine')
  const { rows, nightly, making } = await readBackups()
  const summaries = rows.map((row: Record<string, unknown>) => [row.name, row.made_by, row.here]).sort()
  assert.deepEqual(summaries, [
    ['by-hand.gz', 'A command', false],
    ['tambayan-2026-01-01T04-30-00.backup.gz', 'Not known', true],
    [name, 'gm', true],
  ])
  assert.deepEqual([nightly, making], [true, null])
})

test('operators with only the Health permission see no folders and cannot make backups', async () => {
  const reader = await createOperator(site, await createRole(site, 'health.read'))
  assert.equal((await readBackups(reader)).setup, null)
  assert.equal((await readBackups()).setup.folder, backupDir)
  assertRefused(await reader.post('/api/admin/backups/make', {}), 403)
})

test('queues a requested backup, and the check of an existing backup', async () => {
  const name = await makeBackup()
  assert.equal(await hasBackupRequest(db), false)
  assert.equal((await gm.post('/api/admin/backups/make', {})).status, 200)
  assert.equal(await hasBackupRequest(db), true)
  assert.equal((await readBackups()).making.asked_by, 'gm')
  assert.equal((await gm.post('/api/admin/backups/check', { name })).status, 200)
  assert.equal((await readRow(name)).checking, true)
  const oldName = 'tambayan-2026-01-01T04-30-00.backup.gz'
  assertRefused(await gm.post('/api/admin/backups/check', { name: oldName }), 404)
  await writeFile(join(backupDir, oldName), 'old')
  assert.equal((await gm.post('/api/admin/backups/check', { name: oldName })).status, 200)
  for (const badName of ['../site.key', 'tambayan-1/../../x.backup.gz', 'site.key'])
    assertRefused(await gm.post('/api/admin/backups/check', { name: badName }), 422)
})

test('does not lose a check that is requested before the backup is recorded', async () => {
  const name = createBackupName(clock.now())
  await writeFile(join(backupDir, name), 'x')
  assert.equal((await gm.post('/api/admin/backups/check', { name })).status, 200)
  await recordBackup(db, { name, rows: 1, bytes: 1 })
  assert.deepEqual([(await readRow(name)).checking, (await readRow(name)).rows], [true, 1])
})

test('only the operator who requested a download can download the backup, for a day', async () => {
  const name = await makeBackup()
  const path = `/api/admin/backups/${name}/file`
  assertRefused(await gm.get(path), 409)
  assert.equal((await gm.post('/api/admin/backups/download', { name })).status, 200)
  assert.deepEqual(await readMailSubjects(), ['A backup can be downloaded'])
  const answer = await site.app.fetch(new Request(`http://test.local${path}`, { headers: gm.headers }))
  const content = Buffer.from(await answer.arrayBuffer())
  assert.deepEqual(content, await readFile(join(backupDir, name)))
  assert.equal(answer.headers.get('Content-Length'), String(content.length))
  const entry = await db.selectFrom('audit_log').select('action').orderBy('entry', 'desc').executeTakeFirst()
  assert.equal(entry?.action, '/admin/backups/{name}/file')

  const otherOperator = await createOperator(site, await createRole(site, 'backups.manage'))
  assertRefused(await otherOperator.get(path), 409)
  clock.advance(25 * HOUR_MS)
  const laterSession = await logInAs(site, 'gm', 'gm-demo-1')
  assertRefused(await laterSession.get(path), 409)
  await sweepBackupTargets(db, clock.now())
  assert.deepEqual(await db.selectFrom('backup_downloads').selectAll().execute(), [])
  clock.set(TEST_NOW)
})

test('copies backups and the list of erasures to a store, and retains the fourteen newest', async () => {
  const store = await startStore()
  await setTarget({ place: store.address, bucket: store.bucket, ...STORE_KEY })
  assert.deepEqual(await readMailSubjects(), ['Backups are copied elsewhere'])
  assert.equal(await hasBackupToCopy(db), false)
  await writeFile(join(backupDir, 'erasures.json'), '{}')
  const names: string[] = []
  for (let day = 0; day < 16; day++) {
    names.push(await fakeBackup(new Date(TEST_NOW.getTime() + day * 24 * HOUR_MS)))
    assert.equal(await hasBackupToCopy(db), true)
    await runCopy()
  }
  assert.deepEqual((await store.list()).sort(), ['erasures.json', ...names.slice(2)])
  assert.equal(await hasBackupToCopy(db), false)
  assert.ok((await readRow(names.at(-1) ?? '')).copied_at !== null)
})

test('uploads a backup of 20 MB, and shows the sealed key of the store nowhere', async () => {
  const store = await startStore()
  await setTarget({ place: store.address, bucket: store.bucket, ...STORE_KEY })
  const name = createBackupName(clock.now())
  const content = Buffer.alloc(20_000_000, 'tambayan ')
  await writeFile(join(backupDir, name), content)
  await recordBackup(db, { name, rows: 1, bytes: content.length })
  await runCopy()
  const { sealed } = await db.selectFrom('backup_targets').select('sealed').executeTakeFirstOrThrow()
  assert.match(sealed ?? '', /^s1\./)
  assert.ok(
    !JSON.stringify([await readBackups(), await db.selectFrom('audit_log').selectAll().execute()]).includes(
      sealed ?? '',
    ),
  )
  assert.deepEqual(await store.list(), [name])
})

test('copies backups to a folder, and describes the problem when the folder is missing', async () => {
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await setTarget({ kind: 'folder', place: disk })
  const name = await fakeBackup(clock.now())
  await runCopy()
  assert.deepEqual(await readdir(disk), [name])
  await rm(disk, { recursive: true })
  await fakeBackup(new Date(clock.now().getTime() + HOUR_MS))
  await assert.rejects(
    runCopy(),
    /could not be copied to the folder: it was deleted, or the site may not write there\.$/,
  )
  assert.match((await readBackups()).setup.copy_problem, /it was deleted/)
  assert.equal(await hasBackupToCopy(db), false, 'the schedule retries it')
  await mkdir(disk)
  await runCopy()
  assert.equal((await readBackups()).setup.copy_problem, '')
})

test('reports failures with 422 in fixed sentences, without answers of other programs', async () => {
  const store = await startStore()
  const readMessage = async (target: TargetValues) => {
    const answer = await testTarget(target)
    assertRefused(answer, 422)
    return answer.json().message as string
  }
  const storeTarget = { place: store.address, bucket: store.bucket, ...STORE_KEY }
  assert.match(await readMessage({ ...storeTarget, secret: 'mali' }), /^The store does not accept this key/)
  assert.match(await readMessage({ ...storeTarget, bucket: 'wala' }), /^The store has no such bucket/)
  assert.match(await readMessage({ ...storeTarget, secret: '' }), /^Enter the secret key/)
  assert.match(await readMessage({ ...storeTarget, access_key: '' }), /^Enter the access key/)
  assert.match(await readMessage({ ...storeTarget, bucket: '../x' }), /^Enter the bucket/)
  assert.match(await readMessage({ ...storeTarget, place: 'http://s3.example.ph' }), /it starts with https/)
  const otherServer = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 500 lihim\r\nContent-Length: 5\r\n\r\nlihim')
  }).listen(0, '127.0.0.1')
  await once(otherServer, 'listening')
  after(() => otherServer.close())
  const message = await readMessage({
    ...storeTarget,
    place: `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`,
  })
  assert.match(message, /^The server at this address did not pass the test/)
  await store.stop()
  assert.match(await readMessage(storeTarget), /^The store cannot be reached/)
  const file = join(folder, 'file')
  await writeFile(file, '')
  assert.match(await readMessage({ kind: 'folder', place: 'backups' }), /^Enter the whole path/)
  for (const siteFolder of [backupDir, import.meta.dirname])
    assert.match(await readMessage({ kind: 'folder', place: siteFolder }), /outside of the site’s own/)
  for (const place of [file, join(folder, 'nowhere')])
    assert.match(await readMessage({ kind: 'folder', place }), /^The site cannot write/)
  assert.deepEqual(await db.selectFrom('backup_targets').selectAll().execute(), [])
})

test('requires the secret key again only after a change of bucket, address or key', async () => {
  const store = await startStore()
  const storeTarget = { place: store.address, bucket: store.bucket, ...STORE_KEY }
  await setTarget(storeTarget)
  assert.equal((await testTarget({ ...storeTarget, secret: '', region: 'us-east-1' })).status, 200)
  for (const change of [{ bucket: 'other' }, { place: `${store.address}/x` }, { access_key: 'other' }])
    assert.match((await testTarget({ ...storeTarget, ...change, secret: '' })).json().message, /^Enter the secret key/)
  assert.equal((await applyTarget(null)).status, 200)
  assertRefused(await applyTarget(null), 409)
})

test('a backup contains no site key, no target of copies and no unencrypted secret', async () => {
  const store = await startStore()
  await setTarget({ place: store.address, bucket: store.bucket, ...STORE_KEY })
  const text = gunzipSync(await readFile(join(backupDir, await makeBackup()))).toString()
  assert.ok(!text.includes(TEST_KEY.export().toString('base64')) && !text.includes(TEST_KEY.export().toString('hex')))
  const { sealed } = await db.selectFrom('backup_targets').select('sealed').executeTakeFirstOrThrow()
  assert.ok(sealed)
  for (const secretText of ['"backup_targets"', sealed, STORE_KEY.secret])
    assert.ok(!text.includes(secretText), secretText)
})

test('the commands of a restore contain the site’s settings, but no password', () => {
  const settings = { dataDir: '/srv/my site', backupDir: '/mnt/b', siteKeyFile: '/srv/key' }
  assert.equal(
    writeRestoreCommand({ ...settings, databaseUrl: undefined }, {})
      .split('\n')
      .slice(1)
      .join('\n'),
    `DATA_DIR='/srv/my site' npm stop
mv '/srv/my site/db' '/srv/my site/db-before'-$(date +%s)
DATA_DIR='/srv/my site' BACKUP_DIR=/mnt/b SITE_KEY_FILE=/srv/key npm run restore -- /mnt/b/NAME
# Then start the site as before, on the restored database.`,
  )
  const databaseUrl = 'postgres://tamb:lihim@db.example:5433/tambayan?sslmode=require'
  const serverCommands = writeRestoreCommand({ ...settings, databaseUrl }, {})
  assert.match(serverCommands, /createdb --encoding=UTF8 --template=template0 tambayan_restored/)
  assert.match(serverCommands, /DATABASE_URL=postgres:\/\/tamb:PASSWORD@db\.example:5433\/tambayan_restored\n/)
  const serviceSettings = { ...settings, dataDir: '/var/lib/tambayan', backupDir: '/var/lib/tambayan/backups' }
  const serviceCommands = writeRestoreCommand(
    { ...serviceSettings, databaseUrl },
    { STATE_DIRECTORY: serviceSettings.dataDir },
  )
  assert.match(serviceCommands, /^systemctl stop tambayan\nrunuser -u postgres -- createdb --owner=tamb /)
  assert.match(serviceCommands, /\ntambayan restore \/var\/lib\/tambayan\/backups\/NAME\nsystemctl start tambayan$/)
  assert.doesNotMatch(serverCommands + serviceCommands, /lihim/)
})
