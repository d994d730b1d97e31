import { randomUUID } from 'node:crypto'
import pg from 'pg'
import {
  bindNames,
  type Cell,
  CONNECT_MS,
  type GameConnection,
  GameUnavailable,
  LOCK_NAME,
  lowerColumns,
  nameOfUrl,
  type Params,
  STATEMENT_MS,
} from './driver.ts'

/** The errors of a lost connection or a stopping server; also those of a table altered under prepared statements. */
const LOST = /^(08...|57P0\d|0A000|26000|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND)$/

/** The server gave up waiting for a lock, or cancelled the statement; the connection goes on. */
const CANCELLED = /^(55P03|57014)$/

/** From which use on a statement with values is prepared. */
const PREPARED_FROM = 3

/** Has one statement parsed and described, which resolves its names, and never bound or executed. */
class Description implements pg.Submittable {
  readonly #text: string
  #columns: string[] = []
  /** The client wraps it to end its timeout. */
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
  /** The client reports nothing more to this query afterwards. */
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
  let lost: Error | undefined
  client.on('error', (error) => {
    lost ??= error
  })
  /**
   * Statements that come again and again are planned once. Their names are this connection's own, because connections to an
   * embedded database share one session.
   */
  const own = randomUUID().slice(0, 8)
  const uses = new Map<string, { nth: number; times: number }>()
  const nameStatement = (text: string) => {
    const use = uses.get(text) ?? { nth: uses.size, times: 0 }
    uses.set(text, use)
    use.times++
    return use.times < PREPARED_FROM ? {} : { name: `tambayan_${own}_${use.nth}` }
  }
  const ask = async (statement: string, params: Params = {}, rowMode?: 'array') => {
    if (lost !== undefined) throw new GameUnavailable(`${nameOfUrl(url)}: ${lost.message}`)
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
      const isLost = LOST.test(code) || (!CANCELLED.test(code) && /terminated|not queryable|timeout/i.test(message))
      if (lost === undefined && !isLost) throw error
      lost ??= error as Error
      throw new GameUnavailable(`${nameOfUrl(url)}: ${message}`)
    }
  }
  try {
    await client.connect()
    await ask(`set session characteristics as transaction isolation level read committed`)
    await ask(`set lock_timeout = '10s'`)
    await ask(`set idle_in_transaction_session_timeout = '60s'`)
    await ask(`set client_encoding = 'UTF8'`)
    // The server finds within a minute that the machine of an agent lost its power, and lets go of its lock.
    await ask(`set tcp_keepalives_idle = 30`)
    await ask(`set tcp_keepalives_interval = 5`)
    await ask(`set tcp_keepalives_count = 3`)
  } catch (error) {
    await client.end().catch(() => {})
    throw new GameUnavailable(`${nameOfUrl(url)}: ${(error as Error).message}`)
  }
  return {
    dialect: 'postgres',
    returnsRows: true,
    query: async (statement, params) => lowerColumns((await ask(statement, params)).rows),
    rows: async (statement, params) => (await ask(statement, params, 'array')).rows as unknown as Cell[][],
    run: async (statement, params) => (await ask(statement, params)).rowCount ?? 0,
    describe: (statement, params) =>
      new Promise((resolve, reject) => {
        const { text } = bindNames(statement, params, (nth) => `$${nth}`)
        client.query(new Description(text, (error, columns) => (error === null ? resolve(columns) : reject(error))))
      }),
    transaction: async (work) => {
      await ask('begin')
      try {
        const result = await work()
        await ask('commit')
        return result
      } catch (error) {
        await ask('rollback')
        throw error
      }
    },
    takeLock: async () => {
      const { rows } = await ask(`select pg_try_advisory_lock(hashtext('${LOCK_NAME}')) as got`)
      return rows[0]?.got === 't'
    },
    close: () => client.end(),
  }
}
