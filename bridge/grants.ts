import type { Finding } from '#contract/bridge.ts'
import type { BridgeConfig } from './config.ts'
import { type Found, note } from './findings.ts'
import { type GameConnection, numberOf, textOf } from './game/driver.ts'
import {
  type Catalogue,
  type GameDatabase,
  quote,
  type Resolved,
  resolveTable,
  TABLE_COLUMNS,
  type TableName,
} from './game/names.ts'
import { COLUMNS } from './services.ts'

const SERVICE_COLUMNS = [...new Set(Object.values(COLUMNS).flat())]
/** What is read of characters anyway. */
const ALWAYS_READ = ['ChaName', 'ChaClass', 'ChaSchool']
/** The columns of characters that are read; undefined for all that the bridge knows. */
const readOf = ({ services }: BridgeConfig, all: readonly string[] = TABLE_COLUMNS.ChaInfo): string[] | undefined =>
  services === undefined
    ? all.filter((column) => ALWAYS_READ.includes(column) || !SERVICE_COLUMNS.some((one) => one === column))
    : undefined

/** Who the bridge is to a database. */
type Self = { name: string; host: string; isAdmin: boolean }

const SELF: Record<BridgeConfig['dialect'], string> = {
  mssql: `select suser_sname() as name, '' as host, is_srvrolemember('sysadmin') as admin`,
  mariadb: `select substring_index(current_user(), '@', 1) as name, substring_index(current_user(), '@', -1) as host,
    (select count(*) from information_schema.user_privileges
      where replace(grantee, char(39), '') = current_user() and privilege_type = 'SUPER') as admin`,
  postgres: `select current_user as name, '' as host, case current_setting('is_superuser') when 'on' then 1 else 0 end as admin`,
}

async function readSelf(connection: GameConnection): Promise<Self> {
  const [row] = await connection.query(SELF[connection.dialect]).catch(() => [])
  return { name: textOf(row?.name), host: textOf(row?.host), isAdmin: (numberOf(row?.admin) ?? 0) > 0 }
}

/** The sequences behind serial columns of a table, which an insert needs a right to; identity columns need none. */
async function readSequences(connection: GameConnection, { found }: Resolved<TableName>): Promise<string[]> {
  if (connection.dialect !== 'postgres') return []
  const rows = await connection.query(
    `select substring(column_default from $re$^nextval\\('(.+)'::regclass\\)$re$) as seq from information_schema.columns
    where table_schema = :schema and table_name = :name and column_default like 'nextval(%'`,
    { schema: found.schema, name: found.name },
  )
  return rows.map(({ seq }) => textOf(seq)).filter(Boolean)
}

/** The account for the bridge where it has none of its own yet. */
const OWN_ACCOUNT = 'tambayan_bridge'

