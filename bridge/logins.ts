import type { LoginReset, ResetWork } from '#contract/bridge-accounts.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { getSecondsSql } from './blocks.ts'
import type { GameConfig } from './config.ts'
import { connectGame } from './game/connect.ts'
import { type GameConnection, isSameId, toNumber, toText } from './game/driver.ts'
import { readCatalogue, resolveTable } from './game/names.ts'
import type { Accounts } from './game/open-game.ts'
import { isSet, readClock, toMoment } from './game/values.ts'
import { isGranted } from './grants.ts'
import { LOG_PAUSE_MS, SLOW_READ_MS } from './logs.ts'
import { getStaffCondition, selectStaffFlag } from './staff.ts'

type FreeLogin = Extract<ResetWork, { kind: 'free' }>
type FreeAllLogins = Extract<ResetWork, { kind: 'free-all' }>

/** How many of the newest rows of LogServerState are searched for a gap. */
const LOAD_ROWS = 2000
/** The shortest gap between two rows that counts as a restart. */
const MIN_GAP_MS = 3 * MINUTE_MS
/** Rows within this time come from servers that report at the same time. */
const SAME_TIME_MS = 30_000

/** Frees the logins that the site requests. @throws GameUnavailable */
export async function freeLogins(accounts: Accounts, resets: readonly ResetWork[]) {
  const freed: LoginReset[] = []
  const freed_all: { restart: number; accounts: number }[] = []
  for (const reset of resets) {
    if (reset.kind === 'free') freed.push({ account: reset.account, outcome: await freeLogin(accounts, reset) })
    else freed_all.push({ restart: reset.restart, accounts: await freeAllLogins(accounts, reset) })
  }
  return { freed, freed_all }
}

/** Returns whether this bridge can free logins: the game has the column, and the account has the right to write it. */
export async function canFreeLogins({ connection, table }: Accounts): Promise<boolean> {
  const column = table.infos.UserLoginState?.name
  return column !== undefined && isGranted(connection, { rights: ['update'], on: table.table, columns: [column] })
}

/**
 * Resets `UserLoginState` of an account that a crash left logged in. The statement writes nothing else, and does nothing if
 * the account was logged in again since it was read.
 */
async function freeLogin({ connection, table, config }: Accounts, work: FreeLogin): Promise<LoginReset['outcome']> {
  const { UserNum, UserID, UserLoginState } = table.columns
  if (UserLoginState === null) return 'gone'
  const login = selectLastLogin(connection, table)
  const usernum = work.game_user_num
  const [row] = await connection.query(
    `select ${UserID} as userid, ${selectStaffFlag(config, table)} as staff, ${UserLoginState} as state, ${login} as login
    from ${table.table} where ${UserNum} = :usernum`,
    { usernum },
  )
  if (row === undefined || isSet(row.staff) || !isSameId(toText(row.userid), work.user_id)) return 'gone'
  if (!isSet(row.state)) return 'clear'
  const lastLogin = toNumber(row.login)
  const isOffline = work.offline && (await isEveryCharacterOffline(config, usernum))
  if (!isOffline && !(await hasRestartedSince(config, lastLogin))) return 'online'
  const rows = await connection.run(
    `update ${table.table} set ${UserLoginState} = 0 where ${UserNum} = :usernum and ${UserLoginState} = :state
      and ${lastLogin === null ? `${login} is null` : `${login} = :login`}`,
    { usernum, state: toNumber(row.state) ?? 1, login: lastLogin },
  )
  return rows === 1 ? 'reset' : 'online'
}

/** Resets `UserLoginState` of every player whose last login was before a restart of the game server. @returns their number */
function freeAllLogins({ connection, table, config }: Accounts, { restarted_at }: FreeAllLogins): Promise<number> {
  const { UserLoginState } = table.columns
  if (UserLoginState === null) return Promise.resolve(0)
  const login = selectLastLogin(connection, table)
  return connection.run(
    `update ${table.table} set ${UserLoginState} = 0 where ${UserLoginState} <> 0 and not ${getStaffCondition(config, table)}
      and (${login} is null or ${login} < :restarted)`,
    { restarted: Math.floor(Date.parse(restarted_at) / 1000) },
  )
}

