import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { ADMIN_USER_TYPE, ANSWER_CACHE_MS } from '#contract/limits.ts'
import { DEMO_ACCOUNTS, hasAccounts } from '#demo/accounts.ts'
import { type Build, createSteps, type Steps, startBuild } from '#scripts/build.ts'
import { isUploadPath } from './api.ts'
import { createApp } from './app.ts'
import { createPublicQueue } from './concurrency.ts'
import { type Config, getPublicUrl, readConfig, StartError } from './config.ts'
import { answerControlCommands } from './control.ts'
import { DataDirInUse, lockDataDir } from './data-lock.ts'
import { IncompatibleDatabase } from './db/errors.ts'
import { migrate } from './db/migrate.ts'
import { type Database, type Db, hasEmbedded, openPostgres } from './db/open.ts'
import type { Deps } from './deps.ts'
import { describeDamage, isDamage, markSetUp, openSiteDatabase } from './embedded-database.ts'
import { createErrorCounter } from './error-counter.ts'
import { createFirstOwnerToken } from './features/accounts/first-owner.ts'
import { stopPasswordThreads } from './features/accounts/passwords.ts'
import { seedDocuments } from './features/documents/seed.ts'
import { describeRepeatedErasures, repeatErasures } from './features/players/erasure-lists.ts'
import { rollOver } from './features/rankings/rollover.ts'
import { recordRights } from './features/staff/members.ts'
import { type Frontend, openBuiltFrontend } from './frontend.ts'
import { answerWhileStarting } from './getting-ready.ts'
import { createAnswerCache } from './http/answer-cache.ts'
import { createHttpServer, listenAt } from './http/http-server.ts'
import { createLimits } from './http/limits.ts'
import { createMetrics } from './http/metrics.ts'
import { createHeaderAdder } from './http/security-headers.ts'
import { readClock } from './job-runner.ts'
import { startJobs } from './jobs.ts'
import { loadPages } from './pages.ts'
import { makePrivate } from './private-folder.ts'
import { preparePushKeys } from './push/keys.ts'
import { announceSite } from './running-sites.ts'
import { prepareSiteKey, sealPlainWebhooks } from './sealed-secrets.ts'
import { readSettingsNow } from './settings.ts'
import type { SiteKey } from './site-key.ts'
import { listWarnings, watchForProxy } from './warnings.ts'

export { StartError }

type Environment = Record<string, string | undefined>

const CACHE_MAX_BYTES = 16 * 1024 * 1024

/** A running site: the greeting for the person who started it, and a function that stops it. */
export type Site = { greeting: string; server: Server; close(): Promise<void> }

/** A site's data directory and database, ready for `openSite`. */
export type Foundation = {
  config: Config
  log: Logger
  errors: ReturnType<typeof createErrorCounter>
  database: Database
  siteKey: SiteKey
  close(): Promise<void>
}

/**
 * Starts the site (START-1): settings, data directory, build, database, demo world, port, jobs. Passes progress lines to
 * `print`; the caller prints the greeting.
 *
 * @param wasBuilt whether the build is up to date
 * @throws StartError with a one-line message
 */
export async function startSite(env: Environment, print: (line: string) => void, wasBuilt = false): Promise<Site> {
  const config = readConfig(env)
  await listenAt(createServer(), config).then((probe) => probe.close())
  const steps = createSteps(print)
  const stopping = new AbortController()
  const { server, listen, setAnswer } = createEarlyServer(steps, stopping.signal)
  let build: Build | undefined
  const foundation = await prepareFoundation(config, print, {
    steps,
    whenLocked: () => listen(config),
    build: async () => {
      if (wasBuilt) return
      build = startBuild(print, steps)
      await build.usable
    },
  })
  build?.finished.catch((error: Error) => print(`Warning: ${error.message}`))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  const site = await openSite(foundation, { env, port, stopping, frontend: openBuiltFrontend(build) })
  setAnswer(site.answer)
  watchForProxy(server, config, (line) => foundation.log.warn(line))
  return {
    greeting: site.greeting,
    server,
    close: async () => {
      await site.close(() => closeConnections(server))
      await foundation.close()
    },
  }
}

/** The free memory needed to fill the database and build at the same time. */
const PARALLEL_BUILD_MIN_BYTES = 2 * 1024 ** 3

type PreparationOptions = { steps?: Steps; whenLocked?: () => Promise<unknown>; build?: () => Promise<unknown> }

/**
 * Locks the data directory, builds the pages, and opens and fills the database.
 *
 * @param options `whenLocked` runs after this process has locked the data directory; without `build`, nothing is built
 * @throws StartError with a one-line message
 */
