import { randomUUID } from 'node:crypto'
import pg from 'pg'
import {
  bindNames,
  type Cell,
  CONNECT_MS,
  formatUrl,
  type GameConnection,
  GameUnavailable,
  LOCK_NAME,
  lowerColumns,
  type Params,
  STATEMENT_MS,
} from './driver.ts'

/** Codes of a lost connection or a stopping server, and of a table that was altered after a statement was prepared. */
const CONNECTION_ERRORS = /^(08...|57P0\d|0A000|26000|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND)$/

/** Codes after which the connection can still be used: a lock timeout and a cancelled statement. */
const CANCELLED_CODES = /^(55P03|57014)$/

/** A statement with values is prepared at its third use. */
const PREPARE_AFTER_USES = 3

/** A query that makes the server parse and describe a statement without running it, which checks its names. */
class Description implements pg.Submittable {
  readonly #text: string
  #columns: string[] = []
  /** The client replaces this function by a wrapper that clears the timeout of the query. */
  callback: (error: Error | null, columns: string[]) => void
  constructor(text: string, callback: (error: Error | null, columns: string[]) => void) {
    this.#text = text
    this.callback = callback
  }
  submit = (connection: pg.Connection) => {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }
  handleRowDescription({ fields }: { fields: { name: string }[] }) {
    this.#columns = fields.map(({ name }) => name.toLowerCase())
  }
  /** The client calls this last. */
  handleError(error: Error) {
    this.callback(error, [])
  }
  handleReadyForQuery() {
    this.callback(null, this.#columns)
  }
}

/** Connects to a PostgreSQL server. @throws GameUnavailable */
export async function connectPostgres(url: string): Promise<GameConnection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'tambayan bridge',
    keepAlive: true,
    query_timeout: STATEMENT_MS,
    types: { getTypeParser: () => (value: string) => value },
  })
  let connectionError: Error | undefined
  client.on('error', (error) => {
    connectionError ??= error
  })
  /**
   * Names a repeated statement, so the server plans it once. Names contain a random part, because connections to an embedded
   * database share one session.
   */
  const prefix = randomUUID().slice(0, 8)
  const statementUses = new Map<string, { nth: number; times: number }>()
  const nameStatement = (text: string) => {
    const statementUse = statementUses.get(text) ?? { nth: statementUses.size, times: 0 }
    statementUses.set(text, statementUse)
    statementUse.times++
    return statementUse.times < PREPARE_AFTER_USES ? {} : { name: `tambayan_${prefix}_${statementUse.nth}` }
  }
  const send = async (statement: string, params: Params = {}, rowMode?: 'array') => {
    if (connectionError !== undefined) throw new GameUnavailable(`${formatUrl(url)}: ${connectionError.message}`)
    const { text, values } = bindNames(statement, params, (nth) => `$${nth}`)
    try {
      return await client.query({
        text,
        values,
        ...(values.length > 0 && nameStatement(text)),
        ...(rowMode !== undefined && { rowMode }),
      })
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      const isLost =
        CONNECTION_ERRORS.test(code) ||
        (!CANCELLED_CODES.test(code) && /terminated|not queryable|timeout/i.test(message))
      if (connectionError === undefined && !isLost) throw error
      connectionError ??= error as Error
      throw new GameUnavailable(`${formatUrl(url)}: ${message}`)
    }
  }
  try {
    await client.connect()
    await send(`set session characteristics as transaction isolation level read committed`)
    await send(`set lock_timeout = '10s'`)
    await send(`set idle_in_transaction_session_timeout = '60s'`)
    await send(`set client_encoding = 'UTF8'`)
    // With these settings, the server detects within a minute that an agent's machine has failed, and releases its lock.
    await send(`set tcp_keepalives_idle = 30`)
    await send(`set tcp_keepalives_interval = 5`)
    await send(`set tcp_keepalives_count = 3`)
  } catch (error) {
    await client.end().catch(() => {})
    throw new GameUnavailable(`${formatUrl(url)}: ${(error as Error).message}`)
  }
  return {
    dialect: 'postgres',
    returnsRows: true,
    query: async (statement, params) => lowerColumns((await send(statement, params)).rows),
    rows: async (statement, params) => (await send(statement, params, 'array')).rows as unknown as Cell[][],
    run: async (statement, params) => (await send(statement, params)).rowCount ?? 0,
    describe: (statement, params) =>
      new Promise((resolve, reject) => {
        const { text } = bindNames(statement, params, (nth) => `$${nth}`)
        client.query(new Description(text, (error, columns) => (error === null ? resolve(columns) : reject(error))))
      }),
    transaction: async (work) => {
      await send('begin')
      try {
        const result = await work()
        await send('commit')
        return result
      } catch (error) {
        await send('rollback')
        throw error
      }
    },
    takeLock: async () => {
      const { rows } = await send(`select pg_try_advisory_lock(hashtext('${LOCK_NAME}')) as got`)
      return rows[0]?.got === 't'
    },
    close: () => client.end(),
  }
}
