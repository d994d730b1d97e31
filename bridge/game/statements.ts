import type { Dialect, GameConnection } from './driver.ts'
import type { Column, ResolvedTable } from './names.ts'

const SHOP_STATEMENTS = [
  'findPlayer',
  'findProduct',
  'insertPurchase',
  'readPurchase',
  'deletePurchase',
  'watch',
] as const

/** The statements about the game's own tables, which the configuration can replace for another kind of game. */
export const STATEMENT_NAMES = [...SHOP_STATEMENTS, 'insertAccount', 'readCharacters'] as const

type StatementName = (typeof SHOP_STATEMENTS)[number]

type GameTables = {
  user: ResolvedTable<'UserInfo'>
  /** Null if a statement of the configuration finds products. */
  product: ResolvedTable<'ShopItemMap'> | null
  purchase: ResolvedTable<'ShopPurchase'>
}

/** The possible contents of the column UserUID of purchases. */
export const USER_UIDS = ['UserName', 'UserID', 'UserNum'] as const

/** The configuration that the statements depend on. */
type Settings = {
  userUid: (typeof USER_UIDS)[number]
  statements: Partial<Record<StatementName, string | string[]>>
}

export type Statements = Record<StatementName, string[]> & {
  /**
   * Reads the bridge's notes of units (`d`) with the flags of the game's rows. Callers append a condition. If the configuration
   * has statements about purchases, the bridge can't join the game's rows, and uses its notes alone.
   */
  selectUnits: string
}

/** Returns SQL for a time as text that does not depend on the session's settings, for comparisons. */
function formatMomentSql(dialect: Dialect, column: string, type: string): string {
  if (dialect === 'mssql') return `convert(varchar(40), ${column}, 121)`
  if (dialect === 'mariadb')
    return type === 'timestamp' ? `cast(unix_timestamp(${column}) as char(40))` : `cast(${column} as char(40))`
  if (/with time zone/.test(type)) return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`
  return /^timestamp/.test(type) ? `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US')` : `(${column})::text`
}

/** Returns SQL for the current time in a column's type; null if the type is not a date, so the column's default applies. */
function getNowSql(dialect: Dialect, type: string): string | null {
  if (!/date|time/.test(type)) return null
  if (dialect === 'mssql') return 'getdate()'
  if (dialect === 'mariadb') return 'now()'
  return /with time zone/.test(type) ? 'now()' : 'localtimestamp'
}

/** Returns SQL for a column as text for exact comparisons: case-sensitive, without the trailing spaces of `char`. */
function formatExactText(dialect: Dialect, column: string): string {
  if (dialect === 'mssql') return `rtrim(cast(${column} as nvarchar(64))) collate Latin1_General_BIN`
  if (dialect === 'mariadb') return `rtrim(convert(cast(${column} as char(64)) using utf8mb4)) collate utf8mb4_bin`
  return `rtrim((${column})::text)`
}

