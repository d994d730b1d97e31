import type { Dialect, GameConnection } from './driver.ts'
import { toText } from './driver.ts'

/** Whether the bridge needs a column. Some servers lack a column that `may be missing`. */
type ColumnNeed = 'needed' | 'may be missing'
/** The databases of a game. One database can have several of these roles. */
export type GameDatabase = 'user' | 'game' | 'shop'

/** The game's tables with the columns that the bridge reads or writes, by the names of the original. */
const TABLES = {
  // The accounts (GAME-3).
  UserInfo: {
    database: 'user',
    columns: {
      UserNum: 'needed',
      UserID: 'needed',
      UserName: 'needed',
      UserPass: 'may be missing',
      UserPass2: 'may be missing',
      UserType: 'may be missing',
      UserAvailable: 'may be missing',
      UserLoginState: 'may be missing',
      UserBlock: 'may be missing',
      UserBlockDate: 'may be missing',
      UserPoint: 'may be missing',
      CreateDate: 'may be missing',
      LastLoginDate: 'may be missing',
    },
  },
  // The characters (GAME-6).
  ChaInfo: {
    database: 'game',
    columns: {
      ChaNum: 'needed',
      UserNum: 'needed',
      GuNum: 'may be missing',
      ChaName: 'needed',
      ChaClass: 'needed',
      ChaSchool: 'may be missing',
      ChaLevel: 'needed',
      ChaDeleted: 'may be missing',
      ChaOnline: 'may be missing',
      ChaMMR: 'may be missing',
      ChaResuScore: 'may be missing',
      ChaPKResu: 'may be missing',
      ChaPKScore: 'may be missing',
      ChaPKDeath: 'may be missing',
      ChaLevelUpDate: 'may be missing',
      ChaLastLevel: 'may be missing',
      ChaMoney: 'may be missing',
      // The columns that services change (GAME-16, GAME-17, GAME-18).
      ChaStartMap: 'may be missing',
      ChaStartGate: 'may be missing',
      ChaPosX: 'may be missing',
      ChaPosY: 'may be missing',
      ChaPosZ: 'may be missing',
      ChaSaveMap: 'may be missing',
      ChaSavePosX: 'may be missing',
      ChaSavePosY: 'may be missing',
      ChaSavePosZ: 'may be missing',
      ChaPower: 'may be missing',
      ChaDex: 'may be missing',
      ChaSpirit: 'may be missing',
      ChaStrong: 'may be missing',
      ChaStrength: 'may be missing',
      ChaIntel: 'may be missing',
      ChaStRemain: 'may be missing',
      ChaSex: 'may be missing',
      ChaHair: 'may be missing',
      ChaFace: 'may be missing',
      ChaHairStyle: 'may be missing',
      ChaHairColor: 'may be missing',
    },
  },
  // Clubs with their marks, and the areas that they hold (GAME-9).
  GuildInfo: {
    database: 'game',
    columns: {
      GuNum: 'needed',
      GuName: 'needed',
      ChaNum: 'may be missing',
      GuMakeTime: 'may be missing',
      GuBattleWin: 'may be missing',
      GuBattleLose: 'may be missing',
      GuBattleDraw: 'may be missing',
      GuMarkVer: 'may be missing',
      GuMarkImage: 'may be missing',
    },
  },
  GuildRegion: { database: 'game', columns: { RegionID: 'needed', GuNum: 'needed', RegionTax: 'may be missing' } },
  // The products of the item bank (GAME-10).
  ShopItemMap: {
    database: 'shop',
    columns: { ProductNum: 'needed', ItemMain: 'may be missing', ItemSub: 'may be missing' },
  },
  ShopPurchase: {
    database: 'shop',
    columns: {
      PurKey: 'needed',
      UserUID: 'needed',
      ProductNum: 'needed',
      PurPrice: 'may be missing',
      PurFlag: 'needed',
      PurDate: 'may be missing',
      PurChgDate: 'may be missing',
      ItemMain: 'may be missing',
      ItemSub: 'may be missing',
    },
  },
  LogServerState: { database: 'log', columns: { LogDate: 'needed' } },
  // The names of the tables below differ between servers, so they are read only if the configuration names them.
  GuildAlliance: { database: 'game', columns: { LeaderNum: 'needed', MemberNum: 'needed' } },
  KillLog: {
    database: 'log',
    columns: { KillNum: 'needed', KillDate: 'needed', KillerNum: 'needed', VictimNum: 'needed' },
  },
  WarLog: {
    database: 'log',
    columns: {
      WarNum: 'needed',
      WarDate: 'needed',
      WinnerNum: 'needed',
      LoserNum: 'may be missing',
      RegionID: 'may be missing',
    },
  },
} as const satisfies Record<string, { database: GameDatabase | 'log'; columns: Record<string, ColumnNeed> }>

