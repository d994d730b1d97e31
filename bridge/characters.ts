import {
  CHARACTER_MEASURES,
  CHARACTERS_AT_ONCE,
  CHARACTERS_IN_BLOCK,
  type CharacterMeasure,
  type CharacterRow,
  compareCharacters,
  ONLINE_GROUPS_MAX,
  ONLINE_PLAYERS_MAX,
  reportGame,
  sendCharacters,
} from '#contract/bridge-characters.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { NO_SCHOOL } from '#contract/game.ts'
import { readBlockEnd, selectBlockEnd } from './blocks.ts'
import { type Areas, type ClubBlocks, readAlliances, readAreas, readClubs, reportClubs } from './clubs.ts'
import type { GameConfig } from './config.ts'
import { connectGame } from './game/connect.ts'
import { type Cell, type GameConnection, toText } from './game/driver.ts'
import { type Catalogue, type ResolvedTable, readCatalogue, resolveTable } from './game/names.ts'
import { hashText, isSet, readClock, toMoment, toSeconds, toWholeNumber } from './game/values.ts'
import { type LoadMemory, readLoadAge } from './logins.ts'
import { readMarkVersions, reportMarks } from './marks.ts'
import type { CallSite } from './site.ts'
import { getStaffCondition } from './staff.ts'

/** How many characters one statement reads. Short statements don't make the game wait. */
const READ_AT_ONCE = 5000
/** How often one reading is reported at most. The agent reports again while the site lacks rows. */
const ROUNDS_MAX = 3
/** The version of the rows' format. It is part of the hashes, so after a change the agent sends all rows again. */
const ROW_FORMAT = '3'

type Block = { hash: string; text: string; rows: Cell[][] }
/** The rows that were last sent for each block, as JSON, with their hash. */
export type ReportedBlocks = Map<number, Pick<Block, 'hash' | 'text'>>

/** The agent's state between two readings. */
export type SyncMemory = { reported: ReportedBlocks; load: LoadMemory }
export const createSyncMemory = (): SyncMemory => ({ reported: new Map(), load: { skippedUntil: 0 } })

type Report = CallInput<typeof reportGame>
export type Reading = {
  /** The offset of the database's clock, as `readClock` measures it. */
  zoneMs: number
  blocks: Map<number, Block>
  online: number | null
  /** The game's accounts that have a character online. */
  playing: number[]
  /** The online characters of these accounts. */
  playingCharacters: number[]
  /** The number of online characters in each school and class; null if the game has no column for it. */
  groups: Report['groups']
  /** A hash of the characters that the game marks as online, including stale ones; empty without such a column. */
  onlineHash: string
  areas: Areas
  clubs: ClubBlocks
  marks: Report['marks']
  alliances: Report['alliances']
  lacks: CharacterMeasure[]
  tookMs: number
  /** In the time of `performance.now()`. */
  readAt: number
}

/** Returns the columns that contain the measures on this server. */
export function getMeasureColumns({ columns: c }: Pick<ResolvedTable<'ChaInfo'>, 'columns'>) {
  return {
    mmr: c.ChaMMR,
    resu: c.ChaResuScore ?? c.ChaPKResu,
    kills: c.ChaPKScore,
    deaths: c.ChaPKDeath,
    level_up: c.ChaLevelUpDate ?? c.ChaLastLevel,
    money: c.ChaMoney,
  } satisfies Record<CharacterMeasure, string | null>
}

/** Where the characters come from: the game's table, or a statement of the configuration. */
type Source = {
  /** Reads the next characters, those with a number above `after`. */
  read: (game: GameConnection, after: number) => Promise<Cell[][]>
  /** The measures for which this server has no column. */
  lacks: CharacterMeasure[]
  /** Whether the rows show who is online. */
  hasOnline: boolean
  /** Whether the source is a statement of the configuration, which can return any number of rows. */
  isConfigured: boolean
}

/** The number of a character's values: number, account, name, class, school, level, six measures, deleted, online, club. */
const CELL_COUNT = 15
const [DELETED_CELL, ONLINE_CELL] = [12, 13]

