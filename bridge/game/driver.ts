/** A kind of database that games use. */
export type Dialect = 'mssql' | 'mariadb' | 'postgres'

export type Value = string | number | null
/** A value as the driver returns it; large numbers are text. */
export type Cell = Value | Date | boolean | Buffer | undefined
export type Row = Record<string, Cell>
export type Params = Record<string, Value>

/** The timeouts of connecting to a game's database, and of a statement. */
export const CONNECT_MS = 10_000
export const STATEMENT_MS = 60_000

/**
 * One connection to a database of the game, with the settings that the bridge relies on. Statements name their parameters
 * `:name`. It does not reconnect automatically, because locks and settings end with the connection.
 */
export type GameConnection = {
  dialect: Dialect
  /** Whether the server supports `insert … returning`. */
  returnsRows: boolean
  /** @returns the rows, their columns in lower case */
  query(statement: string, params?: Params): Promise<Row[]>
  /** Like `query`, for many rows. @returns the values of each row in the statement's order, as the driver returns them */
  rows(statement: string, params?: Params): Promise<Cell[][]>
  /** @returns how many rows were changed */
  run(statement: string, params?: Params): Promise<number>
  /**
   * Parses one statement on the server without running it.
   *
   * @returns its result columns in lower case; null if the server does not describe them
   * @throws the server's error, such as one of grammar or a missing table or column
   */
  describe(statement: string, params: Params): Promise<string[] | null>
  /** Runs `work` in one READ COMMITTED transaction; any error rolls it back. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Takes the lock of the one active agent, until this connection ends. @returns false if another agent holds it */
  takeLock(): Promise<boolean>
  close(): Promise<void>
}

/** Runs the statements of one step. @returns the rows of the last one */
export async function runAll(
  connection: GameConnection,
  statements: readonly string[],
  params: Params,
): Promise<Row[]> {
  const lastIndex = statements.length - 1
  for (const statement of statements.slice(0, lastIndex)) await connection.run(statement, params)
  return connection.query(statements[lastIndex] ?? '', params)
}

/** The connection was lost, so the result of the last statement is unknown. */
export class GameUnavailable extends Error {
  override name = 'GameUnavailable'
}

/** The server's version or one of its tables is incompatible with the bridge; the message has advice. */
export class IncompatibleGame extends Error {
  override name = 'IncompatibleGame'
}

/** Replaces each `:name` outside of strings by the driver's placeholder. @returns the statement, its values and names in order */
export function bindNames(
  statement: string,
  params: Params,
  toPlaceholder: (nth: number, name: string) => string,
): { text: string; values: Value[]; names: string[] } {
  const values: Value[] = []
  const names: string[] = []
  const text = statement.replace(/'(?:[^']|'')*'|(?<![:\w]):([a-z]\w*)/gi, (match, name: string | undefined) => {
    if (name === undefined) return match
    const value = params[name]
    if (value === undefined) throw new Error(`A statement has no value for :${name}.`)
    values.push(value)
    names.push(name)
    return toPlaceholder(values.length, name)
  })
  return { text, values, names }
}

/** The lock's name. MariaDB appends the database's name, because its locks belong to the whole server. */
export const LOCK_NAME = 'tambayan_bridge'

/** Formats an address without its password, for messages. */
export function formatUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** Returns rows with column names in lower case, because databases return them in different cases. */
export const lowerColumns = (rows: readonly object[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])))

/** Converts a value of a row to text, without the trailing spaces of `char` columns (GAME-2). */
export const toText = (value: Row[string]): string =>
  value === null || value === undefined ? '' : String(value).trimEnd()

/** Returns whether two IDs are of one account; games ignore letter case. */
export const isSameId = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Converts a value of a row to a number; returns null if it is not a number. MariaDB returns `bit` columns as bytes. */
export function toNumber(value: Row[string]): number | null {
  if (Buffer.isBuffer(value) && value.length <= 6) return value.readUIntBE(0, value.length)
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
