import type { Finding } from '#contract/bridge.ts'
import type { BridgeConfig } from './config.ts'
import { createGoodFinding, createNote, type GameTables } from './findings.ts'
import { type Dialect, type GameConnection, toNumber, toText } from './game/driver.ts'
import {
  type Catalogue,
  type Column,
  type GameDatabase,
  quote,
  type ResolvedTable,
  resolveTable,
  TABLE_COLUMNS,
  type TableName,
} from './game/names.ts'
import { OWN_TABLES } from './game/own-tables.ts'
import { COLUMNS_BY_SERVICE } from './services.ts'

/** The columns of ChaInfo that services read and write. */
const SERVICE_COLUMNS: string[] = [...new Set(Object.values(COLUMNS_BY_SERVICE).flat())]
/** The columns of ChaInfo that the bridge reads without services: all but those that only services need. */
const READ_COLUMNS = TABLE_COLUMNS.ChaInfo.filter(
  (column) => ['ChaName', 'ChaClass', 'ChaSchool'].includes(column) || !SERVICE_COLUMNS.includes(column),
)
/** The columns of UserInfo that the bridge changes. */
const UPDATED_ACCOUNT_COLUMNS = ['UserPass', 'UserPass2', 'UserBlock', 'UserBlockDate', 'UserPoint', 'UserLoginState']
/** The columns of ShopPurchase that the bridge writes in a new row. */
const INSERTED_PURCHASE_COLUMNS = ['UserUID', 'ProductNum', 'PurPrice', 'PurFlag', 'PurDate', 'ItemMain', 'ItemSub']

/** The database account with which the bridge connects. */
type DatabaseUser = { name: string; host: string; isAdmin: boolean }

const DATABASE_USER_QUERIES: Record<Dialect, string> = {
  mssql: `select suser_sname() as name, '' as host, is_srvrolemember('sysadmin') as admin`,
  mariadb: `select substring_index(current_user(), '@', 1) as name, substring_index(current_user(), '@', -1) as host,
    (select count(*) from information_schema.user_privileges
      where replace(grantee, char(39), '') = current_user() and privilege_type = 'SUPER') as admin`,
  // The embedded database, whose version contains 'emscripten', has only a superuser. It does not count as an administrator.
  postgres: `select current_user as name, '' as host,
    case when current_setting('is_superuser') = 'on' and version() not like '%emscripten%' then 1 else 0 end as admin`,
}

async function readDatabaseUser(connection: GameConnection): Promise<DatabaseUser> {
  const [row] = await connection.query(DATABASE_USER_QUERIES[connection.dialect]).catch(() => [])
  return { name: toText(row?.name), host: toText(row?.host), isAdmin: (toNumber(row?.admin) ?? 0) > 0 }
}

/** Reads the names of the sequences of a table's serial columns. An insert needs a right to them; identity columns need none. */
async function readSequences(
  connection: GameConnection | undefined,
  { definition }: ResolvedTable<TableName>,
): Promise<string[]> {
  if (connection?.dialect !== 'postgres') return []
  const rows = await connection.query(
    `select substring(column_default from $re$^nextval\\('(.+)'::regclass\\)$re$) as seq from information_schema.columns
    where table_schema = :schema and table_name = :name and column_default like 'nextval(%'`,
    { schema: definition.schema, name: definition.name },
  )
  return rows.map(({ seq }) => toText(seq)).filter(Boolean)
}

/** The name of the account to create if the bridge uses an administrator's account. */
const BRIDGE_ACCOUNT = 'tambayan_bridge'

/** Rights to a table or to some of its columns; to a sequence with `isSequence`. `on` is the quoted name. */
type Grant = { rights: string[]; on: string; columns?: string[]; isSequence?: true }

/** Returns SQL for whether a table of MariaDB's information schema grants this account the right `:right`. */
const createRightCondition = (table: string, condition = 'true') =>
  `exists (select 1 from information_schema.${table} where replace(grantee, char(39), '') = current_user()
    and privilege_type = :right and ${condition})`
const IS_OBJECT_CONDITION = `concat('\`', table_schema, '\`.\`', table_name, '\`') = :object`
const MARIADB_OBJECT_CONDITION = [
  createRightCondition('user_privileges'),
  createRightCondition('schema_privileges', 'table_schema = database()'),
  createRightCondition('table_privileges', IS_OBJECT_CONDITION),
].join(' or ')

