import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp, listenOnPort, openUnavailableDatabase } from '#test/helpers.ts'
import { createBuyer, insertItem } from '#test/money-helpers.ts'

const TOKEN = 'a-token-of-our-own-7'
const site = await createTestApp({ env: { METRICS_TOKEN: TOKEN, TRUST_PROXY: '1', RATE_LIMIT: 'off' } })
const { db } = site

/** Reads the metrics by their name with labels. */
async function readMetrics(app = site): Promise<Map<string, number>> {
  const { text } = await app.get('/metrics')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('shows metrics to this machine over a real socket', async () => {
  const get = await listenOnPort(site)
  assert.equal((await get('/metrics')).status, 200)
  assert.equal((await get('/metrics', { host: 'localhost:3000' })).status, 200)
})

test('hides metrics behind a proxy on this machine and under another host name', async () => {
  const get = await listenOnPort(site)
  const proxyHeaders: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { via: '1.1 proxy' },
    { host: 'play.example.ph' },
    { host: 'evil.example:3000' },
  ]
  for (const headers of proxyHeaders)
    assert.equal((await get('/metrics', headers)).status, 404, JSON.stringify(headers))
})

test('shows metrics anywhere with the token, and never with a wrong one', async () => {
  const requestMetrics = (authorization: string | undefined, remoteAddress: string) =>
    site.app.request(
      '/metrics',
      { headers: authorization === undefined ? {} : { authorization } },
      { incoming: { socket: { remoteAddress } } },
    )
  const readStatus = async (authorization: string | undefined, address = '203.0.113.9') =>
    (await requestMetrics(authorization, address)).status
  assert.equal(await readStatus(`Bearer ${TOKEN}`), 200)
  assert.equal(await readStatus(undefined), 404)
  assert.equal(await readStatus('Bearer wrong-token-of-ours'), 404)
  assert.equal(await readStatus('Bearer wrong-token-of-ours', '127.0.0.1'), 404)
  for (const loopback of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    assert.equal(await readStatus(undefined, loopback), 200, loopback)
  for (const otherAddress of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1'])
    assert.equal(await readStatus(undefined, otherAddress), 404, otherAddress)
})

test('counts purchases once, and refusals by their kind', async () => {
  const item = await insertItem(db, { price: 100, section: 2 })
  const juan = await createBuyer(site, { rCoin: 150 })
  const before = await readMetrics()
  await juan.buy(item, 'once')
  await juan.buy(item, 'once')
  await juan.buy(item, 'short')
  const after = await readMetrics()
  const countGrowth = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  assert.equal(countGrowth('tambayan_purchases_total'), 1)
  assert.equal(countGrowth('tambayan_refusals_total{kind="shortRCoin"}'), 1)
})

test('shows the number of waiting emails and the age of the oldest', async () => {
  await db.deleteFrom('mail_outbox').execute()
  const mail = { to_address: 'ana@example.net', subject: '', body_text: '', body_html: '', next_attempt_at: new Date() }
  const createTimeAgo = (minutes: number) => sql<Date>`clock_timestamp() - ${minutes} * interval '1 minute'`
  await db
    .insertInto('mail_outbox')
    .values([
      { ...mail, created_at: createTimeAgo(10) },
      { ...mail, created_at: createTimeAgo(5) },
      { ...mail, created_at: createTimeAgo(90), sent_at: createTimeAgo(1) },
    ])
    .execute()
  const metrics = await readMetrics()
  assert.equal(metrics.get('tambayan_mails_waiting'), 2)
  const age = metrics.get('tambayan_mails_oldest_seconds') ?? 0
  assert.ok(age >= 600 && age < 5400, `${age}`)
})

test('shows when each job last succeeded and failed, and the age of the backup', async () => {
  const createTimeAgo = (hours: number) => sql<Date>`clock_timestamp() - ${hours} * interval '1 hour'`
  await db.deleteFrom('jobs').execute()
  await db
    .insertInto('jobs')
    .values([
      { name: 'backup', due_at: createTimeAgo(-1), succeeded_at: createTimeAgo(7), failed_at: createTimeAgo(3) },
      { name: 'mail', due_at: createTimeAgo(-1) },
    ])
    .execute()
  await db
    .insertInto('backups')
    .values({ made_at: createTimeAgo(7), name: 'a.backup.gz', rows: 1, bytes: 1 })
    .execute()
  const metrics = await readMetrics()
  const succeededAt = metrics.get('tambayan_job_last_success_timestamp_seconds{job="backup"}') ?? 0
  const failedAt = metrics.get('tambayan_job_last_failure_timestamp_seconds{job="backup"}') ?? 0
  assert.equal(Math.round((failedAt - succeededAt) / 3600), 4)
  assert.equal(metrics.has('tambayan_job_last_success_timestamp_seconds{job="mail"}'), false)
  const age = metrics.get('tambayan_backup_age_seconds') ?? 0
  assert.ok(age >= 7 * 3600 && age < 8 * 3600, `${age}`)
})

test('shows the connections of each pool on PostgreSQL, and none of the embedded database', async () => {
  const metrics = await readMetrics()
  for (const pool of ['calls', 'browsing'])
    for (const state of ['idle', 'busy', 'waiting'])
      assert.equal(
        metrics.has(`tambayan_database_connections{pool="${pool}",state="${state}"}`),
        site.database.kind === 'postgres',
        `${pool} ${state}`,
      )
})

test('shows the size of the answer cache', async () => {
  site.cache.clear()
  await site.get('/api/shopcategories')
  const metrics = await readMetrics()
  assert.equal(metrics.get('tambayan_answer_cache_entries'), 1)
  assert.ok((metrics.get('tambayan_answer_cache_bytes') ?? 0) > 0)
  assert.equal(metrics.get('tambayan_stale_answers_total'), 0)
})

test('shows the metrics that need no database while it is unavailable', async () => {
  const offlineSite = await createTestApp({ database: openUnavailableDatabase() })
  const metrics = await readMetrics(offlineSite)
  assert.equal(metrics.get('tambayan_database_up'), 0)
  assert.equal(metrics.has('tambayan_mails_waiting'), false)
  assert.ok((metrics.get('process_resident_memory_bytes') ?? 0) > 0)
  assert.equal((await readMetrics()).get('tambayan_database_up'), 1)
})