type Tables = typeof TABLES
export type TableName = keyof Tables
/** The columns of each table, by the names of the original. */
export const TABLE_COLUMNS = Object.fromEntries(
  Object.entries(TABLES).map(([table, { columns }]) => [table, Object.keys(columns)]),
) as Record<TableName, string[]>
type ColumnOf<T extends TableName> = keyof Tables[T]['columns'] & string

/** The keys of `names` in the configuration: a table, a column of every table, or one column as `Table.Column`. */
export const GAME_NAMES = [
  ...new Set(
    Object.entries(TABLES).flatMap(([table, { columns }]) => [
      table,
      ...Object.keys(columns).flatMap((column) => [column, `${table}.${column}`]),
    ]),
  ),
]

export type Names = Record<string, string | null | undefined>

/** A column as the database's catalogue has it. */
export type Column = {
  name: string
  type: string
  /** The maximum length in characters; null without a limit. */
  length: number | null
  /** The code page of a text; empty if unknown. */
  codePage: string
  isNullable: boolean
  /** Whether the database fills the column automatically. */
  isFilled: boolean
}

export type Table = { schema: string; name: string; isView: boolean; engine: string; columns: Column[] }

/** The tables of a database. Two names may differ only in letter case. */
export type Catalogue = Table[]

/** Several tables or columns match one name; the message lists them. */
export class AmbiguousName extends Error {
  override name = 'AmbiguousName'
}

/**
 * Finds a name among those of a server: the exact match, or else the only one that differs only in letter case
 * (BRIDGE-18).
 *
 * @throws AmbiguousName if several differ in letter case
 */
function findName<Item extends { name: string }>(
  items: readonly Item[],
  requestedName: string,
  describe: (item: Item) => string = ({ name }) => name,
): Item | undefined {
  const similarNames = items.filter(({ name }) => name.toLowerCase() === requestedName.toLowerCase())
  const exactNames = similarNames.filter(({ name }) => name === requestedName)
  const candidates = exactNames.length > 0 ? exactNames : similarNames
  if (candidates.length > 1) throw new AmbiguousName(candidates.map(describe).join(' and '))
  return candidates[0]
}

/** Finds a column of a table. @throws AmbiguousName */
export const findColumn = ({ columns }: Table, requestedName: string): Column | undefined =>
  findName(columns, requestedName)