/** SQL for whether this account has the right `:right` to `:object`, or to its column `col` if rights are per column. */
const GRANTED_QUERIES: Record<Dialect, Record<'object' | 'column' | 'sequence', string>> = {
  mssql: {
    object: `has_perms_by_name(:object, 'OBJECT', :right) = 1`,
    column: `has_perms_by_name(:object, 'OBJECT', :right, col, 'COLUMN') = 1`,
    sequence: '1 = 1',
  },
  mariadb: {
    object: MARIADB_OBJECT_CONDITION,
    column: `${MARIADB_OBJECT_CONDITION} or ${createRightCondition('column_privileges', `${IS_OBJECT_CONDITION} and column_name = col`)}`,
    sequence: '1 = 1',
  },
  postgres: {
    object: 'has_table_privilege(:object, :right)',
    column: 'has_column_privilege(:object, col, :right)',
    sequence: 'has_sequence_privilege(:object, :right)',
  },
}

/** Returns whether this connection's account has these rights; false if the table does not exist yet. */
export async function isGranted(
  connection: GameConnection,
  { rights, on, columns, isSequence }: Grant,
): Promise<boolean> {
  const { object, column, sequence } = GRANTED_QUERIES[connection.dialect]
  const rightCondition = isSequence ? sequence : columns === undefined ? object : column
  const columnList = (columns ?? [''])
    .map((name) => `select '${name.replaceAll("'", "''")}' as col`)
    .join(' union all ')
  for (const right of rights) {
    const [row] = await connection
      .query(`select min(case when ${rightCondition} then 1 else 0 end) as has from (${columnList}) c`, {
        object: on,
        right,
      })
      .catch(() => [])
    if (toNumber(row?.has) !== 1) return false
  }
  return true
}

type Databases = {
  catalogues: Partial<Record<GameDatabase, Catalogue>>
  connections: Partial<Record<GameDatabase, GameConnection>>
}

const getDatabaseName = ({ urls }: BridgeConfig, database: GameDatabase) =>
  decodeURIComponent(new URL(urls[database]).pathname.slice(1))

/** Returns the schema of a database's tables; the default schema if there is no table yet. */
const getSchema = ({ dialect }: BridgeConfig, { catalogues }: Databases, database: GameDatabase) =>
  catalogues[database]?.[0]?.schema ?? (dialect === 'mssql' ? 'dbo' : 'public')

/** Returns the grant of a right to a table's columns, without those that this server lacks. */
function grantColumns(
  right: string,
  { table, infos }: ResolvedTable<TableName>,
  requestedColumns?: readonly string[],
): Grant[] {
  const columns = Object.entries<Column | null>(infos).flatMap(([name, column]) =>
    column === null || requestedColumns?.includes(name) === false ? [] : [column.name],
  )
  return columns.length === 0 ? [] : [{ rights: [right], on: table, columns: [...new Set(columns)] }]
}

/** Lists all rights that the bridge needs in each database. */
async function listNeededGrants(
  config: BridgeConfig,
  { user, product, purchase, characters }: GameTables,
  databases: Databases,
): Promise<Record<GameDatabase, Grant[]>> {
  const { dialect, names, services } = config
  const { catalogues, connections } = databases
  const grantOwnTables = (database: GameDatabase): Grant[] => {
    const schema = dialect === 'mariadb' ? getDatabaseName(config, database) : getSchema(config, databases, database)
    return OWN_TABLES[database].map((name) => ({
      rights: ['select', 'insert', 'update'],
      on: `${quote(dialect, schema)}.${quote(dialect, name)}`,
    }))
  }
  const grantSequences = async (database: GameDatabase, table: ResolvedTable<TableName>): Promise<Grant[]> =>
    (await readSequences(connections[database], table)).map((on) => ({ rights: ['usage'], on, isSequence: true }))
  const grantClubTable = (name: 'GuildInfo' | 'GuildRegion' | 'GuildAlliance'): Grant[] => {
    const catalogue = catalogues.game
    if (catalogue === undefined) return []
    try {
      return grantColumns('select', resolveTable(name, { dialect, catalogue, names }))
    } catch {
      return []
    }
  }
  const accountGrants =
    user === undefined
      ? []
      : [
          ...grantColumns('select', user),
          { rights: ['insert'], on: user.table },
          ...grantColumns('update', user, UPDATED_ACCOUNT_COLUMNS),
          ...(await grantSequences('user', user)),
          ...grantOwnTables('user'),
        ]
  const characterGrants =
    characters === undefined
      ? []
      : services === undefined
        ? grantColumns('select', characters, READ_COLUMNS)
        : [
            ...grantColumns('select', characters),
            ...grantColumns('update', characters, SERVICE_COLUMNS),
            ...grantOwnTables('game'),
          ]
  const purchaseGrants =
    purchase === undefined
      ? []
      : [
          ...grantColumns('select', purchase),
          // SQL Server grants INSERT only on whole tables. In MariaDB, a column that an insert returns needs the right too.
          ...(dialect === 'mssql'
            ? [{ rights: ['insert'], on: purchase.table }]
            : grantColumns(
                'insert',
                purchase,
                dialect === 'mariadb' ? [...INSERTED_PURCHASE_COLUMNS, 'PurKey'] : INSERTED_PURCHASE_COLUMNS,
              )),
          // The bridge locks a row before it deletes it; in PostgreSQL the lock requires the right to update.
          ...(dialect === 'postgres' ? grantColumns('update', purchase, ['PurFlag']) : []),
          { rights: ['delete'], on: purchase.table },
          ...(await grantSequences('shop', purchase)),
        ]
  return {
    user: accountGrants,
    game: [
      ...characterGrants,
      ...grantClubTable('GuildInfo'),
      ...grantClubTable('GuildRegion'),
      ...(names.GuildAlliance == null ? [] : grantClubTable('GuildAlliance')),
    ],
    shop: [
      ...(product === undefined ? [] : grantColumns('select', product)),
      ...purchaseGrants,
      ...grantOwnTables('shop'),
    ],
  }
}

