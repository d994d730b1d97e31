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
import { COLUMNS } from './services.ts'

const SERVICE_COLUMNS = [...new Set(Object.values(COLUMNS).flat())]
/** Columns of the characters' table that the bridge always reads. */
const ALWAYS_READ = ['ChaName', 'ChaClass', 'ChaSchool']
/**
 * Returns the columns of the characters' table that the bridge reads; undefined if it reads all supported columns, because it
 * sells services.
 */
const listReadColumns = (
  { services }: BridgeConfig,
  allColumns: readonly string[] = TABLE_COLUMNS.ChaInfo,
): string[] | undefined =>
  services === undefined
    ? allColumns.filter(
        (column) => ALWAYS_READ.includes(column) || !SERVICE_COLUMNS.some((serviceColumn) => serviceColumn === column),
      )
    : undefined

/** The bridge's account in a database. */
type DatabaseUser = { name: string; host: string; isAdmin: boolean }

const DATABASE_USER_QUERIES: Record<Dialect, string> = {
  mssql: `select suser_sname() as name, '' as host, is_srvrolemember('sysadmin') as admin`,
  mariadb: `select substring_index(current_user(), '@', 1) as name, substring_index(current_user(), '@', -1) as host,
    (select count(*) from information_schema.user_privileges
      where replace(grantee, char(39), '') = current_user() and privilege_type = 'SUPER') as admin`,
  // The embedded database (its version contains 'emscripten') has only a superuser, so it is not reported as an administrator.
  postgres: `select current_user as name, '' as host,
    case when current_setting('is_superuser') = 'on' and version() not like '%emscripten%' then 1 else 0 end as admin`,
}

async function readDatabaseUser(connection: GameConnection): Promise<DatabaseUser> {
  const [row] = await connection.query(DATABASE_USER_QUERIES[connection.dialect]).catch(() => [])
  return { name: toText(row?.name), host: toText(row?.host), isAdmin: (toNumber(row?.admin) ?? 0) > 0 }
}

/** Finds the sequences of a table's serial columns. An insert needs a right to them; identity columns need none. */
async function readSequences(connection: GameConnection, { definition }: ResolvedTable<TableName>): Promise<string[]> {
  if (connection.dialect !== 'postgres') return []
  const rows = await connection.query(
    `select substring(column_default from $re$^nextval\\('(.+)'::regclass\\)$re$) as seq from information_schema.columns
    where table_schema = :schema and table_name = :name and column_default like 'nextval(%'`,
    { schema: definition.schema, name: definition.name },
  )
  return rows.map(({ seq }) => toText(seq)).filter(Boolean)
}

/** The name of the account to create if the bridge uses an administrator's account. */
const BRIDGE_ACCOUNT = 'tambayan_bridge'

/** Permissions on a table or some of its columns, or on a sequence with `isSequence`. */
type Grant = { rights: string[]; on: string; columns?: string[]; isSequence?: true }

/** Returns an SQL condition: whether a table of MariaDB's information schema grants this account the right `:right`. */
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

/**
 * Returns findings with the SQL statements that grant the missing rights to the bridge's account. If the bridge uses an
 * administrator's account, the statements first create an account.
 */
