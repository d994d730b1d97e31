import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { openTestDatabase } from '#test/databases.ts'
import { readConfig } from './config.ts'
import { listWarnings, watchForProxy } from './warnings.ts'

const demoDatabase = await openTestDatabase('demo')
const emptyDatabase = await openTestDatabase('empty')
after(() => Promise.all([demoDatabase.close(), emptyDatabase.close()]))

const readWarnings = (env: Record<string, string>, { db } = emptyDatabase) => listWarnings(readConfig(env), db)
const PUBLIC_ENV = { HOST: '0.0.0.0', PUBLIC_URL: 'https://play.example.ph' }

test('gives no warning for the defaults and for consistent settings', async () => {
  assert.deepEqual(await readWarnings({}, demoDatabase), [])
  assert.deepEqual(await readWarnings({ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, demoDatabase), [])
  const mail = { SMTP_URL: 'smtp://mail.example.ph', MAIL_FROM: 'Kanto <desk@example.ph>' }
  assert.deepEqual(await readWarnings({ ...PUBLIC_ENV, ...mail }), [])
})

test('warns of a public HOST without PUBLIC_URL', async () => {
  for (const host of ['0.0.0.0', '::', '203.0.113.5']) {
    const warnings = await readWarnings({ HOST: host })
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /^HOST is \S+, but PUBLIC_URL is not set: .+\. Set PUBLIC_URL to .+\.$/)
  }
})

test('warns of SMTP_URL without MAIL_FROM', async () => {
  const warnings = await readWarnings({ SMTP_URL: 'smtp://mail.example.ph' })
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /^SMTP_URL is set, but MAIL_FROM is not: .+\. Set MAIL_FROM to .+\.$/)
})

test('warns of demo accounts on a public address, even if DEMO was turned off later', async () => {
  for (const env of [
    { ...PUBLIC_ENV, DEMO: '1' },
    { ...PUBLIC_ENV, DEMO: '0' },
    { PUBLIC_URL: 'https://play.example.ph' },
  ]) {
    const warnings = await readWarnings(env, demoDatabase)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /^Anyone can log in as \w+ with the demo password\. Set DEMO=0 and /)
  }
})

test('does not warn of demo accounts that are blocked or have another password', async () => {
  const { db } = demoDatabase
  const accountsBefore = await db
    .selectFrom('accounts')
    .where('user_id', 'in', ['juan', 'maria', 'gm'])
    .selectAll()
    .execute()
  await db.updateTable('accounts').set({ blocked_at: new Date() }).where('user_id', '=', 'juan').execute()
  await db.updateTable('accounts').set({ password_hash: '!' }).where('user_id', 'in', ['maria', 'gm']).execute()
  assert.deepEqual(await readWarnings(PUBLIC_ENV, demoDatabase), [])
  for (const { user_num, blocked_at, password_hash } of accountsBefore)
    await db.updateTable('accounts').set({ blocked_at, password_hash }).where('user_num', '=', user_num).execute()
})

test('warns of a clock that differs from the database’s', async (t) => {
  const realNow = Date.now
  t.mock.method(Date, 'now', () => realNow() + HOUR_MS)
  const [clockWarning] = await readWarnings({})
  // The embedded database uses the clock of this process.
  if (emptyDatabase.kind === 'postgres')
    assert.match(
      clockWarning ?? '',
      /^This machine's clock is 3\d{3} seconds ahead of the database's\. Set both with a time server/,
    )
})

test('warns of a clock behind the site’s earlier writes', async () => {
  const due_at = sql<Date>`clock_timestamp()`
  await emptyDatabase.db
    .insertInto('jobs')
    .values({ name: 'mail', due_at, started_at: sql<Date>`clock_timestamp() + interval '2 days'` })
    .execute()
  const warnings = await readWarnings({})
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /^The clock shows \S+Z, but the site was already running on \S+Z\. Set the clock with/,
  )
  await emptyDatabase.db.deleteFrom('jobs').execute()
})

/** Sends requests with these headers, one after another, and returns the warnings. */
async function collectWarnings(env: Record<string, string>, requests: Record<string, string>[]): Promise<string[]> {
  const server = createServer((_, res) => res.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const warnings: string[] = []
  watchForProxy(server, readConfig(env), (line) => warnings.push(line))
  const { port } = server.address() as AddressInfo
  for (const headers of requests) await fetch(`http://127.0.0.1:${port}/`, { headers })
  return warnings
}

test('warns once of a proxy with TRUST_PROXY=0', async () => {
  const proxyHeaders = { 'X-Forwarded-For': '203.0.113.9' }
  const warnings = await collectWarnings({}, [{}, proxyHeaders, {}, proxyHeaders, { Forwarded: 'for=203.0.113.9' }])
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /TRUST_PROXY is 0: .+\. Set TRUST_PROXY to .+\.$/)
  assert.equal((await collectWarnings({}, [{ Forwarded: 'for=203.0.113.9' }])).length, 1)
  assert.deepEqual(await collectWarnings({}, [{}, {}]), [])
  assert.deepEqual(await collectWarnings({ TRUST_PROXY: '1' }, [proxyHeaders]), [])
})