/** Finds the source of the characters. @throws MissingNames if their table or one of its columns is missing */
export function findCharacters({ dialect, names, statements }: GameConfig, catalogue: Catalogue): Source {
  const configuredStatement = statements.readCharacters
  if (configuredStatement !== undefined) {
    const statements = [configuredStatement].flat()
    const readPage = async (game: GameConnection, after: number) => {
      for (const statement of statements.slice(0, -1)) await game.run(statement, { after })
      const page = await game.rows(statements.at(-1) ?? '', { after })
      const [firstRow] = page
      // The column of the club is optional.
      if (firstRow !== undefined && firstRow.length !== CELL_COUNT && firstRow.length !== CELL_COUNT - 1)
        throw new Error(
          `The statement readCharacters returns ${firstRow.length} columns instead of ${CELL_COUNT - 1} or ${CELL_COUNT}.`,
        )
      return firstRow?.length === CELL_COUNT - 1 ? page.map((cells) => [...cells, 0]) : page
    }
    return { read: readPage, lacks: [], hasOnline: true, isConfigured: true }
  }
  const table = resolveTable('ChaInfo', { dialect, catalogue, names })
  const measures = getMeasureColumns(table)
  const { ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel, ChaDeleted, ChaOnline, GuNum } = table.columns
  const { kills, deaths, mmr, resu, money, level_up } = measures
  const identifyingColumns = [ChaNum, UserNum, ChaName, ChaClass, ChaSchool, ChaLevel]
  const columns = [...identifyingColumns, kills, deaths, mmr, resu, money, level_up, ChaDeleted, ChaOnline, GuNum]
    .map((column) => (column === null ? 'null' : `c.${column}`))
    .join(', ')
  const [top, limit] = dialect === 'mssql' ? [`top (${READ_AT_ONCE}) `, ''] : ['', ` limit ${READ_AT_ONCE}`]
  const statement = `select ${top}${columns} from ${table.table} c where c.${ChaNum} > :after order by c.${ChaNum}${limit}`
  return {
    read: (game, after) => game.rows(statement, { after }),
    lacks: CHARACTER_MEASURES.filter((measure) => measures[measure] === null),
    hasOnline: ChaOnline !== null,
    isConfigured: false,
  }
}

/**
 * Reads all characters in the order of their numbers, a few thousand with each statement. It reads no binary columns
 * (GAME-7).
 *
 * @throws GameUnavailable; MissingNames if the table of characters or one of its columns is missing
 */