export async function reportMissingGrants(
  config: BridgeConfig,
  { user, product, purchase, characters }: GameTables,
  catalogues: Partial<Record<GameDatabase, Catalogue>>,
  connections: Partial<Record<GameDatabase, GameConnection>>,
): Promise<Finding[]> {
  const { dialect, urls, names } = config
  const getDatabaseName = (gameDatabase: GameDatabase) =>
    decodeURIComponent(new URL(urls[gameDatabase]).pathname.slice(1))
  const [connection] = Object.values(connections)
  if (connection === undefined) return []
  const databaseUser = await readDatabaseUser(connection)
  const account = databaseUser.isAdmin
    ? BRIDGE_ACCOUNT
    : databaseUser.name || decodeURIComponent(new URL(urls.shop).username)
  const to = dialect === 'mariadb' ? `'${account}'@'${databaseUser.host || 'localhost'}'` : quote(dialect, account)
  /** Returns the grant of a right to a table's existing columns. */
  const grantColumns = (
    right: string,
    { table, infos }: ResolvedTable<TableName>,
    requestedColumns?: readonly string[],
  ): Grant[] => {
    const columns = Object.entries<Column | null>(infos).flatMap(([name, column]) =>
      column === null || requestedColumns?.includes(name) === false ? [] : [column.name],
    )
    return columns.length === 0 ? [] : [{ rights: [right], on: table, columns: [...new Set(columns)] }]
  }
  const getSchema = (gameDatabase: GameDatabase) =>
    catalogues[gameDatabase]?.[0]?.schema ?? (dialect === 'mssql' ? 'dbo' : 'public')
  const grantOwnTable = (name: string, gameDatabase: GameDatabase): Grant => ({
    rights: ['select', 'insert', 'update'],
    on: `${quote(dialect, dialect === 'mariadb' ? getDatabaseName(gameDatabase) : getSchema(gameDatabase))}.${quote(dialect, name)}`,
  })
  const grantSequences = async (gameDatabase: GameDatabase, table: ResolvedTable<TableName>): Promise<Grant[]> => {
    const databaseConnection = connections[gameDatabase]
    const sequenceNames = databaseConnection === undefined ? [] : await readSequences(databaseConnection, table)
    return sequenceNames.map((name) => ({ rights: ['usage'], on: name, isSequence: true }))
  }
  const grantClubTable = (name: 'GuildInfo' | 'GuildRegion' | 'GuildAlliance'): Grant[] => {
    const catalogue = catalogues.game
    if (catalogue === undefined) return []
    try {
      return grantColumns('select', resolveTable(name, { dialect, catalogue, names }))
    } catch {
      return []
    }
  }
  const purchaseColumns = ['UserUID', 'ProductNum', 'PurPrice', 'PurFlag', 'PurDate', 'ItemMain', 'ItemSub']
  const neededGrants: Record<GameDatabase, Grant[]> = {
    user:
      user === undefined
        ? []
        : [
            ...grantColumns('select', user),
            { rights: ['insert'], on: user.table },
            ...grantColumns('update', user, [
              'UserPass',
              'UserPass2',
              'UserBlock',
              'UserBlockDate',
              'UserPoint',
              'UserLoginState',
            ]),
            ...(await grantSequences('user', user)),
            grantOwnTable('tambayan_account', 'user'),
            grantOwnTable('tambayan_balance', 'user'),
            grantOwnTable('tambayan_bridge', 'user'),
          ],
    game: [
      ...(characters === undefined ? [] : grantColumns('select', characters, listReadColumns(config))),
      ...(characters === undefined || config.services === undefined
        ? []
        : [
            ...grantColumns('update', characters, SERVICE_COLUMNS),
            grantOwnTable('tambayan_service', 'game'),
            grantOwnTable('tambayan_bridge', 'game'),
          ]),
      ...grantClubTable('GuildInfo'),
      ...grantClubTable('GuildRegion'),
      ...(names.GuildAlliance == null ? [] : grantClubTable('GuildAlliance')),
    ],
    shop: [
      ...(product === undefined ? [] : grantColumns('select', product)),
      ...(purchase === undefined
        ? []
        : [
            ...grantColumns('select', purchase),
            // SQL Server grants INSERT only on whole tables. In MariaDB, the columns that an insert returns need the INSERT
            // permission too.
            ...(dialect === 'mssql'
              ? [{ rights: ['insert'], on: purchase.table }]
              : grantColumns(
                  'insert',
                  purchase,
                  dialect === 'mariadb' ? [...purchaseColumns, 'PurKey'] : purchaseColumns,
                )),
            // The bridge locks a row before it deletes it; in PostgreSQL the lock requires the right to update.
            ...(dialect === 'postgres' ? grantColumns('update', purchase, ['PurFlag']) : []),
            { rights: ['delete'], on: purchase.table },
            ...(await grantSequences('shop', purchase)),
          ]),
      grantOwnTable('tambayan_delivery', 'shop'),
      grantOwnTable('tambayan_bridge', 'shop'),
    ],
  }
  /** The statements before the grants in each database. */
  const writeHead = (gameDatabase: GameDatabase): string[] => {
    const database = quote(dialect, getDatabaseName(gameDatabase))
    if (dialect === 'mariadb') return [`-- in ${getDatabaseName(gameDatabase)}:`]
    if (dialect === 'postgres')
      return [
        `-- connected to the database ${getDatabaseName(gameDatabase)}:`,
        `grant usage on schema ${quote(dialect, getSchema(gameDatabase))} to ${to};`,
      ]
    return [`use ${database};`, ...(databaseUser.isAdmin ? [`create user ${to} for login ${to};`] : [])]
  }
  const createAccountSql = {
    mssql: `create login ${to} with password = 'CHOOSE A PASSWORD';`,
    mariadb: `create user ${to} identified by 'CHOOSE A PASSWORD';`,
    postgres: `create role ${to} login password 'CHOOSE A PASSWORD';`,
  }
  const formatGrant = ({ rights, on, columns, isSequence }: Grant) => {
    const columnClause = columns === undefined ? '' : ` (${columns.map((name) => quote(dialect, name)).join(', ')})`
    return `grant ${rights.join(', ')}${columnClause} on ${isSequence ? 'sequence ' : ''}${on} to ${to};`
  }
  const lines: string[] = databaseUser.isAdmin ? [createAccountSql[dialect]] : []
  for (const gameDatabase of ['user', 'game', 'shop'] as const) {
    const missingGrants: string[] = []
    for (const grant of neededGrants[gameDatabase]) {
      const databaseConnection = connections[gameDatabase]
      if (databaseUser.isAdmin || databaseConnection === undefined || !(await isGranted(databaseConnection, grant)))
        missingGrants.push(formatGrant(grant))
    }
    if (missingGrants.length > 0) lines.push(...writeHead(gameDatabase), ...missingGrants)
  }
  if (lines.length === 0) return [createGoodFinding('The bridge’s account has all the rights that it needs.')]
  const rights = createNote(
    databaseUser.isAdmin
      ? 'The bridge’s account needs these rights and no others.'
      : 'The bridge’s account lacks these rights.',
    lines.join('\n'),
  )
  if (!databaseUser.isAdmin) return [rights]
  return [
    createNote(
      `The bridge connects as ${databaseUser.name}, which may do everything.`,
      `Start the bridge once so that it creates its tables. Then create an account for the bridge with the statements below, and use ${BRIDGE_ACCOUNT} in the configuration.`,
    ),
    rights,
  ]
}