export async function prepareFoundation(
  config: Config,
  print: (line: string) => void,
  { steps = createSteps(print), whenLocked, build }: PreparationOptions = {},
): Promise<Foundation> {
  const errors = createErrorCounter()
  const log = pino({ level: config.logLevel, hooks: errors.hooks })
  let database: Database | undefined
  const lock = config.databaseUrl ? undefined : await lockFolder(config, () => database)
  await whenLocked?.()
  const isNew = config.databaseUrl === undefined && !(await hasEmbedded(config.dataDir).catch(() => true))
  if (isNew) steps.plan(2)
  const runStep: Steps['run'] = (name, work) => (isNew ? steps.run(name, work) : work())
  const buildResult = Promise.resolve(build?.()).catch((error: Error) => {
    throw new StartError(error.message)
  })
  // The build is awaited below. If the database fails first, a rejection must not be unhandled.
  buildResult.catch(() => {})
  // Build before the migrations of an existing database: if the build fails, the older version can still use the database.
  if (!isNew || process.availableMemory() < PARALLEL_BUILD_MIN_BYTES) await buildResult
  const openedDatabase = await runStep('database', () => openDatabase(config, print, log))
  database = openedDatabase
  // Make the folder private after the database is open, because a new database creates files with other modes.
  makeFolderPrivate(config, print)
  const siteKey = await runStep('tables and first contents', () => prepareDatabase(openedDatabase, config, print))
  await buildResult
  if (openedDatabase.kind === 'embedded') await markSetUp(config.dataDir, new Date())
  const warnings = await listWarnings(config, openedDatabase.db).catch((error) =>
    refuseStart(error, openedDatabase, config),
  )
  for (const line of warnings) print(`Warning: ${line}`)
  return {
    config,
    log,
    errors,
    database: openedDatabase,
    siteKey,
    close: async () => {
      await errors.flush(openedDatabase.db)
      lock?.hangUp()
      await openedDatabase.close()
      await lock?.release()
    },
  }
}

type OpeningOptions = { env: Environment; port: number; stopping: AbortController; frontend: Frontend }

/** Starts the app and the jobs on a foundation. `close` leaves the database open. */
export async function openSite(foundation: Foundation, { env, port, stopping, frontend }: OpeningOptions) {
  const { config, errors, database } = foundation
  const deps = await createDeps({ ...foundation, frontend, port, stopping: stopping.signal })
  const openPages = async () => {
    const app = createApp(deps, await loadPages(deps))
    const route = getRequestListener(app.fetch)
    return (req: IncomingMessage, res: ServerResponse) => {
      if (!app.serveCached(req, res)) void route(req, res)
    }
  }
  let answer = await openPages()
  errors.start(database.db)
  const jobs = startJobs(deps, database.jobsDb)
  const withdrawAnnouncement = await announceSite(config, { env, port })
  return {
    greeting: await createGreeting(deps),
    answer: (req: IncomingMessage, res: ServerResponse) => answer(req, res),
    /** Loads the pages again. If that fails, the site continues with the previous ones. */
    reloadPages: async () => {
      answer = await openPages()
      deps.cache.clear()
    },
    /** Aborts waiting calls, stops the jobs, and waits for `drain`, which lets running requests finish. */
    close: async (drain: () => Promise<void>) => {
      stopping.abort()
      await withdrawAnnouncement()
      await Promise.all([drain(), jobs.stop()])
      await stopPasswordThreads()
      errors.stop()
    },
  }
}

/** Locks the data directory and answers commands on its socket. @throws StartError */
function lockFolder(config: Config, getDatabase: () => Database | undefined) {
  const mailDeps = { config, publicUrl: getPublicUrl(config) }
  return lockDataDir(config.dataDir, (socket) => answerControlCommands(socket, mailDeps, getDatabase)).catch(
    (error) => {
      throw error instanceof DataDirInUse
        ? new StartError(`DATA_DIR ${config.dataDir} is in use by another process.`)
        : new StartError(`DATA_DIR ${config.dataDir} cannot be used: ${(error as Error).message}.`)
    },
  )
}

/** Makes the files in the data directory private, or prints a warning if that fails. */
function makeFolderPrivate({ dataDir }: Config, print: (line: string) => void): void {
  try {
    if (!makePrivate(dataDir))
      print(`Warning: DATA_DIR ${dataDir} holds files of other programs. Give the site a folder of its own.`)
  } catch (error) {
    print(`Warning: the files in DATA_DIR cannot be made private: ${(error as Error).message}.`)
  }
}

/**
 * Creates the site's server. Until `setAnswer` is called, it answers that the site is starting. `listen` opens
 * the port; with PORT 0, any free one.
 */
function createEarlyServer(steps: Steps, stopping: AbortSignal) {
  let answer = answerWhileStarting(steps.count)
  const server = createHttpServer((req, res) => {
    // Close each connection, because the server stops with its last one, and a client could send another request over it.
    if (stopping.aborted) res.setHeader('Connection', 'close')
    answer(req, res)
  }, isUploadPath)
  return {
    server,
    listen: (config: Config) => listenAt(server, config),
    setAnswer: (listener: RequestListener) => {
      answer = listener
    },
  }
}

async function resolveHost(host: string): Promise<string[]> {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address }) => address)
}

type DepsOptions = Pick<Deps, 'config' | 'log' | 'siteKey' | 'frontend'> & {
  database: Database
  port: number
  stopping: AbortSignal
}