export async function readGame(config: GameConfig, signal: AbortSignal): Promise<Reading> {
  const { dialect, urls, names } = config
  const startedAt = performance.now()
  const openConnections: GameConnection[] = []
  const connect = async (url: string) => {
    const connection = await connectGame(dialect, url)
    openConnections.push(connection)
    return [connection, await readCatalogue(connection)] as const
  }
  const pendingConnections = [connect(urls.game), connect(urls.user)] as const
  try {
    const [[game, catalogue], [user, userCatalogue]] = await Promise.all(pendingConnections)
    const source = findCharacters(config, catalogue)
    const { zoneMs } = await readClock(game)
    const users = resolveTable('UserInfo', { dialect, catalogue: userCatalogue, names })
    const hiddenAccounts = await readHiddenAccounts(config, user, users)
    const rows: Cell[][] = []
    const playingRows: Cell[][] = []
    for (let after = 0; ; ) {
      signal.throwIfAborted()
      const page = await source.read(game, after)
      const before = after
      for (const cells of page) {
        const chaNum = Number(cells[0])
        if (!Number.isSafeInteger(chaNum) || chaNum <= after) continue
        after = chaNum
        if (isSet(cells[ONLINE_CELL]) && !isSet(cells[DELETED_CELL])) playingRows.push(cells)
        // Online characters are reported in a separate list, so this cell contains the reason to hide the character instead.
        cells[ONLINE_CELL] = hiddenAccounts.get(Number(cells[1])) ?? 0
        rows.push(cells)
      }
      // A statement of the configuration has ended when it returns no new character.
      if (after === before || (!source.isConfigured && page.length < READ_AT_ONCE)) break
    }
    const playingAccounts = await findPlayingAccounts(
      user,
      users,
      new Set(playingRows.map(([, userNum]) => Number(userNum))),
      zoneMs,
    )
    const playingNumbers = new Set(playingAccounts)
    const onlineCharacters = playingRows.filter(([, userNum]) => playingNumbers.has(Number(userNum)))
    return {
      zoneMs,
      blocks: toBlocks(rows, zoneMs),
      online: source.hasOnline ? playingAccounts.length : await countOnline(user, users),
      playing: playingAccounts.slice(0, ONLINE_PLAYERS_MAX),
      playingCharacters: onlineCharacters.slice(0, ONLINE_PLAYERS_MAX).map(([num]) => Number(num)),
      groups: source.hasOnline ? countGroups(onlineCharacters) : null,
      onlineHash: source.hasOnline ? hashText(JSON.stringify(playingRows.map(([num]) => Number(num)))) : '',
      areas: await readAreas(game, { dialect, catalogue, names }),
      clubs: await readClubs(game, { dialect, catalogue, names }, zoneMs),
      marks: await readMarkVersions(game, config, catalogue),
      alliances: await readAlliances(game, { dialect, catalogue, names }),
      lacks: source.lacks,
      tookMs: Math.round(performance.now() - startedAt),
      readAt: performance.now(),
    }
  } finally {
    await Promise.allSettled(pendingConnections)
    await Promise.allSettled(openConnections.map((connection) => connection.close()))
  }
}

/** Groups rows into blocks. The hash of a block includes the time zone, because that changes its times. */
function toBlocks(rows: readonly Cell[][], zoneMs: number): Map<number, Block> {
  const blocks = Map.groupBy(rows, ([chaNum]) => Math.floor(Number(chaNum) / CHARACTERS_IN_BLOCK))
  return new Map(
    [...blocks].map(([block, rows]) => {
      const text = JSON.stringify(rows)
      return [block, { text, rows, hash: hashText(ROW_FORMAT + (zoneMs === 0 ? '' : zoneMs) + text) }]
    }),
  )
}

/** Counts characters by school and class. */
function countGroups(characters: readonly Cell[][]): NonNullable<Report['groups']> {
  const groups = Map.groupBy(
    characters,
    ([, , , chaClass, school]) => `${school === null ? NO_SCHOOL : toWholeNumber(school)} ${toWholeNumber(chaClass)}`,
  )
  return [...groups].slice(0, ONLINE_GROUPS_MAX).map(([key, { length: players }]) => {
    const [school = 0, chaClass = 0] = key.split(' ').map(Number)
    return { school, class: chaClass, players }
  })
}

/** Reads the accounts whose characters are hidden, with the reason: 1 for the game's staff, 2 for blocked accounts. */
async function readHiddenAccounts(
  config: GameConfig,
  user: GameConnection,
  users: ResolvedTable<'UserInfo'>,
): Promise<Map<number, number>> {
  const { table, columns: c } = users
  const staffCondition = getStaffCondition(config, users, 'u.')
  const conditions = [staffCondition, ...(c.UserBlock === null ? [] : [`u.${c.UserBlock} <> 0`])]
  const cell = (column: string | null) => (column === null ? 'null' : `u.${column}`)
  const rows = await user.rows(
    `select u.${c.UserNum}, case when ${staffCondition} then 1 else 0 end, ${cell(c.UserBlock)}, ${selectBlockEnd(user.dialect, users, 'u.')} from ${table} u where ${conditions.join(' or ')}`,
  )
  const now = Date.now()
  return new Map(
    rows.flatMap(([num, staff, block, blockEnd]): [number, number][] => {
      const userNum = Number(num)
      if (isSet(staff)) return [[userNum, 1]]
      const end = readBlockEnd(blockEnd)
      return isSet(block) && (end === null || end > now) ? [[userNum, 2]] : []
    }),
  )
}

