import { type Dialect, GameAway, type GameConnection } from './driver.ts'
import { type Catalogue, readCatalogue } from './names.ts'

/** The agent's own tables: beside the game's, so that they change in one transaction with them. */
export const OWN_TABLES = {
  shop: ['tambayan_delivery', 'tambayan_bridge'],
  user: ['tambayan_account', 'tambayan_balance', 'tambayan_bridge'],
} as const
type OwnTable = (typeof OWN_TABLES)[keyof typeof OWN_TABLES][number]

/** `text` is compared with its letter case. */
const TYPES: Record<Dialect, Record<'moment' | 'now' | 'text', string>> = {
  postgres: { moment: 'timestamp', now: 'localtimestamp', text: 'varchar' },
  mariadb: { moment: 'datetime', now: 'current_timestamp', text: 'varchar' },
  mssql: { moment: 'datetime', now: 'getdate()', text: 'nvarchar' },
}

type Shape = { first: string; columns: string; index?: string; added: Record<string, string> }

/**
 * What the tables hold. `changed` is the marker's counter of the change that the game's table has as well: a restore undoes
 * the newest ones, so the rows that changed last show whether the table beside was restored alone.
 */
function shapeOf(table: OwnTable, dialect: Dialect): Shape {
  const { moment, now, text } = TYPES[dialect]
  const exact = dialect === 'mssql' ? ' collate Latin1_General_BIN' : ''
  switch (table) {
    case 'tambayan_delivery':
      return {
        first: 'unit bigint not null primary key',
        columns: `mark varchar(80) not null, state varchar(10) not null, usernum bigint null,
          useruid ${text}(64)${exact} null, productnum int null, price bigint null, purkey bigint null, purdate varchar(40) null,
          flag varchar(10) not null default 'waiting', written_at ${moment} not null default ${now}`,
        index: 'tambayan_delivery_open (state, flag)',
        // `takendate` is what the game's row said when it was seen as taken.
        added: { changed: 'bigint not null default 0', takendate: 'varchar(40) null' },
      }
    case 'tambayan_account':
      return {
        first: 'account bigint not null primary key',
        columns: `usernum bigint null, password_version bigint not null default 0, second_version bigint not null default 0`,
        index: 'tambayan_account_usernum (usernum)',
        // `wrote` and `was` are prints of what the bridge has written and of what had been there.
        added: {
          mark: `varchar(80) not null default ''`,
          changed: 'bigint not null default 0',
          changed_at: `${moment} null`,
          wrote: `varchar(20) not null default ''`,
          was: `varchar(20) not null default ''`,
        },
      }
    case 'tambayan_balance':
      return {
        first: 'usernum bigint not null primary key',
        columns: `amount bigint not null, taken_at ${moment} not null default ${now}`,
        // `again` is what was taken out once more after the restore that was confirmed with `epoch`.
        added: {
          changed: 'bigint not null default 0',
          epoch: `varchar(64) not null default ''`,
          again: 'bigint not null default 0',
        },
      }
    case 'tambayan_bridge':
      return {
        first: 'id int not null primary key',
        columns: 'epoch varchar(64) not null, counter bigint not null',
        // `newest` is the highest `changed` in the table beside; `counted_at` is when the counter was raised last.
        added: { newest: 'bigint not null default 0', counted_at: `${moment} null` },
      }
  }
}

/** By which the newest changes are found. */
const CHANGED_INDEX: Partial<Record<OwnTable, string>> = {
  tambayan_delivery: 'tambayan_delivery_changed (changed, unit)',
  tambayan_account: 'tambayan_account_changed (changed, account)',
  tambayan_balance: 'tambayan_balance_changed (changed, usernum)',
}

const createIndex = (table: string, index: string): string =>
  index.replace(/^(\w+) \(/, `create index $1 on ${table} (`)

/** The statements that make the agent's tables of a database, or bring those of an earlier version up to date. */
export function listMissing(dialect: Dialect, place: keyof typeof OWN_TABLES, catalogue: Catalogue): string[] {
  return OWN_TABLES[place].flatMap((table) => {
    const { first, columns, index, added } = shapeOf(table, dialect)
    const found = catalogue.get(table)
    const changed = CHANGED_INDEX[table]
    const changedIndex = changed === undefined ? [] : [createIndex(table, changed)]
    if (found === undefined) {
      const more = Object.entries(added).map(([name, type]) => `${name} ${type}`)
      const end = dialect === 'mariadb' ? ' engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin' : ''
      const all = [first, columns, ...more].join(', ').replace(/\s+/g, ' ')
      return [
        `create table ${table} (${all})${end}`,
        ...(index === undefined ? [] : [createIndex(table, index)]),
        ...changedIndex,
      ]
    }
    const lacks = Object.entries(added).filter(([name]) => !found.columns.has(name))
    return [
      ...lacks.map(([name, type]) => `alter table ${table} add ${name} ${type}`),
      ...(lacks.some(([name]) => name === 'changed') ? changedIndex : []),
    ]
  })
}

/** The account may not make or change the agent's own tables; the message says what to do. */
export class OwnTablesUnfit extends Error {
  override name = 'OwnTablesUnfit'
}

/**
 * Makes the agent's own tables where they are missing or from an earlier version.
 *
 * @returns the catalogue from before
 * @throws GameAway, OwnTablesUnfit
 */
export async function prepareOwn(connection: GameConnection, place: keyof typeof OWN_TABLES): Promise<Catalogue> {
  const catalogue = await readCatalogue(connection)
  for (const statement of listMissing(connection.dialect, place, catalogue))
    await connection.run(statement).catch((error: Error) => {
      if (error instanceof GameAway) throw error
      throw new OwnTablesUnfit(
        `The bridge’s account may not make or change its own tables in the ${place} database (${error.message}). Run the statements that “check” prints.`,
      )
    })
  return catalogue
}
