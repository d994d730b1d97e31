import type { Finding } from '#contract/bridge.ts'
import { GAME_LOG_MAX, sendGameLog } from '#contract/bridge-characters.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { BridgeConfig, GameConfig } from './config.ts'
import { good, note, problem } from './findings.ts'
import { connectGame } from './game/connect.ts'
import type { Cell, Dialect, GameConnection } from './game/driver.ts'
import { type Catalogue, MissingNames, type Names, readCatalogue, resolveTable } from './game/names.ts'
import { readClock, toSeconds, whole } from './game/values.ts'
import type { CallSite } from './site.ts'

/** If a reading takes longer, the agent skips the logs for a while. They lack an index, and reading them slows the game down. */
export const SLOW_MS = 2000
export const REST_MS = 30 * 60_000

export type GameLog = CallInput<typeof sendGameLog>
type LogTable = 'KillLog' | 'WarLog'

/** The last report of the logs, and the time until which they are skipped, as `performance.now()` counts it. */
export type LogMemory = { reported: string; restsUntil: number }
export const newLogMemory = (): LogMemory => ({ reported: '', restsUntil: 0 })

type Where = { dialect: Dialect; catalogue: Catalogue; names: Names }

/** Returns the statement that reads the newest rows of a log by number; null if the log is not configured. */
function selectNewest<T extends LogTable>(logTable: T, order: readonly string[], of: Where): string | null {
  if (of.names[logTable] == null) return null
  const { table, columns } = resolveTable(logTable, of)
  const namedColumns = columns as Record<string, string | null>
  const cells = order.map((name) => (namedColumns[name] === null ? 'null' : `l.${namedColumns[name]}`)).join(', ')
  const [top, limit] = of.dialect === 'mssql' ? [`top (${GAME_LOG_MAX}) `, ''] : ['', ` limit ${GAME_LOG_MAX}`]
  return `select ${top}${cells} from ${table} l order by l.${namedColumns[order[0] ?? '']} desc${limit}`
}

const KILL = ['KillNum', 'KillDate', 'KillerNum', 'VictimNum'] as const
const WAR = ['WarNum', 'WarDate', 'WinnerNum', 'LoserNum', 'RegionID'] as const

/** Reads the newest kills and wars. @throws MissingNames if a configured table or one of its columns is missing */
async function readGameLog(log: GameConnection, of: Where): Promise<GameLog> {
  const newest = async (statement: string | null): Promise<Cell[][]> =>
    statement === null ? [] : await log.rows(statement)
  const numbers = (cells: Cell[]) => cells.map((cell) => Math.max(0, whole(cell)))
  const kills = await newest(selectNewest('KillLog', KILL, of))
  const wars = await newest(selectNewest('WarLog', WAR, of))
  const { zoneMs } = await readClock(log)
  return {
    kills: kills.flatMap(([num, date, ...cells]) => {
      const at = toSeconds(date, zoneMs)
      const [killer = 0, victim = 0] = numbers(cells)
      return at === null || at < 0 || whole(num) < 0 ? [] : [{ num: whole(num), at, killer, victim }]
    }),
    wars: wars.flatMap(([num, date, ...cells]) => {
      const at = toSeconds(date, zoneMs)
      const [winner = 0, loser = 0, region = 0] = numbers(cells)
      return at === null || at < 0 || whole(num) < 0 ? [] : [{ num: whole(num), at, winner, loser, region }]
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
  if (startedAt < memory.restsUntil) return
  let found: GameLog = { kills: [], wars: [] }
  if (urls.log !== undefined) {
    try {
      const log = await connectGame(dialect, urls.log)
      try {
        found = await readGameLog(log, { dialect, catalogue: await readCatalogue(log), names })
      } finally {
        await log.close()
      }
    } catch {
      memory.restsUntil = performance.now() + REST_MS
      return
    }
    if (performance.now() - startedAt > SLOW_MS) memory.restsUntil = performance.now() + REST_MS
  }
  const text = JSON.stringify(found)
  if (text === memory.reported) return
  await callSite(sendGameLog, found, signal)
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
      const took = Math.round(performance.now() - startedAt)
      const tables = (['KillLog', 'WarLog'] as const).filter((table) => names[table] != null)
      if (tables.length === 0)
        return [
          note(
            'The log database answers, but no log is named.',
            'Name the tables with "names": {"KillLog": "its name", "WarLog": "its name"} in the configuration, and their columns where they differ.',
          ),
        ]
      if (took > SLOW_MS)
        return [
          note(
            `The logs take ${took} ms to read, so the bridge reads them every half hour only.`,
            'The columns KillNum and WarNum need an index; they should be the primary keys.',
          ),
        ]
      return [good(`The logs ${tables.join(' and ')} can be read, in ${took} ms.`)]
    } finally {
      await log.close()
    }
  } catch (error) {
    if (error instanceof MissingNames) return error.missing.map(({ what, advice }) => problem(what, advice))
    return [
      problem(`The log database cannot be read: ${(error as Error).message}`, 'Look at game.log in the configuration.'),
    ]
  }
}
