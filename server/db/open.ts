import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { Kysely, type KyselyPlugin, PGliteDialect, sql } from 'kysely'
import {
  createConnections,
  type Listener,
  listenWithReconnect,
  openPool,
  parseBigint,
  type Timeouts,
} from './connections.ts'
import { type EmbeddedEngine, openEngine, type Recovery } from './embedded-engine.ts'
import { IncompatibleDatabase } from './errors.ts'
import type { Schema } from './schema.ts'
import { createServers } from './servers.ts'

type ReturnsKysely = 'withPlugin' | 'withSchema' | 'withTables' | 'withoutPlugins' | `$${string}Tables`

/**
 * Runs statements, in a transaction or not. Omits the methods that return another Kysely, because comparing their types
 * took a quarter of the type check.
 */
export interface Db extends Omit<Kysely<Schema>, ReturnsKysely> {
  withPlugin(plugin: KyselyPlugin): Db
}

export type Database = {
  kind: 'embedded' | 'postgres'
  db: Db
  /** For reads that visitors can make expensive (search, sitemaps, statistics); on PostgreSQL a separate small pool. */
  browseDb: Db
  /** For jobs and operators' commands, whose statements may take minutes; on PostgreSQL a separate pool. */
  jobsDb: Db
  /**
   * Calls `onNotice` with each payload that any process sends on the channel. Also calls it with `reconnected` after each
   * reconnect, because payloads may have been missed.
   */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  /** For an embedded database on disk: its folder, and a function that makes statements wait while the files are read. */
  files?: { folder: string; pauseStatements<Result>(work: () => Promise<Result>): Promise<Result> }
  close(): Promise<void>
}

/**
 * The system's file cache holds the database too, so PostgreSQL's own cache of 128 MB would only make the process larger.
 * The timer that reports a long recovery is of no use here and would outlive a stopped database.
 */
const EMBEDDED_SETTINGS = [
  ...PGlite.defaultStartParams,
  ...['-c', 'shared_buffers=16MB', '-c', 'log_startup_progress_interval=0'],
]

/**
 * Opens the embedded database in `DATA_DIR/db`. The first start installs it in a temporary folder and renames that when
 * it is complete, so an interrupted first start leaves no partial database.
 *
 * @param options `recovery`: reopens the database after it stopped on a full disk
 */
export async function openEmbedded(
  dataDir: string,
  { onInstall, recovery }: { onInstall?: () => void; recovery?: Recovery } = {},
): Promise<Database> {
  const folder = join(dataDir, 'db')
  if (!(await hasEmbedded(dataDir))) {
    onInstall?.()
    const installFolder = join(dataDir, 'db.installing')
    await rm(installFolder, { recursive: true, force: true })
    await mkdir(installFolder, { recursive: true })
    await (await PGlite.create({ dataDir: installFolder, startParams: EMBEDDED_SETTINGS })).close()
    await rm(folder, { recursive: true, force: true })
    await rename(installFolder, folder)
  }
  const engine = await openEngine({ dataDir: folder, startParams: EMBEDDED_SETTINGS }, recovery)
  return { ...(await wrapEmbedded(engine)), files: { folder, pauseStatements: engine.runExclusive } }
}

/**
 * Returns whether a data directory has an embedded database. An empty folder does not count.
 *
 * @throws when the folder holds something else
 */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  const files: string[] = await readdir(join(dataDir, 'db')).catch(() => [])
  if (files.length === 0) return false
  // Without this file the driver would treat the folder as empty and overwrite it.
  if (!files.includes('PG_VERSION')) throw new Error(`the file PG_VERSION is missing in ${join(dataDir, 'db')}`)
  return true
}

/**
 * Limits the write-ahead log to two small files. An image made with `dumpDataDir` contains all of it, which would add 48 MB
 * of empty space by default.
 */
const IN_MEMORY_OPTIONS = {
  initDbStartParams: ['--wal-segsize=1'],
  startParams: [...EMBEDDED_SETTINGS, '-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'],
}