/** Accounts whose last login is older do not count as playing. */
const STALE_MS = 7 * 86_400_000

/** Returns the accounts that are playing. A crashed game server leaves characters marked as online, so this also checks logins. */
async function findPlayingAccounts(
  user: GameConnection,
  { table, columns: c }: ResolvedTable<'UserInfo'>,
  onlineAccounts: ReadonlySet<number>,
  zoneMs: number,
): Promise<number[]> {
  const numbers = [...onlineAccounts].filter((userNum) => Number.isSafeInteger(userNum) && userNum >= 0)
  if (numbers.length === 0 || (c.UserLoginState === null && c.LastLoginDate === null)) return numbers
  const cell = (column: string | null) => (column === null ? 'null' : `u.${column}`)
  const rows: Cell[][] = []
  for (let from = 0; from < numbers.length; from += 1000)
    rows.push(
      ...(await user.rows(
        `select ${cell(c.UserLoginState)}, ${cell(c.LastLoginDate)}, u.${c.UserNum} from ${table} u
        where u.${c.UserNum} in (${numbers.slice(from, from + 1000).join(', ')})`,
      )),
    )
  // Some servers never set UserLoginState.
  const hasLoginStates = rows.some(([state]) => isSet(state))
  const staleRows = rows.filter(([state, login]) => {
    const at = toMoment(login, zoneMs)
    return (hasLoginStates && !isSet(state)) || (at !== null && at < Date.now() - STALE_MS)
  })
  const staleAccounts = new Set(staleRows.map(([, , userNum]) => Number(userNum)))
  return numbers.filter((userNum) => !staleAccounts.has(userNum))
}

/** Counts the accounts that are logged in; null if the game has no column for it. */
async function countOnline(
  user: GameConnection,
  { table, columns }: ResolvedTable<'UserInfo'>,
): Promise<number | null> {
  if (columns.UserLoginState === null) return null
  const [row] = await user.rows(`select count(*) from ${table} u where u.${columns.UserLoginState} <> 0`)
  return toWholeNumber(row?.[0])
}

/** Converts the cells of a character to the row that the site expects. */
function toRow(cells: readonly Cell[], zoneMs: number): CharacterRow {
  const [
    num,
    user,
    name,
    chaClass,
    school,
    level,
    kills,
    deaths,
    mmr,
    resu,
    money,
    levelUp,
    deleted,
    hiddenReason,
    club,
  ] = cells
  return [
    toWholeNumber(num),
    toWholeNumber(user),
    toText(name).slice(0, 200),
    toWholeNumber(chaClass),
    school === null ? NO_SCHOOL : toWholeNumber(school),
    toWholeNumber(level),
    toWholeNumber(kills),
    toWholeNumber(deaths),
    toWholeNumber(mmr),
    toWholeNumber(resu),
    toWholeNumber(money),
    toSeconds(levelUp, zoneMs),
    isSet(deleted) ? 3 : toWholeNumber(hiddenReason),
    Math.max(0, toWholeNumber(club)),
  ]
}

type BlockChanges = CallInput<typeof sendCharacters>['blocks'][number]

/**
 * Returns the changes of a block since its last report, or all its rows if the site does not have that report.
 *
 * @param has the hash of the block that the site has; null for none
 */
function diffBlock(
  block: number,
  { hash, rows: blockRows }: Block,
  { has, reported, zoneMs }: { has: string | null; reported: ReportedBlocks; zoneMs: number },
): BlockChanges {
  const before = reported.get(block)
  const toRows = (rows: readonly Cell[][]) => rows.map((cells) => toRow(cells, zoneMs))
  if (before === undefined || has === null || before.hash !== has)
    return { block, from: null, to: hash, rows: toRows(blockRows), gone: [] }
  const reportedRows = new Map(
    (JSON.parse(before.text) as Cell[][]).map((cells) => [Number(cells[0]), JSON.stringify(cells)]),
  )
  const currentNumbers = new Set(blockRows.map(([num]) => Number(num)))
  return {
    block,
    from: has,
    to: hash,
    rows: toRows(blockRows.filter((cells) => reportedRows.get(Number(cells[0])) !== JSON.stringify(cells))),
    gone: [...reportedRows.keys()].filter((num) => !currentNumbers.has(num)),
  }
}

