import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { markDriverError, markUnavailable } from './errors.ts'
import type { Schema } from './schema.ts'
import type { Servers } from './servers.ts'

/**
 * A bigint as a number. Every value that we store is a safe integer; a larger sum of odd values in a game becomes the
 * nearest safe one, so one character cannot break a board.
 */
export const readBigint = (text: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(text)))

pg.types.setTypeParser(pg.types.builtins.INT8, readBigint)
/** bigint[]; its elements would come as text, unlike from the embedded database. */
const INT8_LIST: number = 1016
const parseTexts: (list: string) => string[] = pg.types.getTypeParser(INT8_LIST)
pg.types.setTypeParser(INT8_LIST, (list: string) => parseTexts(list).map(readBigint))

/**
 * The timeouts of a use of the database, in milliseconds. The server enforces the first three; `answerMs` and
 * `connectMs` are for a server that no longer responds.
 */
export type Timeouts = {
  /** For a statement. */
  statementMs: number
  /** For a lock that another session holds. */
  lockMs: number
  /** For a transaction that does nothing. */
  idleMs: number
  /** For the answer to a statement; then the connection is closed. */
  answerMs: number
  /** For a new connection, and for a free one in a full pool. */
  connectMs: number
}

const READ_ONLY = '25006'

/** After this time without traffic, the system checks the connection. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** The connections of a process to one database. */
export type Connections = {
  servers: Servers
  open: Set<Connection>
  /** Closes every connection without notifying the server; running statements fail. */
  hangUp(): void
}

/** An empty set of connections to a database that is on one of `servers`; nothing is opened yet. */
export function createConnections(servers: Servers): Connections {
  const open = new Set<Connection>()
  const hangUp = () => {
    for (const connection of open) connection.hangUp()
  }
  return { servers, open, hangUp }
}

const preparedNames = new Map<string, string>()

/** Lets PostgreSQL prepare a text under a name, so each connection plans it once. */
export const prepareAs = (name: string, text: string) => void preparedNames.set(text, name)

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * A connection that does not wait without end. A server that was stopped, or that vanished from the network, does not even
 * keep to its own timeouts, so a connection closes itself when an answer is overdue.
 */
class Connection extends pg.Client {
  readonly #socket: Socket
  readonly #answerMs: number
  readonly #hasStandbys: boolean
  readonly #leave: () => void

  constructor({ servers, open }: Connections, timeouts: Timeouts) {
    const url = servers.current()
    const socket = new Socket()
    super({
      connectionString: url,
      stream: () => socket,
      statement_timeout: timeouts.statementMs,
      lock_timeout: timeouts.lockMs,
      idle_in_transaction_session_timeout: timeouts.idleMs,
      connectionTimeoutMillis: timeouts.connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    this.#socket = socket
    this.#answerMs = timeouts.answerMs
    this.#hasStandbys = servers.count > 1
    this.#leave = () => servers.leave(url)
    open.add(this)
    this.once('end', () => open.delete(this))
    // Its user learns of the end by a failed query. Without a listener the event would end the process.
    this.on('error', () => {})
  }

  /** Connects to a primary. When that fails, the next connection goes to another server. The pool passes a callback. */
  override connect(): Promise<this>
  override connect(done: Connected): void
  override connect(done?: Connected): unknown {
    const connecting = this.#connect().catch((error: unknown) => {
      markUnavailable(error)
      this.#leave()
      throw error
    })
    const report = done as ((error: Error | null, client: this) => void) | undefined
    if (report !== undefined)
      connecting.then(
        () => report(null, this),
        (error) => report(error, this),
      )
    return connecting
  }

  async #connect(): Promise<this> {
    await super.connect()
    if (!this.#hasStandbys) return this
    const { rows } = await this.run('select pg_is_in_recovery() as is_standby')
    if (rows[0]?.is_standby !== true) return this
    this.hangUp()
    throw new Error('The server is a standby.')
  }

  /** Runs a statement. Hangs up when its answer does not come in time. */
  async run(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    let last: NodeJS.Immediate | undefined
    // When this process itself was held up, the answer may be there and not read yet: that happens before `last`.
    const overdue = setTimeout(() => {
      last = setImmediate(() => this.hangUp())
    }, this.#answerMs)
    const name = preparedNames.get(text)
    try {
      return await this.query({ text, values: [...values], ...(name !== undefined && { name }) })
    } catch (error) {
      markDriverError(error)
      // The primary became read-only: the next connection may find a new one.
      if ((error as { code?: unknown }).code === READ_ONLY) {
        this.#leave()
        this.hangUp()
      }
      throw error
    } finally {
      clearTimeout(overdue)
      clearImmediate(last)
    }
  }

  hangUp(): void {
    this.#socket.destroy()
  }
}

/** A pool of at most `max` connections, for Kysely. */
export function openPool(connections: Connections, max: number, timeouts: Timeouts): Kysely<Schema> {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: timeouts.connectMs,
    Client: class extends Connection {
      constructor() {
        super(connections, timeouts)
      }
    },
  })
  pool.on('error', () => {})
  const connect = async (): Promise<PostgresPoolClient> => {
    const connection = (await pool.connect().catch((error: unknown) => {
      markDriverError(error)
      throw error
    })) as Connection & pg.PoolClient
    return Object.create(connection, { query: { value: connection.run.bind(connection) } })
  }
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
  })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<object, pg.Pool>()

/** How many connections of a PostgreSQL pool are open and idle, and how many requests wait for one. */
export function getPoolUse(db: object): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined {
  return pools.get(db)
}

export type Listener = { stop(): Promise<void> }

/** The interval at which the listening connection checks the server. */
const HEARTBEAT_MS = 5000
const RECONNECT_AFTER_MS = 1000

/**
 * Holds one connection on LISTEN. Notifications sent while it is down are lost, so a reconnect counts as one. It also
 * sends the server a query every few seconds; without a response, all connections are closed, even those that wait for
 * a long statement.
 */
export async function listenAlways(
  connections: Connections,
  timeouts: Timeouts,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<Listener> {
  let current: Connection | undefined
  let isStopped = false
  const connect = async () => {
    const next = new Connection(connections, timeouts)
    let isEnded = false
    next.on('notification', (notice) => onNotice(notice.payload ?? ''))
    // Only the listening connection is replaced: a failed attempt ends as well and must not start another loop.
    next.on('end', () => {
      isEnded = true
      if (current === next) void reconnect()
    })
    await next.connect()
    await next.run(`listen ${pg.escapeIdentifier(channel)}`).catch((error) => {
      next.hangUp()
      throw error
    })
    if (isEnded) throw new Error('Connection terminated')
    current = next
    if (isStopped) await next.end()
  }
  const reconnect = async () => {
    current = undefined
    while (!isStopped && current === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS).unref())
      if (isStopped) return
      await connect().then(
        () => onNotice('reconnected'),
        () => {},
      )
    }
  }
  await connect()
  let isAsking = false
  const heartbeat = setInterval(async () => {
    if (isAsking || current === undefined) return
    isAsking = true
    const askedAt = performance.now()
    await current.run('select 1').catch(() => {
      // A connection that ended is replaced. One without an answer means that the others get none either.
      if (performance.now() - askedAt >= timeouts.answerMs) connections.hangUp()
    })
    isAsking = false
  }, HEARTBEAT_MS).unref()
  return {
    stop: async () => {
      isStopped = true
      clearInterval(heartbeat)
      await current?.end()
    },
  }
}
