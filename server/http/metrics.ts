import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { LAST_BACKUP_TIME } from '../backup/backup-records.ts'
import type { PublicQueue } from '../concurrency.ts'
import { getPoolUse } from '../db/connections.ts'
import type { Db } from '../db/open.ts'
import type { AnswerCache } from './answer-cache.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** How long /metrics waits for the database. After that, it shows only the other metrics. */
const DATABASE_TIMEOUT_MS = 1000
/** Waiting mails are counted up to this number. */
const MAILS_COUNTED_MAX = 10_000

type MetricsSources = { cache: AnswerCache; publicQueue: PublicQueue; pools: { calls: Db; browsing: Db } }

/** Creates the metrics. Those about all processes are read from the database at each request. */
export function createMetrics({ cache, publicQueue, pools }: MetricsSources) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'tambayan_request_seconds',
    help: 'Time to answer requests that reached the router',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2],
    registers,
  })
  const refusals = new Counter({
    name: 'tambayan_refusals_total',
    help: 'Requests that were refused, by the kind of refusal',
    labelNames: ['kind'],
    registers,
  })
  const deskRefusals = new Counter({
    name: 'tambayan_desk_refusals_total',
    help: 'Calls of the desk that were refused for who called: 401 and 403, by the kind of refusal',
    labelNames: ['status', 'kind'],
    registers,
  })
  const purchases = new Counter({
    name: 'tambayan_purchases_total',
    help: 'Purchases that were made, not counting retries of the same one',
    registers,
  })
  const cachedAnswers = new Counter({
    name: 'tambayan_cached_answers_total',
    help: 'Requests answered from the cache, before the router',
    registers,
  })
  registerGauge(
    'tambayan_public_queue_running',
    'Pages, lists and searches being made',
    () => publicQueue.getLoad().running,
  )
  registerGauge(
    'tambayan_public_queue_waiting',
    'Pages, lists and searches waiting',
    () => publicQueue.getLoad().waiting,
  )
  registerGauge('tambayan_answer_cache_bytes', 'Memory held by the answer cache', () => cache.getSize().bytes)
  registerGauge('tambayan_answer_cache_entries', 'Responses in the answer cache', () => cache.getSize().entries)
  new Counter({
    name: 'tambayan_stale_answers_total',
    help: 'Expired answers sent because the database was unreachable or slow',
    registers,
    collect() {
      this.reset()
      this.inc(cache.countStale())
    },
  })
  new Gauge({
    name: 'tambayan_database_connections',
    help: 'Connections to PostgreSQL: idle, busy, and those that requests wait for',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, db] of Object.entries(pools)) {
        const poolUse = getPoolUse(db)
        if (poolUse === undefined) continue
        this.set({ pool, state: 'idle' }, poolUse.idleCount)
        this.set({ pool, state: 'busy' }, poolUse.totalCount - poolUse.idleCount)
        this.set({ pool, state: 'waiting' }, poolUse.waitingCount)
      }
    },
  })
  const database = createDatabaseMetrics(registry, pools.browsing)

  /** Registers a metric that is read at each request. */
  function registerGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }

  const observe: MiddlewareHandler = async (c, next) => {
    const stopTimer = duration.startTimer({ method: c.req.method })
    await next()
    stopTimer({ status: String(c.res.status) })
  }

  return {
    observe,
    countCached: () => cachedAnswers.inc(),
    countPurchase: () => purchases.inc(),
    countRefusal: (kind: string) => refusals.inc({ kind }),
    countDeskRefusal: (status: number, kind: string) => deskRefusals.inc({ status, kind }),
    contentType: registry.contentType,
    /** Returns all metrics as Prometheus text. */
    read: async () => {
      await database.read()
      return registry.metrics()
    },
  }
}

type MailBacklog = { waiting: number; oldest_seconds: number }
type JobTimes = { name: string; succeeded: number | null; failed: number | null }