/**
 * Writes the statements that grant the bridge's account the rights that it lacks. Those for an administrator first create an
 * account, and grant it all rights.
 */
async function writeGrantStatements(
  config: BridgeConfig,
  neededGrants: Record<GameDatabase, Grant[]>,
  databases: Databases,
  { name, host, isAdmin }: DatabaseUser,
): Promise<string[]> {
  const { dialect, urls } = config
  const account = isAdmin ? BRIDGE_ACCOUNT : name || decodeURIComponent(new URL(urls.shop).username)
  const to = dialect === 'mariadb' ? `'${account}'@'${host || 'localhost'}'` : quote(dialect, account)
  const createAccountSql = {
    mssql: `create login ${to} with password = 'CHOOSE A PASSWORD';`,
    mariadb: `create user ${to} identified by 'CHOOSE A PASSWORD';`,
    postgres: `create role ${to} login password 'CHOOSE A PASSWORD';`,
  }
  /** Returns the lines before the grants in a database. */
  const writeHead = (database: GameDatabase): string[] => {
    const databaseName = getDatabaseName(config, database)
    if (dialect === 'mariadb') return [`-- in ${databaseName}:`]
    if (dialect === 'postgres')
      return [
        `-- connected to the database ${databaseName}:`,
        `grant usage on schema ${quote(dialect, getSchema(config, databases, database))} to ${to};`,
      ]
    return [`use ${quote(dialect, databaseName)};`, ...(isAdmin ? [`create user ${to} for login ${to};`] : [])]
  }
  const formatGrant = ({ rights, on, columns, isSequence }: Grant) => {
    const columnClause = columns === undefined ? '' : ` (${columns.map((column) => quote(dialect, column)).join(', ')})`
    return `grant ${rights.join(', ')}${columnClause} on ${isSequence ? 'sequence ' : ''}${on} to ${to};`
  }
  const lines: string[] = isAdmin ? [createAccountSql[dialect]] : []
  for (const database of ['user', 'game', 'shop'] as const) {
    const connection = databases.connections[database]
    const missingGrants: string[] = []
    for (const grant of neededGrants[database])
      if (isAdmin || connection === undefined || !(await isGranted(connection, grant)))
        missingGrants.push(formatGrant(grant))
    if (missingGrants.length > 0) lines.push(...writeHead(database), ...missingGrants)
  }
  return lines
}

/**
 * Returns findings about the rights of the bridge's account, with the SQL statements that grant those it lacks. An
 * administrator's account gets the advice to use an account for the bridge alone.
 */
export async function checkGrants(
  config: BridgeConfig,
  tables: GameTables,
  catalogues: Databases['catalogues'],
  connections: Databases['connections'],
): Promise<Finding[]> {
  const [connection] = Object.values(connections)
  if (connection === undefined) return []
  const databases = { catalogues, connections }
  const databaseUser = await readDatabaseUser(connection)
  const neededGrants = await listNeededGrants(config, tables, databases)
  const statements = (await writeGrantStatements(config, neededGrants, databases, databaseUser)).join('\n')
  if (statements === '') return [createGoodFinding('The bridge’s account has all the rights that it needs.')]
  if (!databaseUser.isAdmin) return [createNote('The bridge’s account lacks these rights.', statements)]
  return [
    createNote(
      `The bridge connects as ${databaseUser.name}, which may do everything.`,
      `Start the bridge once so that it creates its tables. Then create an account for the bridge with the statements below, and use ${BRIDGE_ACCOUNT} in the configuration.`,
    ),
    createNote('The bridge’s account needs these rights and no others.', statements),
  ]
}
