import { Kysely, PostgresDialect } from 'kysely'
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

/**
 * A connection that does not wait without end. A server that was stopped, or that vanished from the network, does not even
 * keep to its own timeouts, so a connection closes itself when an answer is overdue.
 */
class Connection extends pg.Client {
  readonly #answerMs: number
  readonly #leave: () => void

  constructor({ servers, open }: Connections, timeouts: Timeouts) {
    const url = servers.current()
    super({
      connectionString: url,
      statement_timeout: timeouts.statementMs,
      lock_timeout: timeouts.lockMs,
      idle_in_transaction_session_timeout: timeouts.idleMs,
      connectionTimeoutMillis: timeouts.connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    this.#answerMs = timeouts.answerMs
    this.#leave = () => servers.leave(url)
    open.add(this)
    let isConnected = false
    this.once('connect', () => {
      isConnected = true
    })
    this.once('end', () => open.delete(this))
    // Before the caller learns of it and tries again.
    for (const event of ['error', 'errorMessage', 'end'])
      this.connection.once(event, (error?: unknown) => {
        if (isConnected) return
        markUnavailable(error)
        this.#leave()
      })
    // Its user learns of the end by a failed query. Without a listener the event would end the process.
    this.on('error', () => {})
    const send = this.query.bind(this) as (...given: unknown[]) => unknown
    this.query = ((...given: unknown[]) => {
      const answer = send(...given)
      if (answer instanceof Promise) this.#watch(answer)
      return answer
    }) as pg.Client['query']
    if (servers.count > 1) this.connection.on('parameterStatus', (status) => this.#refuseStandby(status))
  }

  /** A server reports with the first packets whether it is a standby. */
  #refuseStandby({ parameterName, parameterValue }: { parameterName?: string; parameterValue?: string }): void {
    if (parameterName !== 'in_hot_standby' || parameterValue !== 'on') return
    this.connection.stream.destroy(Object.assign(new Error('The server is a standby.'), { code: READ_ONLY }))
  }

  /** Hangs up when the answer to a query does not come in time. */
  #watch(answer: Promise<unknown>): void {
    let last: NodeJS.Immediate | undefined
    // When this process itself was held up, the answer may be there and not read yet: that happens before `last`.
    const overdue = setTimeout(() => {
      last = setImmediate(() => this.hangUp())
    }, this.#answerMs)
    const settle = () => {
      clearTimeout(overdue)
      clearImmediate(last)
    }
    answer.then(settle, (error: { code?: unknown }) => {
      settle()
      markDriverError(error)
      // The primary became read-only: the next connection may find a new one.
      if (error.code !== READ_ONLY) return
      this.#leave()
      this.hangUp()
    })
  }

  hangUp(): void {
    this.connection.stream.destroy()
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
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      markDriverError(error)
      throw error
    })
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
    await next.query(`listen ${pg.escapeIdentifier(channel)}`).catch((error) => {
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
    await current.query('select 1').catch(() => {
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