/** Creates the dependencies of all features, and lets changes of content invalidate the answer cache. */
async function createDeps({ config, log, siteKey, frontend, database, port, stopping }: DepsOptions): Promise<Deps> {
  const { db, browseDb } = database
  const now = () => new Date()
  const publicUrl = getPublicUrl(config, port)
  const publicQueue = createPublicQueue()
  const cache = createAnswerCache({
    now: () => performance.now(),
    lifetimeMs: ANSWER_CACHE_MS,
    maxBytes: CACHE_MAX_BYTES,
    runQueued: publicQueue,
    addSecurityHeaders: createHeaderAdder(publicUrl, frontend.extraPolicy),
    probe: () => sql`select 1`.execute(db),
  })
  await database.listen('content_changed', cache.clear)
  const limits = createLimits({ db, now, config })
  const metrics = createMetrics({ cache, publicQueue, pools: { calls: db, browsing: browseDb } })
  return {
    db,
    browseDb,
    now,
    sleep,
    log,
    config,
    frontend,
    cache,
    publicQueue,
    limits,
    metrics,
    siteKey,
    resolveHost,
    publicUrl,
    stopping,
  }
}

/**
 * Returns the greeting: the site's address, the accounts of a demo world, and the link for the first owner if there has been
 * none. Only the person who starts the site may see it, so it must not be logged.
 */
async function createGreeting({ db, now, config, publicUrl }: Deps): Promise<string> {
  const { site_name } = await readSettingsNow({ db, config })
  const lines = [`\n${site_name} is open: ${publicUrl}`]
  if (config.demo) {
    lines.push('Demo accounts:')
    for (const { user_id, password, user_type } of DEMO_ACCOUNTS)
      lines.push(`  ${user_id.padEnd(6)} ${password}${user_type >= ADMIN_USER_TYPE ? '  (operator)' : ''}`)
  }
  const firstOwner = await createFirstOwnerToken(db, now())
  if (firstOwner !== null)
    lines.push(
      'The site has no owner yet. Open this link within 24 hours to make the first one. It works once; the next start prints another.',
      `  ${publicUrl}/admin/first#${firstOwner}`,
    )
  return lines.join('\n')
}

async function openDatabase(config: Config, print: (line: string) => void, log: Logger): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    return openPostgres(config.databaseUrl, config.databasePool).catch((error: Error) => {
      if (error instanceof IncompatibleDatabase) throw new StartError(error.message)
      throw new StartError(`DATABASE_URL cannot be reached: ${error.message || 'no answer'}.`)
    })
  }
  return openSiteDatabase(config, print, log)
}

/**
 * Applies the migrations and prepares the keys, the documents and the ranking month; repeats erasures after a restore, and
 * creates the demo world in an empty database.
 *
 * @returns the site's key
 * @throws StartError
 */
export async function prepareDatabase(
  database: Database,
  config: Config,
  print: (line: string) => void,
): Promise<SiteKey> {
  return fillDatabase(database.jobsDb, config, print).catch((error) => refuseStart(error, database, config))
}

/**
 * Ends the start with one line on why the database cannot be used; for damaged files, also how to restore the newest
 * backup.
 *
 * @throws StartError
 */
async function refuseStart(error: unknown, { kind }: Database, config: Config): Promise<never> {
  if (!(error instanceof Error)) throw error
  if (kind === 'embedded' && isDamage(error)) throw await describeDamage(config, error)
  if (error instanceof IncompatibleDatabase || error instanceof StartError) throw new StartError(error.message)
  throw new StartError(`The database could not be prepared: ${error.message}.`)
}

async function fillDatabase(db: Db, config: Config, print: (line: string) => void): Promise<SiteKey> {
  const appliedMigrations = await migrate(db)
  if (appliedMigrations.length > 0) print('Preparing the database …')
  const siteKey = await prepareSiteKey(db, config.siteKeyFile, new Date())
  await preparePushKeys({ db, siteKey }, new Date())
  await sealPlainWebhooks(db, siteKey)
  const erasedAgainCount = await repeatErasures(db, config.backupDir)
  if (erasedAgainCount > 0)
    print(`${describeRepeatedErasures(erasedAgainCount)}, because a restored backup still had it.`)
  if (config.demo && !(await hasAccounts(db))) {
    const { seedDemoWorld } = await import('#demo/seed.ts')
    if (await seedDemoWorld(db, new Date())) print('Seeded the demo world.')
  }
  await seedDocuments(db, { demo: config.demo, now: new Date() })
  // The permissions of built-in roles can differ from those of the previous version.
  await db.transaction().execute((tx) => recordRights(tx, new Date()))
  await rollOver(db, await readClock(db))
  return siteKey
}

const GRACE_MS = 6000
/** The time after which the process exits even if work still waits for a database or a disk. */
const EXIT_AFTER_MS = 9000

/** Stops accepting connections, lets running requests finish, then closes the rest. */
function closeConnections(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeTimer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(closeTimer)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Stops the site and exits with code 0 within 10 seconds (START-6). */
export async function closeServer(site: Site): Promise<void> {
  setTimeout(() => process.exit(0), EXIT_AFTER_MS).unref()
  await site.close()
  process.exit(0)
}