/** Returns SQL for the time of the last login in seconds since 1970; null if the game has no column for it. */
const selectLastLogin = ({ dialect }: GameConnection, { columns, infos }: Accounts['table']): string =>
  columns.LastLoginDate === null ? 'null' : getSecondsSql(dialect, columns.LastLoginDate, infos.LastLoginDate?.type)

async function isEveryCharacterOffline({ dialect, urls, names }: GameConfig, usernum: number): Promise<boolean> {
  const game = await connectGame(dialect, urls.game)
  try {
    const { table, columns } = resolveTable('ChaInfo', { dialect, catalogue: await readCatalogue(game), names })
    if (columns.ChaOnline === null) return false
    const rows = await game.query(
      `select ${columns.ChaOnline} as online from ${table} where ${columns.UserNum} = :usernum`,
      {
        usernum,
      },
    )
    return rows.every(({ online }) => !isSet(online))
  } finally {
    await game.close()
  }
}

/** Returns whether the game server has stopped logging its load since a login, and has resumed. */
async function hasRestartedSince({ dialect, urls, names }: GameConfig, login: number | null): Promise<boolean> {
  if (urls.log === undefined || login === null) return false
  const log = await connectGame(dialect, urls.log).catch(() => null)
  try {
    const times = log === null ? [] : await readLoadTimes(log, names, LOAD_ROWS)
    return findGaps(times).some((begin) => begin > login * 1000)
  } catch {
    return false
  } finally {
    await log?.close()
  }
}

/** The time until which the agent skips the log because it was slow or unreadable, as `performance.now()` counts it. */
export type LoadMemory = { skippedUntil: number }

/** Returns the age of the game server's last entry about its load in ms; null if the log can't be read. */
export async function readLoadAge({ dialect, urls, names }: GameConfig, memory: LoadMemory): Promise<number | null> {
  const startedAt = performance.now()
  if (urls.log === undefined || startedAt < memory.skippedUntil) return null
  const log = await connectGame(dialect, urls.log).catch(() => null)
  try {
    const [lastLoad] = log === null ? [] : await readLoadTimes(log, names, 1)
    if (log === null || performance.now() - startedAt > SLOW_READ_MS)
      memory.skippedUntil = performance.now() + LOG_PAUSE_MS
    return lastLoad === undefined ? null : Math.max(0, Date.now() - lastLoad)
  } catch {
    memory.skippedUntil = performance.now() + LOG_PAUSE_MS
    return null
  } finally {
    await log?.close()
  }
}

/** Reads the times of the last entries about the game server's load, newest first. @throws MissingNames without the table */
export async function readLoadTimes(
  log: GameConnection,
  names: GameConfig['names'],
  maxRows: number,
): Promise<number[]> {
  const { dialect } = log
  const { table, columns } = resolveTable('LogServerState', { dialect, catalogue: await readCatalogue(log), names })
  const [top, limit] = dialect === 'mssql' ? [`top (${maxRows}) `, ''] : ['', ` limit ${maxRows}`]
  const { zoneMs } = await readClock(log)
  const rows = await log.rows(
    `select ${top}l.${columns.LogDate} from ${table} l order by l.${columns.LogDate} desc${limit}`,
  )
  return rows.flatMap(([at]) => toMoment(at, zoneMs) ?? [])
}

/** Returns the last moment before each gap that is much longer than usual. @param times newest first */
export function findGaps(times: readonly number[]): number[] {
  const steps = times.slice(1).map((time, index) => ({ begin: time, length: (times[index] ?? time) - time }))
  const lengths = steps.map(({ length }) => length).filter((length) => length > SAME_TIME_MS)
  const usualLength = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
  return steps.filter(({ length }) => length > Math.max(MIN_GAP_MS, 3 * usualLength)).map(({ begin }) => begin)
}
