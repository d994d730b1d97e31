import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { markDriverError, markUnavailable } from './errors.ts'
import type { Schema } from './schema.ts'
import type { Servers } from './servers.ts'

/**
 * Parses a bigint as a number. The site stores only safe integers; a larger sum of unusual values in a game becomes the
 * nearest safe integer, so one character cannot break a ranking.
 */
export const parseBigint = (text: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(text)))

pg.types.setTypeParser(pg.types.builtins.INT8, parseBigint)
/** The type bigint[]. Without a parser its elements would be text, unlike those of the embedded database. */
const INT8_LIST: number = 1016
const parseTextList: (list: string) => string[] = pg.types.getTypeParser(INT8_LIST)
pg.types.setTypeParser(INT8_LIST, (list: string) => parseTextList(list).map(parseBigint))

/**
 * The timeouts for one kind of database access, in milliseconds. The server enforces the first three; this process
 * enforces `answerMs` and `connectMs`, in case the server no longer responds.
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

const READ_ONLY_CODE = '25006'

/** After this time without traffic, the operating system checks the connection. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** The connections of a process to one database. */
export type Connections = {
  servers: Servers
  open: Set<Connection>
  /** Closes every connection without notifying the server; running statements fail. */
  hangUp(): void
}

/** Creates an empty set of connections to the primary among `servers`, without opening one. */
export function createConnections(servers: Servers): Connections {
  const openConnections = new Set<Connection>()
  const hangUp = () => {
    for (const connection of openConnections) connection.hangUp()
  }
  return { servers, open: openConnections, hangUp }
}

const preparedNames = new Map<string, string>()

/** Makes PostgreSQL prepare a statement under a name, so each connection plans it only once. */
export const prepareStatementAs = (name: string, text: string) => void preparedNames.set(text, name)

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/**
 * A connection that closes itself when an answer is overdue. It cannot rely on the server's timeouts: a server that is
 * suspended or cut off from the network does not enforce them.
 */
class Connection extends pg.Client {
  readonly #socket: Socket
  readonly #answerMs: number
  readonly #hasStandbys: boolean
  readonly #leave: () => void

  constructor({ servers, open: openConnections }: Connections, timeouts: Timeouts) {
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
    openConnections.add(this)
    this.once('end', () => openConnections.delete(this))
    // The next query reports the error. Without a listener, the event would end the process.
    this.on('error', () => {})
  }

  /** Connects to the primary. If that fails, the next connection tries another server. The pool passes a callback. */
  override connect(): Promise<this>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): unknown {
    const connectionPromise = this.#connect().catch((error: unknown) => {
      markUnavailable(error)
      this.#leave()
      throw error
    })
    const notifyPool = callback as ((error: Error | null, client: this) => void) | undefined
    if (notifyPool !== undefined)
      connectionPromise.then(
        () => notifyPool(null, this),
        (error) => notifyPool(error, this),
      )
    return connectionPromise
  }

  async #connect(): Promise<this> {
    await super.connect()
    if (!this.#hasStandbys) return this
    const { rows } = await this.run('select pg_is_in_recovery() as is_standby')
    if (rows[0]?.is_standby !== true) return this
    this.hangUp()
    throw new Error('The server is a standby.')
  }

  /** Runs a statement. Closes the connection when the answer is overdue. */
  async run(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    let hangUpNext: NodeJS.Immediate | undefined
    // If this process itself was blocked, an answer that has arrived is read before the immediate runs.
    const timer = setTimeout(() => {
      hangUpNext = setImmediate(() => this.hangUp())
    }, this.#answerMs)
    const name = preparedNames.get(text)
    try {
      return await this.query({ text, values: [...values], ...(name !== undefined && { name }) })
    } catch (error) {
      markDriverError(error)
      // This server is no longer the primary; the next connection looks for the new one.
      if ((error as { code?: unknown }).code === READ_ONLY_CODE) {
        this.#leave()
        this.hangUp()
      }
      throw error
    } finally {
      clearTimeout(timer)
      clearImmediate(hangUpNext)
    }
  }

  hangUp(): void {
    this.#socket.destroy()
  }
}

/** Opens a pool of at most `max` connections for Kysely. */
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

/** Returns how many connections of a PostgreSQL pool are open and idle, and how many requests wait for one. */
export function getPoolUse(db: object): Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined {
  return pools.get(db)
}

export type Listener = { stop(): Promise<void> }

/** The interval at which the listening connection checks the server. */
const HEARTBEAT_MS = 5000
const RECONNECT_AFTER_MS = 1000

/**
 * Listens on a channel over a separate connection, and reconnects when that is lost. Notifications are lost in the
 * meantime, so each reconnect calls `onNotice` too. A query every few seconds checks the server; if it gets no answer,
 * all connections are closed, even those that wait for a long statement.
 */
export async function listenWithReconnect(
  connections: Connections,
  timeouts: Timeouts,
  channel: string,
  onNotice: (payload: string) => void,
): Promise<Listener> {
  let currentConnection: Connection | undefined
  let isStopped = false
  const connect = async () => {
    const nextConnection = new Connection(connections, timeouts)
    let isEnded = false
    nextConnection.on('notification', (notice) => onNotice(notice.payload ?? ''))
    // A failed attempt ends too; only the end of the current connection may start the reconnect loop.
    nextConnection.on('end', () => {
      isEnded = true
      if (currentConnection === nextConnection) void reconnect()
    })
    await nextConnection.connect()
    await nextConnection.run(`listen ${pg.escapeIdentifier(channel)}`).catch((error) => {
      nextConnection.hangUp()
      throw error
    })
    if (isEnded) throw new Error('Connection terminated')
    currentConnection = nextConnection
    if (isStopped) await nextConnection.end()
  }
  const reconnect = async () => {
    currentConnection = undefined
    while (!isStopped && currentConnection === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS).unref())
      if (isStopped) return
      await connect().then(
        () => onNotice('reconnected'),
        () => {},
      )
    }
  }
  await connect()
  let isChecking = false
  const heartbeat = setInterval(async () => {
    if (isChecking || currentConnection === undefined) return
    isChecking = true
    const checkedAt = performance.now()
    await currentConnection.run('select 1').catch(() => {
      // If the connection ended, `reconnect` replaces it. If the answer is overdue, the other connections get none either.
      if (performance.now() - checkedAt >= timeouts.answerMs) connections.hangUp()
    })
    isChecking = false
  }, HEARTBEAT_MS).unref()
  return {
    stop: async () => {
      isStopped = true
      clearInterval(heartbeat)
      await currentConnection?.end()
    },
  }
}
