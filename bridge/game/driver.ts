/** A kind of database that games use. */
export type Dialect = 'mssql' | 'mariadb' | 'postgres'

export type Value = string | number | null
/** A value as the driver gives it; large numbers are text. */
export type Cell = Value | Date | boolean | Buffer | undefined
export type Row = Record<string, Cell>
export type Params = Record<string, Value>

/** How long a connection to a game's database may take, and how long a statement. */
export const CONNECT_MS = 10_000
export const STATEMENT_MS = 60_000

/**
 * One connection to a database of the game, with the settings that the bridge relies on. Statements name their parameters
 * `:name`. It does not reconnect automatically, because locks and settings end with the connection.
 */
export type GameConnection = {
  dialect: Dialect
  /** Whether an insert gives its row back in the same statement. */
  returnsRows: boolean
  /** @returns the rows, their columns in lower case */
  query(statement: string, params?: Params): Promise<Row[]>
  /** For many rows. @returns the values of each row in the order of the statement, as the driver gives them */
  rows(statement: string, params?: Params): Promise<Cell[][]>
  /** @returns how many rows were changed */
  run(statement: string, params?: Params): Promise<number>
  /**
   * Lets the server read one statement without running it.
   *
   * @returns the columns that it would give, in lower case; null where the server does not say
   * @throws what the server finds wrong: its grammar, a table or a column that is not there
   */
  describe(statement: string, params: Params): Promise<string[] | null>
  /** Runs `work` in one transaction, READ COMMITTED. Whatever goes wrong undoes it. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Takes the lock that only one agent has; it ends with this connection. @returns false when another agent has it */
  takeLock(): Promise<boolean>
  close(): Promise<void>
}

/** Runs the statements of one step. @returns the rows of the last one */
export async function runAll(
  connection: GameConnection,
  statements: readonly string[],
  params: Params,
): Promise<Row[]> {
  const last = statements.length - 1
  for (const statement of statements.slice(0, last)) await connection.run(statement, params)
  return connection.query(statements[last] ?? '', params)
}

/** The connection is lost, and the result of the last statement is unknown. */
export class GameUnavailable extends Error {
  override name = 'GameAway'
}

/** A server or a shop that the bridge cannot work with; the message has advice. */
export class IncompatibleGame extends Error {
  override name = 'UnfitGame'
}

/** Statement for a driver: each `:name` outside of strings replaced, and the values in their order. */
export function bindNames(
  statement: string,
  params: Params,
  mark: (nth: number, name: string) => string,
): { text: string; values: Value[]; names: string[] } {
  const values: Value[] = []
  const names: string[] = []
  const text = statement.replace(/'(?:[^']|'')*'|(?<![:\w]):([a-z]\w*)/gi, (whole, name: string | undefined) => {
    if (name === undefined) return whole
    const value = params[name]
    if (value === undefined) throw new Error(`A statement has no value for :${name}.`)
    values.push(value)
    names.push(name)
    return mark(values.length, name)
  })
  return { text, values, names }
}

/** The lock's name. MariaDB's locks are of the whole server, so the database's name is part of it. */
export const LOCK_NAME = 'tambayan_bridge'

/** The address without its password, for messages. */
export function nameOfUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** Rows with their columns in lower case: databases differ in how they give them back. */
export const lowerColumns = (rows: readonly object[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])))

/** A value of a row as text without the trailing spaces of `char` columns. */
export const toText = (value: Row[string]): string =>
  value === null || value === undefined ? '' : String(value).trimEnd()

/** Whether two IDs belong to one account: games ignore letter case. */
export const isSameId = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** A value of a row as a number; null where there is none. MariaDB gives columns of bits as bytes. */
export function toNumber(value: Row[string]): number | null {
  if (Buffer.isBuffer(value) && value.length <= 6) return value.readUIntBE(0, value.length)
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
