import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { SETTING_NAMES, type Settings } from '#contract/settings.ts'
import { ensureBuilt } from '#scripts/build.ts'
import { createApp } from '#server/app.ts'
import { createPublicQueue } from '#server/concurrency.ts'
import { type Config, readConfig } from '#server/config.ts'
import { markDriverError } from '#server/db/errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { openBuiltFrontend } from '#server/frontend.ts'
import { createAnswerCache } from '#server/http/answer-cache.ts'
import { createLimits } from '#server/http/limits.ts'
import { createMetrics } from '#server/http/metrics.ts'
import { createHeaderAdder } from '#server/http/security-headers.ts'
import { loadPages } from '#server/pages.ts'
import type { PushServices } from '#server/push/services.ts'
import { writeSettings } from '#server/settings.ts'
import { openTestDatabase, TEST_KEY, TEST_NOW, TEST_PASSWORD_COST, type TestDatabase, type World } from './databases.ts'

/** Creates a clock that only tests advance. */
export function createClock(start: Date = TEST_NOW) {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    set: (to: string | Date) => {
      at = new Date(to).getTime()
    },
    advance: (ms: number) => {
      at += ms
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

type Options = {
  world?: World
  env?: Record<string, string>
  /** Also renders pages; builds the site if its sources changed. */
  pages?: boolean
  config?: Partial<Config>
  database?: TestDatabase
  publicUrl?: string
  stopping?: AbortSignal
  pushServices?: PushServices
  discordApi?: string
}

/**
 * Creates the real app on a separate database, with a clock that tests advance. It is closed after the test file. `get`
 * and `post` also read the body of the response.
 */
export async function createTestApp(options: Options = {}) {
  const database = options.database ?? (await openTestDatabase(options.world ?? 'demo'))
  const clock = createClock()
  // The folder for files of the app, such as uploads.
  const dataDir = join(tmpdir(), `tambayan-test-${randomUUID()}`)
  const config = {
    ...readConfig({ DEMO: '1', DATA_DIR: dataDir, ...options.env }),
    passwordCost: TEST_PASSWORD_COST,
    ...options.config,
  }
  const publicQueue = createPublicQueue()
  const cache = createAnswerCache({
    now: () => clock.now().getTime(),
    lifetimeMs: 5000,
    maxBytes: 8_000_000,
    runQueued: publicQueue,
    addSecurityHeaders: createHeaderAdder('https://play.example.ph'),
    probe: () => sql`select 1`.execute(database.db),
  })
  await database.listen('content_changed', cache.clear)
  const sleepDurations: number[] = []
  const resolvedHosts: string[] = []
  const deps: Deps = {
    db: database.db,
    browseDb: database.browseDb,
    now: clock.now,
    sleep: async (ms) => void sleepDurations.push(ms),
    log: pino({ level: 'silent' }),
    config,
    frontend: openBuiltFrontend(),
    cache,
    publicQueue,
    limits: createLimits({ db: database.db, now: clock.now, config }),
    metrics: createMetrics({ cache, publicQueue, pools: { calls: database.db, browsing: database.browseDb } }),
    siteKey: TEST_KEY,
    resolveHost: async (host) => {
      resolvedHosts.push(host)
      return ['192.0.2.17']
    },
    publicUrl: options.publicUrl ?? 'https://play.example.ph',
    stopping: options.stopping,
    ...(options.pushServices && { pushServices: options.pushServices }),
    // Tests must never reach Discord.
    discordApi: options.discordApi ?? 'http://127.0.0.1:1',
  }
  if (options.pages) await ensureBuilt(() => {})
  const app = createApp(deps, options.pages ? await loadPages(deps) : undefined)
  if (options.database === undefined) after(() => database.close())
  // A picture may still be written into the folder, because pages have them drawn in the background.
  after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))

  async function send(path: string, init?: RequestInit) {
    const response = await app.fetch(new Request(`http://test.local${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
  return {
    ...deps,
    database,
    clock,
    /** The durations for which the site would have waited. */
    sleepDurations,
    /** The host names that the site resolved; each has the address 192.0.2.17. */
    resolvedHosts,
    app,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    send,
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** Changes settings like a command. The change takes effect in this site at once. */
export async function changeSettings(site: Pick<TestApp, 'db' | 'cache' | 'now'>, values: Partial<Settings>) {
  const versions = await site.db.selectFrom('settings').select(['name', 'version']).execute()
  const changes = SETTING_NAMES.filter((name) => name in values).map((name) => ({
    name,
    value: values[name],
    version: versions.find((setting) => setting.name === name)?.version ?? 0,
  }))
  await writeSettings(site.db, changes, { userNum: null, name: 'command test', now: site.now() })
  site.cache.clear()
}

/** Opens a database that is unavailable, as if its server were down. */
export function openUnavailableDatabase(): TestDatabase {
  const pool = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' })
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      markDriverError(error)
      throw error
    })
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
  })
  return {
    kind: 'postgres',
    db,
    browseDb: db,
    jobsDb: db,
    listen: async () => {},
    close: () => db.destroy(),
    url: undefined,
  }
}

export type HttpAnswer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/**
 * Serves an app on a real port until the test file ends, with the response cache before the router as in the running
 * site.
 *
 * @returns a function that sends a request and returns the response with its raw bytes; its `port` is the server's
 */
export async function listenOnPort({ app }: Pick<TestApp, 'app'>) {
  const route = getRequestListener(app.fetch)
  const server = createServer((req, res) => {
    if (!app.serveCached(req, res)) void route(req, res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const sendRequest = async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<HttpAnswer> => {
    const clientRequest = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = await response.toArray()
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
  }
  return Object.assign(sendRequest, { port })
}