/** Finds a table by its name, with or without its schema. @throws AmbiguousName */
export function findTable(catalogue: Catalogue, requestedName: string): Table | undefined {
  const [name = requestedName, schema] = requestedName.split('.').reverse()
  const tables =
    schema === undefined ? catalogue : catalogue.filter((table) => isSameIgnoringCase(table.schema, schema))
  return findName(tables, name, (table) => `${table.schema}.${table.name}`)
}
const isSameIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const CATALOGUE_QUERIES: Record<Dialect, string> = {
  // Does not use information_schema.tables, which would be the most expensive part of the query.
  postgres: `select c.table_schema as sch, c.table_name as tab, c.column_name as col, c.data_type as typ,
      c.character_maximum_length as len, c.is_nullable as nullable, '' as engine,
      case when t.relkind = 'v' then 'VIEW' else 'BASE TABLE' end as kind,
      case when c.data_type ~ 'char|text' then current_setting('server_encoding') else '' end as page,
      case when c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' then 1 else 0 end as filled
    from information_schema.columns c
    join pg_namespace s on s.nspname = c.table_schema
    join pg_class t on t.relnamespace = s.oid and t.relname = c.table_name
    where t.relkind in ('r', 'p', 'v') and c.table_schema = any (current_schemas(false))
    order by c.ordinal_position`,
  mariadb: `select c.table_schema as sch, c.table_name as tab, c.column_name as col, c.data_type as typ,
      c.character_maximum_length as len, c.is_nullable as nullable, t.engine as engine, t.table_type as kind,
      c.character_set_name as page,
      case when c.column_default is not null or c.extra like '%auto_increment%' or c.extra like '%GENERATED%' then 1
        else 0 end as filled
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      and binary t.table_name = binary c.table_name
    where t.table_type in ('BASE TABLE', 'VIEW') and c.table_schema = database()
    order by c.ordinal_position`,
  // The names must be in capitals for servers with a case-sensitive collation.
  mssql: `select c.TABLE_SCHEMA as sch, c.TABLE_NAME as tab, c.COLUMN_NAME as col, c.DATA_TYPE as typ,
      c.CHARACTER_MAXIMUM_LENGTH as len, c.IS_NULLABLE as nullable, '' as engine, t.TABLE_TYPE as kind,
      convert(varchar(10), collationproperty(c.COLLATION_NAME, 'CodePage')) as page,
      case when c.COLUMN_DEFAULT is not null or c.DATA_TYPE = 'timestamp'
        or columnproperty(object_id(quotename(c.TABLE_SCHEMA) + '.' + quotename(c.TABLE_NAME)), c.COLUMN_NAME, 'IsIdentity') = 1
        or columnproperty(object_id(quotename(c.TABLE_SCHEMA) + '.' + quotename(c.TABLE_NAME)), c.COLUMN_NAME, 'IsComputed') = 1
        then 1 else 0 end as filled
    from INFORMATION_SCHEMA.COLUMNS c
    join INFORMATION_SCHEMA.TABLES t on t.TABLE_SCHEMA = c.TABLE_SCHEMA and t.TABLE_NAME = c.TABLE_NAME
    order by c.ORDINAL_POSITION`,
}

/** Reads the tables of a database and their columns, in order. It reads no rows of the tables. */
export async function readCatalogue(connection: GameConnection): Promise<Catalogue> {
  const tables = new Map<string, Table>()
  for (const row of await connection.query(CATALOGUE_QUERIES[connection.dialect])) {
    const [schema, name, column] = [toText(row.sch), toText(row.tab), toText(row.col)]
    const key = `${schema}.${name}`
    const isView = toText(row.kind) === 'VIEW'
    const table = tables.get(key) ?? { schema, name, isView, engine: toText(row.engine), columns: [] }
    tables.set(key, table)
    const length = Number(row.len)
    table.columns.push({
      name: column,
      type: toText(row.typ).toLowerCase(),
      length: row.len === null || row.len === undefined || length < 1 || length > 100_000 ? null : length,
      codePage: toText(row.page),
      isNullable: toText(row.nullable) === 'YES',
      isFilled: Number(row.filled) === 1 || toText(row.nullable) === 'YES',
    })
  }
  return [...tables.values()]
}

const QUOTE_CHARACTERS: Record<Dialect, [string, string]> = {
  mssql: ['[', ']'],
  mariadb: ['`', '`'],
  postgres: ['"', '"'],
}

/** Quotes a name for a statement. */
export const quote = (dialect: Dialect, name: string): string => {
  const [open, close] = QUOTE_CHARACTERS[dialect]
  return open + name.replaceAll(close, close + close) + close
}

/** A table of the game, with its name and its existing columns quoted for SQL. */
export type ResolvedTable<T extends TableName> = {
  table: string
  definition: Table
  columns: { [Name in ColumnOf<T>]: string | null }
  infos: { [Name in ColumnOf<T>]: Column | null }
  /** Pairs of names that resolve to the same column; the first one gets it. */
  sharedColumns: { column: string; names: string[] }[]
}

/** Names that a server lacks, each with advice. */
export class MissingNames extends Error {
  override name = 'MissingNames'
  readonly missing: { what: string; advice: string }[]

  constructor(missing: MissingNames['missing']) {
    super(missing.map(({ what }) => what).join(' '))
    this.missing = missing
  }
}

/**
 * Finds one of the game's tables by its configured name. The letter case matters only if the server has two names that differ
 * only in it. If two names resolve to one column, the first name gets it.
 *
 * @throws MissingNames for missing or ambiguous names, and for a needed column that was assigned to another name
 */
