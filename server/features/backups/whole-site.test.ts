import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MINUTE_MS } from '#contract/durations.ts'
import { type Site, startSite } from '#server/start.ts'
import { openTestDatabase } from '#test/databases.ts'
import { waitUntil } from '#test/wait-until.ts'

// Runs a real site whose jobs make and check backups in separate processes, on either kind of database.
const folder = await mkdtemp(join(tmpdir(), 'tambayan-whole-'))
const database = process.env.TEST_DATABASE_URL === undefined ? undefined : await openTestDatabase('demo')
const env = {
  DATA_DIR: join(folder, 'data'),
  BACKUP_DIR: join(folder, 'backups'),
  PORT: '0',
  DEMO: '1',
  LOG_LEVEL: 'silent' as const,
  ...(database?.url !== undefined && { DATABASE_URL: database.url }),
}
let site: Site | undefined
after(async () => {
  await site?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A restore takes seconds, but can take minutes on a busy machine. */
const POLL_OPTIONS = { withinMs: 10 * MINUTE_MS, everyMs: 300 }

type Row = { name: string; made_by: string; rows: number; checking: boolean; checked_at: string; check_problem: string }

test('a running site makes a requested backup; a check restores it and reports a damaged one', async () => {
  site = await startSite({ ...env, LOG_LEVEL: 'fatal' }, () => {})
  const address = /: (http:\S+)/.exec(site.greeting)?.[1] ?? ''
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${address}/api${path}`, {
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const value = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(value))
    return value
  }
  const { data } = await call('/processlogin', { UserID: 'gm', UserPass: 'gm-demo-1' })
  const headers = { Authorization: `Bearer ${data.token}` }
  const readRows = async (): Promise<Row[]> => (await call('/admin/backups', undefined, headers)).rows
  const findRow = (name: string, isDone: (row: Row) => boolean) => async () =>
    (await readRows()).find((row) => row.name === name && isDone(row))

  await call('/admin/backups/make', {}, headers)
  const backup = await waitUntil(
    'the backup is made',
    async () => (await readRows()).find(({ made_by }) => made_by === 'gm'),
    POLL_OPTIONS,
  )
  assert.ok(backup.rows > 4000)

  const brokenName = 'tambayan-2026-01-01T04-30-00.backup.gz'
  const content = await readFile(join(env.BACKUP_DIR, backup.name))
  await writeFile(join(env.BACKUP_DIR, brokenName), content.subarray(0, content.length / 2))
  for (const name of [backup.name, brokenName]) await call('/admin/backups/check', { name }, headers)
  const checkedRow = await waitUntil(
    'the backup is checked',
    findRow(backup.name, ({ checked_at, checking }) => checked_at !== null && !checking),
    POLL_OPTIONS,
  )
  assert.deepEqual([checkedRow.check_problem, checkedRow.rows], ['', backup.rows])
  const brokenRow = await waitUntil(
    'the broken backup is checked',
    findRow(brokenName, ({ checked_at }) => checked_at !== null),
    POLL_OPTIONS,
  )
  assert.equal(brokenRow.check_problem, 'The backup is cut off.')
  assert.deepEqual(
    (await readdir(env.DATA_DIR)).filter((name) => name.startsWith('backup-')),
    [],
    'the database of the check is deleted',
  )
})
