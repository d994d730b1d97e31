import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { seedDemoWorld } from '#demo/seed.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { createTestApp, openUnavailableDatabase } from '#test/helpers.ts'
import { createBuyer, insertVouchers } from '#test/money-helpers.ts'
import { waitUntil } from '#test/wait-until.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './open.ts'

const serverUrl = process.env.TEST_DATABASE_URL
const SERVER_ONLY = { skip: serverUrl === undefined ? 'needs PostgreSQL: npm run test:postgres' : false }

/** Creates a database without any table and returns its address. */
async function createBareDatabase(): Promise<string> {
  const name = `bare_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  after(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(serverUrl ?? '')
  url.pathname = `/${name}`
  return url.href
}

test('refuses an unreachable server at once', async () => {
  await openUnavailableDatabase().close()
  await assert.rejects(openPostgres('postgres://nobody@127.0.0.1:1/nothing'), { code: 'ECONNREFUSED' })
})

test('processes that migrate and seed at the same time create one demo world', SERVER_ONLY, async () => {
  const url = await createBareDatabase()
  const processes = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url)))
  const outcomes = await Promise.all(
    processes.map(async ({ jobsDb: db }) => {
      const applied = await migrate(db)
      const seeded = await seedDemoWorld(db, TEST_NOW)
      await rollOver(db, TEST_NOW)
      return { applied: applied.length > 0, seeded }
    }),
  )
  assert.equal(outcomes.filter(({ applied }) => applied).length, 1)
  assert.equal(outcomes.filter(({ seeded }) => seeded).length, 1)
  const [firstProcess] = processes
  assert.ok(firstProcess)
  const { rows } = await sql<{ gms: number; periods: number }>`
    select (select count(*) from accounts where user_id = 'gm') as gms,
           (select count(*) from ranking_periods where closed_at is null) as periods`.execute(firstProcess.db)
  assert.deepEqual(rows, [{ gms: 1, periods: 1 }])
  await Promise.all(processes.map((process) => process.close()))
})

/** A proxy to the server that can be cut. It counts its connections. */
async function createCutableProxy() {
  const target = new URL(serverUrl ?? '')
  const openSockets = new Set<Socket>()
  let isCut = false
  let refusals = 0
  const proxy = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    if (isCut) {
      refusals++
      socket.destroy()
      return
    }
    openSockets.add(socket)
    const upstream = connect(Number(target.port), target.hostname)
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => {
      openSockets.delete(socket)
      upstream.destroy()
    })
    socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  return {
    port: (proxy.address() as AddressInfo).port,
    connected: () => openSockets.size,
    refusals: () => refusals,
    cut: () => {
      isCut = true
      for (const socket of openSockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
  }
}

test('a site reports a lost database, recovers and clears its cache', SERVER_ONLY, async () => {
  const migratedDatabase = await openTestDatabase('empty')
  after(() => migratedDatabase.close())
  const proxy = await createCutableProxy()
  const url = new URL(migratedDatabase.url ?? '')
  url.host = `127.0.0.1:${proxy.port}`
  // The proxy listens on a port and not on the server's socket.
  url.searchParams.delete('host')
  const database = { ...(await openPostgres(url.href)), url: undefined }
  const site = await createTestApp({ database })
  assert.equal((await site.get('/api/getSiteBanners')).status, 200)
  assert.equal(site.cache.getSize().entries, 1)

  proxy.cut()
  assert.equal((await site.get('/readyz')).status, 503)
  assert.equal((await site.get('/api/getnewsall/0/8/1/0')).status, 503)
  await waitUntil('four attempts to listen again', () => proxy.refusals() >= 4)
  proxy.mend()
  await waitUntil('ready again', async () => (await site.get('/readyz')).status === 200)
  await waitUntil('the cached responses are dropped', () => site.cache.getSize().entries === 0)

  // Each `listen` keeps a single connection, however often it reconnected: here the site’s and this test’s.
  let notificationCount = 0
  await database.listen('content_changed', () => notificationCount++)
  const listeningQuery = sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
  await waitUntil('both listen', async () => Number((await listeningQuery.execute(database.db)).rows[0]?.count) >= 2)
  await sql`notify content_changed, 'news'`.execute(database.db)
  await waitUntil('the change is notified', () => notificationCount > 0)
  assert.equal(Number((await listeningQuery.execute(database.db)).rows[0]?.count), 2)
  assert.equal(notificationCount, 1)
  await database.close()
  await waitUntil('no connection is left', () => proxy.connected() === 0)
})

test('a connection that the server ends does not end the site', SERVER_ONLY, async () => {
  const site = await createTestApp({ world: 'empty' })
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await Promise.all(Array.from({ length: 5 }, () => site.get('/readyz')))
  const { rowCount } = await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    new URL(site.database.url ?? '').pathname.slice(1),
  ])
  assert.ok((rowCount ?? 0) > 0)
  await waitUntil('ready again', async () => (await site.get('/readyz')).status === 200)
  await admin.end()
})

test('continues while a newer version adds columns to every table', SERVER_ONLY, async () => {
  const site = await createTestApp()
  const { database } = site
  const buyer = await createBuyer(site, { rCoin: 1e6, milleage: 1e6 })
  const item = await database.db
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .select('product_num')
    .executeTakeFirstOrThrow()
  const useSite = async () => {
    const codes = await insertVouchers(database.db, 1)
    const answers = [
      await buyer.redeem(codes[0] ?? ''),
      await buyer.add(item.product_num),
      await buyer.post('/api/buycartitem'),
      await buyer.post(`/api/buyitem?productnum=${item.product_num}`),
      await buyer.get('/api/shoppurchases'),
      await site.get('/api/get-top-rankings-list'),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
  }
  await useSite()
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(database.db)
  for (const { name } of rows)
    await sql`alter table ${sql.table(name)} add column of_tomorrow text not null default 'new'`.execute(database.db)
  site.cache.clear()
  await useSite()
})
