import { GAME_BLOCKS_MAX, type reportBlocks } from '#contract/bridge-accounts.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { type Dialect, type Row, toNumber, toText } from './game/driver.ts'
import type { Column, ResolvedTable } from './game/names.ts'
import type { Accounts } from './game/open-game.ts'
import { isSet } from './game/values.ts'
import { getStaffCondition } from './staff.ts'

/** The date for a block without an end: the last year that every kind of column can hold. */
export const NO_END = Date.UTC(2037, 11, 31)

/**
 * Returns an SQL expression for the end of a block in seconds since 1970. Its value is null if the game has no column for
 * the end or the row has no date, 0 for an end before 1970 and NO_END / 1000 for an end after 2037.
 */
export function selectBlockEnd(
  dialect: Dialect,
  { columns, infos }: Pick<ResolvedTable<'UserInfo'>, 'columns'> & { infos: { UserBlockDate: Column | null } },
  prefix = '',
): string {
  return columns.UserBlockDate === null
    ? 'null'
    : getSecondsSql(dialect, prefix + columns.UserBlockDate, infos.UserBlockDate?.type)
}

/**
 * Returns an SQL expression that converts a date column to whole seconds since 1970. Years that a database may be unable to
 * count in seconds are converted to 0 or NO_END / 1000. A date without a zone is in the time zone of the database.
 */
export function getSecondsSql(dialect: Dialect, column: string, type = ''): string {
  const isZoned = /with time zone/.test(type)
  const seconds = {
    mariadb: `floor(unix_timestamp(${column}))`,
    postgres: `floor(extract(epoch from ${column}${isZoned ? '' : '::timestamptz'}))`,
    mssql: `datediff(second, '19700101', dateadd(minute, datediff(minute, getdate(), getutcdate()), ${column}))`,
  }
  return `case when ${column} > '20371230' then ${NO_END / 1000} when ${column} < '19700102' then 0 else ${seconds[dialect]} end`
}

/**
 * Returns the end of a block in milliseconds; null for no end, which games store as a year far in the future
 * (BRIDGE-20).
 */
export function readBlockEnd(cell: Row[string]): number | null {
  const seconds = toNumber(cell)
  return seconds === null || seconds * 1000 >= NO_END ? null : Math.floor(seconds) * 1000
}

/** Formats the block of a row, for comparison with what the bridge wrote last. @param row has `blocked` and `until` */
export const formatBlock = (row: Row): string =>
  isSet(row.blocked) ? `1 ${readBlockEnd(row.until) ?? 'for ever'}` : '0'

type Blocks = Pick<CallInput<typeof reportBlocks>, 'blocks' | 'complete'>

/**
 * Reads the current blocks that the game's staff have set: those that the bridge has not written (BRIDGE-17). Null
 * without UserBlock.
 */
export async function readGameBlocks({ connection, table, config }: Accounts, now: Date): Promise<Blocks | null> {
  const c = table.columns
  if (c.UserBlock === null) return null
  const rows = await connection.query(
    `select u.${c.UserNum} as usernum, u.${c.UserID} as userid, 1 as blocked, ${selectBlockEnd(connection.dialect, table, 'u.')} as until,
      a.block as noted
    from ${table.table} u left join tambayan_account a on a.usernum = u.${c.UserNum}
    where u.${c.UserBlock} <> 0 and not ${getStaffCondition(config, table, 'u.')} order by u.${c.UserNum}`,
  )
  const writtenByBridge = new Set(
    rows.filter((row) => toText(row.noted) === formatBlock(row)).map((row) => Number(row.usernum)),
  )
  const gameBlocks = new Map<number, Blocks['blocks'][number]>()
  for (const row of rows) {
    const usernum = Number(row.usernum)
    const end = readBlockEnd(row.until)
    if (!writtenByBridge.has(usernum) && (end === null || end > now.getTime()))
      gameBlocks.set(usernum, [
        usernum,
        toText(row.userid).trim().slice(0, 64),
        end === null ? null : new Date(end).toISOString(),
      ])
  }
  return { blocks: [...gameBlocks.values()].slice(0, GAME_BLOCKS_MAX), complete: gameBlocks.size <= GAME_BLOCKS_MAX }
}