/** Opens an embedded database in memory, empty or from an image made with `dumpDataDir`. */
export async function openInMemory(image?: Blob): Promise<Database & { pglite: PGlite }> {
  const pglite = await PGlite.create({ ...IN_MEMORY_OPTIONS, loadDataDir: image })
  pglite.parsers[types.INT8] = parseBigint
  const listen: EmbeddedEngine['listen'] = async (channel, onNotice) => void (await pglite.listen(channel, onNotice))
  return { ...(await wrapEmbedded({ pglite, listen })), pglite }
}

async function wrapEmbedded({ pglite, listen }: Pick<EmbeddedEngine, 'pglite' | 'listen'>): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  await sql`select 1`.execute(db)
  return {
    kind: 'embedded',
    db,
    browseDb: db,
    jobsDb: db,
    listen,
    close: () => db.destroy(),
  }
}

/** For calls of players and visitors. Their statements take milliseconds; one that takes seconds waits for a lock. */
const CALL_TIMEOUTS: Timeouts = { statementMs: 5000, lockMs: 3000, idleMs: 5000, answerMs: 6000, connectMs: 3000 }
const BROWSE_TIMEOUTS: Timeouts = { ...CALL_TIMEOUTS, statementMs: 2000, lockMs: 1000, answerMs: 3000, connectMs: 2000 }
const LISTEN_TIMEOUTS: Timeouts = { ...BROWSE_TIMEOUTS, statementMs: 1000 }
const JOB_TIMEOUTS: Timeouts = {
  statementMs: 600_000,
  lockMs: 60_000,
  idleMs: 300_000,
  answerMs: 610_000,
  connectMs: 10_000,
}

const BROWSE_CONNECTIONS = 2
const JOB_CONNECTIONS = 3
/** How long `close` waits for running statements. */
const CLOSE_TIMEOUT_MS = 1000

/**
 * Opens a PostgreSQL database with at most `pool` connections for calls, and six for other uses: two for browsing,
 * three for jobs, and one that listens.
 *
 * @param databaseUrl one address, or one that names several servers (see `splitDatabaseUrl`)
 * @throws IncompatibleDatabase; the error of the last server when none can be reached as a primary within seconds
 */
export async function openPostgres(databaseUrl: string, pool = 8): Promise<Database> {
  const connections = createConnections(createServers(databaseUrl))
  const db = openPool(connections, pool, CALL_TIMEOUTS)
  const browseDb = openPool(connections, BROWSE_CONNECTIONS, BROWSE_TIMEOUTS)
  const jobsDb = openPool(connections, JOB_CONNECTIONS, JOB_TIMEOUTS)
  const listeners: Listener[] = []
  const close = async () => {
    const hangUpTimer = setTimeout(connections.hangUp, CLOSE_TIMEOUT_MS)
    await Promise.all(listeners.map((listener) => listener.stop()))
    await Promise.all([db.destroy(), browseDb.destroy(), jobsDb.destroy()])
    clearTimeout(hangUpTimer)
  }
  await refusePooler(db, connections.servers.count).catch(async (error) => {
    await close()
    throw error
  })
  return {
    kind: 'postgres',
    db,
    browseDb,
    jobsDb,
    listen: async (channel, onNotice) =>
      void listeners.push(await listenWithReconnect(connections, LISTEN_TIMEOUTS, channel, onNotice)),
    close,
  }
}

/**
 * Refuses a connection pooler, by checking that the settings of a connection reach PostgreSQL. A pooler such as PgBouncer
 * refuses or drops them; in transaction mode it also loses prepared statements, LISTEN and locks.
 */
async function refusePooler(db: Db, attempts: number): Promise<void> {
  try {
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name = 'statement_timeout'`.execute(db)
    if (rows[0]?.setting !== String(CALL_TIMEOUTS.statementMs)) throw createPoolerError()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('unsupported startup parameter')) throw createPoolerError()
    if (error instanceof IncompatibleDatabase || attempts <= 1) throw error
    // The failed attempt has already switched to the next server.
    await refusePooler(db, attempts - 1)
  }
}

const createPoolerError = () =>
  new IncompatibleDatabase(
    'DATABASE_URL points to a connection pooler such as PgBouncer, which the site cannot use. Set it to the address of PostgreSQL itself.',
  )