/** The statements that give an account exactly the rights that the bridge needs, and make it where the bridge is an administrator. */
export async function writeGrants(
  config: BridgeConfig,
  { user, product, purchase, characters }: Found,
  catalogues: Partial<Record<GameDatabase, Catalogue>>,
  connections: Partial<Record<GameDatabase, GameConnection>>,
): Promise<Finding[]> {
  const { dialect, urls, names } = config
  const databaseOf = (place: GameDatabase) => decodeURIComponent(new URL(urls[place]).pathname.slice(1))
  const [connection] = Object.values(connections)
  if (connection === undefined) return []
  const self = await readSelf(connection)
  const account = self.isAdmin ? OWN_ACCOUNT : self.name || decodeURIComponent(new URL(urls.shop).username)
  const to = dialect === 'mariadb' ? `'${account}'@'${self.host || 'localhost'}'` : quote(dialect, account)
  const columnsOf = (columns: Record<string, string | null>, wanted?: string[]) =>
    Object.entries(columns)
      .flatMap(([name, column]) =>
        column === null || (wanted !== undefined && !wanted.includes(name)) ? [] : [column],
      )
      .join(', ')
  const schemaOf = (place: GameDatabase) =>
    [...(catalogues[place]?.values() ?? [])][0]?.schema ?? (dialect === 'mssql' ? 'dbo' : 'public')
  const own = (name: string, place: GameDatabase) =>
    `grant select, insert, update on ${quote(dialect, dialect === 'mariadb' ? databaseOf(place) : schemaOf(place))}.${quote(dialect, name)} to ${to};`
  const sequences = async (place: GameDatabase, table: Resolved<TableName>) => {
    const open = connections[place]
    const found = open === undefined ? [] : await readSequences(open, table)
    return found.map((name) => `grant usage on sequence ${name} to ${to};`)
  }
  const club = (name: 'GuildInfo' | 'GuildRegion'): string[] => {
    const catalogue = catalogues.game
    if (catalogue === undefined) return []
    try {
      const { table, columns } = resolveTable(name, { dialect, catalogue, names })
      return [`grant select (${columnsOf(columns)}) on ${table} to ${to};`]
    } catch {
      return []
    }
  }
  const written = ['UserUID', 'ProductNum', 'PurPrice', 'PurFlag', 'PurDate', 'ItemMain', 'ItemSub']
  const lines: Record<GameDatabase, string[]> = {
    user:
      user === undefined
        ? []
        : [
            `grant select (${columnsOf(user.columns)}) on ${user.table} to ${to};`,
            `grant insert on ${user.table} to ${to};`,
            `grant update (${columnsOf(user.columns, ['UserPass', 'UserPass2', 'UserBlock', 'UserBlockDate', 'UserPoint'])}) on ${user.table} to ${to};`,
            ...(await sequences('user', user)),
            own('tambayan_account', 'user'),
            own('tambayan_balance', 'user'),
            own('tambayan_bridge', 'user'),
          ],
    game: [
      ...(characters === undefined
        ? []
        : [`grant select (${columnsOf(characters.columns, readOf(config))}) on ${characters.table} to ${to};`]),
      ...(characters === undefined || config.services === undefined
        ? []
        : [
            `grant update (${columnsOf(characters.columns, SERVICE_COLUMNS)}) on ${characters.table} to ${to};`,
            own('tambayan_service', 'game'),
            own('tambayan_bridge', 'game'),
          ]),
      ...club('GuildInfo'),
      ...club('GuildRegion'),
    ],
    shop: [
      ...(product === undefined ? [] : [`grant select (${columnsOf(product.columns)}) on ${product.table} to ${to};`]),
      ...(purchase === undefined
        ? []
        : [
            `grant select (${columnsOf(purchase.columns)}) on ${purchase.table} to ${to};`,
            // SQL Server knows no right to insert into single columns. MariaDB asks for it on what an insert gives back, too.
            `grant insert${dialect === 'mssql' ? '' : ` (${columnsOf(purchase.columns, dialect === 'mariadb' ? [...written, 'PurKey'] : written)})`} on ${purchase.table} to ${to};`,
            // A row that is read to be deleted is locked, which PostgreSQL counts as an update.
            ...(dialect === 'postgres'
              ? [`grant update (${purchase.columns.PurFlag}) on ${purchase.table} to ${to};`]
              : []),
            `grant delete on ${purchase.table} to ${to};`,
            ...(await sequences('shop', purchase)),
          ]),
      own('tambayan_delivery', 'shop'),
      own('tambayan_bridge', 'shop'),
    ],
  }
  /** What comes before the grants in each database. */
  const headOf = (place: GameDatabase): string[] => {
    const database = quote(dialect, databaseOf(place))
    if (dialect === 'mariadb') return [`-- in ${databaseOf(place)}:`]
    if (dialect === 'postgres')
      return [
        `-- connected to the database ${databaseOf(place)}:`,
        `grant usage on schema ${quote(dialect, schemaOf(place))} to ${to};`,
      ]
    return [`use ${database};`, ...(self.isAdmin ? [`create user ${to} for login ${to};`] : [])]
  }
  const make = {
    mssql: `create login ${to} with password = 'CHOOSE A PASSWORD';`,
    mariadb: `create user ${to} identified by 'CHOOSE A PASSWORD';`,
    postgres: `create role ${to} login password 'CHOOSE A PASSWORD';`,
  }
  const grants = [
    ...(self.isAdmin ? [make[dialect]] : []),
    ...(['user', 'game', 'shop'] as const).flatMap((place) =>
      lines[place].length === 0 ? [] : [...headOf(place), ...lines[place]],
    ),
  ].join('\n')
  const rights: Finding = {
    level: 'note',
    what: 'The bridge’s account needs these rights and no others.',
    advice: grants,
  }
  if (!self.isAdmin) return [rights]
  return [
    note(
      `The bridge connects as ${self.name}, which may do everything.`,
      `Start it once so that it creates its own tables. Then create an account for it with the statements below, and use ${OWN_ACCOUNT} in the configuration.`,
    ),
    rights,
  ]
}
