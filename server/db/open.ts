import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

export type Database = {
  kind: 'embedded' | 'postgres'
  db: Db
  /** For reads that visitors can make expensive (search, sitemaps, statistics): on PostgreSQL a small pool of its own. */
  browseDb: Db
  /** Calls back with each payload that any process sends on the channel, and once after a lost connection is restored. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  /** Of an embedded database on disk: its folder, and a way to keep all statements waiting while the files are read. */
  files?: { folder: string; holdStill<Result>(work: () => Promise<Result>): Promise<Result> }
  close(): Promise<void>
}

/** The system's file cache holds the database as well, so PostgreSQL's own 128 MB would only make the process larger. */
const EMBEDDED_SETTINGS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * Opens the embedded database in `DATA_DIR/db`. The first time it is installed in a temporary
 * folder and renamed when complete, so an interrupted first start leaves no partial database.
 */
export async function openEmbedded(dataDir: string, { onFirst }: { onFirst?: () => void } = {}): Promise<Database> {
  const folder = join(dataDir, 'db')
  if (!(await hasEmbedded(dataDir))) {
    onFirst?.()
    const unfinished = join(dataDir, 'db.installing')
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await (await PGlite.create({ dataDir: unfinished, startParams: EMBEDDED_SETTINGS })).close()
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  }
  const pglite = await PGlite.create({ dataDir: folder, startParams: EMBEDDED_SETTINGS })
  return { ...(await wrapEmbedded(pglite)), files: { folder, holdStill: (work) => pglite.runExclusive(work) } }
}

/**
 * Whether a data directory has an embedded database. An empty folder is none.
 *
 * @throws when the folder holds something else
 */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  const files: string[] = await readdir(join(dataDir, 'db')).catch(() => [])
  if (files.length === 0) return false
  // Without this file the driver would take the folder for an empty one, and write over it.
  if (!files.includes('PG_VERSION')) throw new Error(`the file PG_VERSION is missing in ${join(dataDir, 'db')}`)
  return true
}

/** Opens an embedded database in memory, empty or from an image made with `dumpDataDir`. */
export async function openInMemory(image?: Blob): Promise<Database & { pglite: PGlite }> {
  const pglite = await PGlite.create(image === undefined ? {} : { loadDataDir: image })
  return { ...(await wrapEmbedded(pglite)), pglite }
}

async function wrapEmbedded(pglite: PGlite): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  await sql`select 1`.execute(db)
  return {
    kind: 'embedded',
    db,
    browseDb: db,
    listen: async (channel, onNotice) => void (await pglite.listen(channel, onNotice)),
    close: () => db.destroy(),
  }
}

// bigint columns as numbers: every value we store is a safe integer.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Connections of a process for searches, sitemaps and statistics, and how long one of their statements may take. */
const BROWSE_POOL = 3
const BROWSE_STATEMENT_MS = 2000

/**
 * Opens a PostgreSQL server with `pool` connections at most, and a few more for other uses.
 *
 * @throws when it cannot be reached within ten seconds
 */
export async function openPostgres(connectionString: string, pool = 10): Promise<Database> {
  const db = openPool({ connectionString, max: pool })
  const browseDb = openPool({ connectionString, max: BROWSE_POOL, statement_timeout: BROWSE_STATEMENT_MS })
  await sql`select 1`.execute(db)
  const reader = createSharedReader(connectionString)
  readers.set(db, reader)
  const listeners: Listener[] = []
  return {
    kind: 'postgres',
    db,
    browseDb,
    listen: async (channel, onNotice) => void listeners.push(await listenForEver(connectionString, channel, onNotice)),
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.stop()))
      await reader.close()
      await Promise.all([db.destroy(), browseDb.destroy()])
    },
  }
}

function openPool(config: pg.PoolConfig): Db {
  const pool = new pg.Pool({ connectionTimeoutMillis: 10_000, keepAlive: true, ...config })
  // The pool replaces a broken connection, and only its own query fails. Without these listeners, one for idle
  // connections and one for those in use, the error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Db, pg.Pool>()

/** How many connections of a PostgreSQL pool are open and idle, and how many requests wait for one. */
export function poolUseOf(db: Db): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined {
  return pools.get(db)
}

type SharedReader = { query(query: pg.QueryConfig): Promise<{ rows: unknown[] }>; close(): Promise<void> }

const readers = new WeakMap<Db, SharedReader>()

/** The connection for short reads of a PostgreSQL database; undefined for the embedded one and within a transaction. */
export function sharedReaderOf(db: Db): SharedReader | undefined {
  return readers.get(db)
}

/**
 * One connection that many reads share: each is sent at once, without waiting for the answers of those before it. They
 * must be short, because a slow one holds up the others. Connects with the first read, and again with the next read
 * after the connection was lost; reads that were running then fail, as in the pool.
 */
function createSharedReader(connectionString: string): SharedReader {
  let client: Promise<pg.Client> | undefined
  const connect = () => {
    const next = new pg.Client({ connectionString, pipeline: true, keepAlive: true, connectionTimeoutMillis: 10_000 })
    const connecting = next.connect().then(() => next)
    const forget = () => {
      if (client === connecting) client = undefined
    }
    next.on('error', forget)
    next.on('end', forget)
    connecting.catch(forget)
    return connecting
  }
  return {
    query: async (query) => {
      client ??= connect()
      return (await client).query(query)
    },
    close: async () => {
      const open = await client?.catch(() => undefined)
      await open?.end()
    },
  }
}

type Listener = { stop(): Promise<void> }

/** Keeps one connection on LISTEN. Notifications sent while it is down are lost, so a reconnect counts as one. */
async function listenForEver(
  connectionString: string,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<Listener> {
  let stopped = false
  let client: pg.Client | undefined
  const connect = async () => {
    const next = new pg.Client({ connectionString, keepAlive: true })
    let ended = false
    next.on('error', () => {})
    next.on('notification', (notice) => onNotice(notice.payload ?? ''))
    // Only the listening connection is replaced: a failed attempt ends as well and must not start another loop.
    next.on('end', () => {
      ended = true
      if (client === next) void reconnect()
    })
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`).catch((error) => {
      void next.end()
      throw error
    })
    if (ended) throw new Error('Connection terminated')
    client = next
    if (stopped) await next.end()
  }
  const reconnect = async () => {
    client = undefined
    while (!stopped && client === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1000).unref())
      if (stopped) return
      await connect().then(
        () => onNotice('reconnected'),
        () => {},
      )
    }
  }
  await connect()
  return {
    stop: async () => {
      stopped = true
      await client?.end()
    },
  }
}
