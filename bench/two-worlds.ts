import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { seedDemoWorld } from '#demo/seed.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createApp } from '#server/app.ts'
import { createPublicQueue } from '#server/concurrency.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { countFigures } from '#server/features/figures/count.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { loadPages } from '#server/pages.ts'
import { TEST_KEY } from '#test/databases.ts'
import { compare, printRatio } from './side-by-side.ts'

const ADDRESS = 'https://play.example.ph'
const ROUNDS = 3
const CPU_MS_A_ROUND = 250
const MILLISECONDS_A_TICK = 10

/**
 * An address that both worlds are asked for, or that of the small world and that of the large one, and what the ratio may
 * be, if not 1.5.
 */
export type Probe = string | [small: string, large: string, atMost?: number]

/** A database and how it is made out of a demo world, on one connection. */
type World = { name: string; grow: (db: Db) => Promise<void> }

/**
 * Compares what answers cost in a small world and in a large one, on PostgreSQL (Debian's package): processor time of this
 * process and of the database, without the answer cache unless told. Prints a ratio for each address that contains the part named on
 * the command line.
 *
 * With GROWTH_SERVER=postgres://… on this machine, the databases are made there and kept for the next run.
 *
 * @param options.small the small world, the demo world unless given
 * @param options.as whom to ask as: user ID and password; nobody unless given
 * @param options.kept addresses that are compared with the answer cache at work, as in a running site
 */
export async function compareWorlds(
  asked: readonly Probe[],
  {
    small = { name: 'demo', grow: async () => {} },
    large,
    as,
    kept = [],
  }: { small?: World; large: World; as?: [string, string]; kept?: readonly Probe[] },
): Promise<void> {
  const throwaway =
    process.env.GROWTH_SERVER === undefined ? await startThrowawayPostgres(['autovacuum=off']) : undefined
  const server = throwaway?.url ?? process.env.GROWTH_SERVER ?? ''
  for (const world of [small, large]) await prepareWorld(server, world)
  const named = process.argv[2] ?? ''
  const compareAll = async (paths: readonly Probe[], keeps: boolean) => {
    const ours = await openSite(server, large.name, { keeps, as })
    const theirs = await openSite(server, small.name, { keeps, as })
    for (const path of paths) {
      const [inSmall, inLarge, atMost = 3] = typeof path === 'string' ? [path, path] : path
      if (!inLarge.includes(named)) continue
      const found = await compare({
        ours: () => costOf(ours, inLarge),
        theirs: () => costOf(theirs, inSmall),
        rounds: ROUNDS,
      })
      printRatio(`${decodeURIComponent(inLarge)} in the large world (ours) and the small world (theirs)`, 'ms', found, {
        atMost,
      })
    }
    await ours.close()
    await theirs.close()
  }
  await compareAll(asked, false)
  await compareAll(kept, true)
  await throwaway?.stop()
}

async function prepareWorld(server: string, { name, grow }: World): Promise<void> {
  const admin = await openPostgres(server)
  const { rows } = await sql`select from pg_database where datname = ${name}`.execute(admin.db)
  if (rows.length === 0) {
    await sql`drop database if exists growing`.execute(admin.db)
    await sql`create database growing`.execute(admin.db)
    const { db, jobsDb, close } = await openPostgres(server.replace(/[^/]*$/, 'growing'))
    await migrate(db)
    await seedDemoWorld(db, new Date())
    await rollOver(db, new Date())
    await jobsDb.connection().execute(grow)
    await countFigures(jobsDb, new Date(), { all: true })
    await sql`vacuum analyze`.execute(jobsDb)
    await close()
    await sql`alter database growing rename to ${sql.id(name)}`.execute(admin.db)
  }
  await admin.close()
}

async function openSite(
  server: string,
  name: string,
  { keeps, as }: { keeps: boolean; as: [string, string] | undefined },
) {
  const { db, browseDb, jobsDb, close } = await openPostgres(server.replace(/[^/]*$/, name))
  const now = () => new Date()
  const config = readConfig({ RATE_LIMIT: 'off', DEMO: '1' })
  const publicQueue = createPublicQueue()
  const cache = createAnswerCache({
    now: Date.now,
    lifetimeMs: keeps ? 5000 : -1,
    maxBytes: keeps ? 10_000_000 : 100,
    runQueued: publicQueue,
    addSecurityHeaders: () => {},
    probe: async () => {},
  })
  const log = pino({ level: 'error' })
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, publicQueue, pools: { calls: db, browsing: browseDb } })
  const kept = { cache, publicQueue, limits, metrics }
  const deps: Deps = {
    db,
    browseDb,
    now,
    sleep,
    log,
    config,
    ...kept,
    siteKey: TEST_KEY,
    resolveHost: async () => [],
    publicUrl: ADDRESS,
  }
  const app = createApp(deps, await loadPages(deps))
  const headers = as === undefined ? {} : await logIn(app, as)
  const get = async (path: string) => {
    const answer = await app.fetch(new Request(`${ADDRESS}${path}`, { headers }))
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.text()
  }
  /** Milliseconds of processor time that this process and the connections of the site have used. */
  const usedMs = async () => {
    // Asked by a connection that no answer uses, since it leaves itself out.
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
    return (user + system) / 1000 + ticks.reduce((sum, used) => sum + used, 0) * MILLISECONDS_A_TICK
  }
  return { get, usedMs, close }
}

async function logIn(app: ReturnType<typeof createApp>, [UserID, UserPass]: [string, string]) {
  const answer = await app.fetch(
    new Request(`${ADDRESS}/api/processlogin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ UserID, UserPass }),
    }),
  )
  const { data } = await answer.json()
  return { Authorization: `Bearer ${data.token}` }
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