/** Writes the statements with the names of this server's tables and columns. */
export function writeStatements(
  { dialect, returnsRows }: Pick<GameConnection, 'dialect' | 'returnsRows'>,
  { user, product, purchase }: GameTables,
  { userUid, statements: ownStatements }: Settings,
): Statements {
  const c = purchase.columns
  const userColumns = user.columns
  const dateInfo: Column | null = purchase.infos.PurDate
  /** Returns SQL for the date of a purchase as text; '' without such a column. */
  const selectDate = (prefix: string) =>
    c.PurDate === null || dateInfo === null
      ? dialect === 'postgres'
        ? `''::text`
        : `''`
      : formatMomentSql(dialect, `${prefix}${c.PurDate}`, dateInfo.type)

  const insertColumns: [column: string, value: string][] = [
    [String(c.UserUID), ':useruid'],
    [String(c.ProductNum), ':product'],
    [String(c.PurFlag), '0'],
  ]
  if (c.PurPrice !== null) insertColumns.push([c.PurPrice, ':price'])
  const now = dateInfo === null ? null : getNowSql(dialect, dateInfo.type)
  if (c.PurDate !== null && now !== null) insertColumns.push([c.PurDate, now])
  // Some servers store the item next to the product.
  for (const name of ['ItemMain', 'ItemSub'] as const) {
    const [to, from] = [c[name], product?.columns[name] ?? null]
    if (product !== null && to !== null && from !== null)
      insertColumns.push([
        to,
        `(select m.${from} from ${product.table} m where m.${product.columns.ProductNum} = :product)`,
      ])
  }
  const columns = insertColumns.map(([column]) => column).join(', ')
  const values = insertColumns.map(([, value]) => value).join(', ')
  const getReturnedColumns = (prefix: string) =>
    `${prefix}${c.PurKey} as purkey, ${prefix}${c.UserUID} as useruid, ${selectDate(prefix)} as purdate`
  const insert = `insert into ${purchase.table} (${columns})`
  const insertAndRead =
    dialect === 'mssql'
      ? [
          `declare @made table (purkey bigint);
          ${insert} output inserted.${c.PurKey} into @made (purkey) values (${values});
          select ${getReturnedColumns('p.')} from ${purchase.table} p join @made m on m.purkey = p.${c.PurKey}`,
        ]
      : [
          `${insert} values (${values})`,
          `select ${getReturnedColumns('p.')} from ${purchase.table} p where p.${c.PurKey} = last_insert_id()`,
        ]

  /** Returns SQL for whether a row is the one that the bridge wrote. After a restore the game can use its number again. */
  const getSameRowCondition = (
    alias: string,
    getValue: (name: 'useruid' | 'product' | 'price' | 'purdate') => string,
  ) =>
    [
      `${formatExactText(dialect, `${alias}.${c.UserUID}`)} = ${getValue('useruid')}`,
      `${alias}.${c.ProductNum} = ${getValue('product')}`,
      ...(c.PurPrice === null ? [] : [`${alias}.${c.PurPrice} = ${getValue('price')}`]),
      `${selectDate(`${alias}.`)} = ${getValue('purdate')}`,
    ].join(' and ')
  /** SQL for the number of other accounts with the player's UserUID, which would get the purchases too. */
  const others =
    userUid === 'UserNum'
      ? '0'
      : `(select count(*) from ${user.table} o where o.${userColumns[userUid]} = rtrim(u.${userColumns[userUid]}) and o.${userColumns.UserNum} <> u.${userColumns.UserNum})`
  const getParameter = (name: string) => `:${name}`
  const getDeliveryColumn = (name: string) => (name === 'product' ? 'd.productnum' : `d.${name}`)
  const lock = dialect === 'mssql' ? { hint: ' with (updlock, rowlock)', end: '' } : { hint: '', end: ' for update' }
  const top = dialect === 'mssql' ? 'top (500) ' : ''
  const limit = dialect === 'mssql' ? '' : ' limit 500'

  const hasOwnPurchaseStatements = (['insertPurchase', 'readPurchase', 'deletePurchase', 'watch'] as const).some(
    (name) => ownStatements[name] !== undefined,
  )
  return {
    selectUnits: hasOwnPurchaseStatements
      ? `select d.unit as unit, d.state as state, d.flag as told,
          case when d.state <> 'delivered' then null when d.flag = 'claimed' then 1 else 0 end as flag from tambayan_delivery d`
      : `select d.unit as unit, d.state as state, d.flag as told, p.${c.PurFlag} as flag from tambayan_delivery d
        left join ${purchase.table} p on p.${c.PurKey} = d.purkey and ${getSameRowCondition('p', getDeliveryColumn)}`,
    findPlayer: [
      `select u.${userColumns.UserNum} as usernum, u.${userColumns.UserID} as userid, u.${userColumns.UserName} as username, ${others} as others
      from ${user.table} u where u.${userColumns.UserNum} = :usernum`,
    ],
    // Without a list of items, the configuration's statement replaces this one below.
    findProduct:
      product === null
        ? []
        : [
            `select ${product.columns.ProductNum} as product from ${product.table} where ${product.columns.ProductNum} = :product`,
          ],
    insertPurchase: returnsRows ? [`${insert} values (${values}) returning ${getReturnedColumns('')}`] : insertAndRead,
    readPurchase: [
      `select p.${c.PurFlag} as flag from ${purchase.table} p${lock.hint}
      where p.${c.PurKey} = :purkey and ${getSameRowCondition('p', getParameter)}${lock.end}`,
    ],
    // The flag is a condition, because the player may pick the item up at the same time (GAME-14).
    deletePurchase: [
      dialect === 'postgres'
        ? `delete from ${purchase.table} as p where p.${c.PurKey} = :purkey and p.${c.PurFlag} = :flag and ${getSameRowCondition('p', getParameter)}`
        : `delete p from ${purchase.table} ${dialect === 'mssql' ? 'as p' : 'p'} where p.${c.PurKey} = :purkey and p.${c.PurFlag} = :flag and ${getSameRowCondition('p', getParameter)}`,
    ],
    watch: [
      `select ${top}d.unit as unit, d.flag as told, p.${c.PurFlag} as flag
      from tambayan_delivery d
      left join ${purchase.table} p on p.${c.PurKey} = d.purkey and ${getSameRowCondition('p', getDeliveryColumn)}
      where d.state = 'delivered' and d.flag in ('waiting', 'cancelled')
        and (p.${c.PurKey} is null or p.${c.PurFlag} <> 0 or d.flag <> 'waiting')
        and not (d.flag = 'cancelled' and p.${c.PurFlag} is not null and p.${c.PurFlag} in (2, 3))
      order by d.unit${limit}`,
    ],
    ...Object.fromEntries(Object.entries(ownStatements).map(([name, text]) => [name, [text].flat()])),
  }
}

/** Returns the statement that reads the bridge's row of a unit and locks it until the transaction ends. */
export const selectUnit = (dialect: Dialect): string =>
  `select unit, mark, state, usernum, useruid, productnum as product, price, purkey, purdate, flag from tambayan_delivery${
    dialect === 'mssql' ? ' with (updlock, holdlock)' : ''
  } where unit = :unit${dialect === 'mssql' ? '' : ' for update'}`
