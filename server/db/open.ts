import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** Whether a statement failed because a row of the same values exists; `constraint` is the name of a key or unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: broken, message } = (error ?? {}) as Record<string, unknown>
  return code === '23505' && (broken === constraint || String(message).includes(`"${constraint}"`))
}

export type Database = {
  kind: 'embedded' | 'postgres'
  db: Db
  /** Calls back with each payload sent on the channel, by any process; also once after a lost connection came back. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the embedded database in `DATA_DIR/db`. The first time it is installed in a folder
 * of another name and moved when it is whole, so that an interrupted first start leaves
 * nothing half made.
 */
export async function openEmbedded(dataDir: string, { onFirst }: { onFirst?: () => void } = {}): Promise<Database> {
  const folder = join(dataDir, 'db')
  if (!existsSync(folder)) {
    onFirst?.()
    const unfinished = join(dataDir, 'db.installing')
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await (await PGlite.create({ dataDir: unfinished })).close()
    await rename(unfinished, folder)
  }
  return wrapEmbedded(await PGlite.create({ dataDir: folder }))
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
    listen: async (channel, onNotice) => void (await pglite.listen(channel, onNotice)),
    close: () => db.destroy(),
  }
}

// bigint: every number we keep fits a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Opens a PostgreSQL server. @throws when it cannot be reached within ten seconds */
export async function openPostgres(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 10_000, keepAlive: true })
  // A connection that breaks is replaced by the pool and fails only its own query; without listeners, for the idle
  // ones on the pool and for those in use on themselves, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  await sql`select 1`.execute(db)
  const listeners: Listener[] = []
  return {
    kind: 'postgres',
    db,
    listen: async (channel, onNotice) => void listeners.push(await listenForEver(connectionString, channel, onNotice)),
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.stop()))
      await db.destroy()
    },
  }
}

type Listener = { stop(): Promise<void> }

/** Keeps one connection on LISTEN; what was said while it was down is unknown, so coming back counts as a notice. */
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
    // Only the connection that listens is replaced: an attempt that fails ends too, and must not start another round.
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
