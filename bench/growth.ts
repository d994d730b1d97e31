/**
 * Measures the processor time of responses, of this process and of the database, in two comparisons: every public
 * response with 25,000 items, 100,000 news items and 1,000,000 characters against the demo world; and the pages of the
 * server's life after a year with 500 wars against those after a month with 50 wars. Deep pages are compared with the demo's
 * last ones. It runs on PostgreSQL (Debian's package), without cached responses, but with the values that responses share for
 * five seconds, such as totals. Creating the large world takes several minutes; with GROWTH_SERVER=postgres://… on this
 * machine, the databases are created there and reused by the next run.
 *
 * `node bench/growth.ts [PART OF AN ADDRESS]`; `--life` alone compares the server's life, without the large world.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { pino } from 'pino'
import { ANSWER_CACHE_MS } from '#contract/limits.ts'
import { seedDemoWorld } from '#demo/seed.ts'
import { ensureBuilt } from '#scripts/build.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createApp } from '#server/app.ts'
import { createPublicQueue } from '#server/concurrency.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { countFigures } from '#server/features/figures/count.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { openBuiltFrontend } from '#server/frontend.ts'
import { type AnswerCache, createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { loadPages } from '#server/pages.ts'
import { TEST_KEY } from '#test/databases.ts'
import { growLife, growWorld } from '#test/grown-world.ts'
import { compare, printRatio } from './side-by-side.ts'

const ADDRESS = 'https://play.example.ph'
const ROUNDS = 3
const CPU_MS_PER_ROUND = 250
const MS_PER_TICK = 10
const GROWTH = { items: 25_000, news: 100_000, characters: 1_000_000 }

/** Addresses to request in both worlds, or one address for each world. */
const ADDRESSES: (string | [small: string, large: string])[] = [
  '/api/shopcategories',
  '/api/itemshop?page=1',
  ['/api/itemshop?page=4', '/api/itemshop?page=1500'],
  '/api/itemshop?page=999999',
  ['/api/itemshop?sort=price&page=4', '/api/itemshop?sort=price&page=1500'],
  '/api/itemshop?sort=-price&page=999999',
  ['/api/itemshop?sort=name&page=4', '/api/itemshop?sort=name&page=1500'],
  ['/api/itemshop?category=2&page=2', '/api/itemshop?category=2&page=300'],
  ['/api/itemshop?category=2&page=2&sort=name', '/api/itemshop?category=2&page=300&sort=name'],
  ...['a', 'an', 'of', 'bottle', '42', 'zzzz'].map((q) => `/api/itemshop?q=${q}`),
  ...['price', '-price', 'name'].map((sortKey) => `/api/itemshop?q=an&page=3&sort=${sortKey}`),
  ['/api/shopitem/20', '/api/shopitem/20000'],
  '/api/getnewsall/0/1/0/1',
  '/api/getnewsall/0/8/1/0',
  ['/api/getnewsall/0/8/3/0', '/api/getnewsall/0/8/6000/0'],
  '/api/getnewsall/0/8/999999/0',
  '/api/getnewsall/0/50/0/0',
  ['/api/getnewsall/1/8/2/0', '/api/getnewsall/1/8/2000/0'],
  '/api/getnewsall/2/8/999999/0',
  ['/api/getspecificnews/20', '/api/getspecificnews/50000'],
  '/api/get-top-rankings-list',
  '/api/ranking-periods',
  '/api/site',
  '/api/club-areas',
  '/api/getSiteBanners',
  '/api/getdownloadsall',
  ...['gallery', 'wallpaper', 'movie'].map((kind) => `/api/media/${kind}`),
  ...['the', 'club', 'school', 'lantern', 'maintenance', 'potion', 'zzzzz', 'ma', 'st', 'an', 'juan', '4242'].map(
    (q) => `/api/search?q=${q}`,
  ),
  ...['patch notes', 'club war', '"club war"', 'the club -war', 'a or the or of or school or club'].map(
    (q) => `/api/search?q=${encodeURIComponent(q)}`,
  ),
  ['/api/search?q=club&kind=news&page=2', '/api/search?q=club&kind=news&page=5'],
  ['/api/search?q=ma&kind=characters&page=2', '/api/search?q=ma&kind=characters&page=50'],
  '/sitemap.xml',
  '/feed.xml',
  '/',
  ['/news?board=all&page=3', '/news?board=all&page=6000'],
  ['/itemshop?category=0&page=4', '/itemshop?category=0&page=1500'],
  '/rankings',
  '/search?q=club',
]

/** Addresses to request in the world with a long life. */
const LIFE_ADDRESSES = [
  '/api/activity',
  '/api/activity?only=game&size=6',
  '/api/wars',
  '/api/wars/league/2',
  '/api/events',
  '/api/events/1',
  '/api/titles',
  '/api/club/1',
  '/api/character/1',
  '/api/players-online',
  '/',
  '/activity',
  '/wars',
  '/wars/2',
  '/titles',
  '/launcher',
  '/launcher.json',
]
const LIFE = { activity: 100_000, wars: 500 }
/** A short life, after which every list is full. */
const SHORT_LIFE = { activity: 1000, wars: 50 }
const LIFE_MAX_RATIO = 1.5

/** Returns how many times the cost of the small world a response may have in the large one. */
function getMaxRatio(address: string): number {
  if (address.includes('q=')) return 5
  return /news|itemshop/.test(address) ? 8 : 3
}

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { life: { type: 'boolean' } } })
const [addressPart = ''] = positionals

