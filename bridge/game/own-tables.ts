import { type Dialect, type GameConnection, GameUnavailable } from './driver.ts'
import { type Catalogue, readCatalogue } from './names.ts'

/** The agent's tables. They are in the game's databases, to change in one transaction with the game's tables. */
export const OWN_TABLES = {
  shop: ['tambayan_delivery', 'tambayan_bridge'],
  user: ['tambayan_account', 'tambayan_balance', 'tambayan_bridge'],
  game: ['tambayan_service', 'tambayan_bridge'],
} as const
type OwnTable = (typeof OWN_TABLES)[keyof typeof OWN_TABLES][number]

/** The types of times and texts, and the current time. Comparisons of `text` are case-sensitive. */
const TYPE_SQL: Record<Dialect, Record<'moment' | 'now' | 'text', string>> = {
  postgres: { moment: 'timestamp', now: 'localtimestamp', text: 'varchar' },
  mariadb: { moment: 'datetime', now: 'current_timestamp', text: 'varchar' },
  mssql: { moment: 'datetime', now: 'getdate()', text: 'nvarchar' },
}

type TableDefinition = { columns: string; indexes: string[] }

/** Returns SQL for the columns and indexes of a table. Tables of earlier versions have more columns, which are no longer used. */
function defineTable(table: OwnTable, dialect: Dialect): TableDefinition {
  const { moment, now, text } = TYPE_SQL[dialect]
  const exactCollation = dialect === 'mssql' ? ' collate Latin1_General_BIN' : ''
  switch (table) {
    case 'tambayan_delivery':
      return {
        columns: `unit bigint not null primary key, mark varchar(80) not null, state varchar(10) not null, usernum bigint null,
          useruid ${text}(64)${exactCollation} null, productnum int null, price bigint null, purkey bigint null, purdate varchar(40) null,
          flag varchar(10) not null default 'waiting', written_at ${moment} not null default ${now}`,
        indexes: ['tambayan_delivery_open (state, flag)'],
      }
    case 'tambayan_account':
      // `block` is the last block that the bridge wrote.
      return {
        columns: `account bigint not null primary key, usernum bigint null, password_version bigint not null default 0,
          second_version bigint not null default 0, mark varchar(80) not null default '',
          block varchar(40) not null default ''`,
        indexes: ['tambayan_account_usernum (usernum)'],
      }
    case 'tambayan_balance':
      // `again` is the amount that was taken out a second time, after the restore that was confirmed with `epoch`.
      return {
        columns: `usernum bigint not null primary key, amount bigint not null, taken_at ${moment} not null default ${now},
          epoch varchar(64) not null default '', again bigint not null default 0`,
        indexes: [],
      }
    case 'tambayan_service':
      // `tries` counts the attempts; `seen` is 'online' if the character was online since; `was` and `became` are JSON.
      return {
        columns: `number bigint not null primary key, mark varchar(80) not null, state varchar(10) not null, usernum bigint null,
          chanum bigint null, service varchar(40) not null default '', was ${text}(4000)${exactCollation} null,
          became ${text}(4000)${exactCollation} null, tries int not null default 0, seen varchar(10) not null default '',
          settled int not null default 0, written_at ${moment} not null default ${now}`,
        indexes: ['tambayan_service_open (settled, state)'],
      }
    case 'tambayan_bridge':
      // `counted_at` is the time of the last raise of the counter.
      return {
        columns: `id int not null primary key, epoch varchar(64) not null, counter bigint not null,
          counted_at ${moment} null`,
        indexes: [],
      }
  }
}

/** Returns the statements that create the agent's missing tables in a database. */
export function listMissingTables(dialect: Dialect, database: keyof typeof OWN_TABLES, catalogue: Catalogue): string[] {
  const end = dialect === 'mariadb' ? ' engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin' : ''
  return OWN_TABLES[database]
    .filter((table) => !catalogue.some(({ name }) => name === table))
    .flatMap((table) => {
      const { columns, indexes } = defineTable(table, dialect)
      return [
        `create table ${table} (${columns.replace(/\s+/g, ' ')})${end}`,
        ...indexes.map((index) => index.replace(/^(\w+) \(/, `create index $1 on ${table} (`)),
      ]
    })
}

/** The agent's own tables could not be created, usually because the right is missing; the message has advice. */
export class IncompatibleOwnTables extends Error {
  override name = 'IncompatibleOwnTables'
}

/**
 * Creates the agent's missing tables.
 *
 * @returns the catalogue from before
 * @throws GameUnavailable, IncompatibleOwnTables
 */
export async function prepareDatabaseTables(
  connection: GameConnection,
  database: keyof typeof OWN_TABLES,
): Promise<Catalogue> {
  const catalogue = await readCatalogue(connection)
  for (const statement of listMissingTables(connection.dialect, database, catalogue))
    await connection.run(statement).catch((error: Error) => {
      if (error instanceof GameUnavailable) throw error
      throw new IncompatibleOwnTables(
        `The bridge’s account may not make its own tables in the ${database} database (${error.message}). Run the statements that “check” prints.`,
      )
    })
  return catalogue
}