/** Creates the metrics from the database: jobs, backups, emails. They are left out while the database does not answer. */
function createDatabaseMetrics(registry: Registry, db: Db) {
  const registerGauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const databaseUp = registerGauge('tambayan_database_up', 'Whether the database answered within a second')
  const mails = registerGauge('tambayan_mails_waiting', `Emails waiting to be sent, counted up to ${MAILS_COUNTED_MAX}`)
  const oldest = registerGauge('tambayan_mails_oldest_seconds', 'Age of the oldest of them')
  const lastSuccess = registerGauge('tambayan_job_last_success_timestamp_seconds', 'When a job last succeeded', ['job'])
  const lastFailure = registerGauge('tambayan_job_last_failure_timestamp_seconds', 'When a job last failed', ['job'])
  const backupAge = registerGauge('tambayan_backup_age_seconds', 'Age of the last backup, nightly or by npm run backup')

  function resetGauges(): void {
    for (const metric of [lastSuccess, lastFailure, backupAge, mails, oldest]) {
      metric.reset()
      metric.remove({})
    }
  }

  async function readDatabase(): Promise<boolean> {
    const backlog = await sql<MailBacklog>`
      select count(*)::int as waiting,
        coalesce(greatest(0, extract(epoch from clock_timestamp() - min(created_at))), 0)::float8 as oldest_seconds
      from (select created_at from mail_outbox where sent_at is null and given_up_at is null
        limit ${sql.lit(MAILS_COUNTED_MAX)}) m`.execute(db)
    const jobs = await sql<JobTimes>`
      select name, extract(epoch from succeeded_at)::float8 as succeeded, extract(epoch from failed_at)::float8 as failed
      from jobs`.execute(db)
    const backups = await sql<{ age: number | null }>`
      select extract(epoch from clock_timestamp() - ${LAST_BACKUP_TIME})::float8 as age`.execute(db)
    resetGauges()
    mails.set(backlog.rows[0]?.waiting ?? 0)
    oldest.set(backlog.rows[0]?.oldest_seconds ?? 0)
    for (const { name, succeeded, failed } of jobs.rows) {
      if (succeeded !== null) lastSuccess.set({ job: name }, succeeded)
      if (failed !== null) lastFailure.set({ job: name }, failed)
    }
    const age = backups.rows[0]?.age ?? null
    if (age !== null) backupAge.set(age)
    return true
  }

  return {
    read: async () => {
      const isDatabaseUp = await Promise.race([
        readDatabase().catch(() => false),
        sleep(DATABASE_TIMEOUT_MS, false, { ref: false }),
      ])
      if (!isDatabaseUp) resetGauges()
      databaseUp.set(isDatabaseUp ? 1 : 0)
    },
  }
}

/** Headers that proxies add. A request with one of them comes from another machine, even if its socket is local. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']

/**
 * Returns whether a request may read /metrics: with METRICS_TOKEN as bearer token, or directly from this machine. A direct
 * request has a local socket, no header of a proxy, and a local host name. The host name is checked because a proxy may add
 * no headers, and a web page can point its own domain at this machine.
 */
export function mayReadMetrics(c: Context, token: string | undefined): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  if (token !== undefined && bearer !== undefined) return isSameSecret(bearer, token)
  const names = Object.keys(c.req.header())
  if (names.some((name) => name.startsWith('x-forwarded-') || PROXY_HEADERS.includes(name))) return false
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  const host = c.req.header('Host')
  const requestedHost = host === undefined ? 'localhost' : (URL.parse(`http://${host}`)?.hostname ?? '')
  return (
    isLoopback(incoming?.socket.remoteAddress ?? '127.0.0.1') &&
    (requestedHost === 'localhost' || isLoopback(requestedHost))
  )
}

function isLoopback(address: string): boolean {
  const plainAddress = address.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(plainAddress) && ipaddr.process(plainAddress).range() === 'loopback'
}

function isSameSecret(candidate: string, secret: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