await ensureBuilt(console.log)
const throwaway = process.env.GROWTH_SERVER === undefined ? await startThrowawayPostgres(['autovacuum=off']) : undefined
const server = throwaway?.url ?? process.env.GROWTH_SERVER ?? ''
await prepareWorld(server, 'demo', async () => {})
const smallSite = await openSite(server, 'demo')
if (!options.life) await compareLargeWorld()
await compareLongLife()
await smallSite.close()
await throwaway?.stop()
process.exit(0)

async function compareLargeWorld(): Promise<void> {
  await prepareWorld(server, 'grown', (db) => growWorld(db, GROWTH))
  const largeSite = await openSite(server, 'grown')
  for (const address of ADDRESSES) {
    const [smallPath, largePath] = typeof address === 'string' ? [address, address] : address
    if (!largePath.includes(addressPart)) continue
    const ratio = await compare({
      subject: () => measureCost(largeSite, largePath),
      reference: () => measureCost(smallSite, smallPath),
      rounds: ROUNDS,
    })
    printRatio(
      `${decodeURIComponent(largePath)} in the large world (subject) and the small world (reference)`,
      'ms',
      ratio,
      {
        atMost: getMaxRatio(largePath),
      },
    )
  }
  await largeSite.close()
}

async function compareLongLife(): Promise<void> {
  await prepareWorld(server, 'lived', (db) => growLife(db, LIFE))
  await prepareWorld(server, 'month', (db) => growLife(db, SHORT_LIFE))
  const longSite = await openSite(server, 'lived')
  const shortSite = await openSite(server, 'month')
  for (const address of LIFE_ADDRESSES) {
    if (!address.includes(addressPart)) continue
    const ratio = await compare({
      subject: () => measureCost(longSite, address),
      reference: () => measureCost(shortSite, address),
      rounds: ROUNDS,
    })
    const title = `${address} after a year with 500 wars (subject) and a month with 50 (reference)`
    printRatio(title, 'ms', ratio, { atMost: LIFE_MAX_RATIO })
  }
  await longSite.close()
  await shortSite.close()
}

/** Creates a world from the demo world, unless the server has one of that name. */
async function prepareWorld(server: string, name: string, growDatabase: (db: Db) => Promise<void>): Promise<void> {
  const admin = await openPostgres(server)
  const { rows } = await sql`select from pg_database where datname = ${name}`.execute(admin.db)
  if (rows.length === 0) {
    await sql`drop database if exists growing`.execute(admin.db)
    await sql`create database growing`.execute(admin.db)
    const { db, jobsDb, close } = await openPostgres(server.replace(/[^/]*$/, 'growing'))
    await migrate(db)
    await seedDemoWorld(db, new Date())
    await rollOver(db, new Date())
    await jobsDb.connection().execute(growDatabase)
    await countFigures(jobsDb, new Date(), { all: true })
    await sql`vacuum analyze`.execute(jobsDb)
    await close()
    await sql`alter database growing rename to ${sql.id(name)}`.execute(admin.db)
  }
  await admin.close()
}

/** Opens the site on a world, without cached responses. */
async function openSite(server: string, name: string) {
  const { db, browseDb, jobsDb, close } = await openPostgres(server.replace(/[^/]*$/, name))
  const now = () => new Date()
  const config = readConfig({ RATE_LIMIT: 'off', DEMO: '1' })
  const publicQueue = createPublicQueue()
  const cache: AnswerCache = {
    ...createAnswerCache({
      now: Date.now,
      lifetimeMs: ANSWER_CACHE_MS,
      maxBytes: 16 * 1024 * 1024,
      runQueued: publicQueue,
      addSecurityHeaders: () => {},
      probe: async () => {},
    }),
    respond: async (_request, _key, createAnswer) => {
      const { body, status, headers } = await createAnswer()
      return new Response(body, { status, headers })
    },
  }
  const log = pino({ level: 'error' })
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, publicQueue, pools: { calls: db, browsing: browseDb } })
  const deps: Deps = {
    db,
    browseDb,
    now,
    sleep,
    log,
    config,
    frontend: openBuiltFrontend(),
    cache,
    publicQueue,
    limits,
    metrics,
    siteKey: TEST_KEY,
    resolveHost: async () => [],
    publicUrl: ADDRESS,
  }
  const app = createApp(deps, await loadPages(deps))
  const get = async (path: string) => {
    const answer = await app.fetch(new Request(`${ADDRESS}${path}`))
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  /** Returns the milliseconds of processor time that this process and the site's connections have used. */
  const measureUsedMs = async () => {
    // Uses a separate connection, because the query leaves its own connection out.
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
      jobsDb,
    )
    const ticks = rows.map(({ pid }) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(fields[11]) + Number(fields[12])
    })
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + ticks.reduce((sum, tickCount) => sum + tickCount, 0) * MS_PER_TICK
  }
  return { get, measureUsedMs, close }
}

/** Measures the processor time of one response, in milliseconds. */
async function measureCost(
  { get, measureUsedMs }: Awaited<ReturnType<typeof openSite>>,
  path: string,
): Promise<number> {
  const before = await measureUsedMs()
  let processorMs = 0
  let answers = 0
  while (processorMs < CPU_MS_PER_ROUND) {
    for (let request = 0; request < 5; request++, answers++) await get(path)
    processorMs = (await measureUsedMs()) - before
  }
  return processorMs / answers
}
