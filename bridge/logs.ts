import type { Finding } from '#contract/bridge.ts'
import { GAME_LOG_ENTRIES_MAX, sendGameLog } from '#contract/bridge-characters.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { BridgeConfig, GameConfig } from './config.ts'
import { createGoodFinding, createNote, createProblem } from './findings.ts'
import { connectGame } from './game/connect.ts'
import type { Cell, Dialect, GameConnection } from './game/driver.ts'
import { type Catalogue, MissingNames, type Names, readCatalogue, resolveTable } from './game/names.ts'
import { readClock, toSeconds, toWholeNumber } from './game/values.ts'
import type { CallSite } from './site.ts'

/** If reading the logs takes longer, it slows the game down, so the agent then skips them for `LOG_PAUSE_MS`. */
export const SLOW_READ_MS = 2000
export const LOG_PAUSE_MS = 30 * MINUTE_MS

export type GameLog = CallInput<typeof sendGameLog>
type LogTable = 'KillLog' | 'WarLog'

/** The last report of the logs as JSON, and the time until which they are skipped, as `performance.now()` counts it. */
export type LogMemory = { reported: string; skippedUntil: number }
export const createLogMemory = (): LogMemory => ({ reported: '', skippedUntil: 0 })

type LogTables = { dialect: Dialect; catalogue: Catalogue; names: Names }

/** Returns the statement that reads the rows with the highest first column; null if the log is not configured. */
function selectNewest<T extends LogTable>(
  logTable: T,
  requestedColumns: readonly string[],
  tables: LogTables,
): string | null {
  if (tables.names[logTable] == null) return null
  const { table, columns } = resolveTable(logTable, tables)
  const namedColumns = columns as Record<string, string | null>
  const cells = requestedColumns
    .map((name) => (namedColumns[name] === null ? 'null' : `l.${namedColumns[name]}`))
    .join(', ')
  const [top, limit] =
    tables.dialect === 'mssql' ? [`top (${GAME_LOG_ENTRIES_MAX}) `, ''] : ['', ` limit ${GAME_LOG_ENTRIES_MAX}`]
  return `select ${top}${cells} from ${table} l order by l.${namedColumns[requestedColumns[0] ?? '']} desc${limit}`
}

const KILL_COLUMNS = ['KillNum', 'KillDate', 'KillerNum', 'VictimNum'] as const
const WAR_COLUMNS = ['WarNum', 'WarDate', 'WinnerNum', 'LoserNum', 'RegionID'] as const

/** Reads the newest kills and wars. @throws MissingNames if a configured table or one of its columns is missing */
async function readGameLog(log: GameConnection, tables: LogTables): Promise<GameLog> {
  const readNewest = async (statement: string | null): Promise<Cell[][]> =>
    statement === null ? [] : await log.rows(statement)
  const toNumbers = (cells: Cell[]) => cells.map((cell) => Math.max(0, toWholeNumber(cell)))
  const kills = await readNewest(selectNewest('KillLog', KILL_COLUMNS, tables))
  const wars = await readNewest(selectNewest('WarLog', WAR_COLUMNS, tables))
  const { zoneMs } = await readClock(log)
  return {
    kills: kills.flatMap(([num, date, ...cells]) => {
      const at = toSeconds(date, zoneMs)
      const [killer = 0, victim = 0] = toNumbers(cells)
      return at === null || at < 0 || toWholeNumber(num) < 0 ? [] : [{ num: toWholeNumber(num), at, killer, victim }]
    }),
    wars: wars.flatMap(([num, date, ...cells]) => {
      const at = toSeconds(date, zoneMs)
      const [winner = 0, loser = 0, region = 0] = toNumbers(cells)
      return at === null || at < 0 || toWholeNumber(num) < 0
        ? []
        : [{ num: toWholeNumber(num), at, winner, loser, region }]
    }),
  }
}

/**
 * Sends the newest kills and wars to the site, if they differ from the last report. Skips an unreadable log; `check` shows the
 * reason.
 *
 * @throws SiteUnavailable, SiteRefusal
 */
export async function reportGameLog(
  { dialect, urls, names }: Pick<GameConfig, 'dialect' | 'urls' | 'names'>,
  callSite: CallSite,
  memory: LogMemory,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  if (startedAt < memory.skippedUntil) return
  let gameLog: GameLog = { kills: [], wars: [] }
  if (urls.log !== undefined) {
    try {
      const log = await connectGame(dialect, urls.log)
      try {
        gameLog = await readGameLog(log, { dialect, catalogue: await readCatalogue(log), names })
      } finally {
        await log.close()
      }
    } catch {
      memory.skippedUntil = performance.now() + LOG_PAUSE_MS
      return
    }
    if (performance.now() - startedAt > SLOW_READ_MS) memory.skippedUntil = performance.now() + LOG_PAUSE_MS
  }
  const text = JSON.stringify(gameLog)
  if (text === memory.reported) return
  await callSite(sendGameLog, gameLog, signal)
  memory.reported = text
}

/** Returns the findings about the logs; none without a configured log. */
export async function checkLogs({ dialect, urls, names }: BridgeConfig): Promise<Finding[]> {
  if (urls.log === undefined) return []
  try {
    const log = await connectGame(dialect, urls.log)
    try {
      const catalogue = await readCatalogue(log)
      const startedAt = performance.now()
      await readGameLog(log, { dialect, catalogue, names })
      const tookMs = Math.round(performance.now() - startedAt)
      const tables = (['KillLog', 'WarLog'] as const).filter((table) => names[table] != null)
      if (tables.length === 0)
        return [
          createNote(
            'The log database answers, but no log is named.',
            'Name the tables with "names": {"KillLog": "its name", "WarLog": "its name"} in the configuration, and their columns where they differ.',
          ),
        ]
      if (tookMs > SLOW_READ_MS)
        return [
          createNote(
            `The logs take ${tookMs} ms to read, so the bridge reads them every half hour only.`,
            'The columns KillNum and WarNum need an index; they should be the primary keys.',
          ),
        ]
      return [createGoodFinding(`The logs ${tables.join(' and ')} can be read, in ${tookMs} ms.`)]
    } finally {
      await log.close()
    }
  } catch (error) {
    if (error instanceof MissingNames) return error.missing.map(({ what, advice }) => createProblem(what, advice))
    return [
      createProblem(
        `The log database cannot be read: ${(error as Error).message}`,
        'Check the address of the log database in the configuration, "log" in "game".',
      ),
    ]
  }
}
