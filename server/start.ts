import { createServer, type RequestListener, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { OWNER } from '#contract/permissions.ts'
import { startBuilding } from '#scripts/build.ts'
import { createApp } from './app.ts'
import { type Config, publicUrlOf, readConfig, StartError } from './config.ts'
import { controlCommands } from './control.ts'
import { DataDirInUse, lockDataDir } from './data-lock.ts'
import { UnfitDatabase } from './db/errors.ts'
import { migrate, readSchemaState } from './db/migrate.ts'
import { type Database, type Db, openPostgres } from './db/open.ts'
import { DEMO_ACCOUNTS, seedDemoWorld } from './demo/seed.ts'
import type { Deps } from './deps.ts'
import { describeDamage, isDamage, markWorld, openWorld } from './embedded-world.ts'
import { createErrorCounter } from './error-counter.ts'
import { stopPasswordThreads } from './features/accounts/passwords.ts'
import { repeatErasures } from './features/players/erasures.ts'
import { rollOver } from './features/rankings/rollover.ts'
import { createAnswerCache } from './http/answer-cache.ts'
import { createHttpServer } from './http/http-server.ts'
import { createLimits } from './http/limits.ts'
import { createMetrics } from './http/metrics.ts'
import { createSeal } from './http/security-headers.ts'
import { returnMemoryWhenIdle } from './idle-memory.ts'
import { readClock } from './job-runner.ts'
import { startJobs } from './jobs.ts'
import { loadPages } from './pages.ts'
import { keepPrivate } from './private-folder.ts'
import { listWarnings, watchForProxy } from './warnings.ts'

const CACHE_LIFETIME_MS = 5000
const CACHE_MAX_BYTES = 16 * 1024 * 1024

/** A running site: the greeting for the person who started it, and how to stop it. */
export type Site = { greeting: string; server: Server; close(): Promise<void> }

/**
 * Starts the site: settings, data directory, build, database, demo world, port, jobs. `say`
 * receives progress lines; printing the greeting is up to the caller.
 *
 * @throws StartError with a one-line message
 */
export async function startSite(env: Record<string, string | undefined>, say: (line: string) => void): Promise<Site> {
  const config = readConfig(env)
  const errors = createErrorCounter()
  const log = pino({ level: config.logLevel, hooks: errors.hooks })
  await bind(createServer(), config).then((probe) => probe.close())

  let database: Database | undefined
  const lock = config.databaseUrl ? undefined : await lockFolder(config, () => database)
  const failBuild = (error: Error): never => {
    throw new StartError(error.message)
  }
  const building = await startBuilding(say).catch(failBuild)
  const { promise: restBuilt, resolve: endBuilding } = Promise.withResolvers<void>()
  database = await openDatabase(config, say, log)
  // Only now, because a new database has files of all modes.
  hideFolder(config, say)
  // Beside the installation above it would take more memory than a small machine has; beside what follows it does not.
  const pagesBuilt = building.buildPages()
  // It is waited for below, unless the database fails first.
  pagesBuilt.catch(() => {})
  const { db, jobsDb } = database
  const refuse = async (error: Error): Promise<never> => {
    if (config.databaseUrl === undefined && isDamage(error)) throw await describeDamage(config, error)
    if (error instanceof UnfitDatabase || error instanceof StartError) throw new StartError(error.message)
    throw new StartError(`The database could not be prepared: ${error.message}.`)
  }
  // A build that fails leaves the database of an older version as it is.
  if (building.anew && !(await isEmpty(jobsDb).catch(refuse))) await pagesBuilt.catch(failBuild)
  await prepareDatabase(jobsDb, config, say).catch(refuse)
  if (database.kind === 'embedded') await markWorld(config.dataDir, new Date())
  for (const line of await listWarnings(config, db).catch(refuse)) say(`Warning: ${line}`)

  await pagesBuilt.catch(failBuild)

  const stopping = new AbortController()
  const { server, port, answerWith } = await listenEarly(config, stopping.signal)
  const deps = await createDeps({ config, log, database, port, stopping: stopping.signal })
  const app = createApp(deps, await loadPages(deps, restBuilt))
  const route = getRequestListener(app.fetch)
  answerWith((req, res) => {
    if (!app.serveKept(req, res)) void route(req, res)
  })
  watchForProxy(server, config, (line) => log.warn(line))
  errors.start(db)
  const stopReturningMemory = returnMemoryWhenIdle()
  const jobs = startJobs(deps, { jobsDb, embedded: database.kind === 'embedded' })
  void building
    .buildRest()
    .catch((err: Error) =>
      log.error({ err }, 'the desk or some pictures could not be built; the next start tries again'),
    )
    .finally(endBuilding)
  return {
    greeting: greetingOf(config, deps.publicUrl, await hasOwner(db)),
    server,
    close: async () => {
      stopping.abort()
      stopReturningMemory()
      await Promise.all([closeConnections(server), jobs.stop()])
      await stopPasswordThreads()
      errors.stop()
      await errors.flush(db)
      lock?.hangUp()
      await database.close()
      await lock?.release()
    },
  }
}

/** Locks the data directory and answers commands on its socket. @throws StartError */
function lockFolder(config: Config, current: () => Database | undefined) {
  const site = { appName: config.appName, publicUrl: publicUrlOf(config) }
  return lockDataDir(config.dataDir, (socket) => controlCommands(socket, site, current)).catch((error) => {
    throw error instanceof DataDirInUse
      ? new StartError(`DATA_DIR ${config.dataDir} is in use by another process.`)
      : new StartError(`DATA_DIR ${config.dataDir} cannot be used: ${(error as Error).message}.`)
  })
}

/** Makes the files in the data directory private, or warns that it could not. */
function hideFolder({ dataDir }: Config, say: (line: string) => void): void {
  try {
    if (!keepPrivate(dataDir))
      say(`Warning: DATA_DIR ${dataDir} holds files of other programs. Give the site a folder of its own.`)
  } catch (error) {
    say(`Warning: the files in DATA_DIR cannot be made private: ${(error as Error).message}.`)
  }
}

/**
 * Opens the port. Requests that arrive before `answerWith` is called get an answer instead of hanging.
 *
 * @returns the port that is open, which with PORT 0 is any free one
 * @throws StartError
 */
async function listenEarly(config: Config, stopping: AbortSignal) {
  let answer: RequestListener = (_req, res) => {
    res.writeHead(503, { 'Retry-After': '1', 'Cache-Control': 'no-store' }).end('Starting …')
  }
  const server = createHttpServer((req, res) => {
    // A connection that is kept would bring the next request, and the server ends with its last connection.
    if (stopping.aborted) res.setHeader('Connection', 'close')
    answer(req, res)
  })
  await bind(server, config)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const answerWith = (listener: RequestListener) => {
    answer = listener
  }
  return { server, port, answerWith }
}

type Started = Pick<Deps, 'config' | 'log'> & { database: Database; port: number; stopping: AbortSignal }

/** What every feature is handed. The answer cache hears of every change of content from here on. */
async function createDeps({ config, log, database, port, stopping }: Started): Promise<Deps> {
  const { db, browseDb } = database
  const now = () => new Date()
  const publicUrl = publicUrlOf(config, port)
  const cache = createAnswerCache({
    now: () => performance.now(),
    lifetimeMs: CACHE_LIFETIME_MS,
    maxBytes: CACHE_MAX_BYTES,
    seal: createSeal(publicUrl),
    probe: () => sql`select 1`.execute(db),
  })
  await database.listen('content_changed', cache.clear)
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, pools: { calls: db, browsing: browseDb } })
  return { db, browseDb, now, log, config, cache, limits, metrics, publicUrl, stopping }
}

