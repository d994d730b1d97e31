import { createConnection, type PreparedStatementInfo, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise'
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
} from './driver.ts'

const CONNECTION_ERRORS =
  /^(PROTOCOL_\w+|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|ER_SERVER_SHUTDOWN|ER_CON\w+|ER_NORMAL_SHUTDOWN)$/

/** Returns whether a server of this version has `insert … returning`: MariaDB from 10.5 on; MySQL never. */
export function hasReturning(version: string): boolean {
  const [, majorVersion = 0, minorVersion = 0] = /^(\d+)\.(\d+)\..*MariaDB/i.exec(version)?.map(Number) ?? []
  return majorVersion > 10 || (majorVersion === 10 && minorVersion >= 5)
}

/** Returns the columns of a prepared statement, which the types of mysql2 omit. */
function listColumns(preparedStatement: PreparedStatementInfo): string[] {
  const { statement } = preparedStatement as unknown as { statement: { columns: { name: string }[] } }
  return statement.columns.map(({ name }) => name.toLowerCase())
}

/**
 * The seconds of silence after which the server ends a connection. This releases the lock and the transaction of an
 * agent whose machine has failed. A running agent pings the server four times in this period.
 */
const SILENT_SECONDS = 60

/** Connects to a MariaDB or MySQL server. @throws GameUnavailable */
export async function connectMariadb(url: string): Promise<GameConnection> {
  const address = new URL(url)
  address.protocol = 'mysql:'
  const toGameUnavailable = (error: unknown) =>
    new GameUnavailable(`${formatUrl(url)}: ${(error as Error).message || String((error as { code?: string }).code)}`)
  const connection = await createConnection({
    uri: address.href,
    connectTimeout: CONNECT_MS,
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    enableKeepAlive: true,
  }).catch((error: unknown) => {
    throw toGameUnavailable(error)
  })
  let connectionError: Error | undefined
  connection.on('error', (error: Error) => {
    connectionError ??= error
  })
  const send = async (statement: string, params: Params = {}, rowsAsArray = false) => {
    if (connectionError !== undefined) throw toGameUnavailable(connectionError)
    const { text, values } = bindNames(statement, params, () => '?')
    try {
      // Not every statement can be prepared, so mysql2 escapes the values instead.
      const [result] = await connection.query<RowDataPacket[] | ResultSetHeader>({ sql: text, values, rowsAsArray })
      return result
    } catch (error) {
      const { code = '', fatal } = error as { code?: string; fatal?: boolean }
      if (fatal !== true && !CONNECTION_ERRORS.test(code) && !/closed state/.test((error as Error).message)) throw error
      connectionError ??= error as Error
      throw toGameUnavailable(error)
    }
  }
  const query = async (statement: string, params?: Params) => {
    const result = await send(statement, params)
    return Array.isArray(result) ? lowerColumns(result) : []
  }
  let returnsRows = false
  try {
    await send(`set session sql_mode = 'STRICT_ALL_TABLES', innodb_lock_wait_timeout = 10, autocommit = 1,
      wait_timeout = ${SILENT_SECONDS}`)
    // With a binary log in the format STATEMENT, the server refuses READ COMMITTED writes.
    const [log] = await query(`select @@global.log_bin as used, @@global.binlog_format as format`)
    const isolationLevel =
      log?.used !== '0' && Number(log?.used) !== 0 && log?.format === 'STATEMENT' ? 'repeatable read' : 'read committed'
    await send(`set session transaction isolation level ${isolationLevel}`)
    const [server] = await query('select version() as version')
    returnsRows = hasReturning(String(server?.version))
  } catch (error) {
    connection.destroy()
    throw toGameUnavailable(error)
  }
  const keepAliveTimer = setInterval(() => {
    connection.ping().catch((error: Error) => {
      connectionError ??= error
    })
  }, SILENT_SECONDS * 250).unref()
  return {
    dialect: 'mariadb',
    returnsRows,
    query,
    rows: async (statement, params) => {
      const result = await send(statement, params, true)
      return Array.isArray(result) ? (result as unknown as Cell[][]) : []
    },
    run: async (statement, params) => {
      const result = await send(statement, params)
      return Array.isArray(result) ? result.length : result.affectedRows
    },
    describe: async (statement, params) => {
      const preparedStatement = await connection.prepare(bindNames(statement, params, () => '?').text)
      await preparedStatement.close()
      const columns = listColumns(preparedStatement)
      // MariaDB does not describe the rows that a write returns.
      return columns.length === 0 && /\breturning\b/i.test(statement) ? null : columns
    },
    transaction: async (work) => {
      await send('start transaction')
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
      const [row] = await query(`select get_lock(concat('${LOCK_NAME} ', database()), 0) as got`)
      return Number(row?.got) === 1
    },
    close: async () => {
      clearInterval(keepAliveTimer)
      await connection.end().catch(() => connection.destroy())
    },
  }
}
