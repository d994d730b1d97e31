import mssql from 'mssql'
import {
  bindNames,
  type Cell,
  CONNECT_MS,
  formatUrl,
  type GameConnection,
  GameUnavailable,
  IncompatibleGame,
  LOCK_NAME,
  lowerColumns,
  type Params,
  STATEMENT_MS,
} from './driver.ts'

const CONNECTION_ERRORS = /^(ESOCKET|ECONNCLOSED|ECONNRESET|ETIMEOUT|ENOTOPEN|ELOGIN|EINSTLOOKUP|ECONNREFUSED)$/

/** The oldest version that supports all statements of the bridge. */
const OLDEST_VERSION = { version: 11, name: 'SQL Server 2012' }

/** Connects to a Microsoft SQL Server. @throws GameUnavailable; IncompatibleGame for a server that is too old */
export async function connectMssql(url: string): Promise<GameConnection> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  let connectionError: Error | undefined
  let session: string | undefined
  // The lock and the settings belong to the single connection of this pool, which has no idle timeout. The pool would replace
  // a closed connection without an error, so the code below detects a closed connection itself. `validateConnection` is off,
  // because its "select 1" before each statement would double the round trips.
  const pool = new mssql.ConnectionPool({
    server: decodeURIComponent(hostname),
    ...(port !== '' && { port: Number(port) }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    connectionTimeout: CONNECT_MS,
    requestTimeout: STATEMENT_MS,
    validateConnection: false,
    beforeConnect: (connection) => {
      connection.on('end', () => {
        if (session !== undefined) connectionError ??= new Error('the connection ended')
      })
    },
    pool: { max: 1, min: 1, idleTimeoutMillis: 2 ** 31 - 1 },
    options: {
      appName: 'tambayan bridge',
      encrypt: searchParams.get('encrypt') !== 'false',
      trustServerCertificate: searchParams.get('trustServerCertificate') === 'true',
      ...(searchParams.has('instance') && { instanceName: searchParams.get('instance') ?? '' }),
      abortTransactionOnError: true,
      useUTC: false,
    },
  })
  const toGameUnavailable = (error: unknown) => new GameUnavailable(`${formatUrl(url)}: ${(error as Error).message}`)
  pool.on('error', (error: Error) => {
    connectionError ??= error
  })
  let openTransaction: mssql.Transaction | undefined
  const runRequest = async (statement: string, params: Params = {}, rowsAsArray = false) => {
    if (connectionError !== undefined) throw toGameUnavailable(connectionError)
    const { text, values, names } = bindNames(statement, params, (_, name) => `@${name}`)
    const request = openTransaction === undefined ? new mssql.Request(pool) : new mssql.Request(openTransaction)
    request.arrayRowMode = rowsAsArray
    for (const [nth, name] of names.entries()) {
      if (name in request.parameters) continue
      const value = values[nth] ?? null
      if (typeof value === 'number') request.input(name, mssql.BigInt, value)
      else request.input(name, mssql.NVarChar(4000), value)
    }
    try {
      return names.length === 0 && openTransaction === undefined ? await request.batch(text) : await request.query(text)
    } catch (error) {
      if (!CONNECTION_ERRORS.test((error as { code?: string }).code ?? '')) throw error
      connectionError ??= error as Error
      throw toGameUnavailable(error)
    }
  }
  const sessionId = async () =>
    String(
      (
        await runRequest(
          `select concat(@@spid, ' ', convert(varchar(30), login_time, 126)) as id from sys.dm_exec_sessions where session_id = @@spid`,
        )
      ).recordset?.[0]?.id,
    )
  const requireVersion = async () => {
    const versionRows = await runRequest(`select convert(varchar(20), serverproperty('ProductVersion')) as version`)
    const version = String(versionRows.recordset?.[0]?.version ?? '')
    if (version !== '' && Number.parseInt(version, 10) < OLDEST_VERSION.version)
      throw new IncompatibleGame(
        `The game’s database server has the version ${version}; the bridge needs ${OLDEST_VERSION.name} or newer.`,
      )
  }
  try {
    await pool.connect()
    await runRequest(
      'set nocount off; set xact_abort on; set transaction isolation level read committed; set lock_timeout 10000',
    )
    await requireVersion()
    session = await sessionId()
  } catch (error) {
    await pool.close().catch(() => {})
    throw error instanceof IncompatibleGame ? error : toGameUnavailable(error)
  }
  /** Returns the rows of the last statement; a trigger may have returned rows before. */
  const getLastRows = ({ recordsets, recordset }: Awaited<ReturnType<typeof runRequest>>) =>
    (Array.isArray(recordsets) ? recordsets.at(-1) : recordset) ?? []
  return {
    dialect: 'mssql',
    // SQL Server refuses OUTPUT without INTO on a table with triggers.
    returnsRows: false,
    query: async (statement, params) => lowerColumns(getLastRows(await runRequest(statement, params))),
    rows: async (statement, params) => getLastRows(await runRequest(statement, params, true)) as unknown as Cell[][],
    // The server's own count includes the rows that triggers change, and is missing with NOCOUNT on.
    run: async (statement, params) => {
      const [row] = getLastRows(await runRequest(`${statement};\nselect @@rowcount as changed`, params))
      return Number(row?.changed ?? 0)
    },
    describe: async (statement, params) => {
      const { text } = bindNames(statement, params, (_, name) => `@${name}`)
      const types = Object.entries(params).map(
        ([name, value]) => `@${name} ${typeof value === 'number' ? 'bigint' : 'nvarchar(4000)'}`,
      )
      const { recordset } = await runRequest(
        'exec sys.sp_describe_first_result_set @tsql = :statement, @params = :types',
        {
          statement: text,
          types: types.join(', '),
        },
      )
      return (recordset ?? []).map(({ name }) => String(name).toLowerCase())
    },
    transaction: async (work) => {
      // A pool opens a new connection automatically, which would have neither the lock nor the settings.
      if ((await sessionId()) !== session) {
        connectionError ??= new Error('the connection was replaced')
        throw toGameUnavailable(connectionError)
      }
      const transaction = new mssql.Transaction(pool)
      await transaction.begin(mssql.ISOLATION_LEVEL.READ_COMMITTED).catch((error: Error) => {
        connectionError ??= error
        throw toGameUnavailable(error)
      })
      openTransaction = transaction
      try {
        const result = await work()
        await transaction.commit()
        return result
      } catch (error) {
        // After an error of the server, XACT_ABORT has already rolled the transaction back.
        await transaction.rollback().catch(() => {})
        throw CONNECTION_ERRORS.test((error as { code?: string }).code ?? '') ? toGameUnavailable(error) : error
      } finally {
        openTransaction = undefined
      }
    },
    takeLock: async () => {
      const { recordset } = await runRequest(
        `declare @got int;
        exec @got = sp_getapplock @Resource = N'${LOCK_NAME}', @LockMode = 'Exclusive', @LockOwner = 'Session', @LockTimeout = 0;
        select @got as got`,
      )
      return Number(recordset?.[0]?.got) >= 0
    },
    close: () => pool.close(),
  }
}