const hasOwner = async (db: Db) =>
  (await db.selectFrom('staff_members').where('role', '=', OWNER).select('user_num').executeTakeFirst()) !== undefined

/** The address and, in a demo world, the demo accounts; how to make the first owner while there is none. */
function greetingOf(config: Config, address: string, isOwned: boolean): string {
  const lines = [`\n${config.appName} is open: ${address}`]
  if (config.demo) {
    lines.push('Demo accounts:')
    for (const { userId, password, userType } of DEMO_ACCOUNTS)
      lines.push(`  ${userId.padEnd(6)} ${password}${userType >= 11 ? '  (operator)' : ''}`)
  }
  if (!isOwned)
    lines.push(
      'The site has no owner yet: register an account there, then run "npm run staff -- owner USERID" in another terminal (docs/OPERATING.md has the command for systemd and Docker).',
    )
  return lines.join('\n')
}

async function openDatabase(config: Config, say: (line: string) => void, log: Logger): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    return openPostgres(config.databaseUrl, config.databasePool).catch((error: Error) => {
      if (error instanceof UnfitDatabase) throw new StartError(error.message)
      throw new StartError(`DATABASE_URL cannot be reached: ${error.message || 'no answer'}.`)
    })
  }
  return openWorld(config, say, log)
}

const isEmpty = async (db: Db) => (await readSchemaState(db)).newest === ''

/** Migrations, the demo world, and the ranking month. */
async function prepareDatabase(db: Db, config: Config, say: (line: string) => void): Promise<void> {
  const applied = await migrate(db)
  if (applied.length > 0) say('Preparing the database …')
  const repeated = await repeatErasures(db, config.backupDir)
  if (repeated > 0)
    say(`Erased the personal data of ${repeated} accounts again, because a restored backup still had it.`)
  if (config.demo && (await seedDemoWorld(db, new Date()))) say('Seeded the demo world.')
  await rollOver(db, await readClock(db))
}

function bind(server: Server, { host, port }: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code})`
      reject(new StartError(`PORT ${port} on HOST ${host} ${why}.`))
    })
    server.listen(port, host, () => resolve(server))
  })
}

const GRACE_MS = 6000
/** What still waits for a database or a disk by then is given up. */
const STOPPED_AFTER_MS = 9000

/** Stops accepting connections, lets running requests finish, then closes the rest. */
function closeConnections(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Stops the site and exits with code 0. */
export async function closeServer(site: Site): Promise<void> {
  setTimeout(() => process.exit(0), STOPPED_AFTER_MS).unref()
  await site.close()
  process.exit(0)
}
