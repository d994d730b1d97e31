/**
 * What every public answer costs with 25,000 items, 100,000 news and 1,000,000 characters, against the demo world, on
 * PostgreSQL (Debian's package): processor time of this process and of the database, without the answer cache. Deep pages
 * are compared with the demo's last ones. Making the large world takes several minutes.
 *
 * `node bench/growth.ts [PART OF AN ADDRESS]`; with GROWTH_SERVER=postgres://… on this machine, the two databases are
 * made there and kept for the next run.
 */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { ensureBuilt } from '#scripts/build.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/open.ts'
import { seedDemoWorld } from '#server/demo/seed.ts'
import type { Deps } from '#server/deps.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { loadPages } from '#server/pages.ts'
import { growWorld } from '#test/grown-world.ts'
import { compare, printRatio } from './side-by-side.ts'

const GROWTH = { items: 25_000, news: 100_000, characters: 1_000_000 }
const ROUNDS = 3
const CPU_MS_A_ROUND = 250
const MILLISECONDS_A_TICK = 10

/** Addresses asked for in both worlds, or first in the demo world and then in the large one. */
const ASKED: (string | [string, string])[] = [
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
  ...['price', '-price', 'name'].map((sort) => `/api/itemshop?q=an&page=3&sort=${sort}`),
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

async function openSite(server: string, name: string) {
  const { db, browseDb, close } = await openPostgres(server.replace(/[^/]*$/, name))
  const now = () => new Date()
  const config = readConfig({ RATE_LIMIT: 'off', DEMO: '1' })
  const cache = createAnswerCache({
    now: Date.now,
    lifetimeMs: -1,
    maxBytes: 100,
    seal: () => {},
    probe: async () => {},
  })
  const log = pino({ level: 'error' })
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, pools: { calls: db, browsing: browseDb } })
  const deps: Deps = { db, browseDb, now, log, config, cache, limits, metrics, publicUrl: 'https://play.example.ph' }
  const app = createApp(deps, await loadPages(deps))
  const get = async (path: string) => {
    const answer = await app.fetch(new Request(`https://play.example.ph${path}`))
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  /** Milliseconds of processor time that this process and the world's connections have used. */
  const usedMs = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const ticks = rows.map(({ pid }) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(fields[11]) + Number(fields[12])
    })
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + ticks.reduce((sum, used) => sum + used, 0) * MILLISECONDS_A_TICK
  }
  return { get, usedMs, close }
}

/** Processor time of one answer in milliseconds. */
async function costOf({ get, usedMs }: Awaited<ReturnType<typeof openSite>>, path: string): Promise<number> {
  const before = await usedMs()
  let used = 0
  let answers = 0
  while (used < CPU_MS_A_ROUND) {
    for (let more = 0; more < 5; more++, answers++) await get(path)
    used = (await usedMs()) - before
  }
  return used / answers
}

async function prepareWorlds(server: string): Promise<void> {
  const admin = await openPostgres(server)
  const { rows } = await sql<{ datname: string }>`
    select datname from pg_database where datname in ('demo', 'grown')`.execute(admin.db)
  const known = rows.map(({ datname }) => datname)
  if (!known.includes('demo')) {
    await sql`create database demo`.execute(admin.db)
    const demo = await openPostgres(server.replace(/[^/]*$/, 'demo'))
    await migrate(demo.db)
    await seedDemoWorld(demo.db, new Date())
    await rollOver(demo.db, new Date())
    await sql`vacuum analyze`.execute(demo.db)
    await demo.close()
  }
  if (!known.includes('grown')) {
    await sql`create database growing template demo`.execute(admin.db)
    const grown = await openPostgres(server.replace(/[^/]*$/, 'growing'))
    await growWorld(grown.jobsDb, GROWTH)
    await grown.close()
    await sql`alter database growing rename to grown`.execute(admin.db)
  }
  await admin.close()
}

const throwaway = process.env.GROWTH_SERVER === undefined ? await startThrowawayPostgres(['autovacuum=off']) : undefined
const server = throwaway?.url ?? process.env.GROWTH_SERVER ?? ''
await ensureBuilt(console.log)
await prepareWorlds(server)
const demo = await openSite(server, 'demo')
const grown = await openSite(server, 'grown')
for (const asked of ASKED) {
  const [inDemo, inGrown] = typeof asked === 'string' ? [asked, asked] : asked
  if (!inGrown.includes(process.argv[2] ?? '')) continue
  const found = await compare({
    ours: () => costOf(grown, inGrown),
    theirs: () => costOf(demo, inDemo),
    rounds: ROUNDS,
  })
  printRatio(`${decodeURIComponent(inGrown)} in the large world (ours) and the demo world (theirs)`, 'ms', found, {
    atMost: 1.5,
  })
}
await demo.close()
await grown.close()
await throwaway?.stop()
process.exit(0)