/**
 * Sends the site the changes since the last report. An interrupted report continues at the first missing block, because
 * the site stores the hash of each block that arrived.
 *
 * @returns the number of characters and bytes sent
 * @throws SiteUnavailable, SiteRefusal
 */
export async function reportCharacters(
  callSite: CallSite,
  { blocks, lacks, tookMs, readAt, zoneMs }: Reading,
  reportedBlocks: ReportedBlocks,
  signal: AbortSignal,
): Promise<{ changed: number; bytes: number }> {
  const getAgeMs = () => performance.now() - readAt
  const numbers = [...blocks.keys()]
  const hashes = [...blocks.values()].map(({ hash }) => hash)
  let changeCount = 0
  let bytes = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const comparison = {
      age_ms: getAgeMs(),
      blocks: numbers,
      hashes,
      lacks,
      took_ms: tookMs,
      sent_bytes: bytes,
      changed: changeCount,
    }
    bytes += JSON.stringify(comparison).length
    const { wanted: wantedBlocks } = await callSite(compareCharacters, comparison, signal)
    if (wantedBlocks.length === 0) break
    let batch: BlockChanges[] = []
    let rows = 0
    const send = async () => {
      const message = { age_ms: getAgeMs(), blocks: batch }
      bytes += JSON.stringify(message).length
      await callSite(sendCharacters, message, signal)
      for (const { block, to } of batch) reportedBlocks.set(block, { hash: to, text: blocks.get(block)?.text ?? '' })
      changeCount += rows
      batch = []
      rows = 0
    }
    for (const { block, has } of wantedBlocks) {
      const currentBlock = blocks.get(block)
      if (currentBlock === undefined) continue
      const changes = diffBlock(block, currentBlock, { has, reported: reportedBlocks, zoneMs })
      if (rows + changes.rows.length > CHARACTERS_AT_ONCE) await send()
      batch.push(changes)
      rows += changes.rows.length
    }
    if (batch.length > 0) await send()
  }
  for (const [block, { hash, text }] of blocks) reportedBlocks.set(block, { hash, text })
  for (const block of reportedBlocks.keys()) if (!blocks.has(block)) reportedBlocks.delete(block)
  return { changed: changeCount, bytes }
}

/**
 * Reports the characters, the players online, and the clubs with their marks, areas and alliances. Reports a problem with the
 * game's tables to the desk instead of throwing it.
 *
 * @returns the problem, which was reported to the site; '' if there is none
 * @throws SiteUnavailable, SiteRefusal
 */
export async function syncGame(
  config: GameConfig,
  callSite: CallSite,
  { reported, load }: SyncMemory,
  signal: AbortSignal,
): Promise<string> {
  let reading: Reading
  try {
    reading = await readGame(config, signal)
  } catch (error) {
    signal.throwIfAborted()
    const problem = (error as Error).message.replace(/\s+/g, ' ').slice(0, 300)
    await callSite(reportGame, { problem, online: null, areas: null }, signal)
    return problem
  }
  await reportCharacters(callSite, reading, reported, signal)
  const { online, playing, playingCharacters: characters, groups, onlineHash, areas, clubs, marks, alliances } = reading
  const life = { log_age_ms: await readLoadAge(config, load), mark: onlineHash }
  const report = { problem: '', online, playing, characters, groups, life, areas, marks, alliances }
  const requestedMarks = await reportClubs(callSite, clubs, report, signal)
  if (marks != null && requestedMarks.length > 0)
    await reportMarks(config, callSite, { form: marks.form, clubs: requestedMarks }, signal)
  return ''
}