export function resolveTable<T extends TableName>(
  tableName: T,
  { dialect, catalogue, names }: { dialect: Dialect; catalogue: Catalogue; names: Names },
): ResolvedTable<T> {
  const name = names[tableName] ?? tableName
  const definition = findOne(tableName, 'tables', () => findTable(catalogue, name))
  if (definition === undefined)
    throw new MissingNames([
      {
        what: `There is no table ${name}, or this account may not see it.`,
        advice: `If your server uses another name, add "names": {"${tableName}": "its name"} to the configuration. Otherwise grant the account its rights (see the end of this list).`,
      },
    ])
  const missingNames: MissingNames['missing'] = []
  const infos: Record<string, Column | null> = {}
  const namesByColumn = new Map<Column, string[]>()
  for (const [column, need] of Object.entries<ColumnNeed>(TABLES[tableName].columns)) {
    const configuredName =
      names[`${tableName}.${column}`] !== undefined ? names[`${tableName}.${column}`] : names[column]
    const path = `${tableName}.${column}`
    const info =
      configuredName === null
        ? undefined
        : findOne(path, 'columns', () => findColumn(definition, configuredName ?? column))
    const earlierNames = info === undefined ? undefined : namesByColumn.get(info)
    if (info !== undefined) namesByColumn.set(info, [...(earlierNames ?? []), column])
    infos[column] = info === undefined || (earlierNames !== undefined && need !== 'needed') ? null : info
    if (info === undefined && need === 'needed')
      missingNames.push({
        what: `${definition.name} has no column ${configuredName ?? column}.`,
        advice: `If your server uses another name, add "names": {"${tableName}.${column}": "its name"} to the configuration.`,
      })
  }
  if (missingNames.length > 0) throw new MissingNames(missingNames)
  const columns = Object.fromEntries(
    Object.entries(infos).map(([column, info]) => [column, info === null ? null : quote(dialect, info.name)]),
  )
  return {
    table: `${quote(dialect, definition.schema)}.${quote(dialect, definition.name)}`,
    definition,
    sharedColumns: [...namesByColumn].flatMap(([{ name: column }, names]) =>
      names.length > 1 ? [{ column, names }] : [],
    ),
    columns: columns as ResolvedTable<T>['columns'],
    infos: infos as ResolvedTable<T>['infos'],
  }
}

/** Runs `findItem`. @throws MissingNames instead of AmbiguousName */
function findOne<Item>(path: string, kind: 'tables' | 'columns', findItem: () => Item): Item {
  try {
    return findItem()
  } catch (error) {
    if (!(error instanceof AmbiguousName)) throw error
    const advice = `Choose the one that the game uses: add "names": {"${path}": "its name"} to the configuration, with exactly its letters${kind === 'tables' ? ' and, if needed, the schema before it' : ''}.`
    throw new MissingNames([{ what: `${path} could be any of these ${kind}: ${error.message}.`, advice }])
  }
}

/** Returns whether a column has whole numbers, which key columns need. */
export const isIntegerColumn = ({ type }: Column): boolean =>
  /^(tinyint|smallint|mediumint|int|integer|bigint)$/.test(type)

/** Describes the problem of a key column without whole numbers. */
export const describeNonInteger = (table: string, { name, type }: Column) => ({
  what: `${table}.${name} is of the type ${type}, but the bridge identifies rows by whole numbers.`,
  advice:
    'Check "names" in the configuration: is this the right column? A game whose keys are not numbers cannot be connected.',
})

/** Returns the reason why the bridge can't write to a table; null for a table with transactions. */
export function findIncompatibility(
  dialect: Dialect,
  { name, isView, engine }: Table,
): { what: string; advice: string } | null {
  if (isView)
    return {
      what: `${name} is a view, but the bridge can only write to tables.`,
      advice: 'Set its table under "names" in the configuration.',
    }
  if (dialect === 'mariadb' && engine.toLowerCase() !== 'innodb')
    return {
      what: `The table ${name} has the engine ${engine}, which does not support transactions.`,
      advice: `Stop the game, make a backup and run: alter table \`${name}\` engine = InnoDB;`,
    }
  return null
}
