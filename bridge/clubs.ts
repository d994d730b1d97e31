import type { Finding } from '#contract/bridge.ts'
import {
  CLUB_BLOCKS_AT_ONCE,
  CLUBS_IN_BLOCK,
  type ClubRow,
  reportGame,
  sendClubs,
} from '#contract/bridge-characters.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createGoodFinding, createProblem } from './findings.ts'
import { type GameConnection, GameUnavailable, toNumber, toText } from './game/driver.ts'
import { MissingNames, resolveTable } from './game/names.ts'
import { hashText, toSeconds, toWholeNumber } from './game/values.ts'
import type { CallSite } from './site.ts'

/** How many clubs one statement reads. */
const READ_AT_ONCE = 1000

type Report = CallInput<typeof reportGame>
export type Areas = Report['areas']
/** The clubs by block; empty on a server without clubs. */
export type ClubBlocks = Map<number, { hash: string; rows: ClubRow[] }>

type TableLookup = Parameters<typeof resolveTable>[1]

/**
 * Reads all clubs in the order of their numbers, a page in each statement.
 *
 * @param zoneMs how many milliseconds the database's clock is behind this machine's because of their time zones, as
 *   `readClock` measures it
 */
export async function readClubs(game: GameConnection, tables: TableLookup, zoneMs: number): Promise<ClubBlocks> {
  const table = findOrNull(() => resolveTable('GuildInfo', tables))
  const blocks: ClubBlocks = new Map()
  if (table === null) return blocks
  const { GuNum, GuName, ChaNum, GuBattleWin, GuBattleLose, GuBattleDraw, GuMakeTime } = table.columns
  const columns = [GuNum, GuName, ChaNum, GuBattleWin, GuBattleLose, GuBattleDraw, GuMakeTime]
    .map((column) => (column === null ? 'null' : `g.${column}`))
    .join(', ')
  const [top, limit] = tables.dialect === 'mssql' ? [`top (${READ_AT_ONCE}) `, ''] : ['', ` limit ${READ_AT_ONCE}`]
  const statement = `select ${top}${columns} from ${table.table} g where g.${GuNum} > :after order by g.${GuNum}${limit}`
  for (let after = 0; ; ) {
    const page = await game.rows(statement, { after })
    const before = after
    for (const [num, name, leader, wins, losses, draws, foundedAt] of page) {
      if (toWholeNumber(num) <= after) continue
      after = toWholeNumber(num)
      const blockNumber = Math.floor(after / CLUBS_IN_BLOCK)
      const block = blocks.get(blockNumber) ?? { hash: '', rows: [] }
      blocks.set(blockNumber, block)
      const [leaderNum, winCount, lossCount, drawCount] = [leader, wins, losses, draws].map((cell) =>
        Math.max(0, toWholeNumber(cell)),
      )
      block.rows.push([
        after,
        toText(name).slice(0, 200),
        leaderNum ?? 0,
        winCount ?? 0,
        lossCount ?? 0,
        drawCount ?? 0,
        toSeconds(foundedAt, zoneMs),
      ])
    }
    if (after === before || page.length < READ_AT_ONCE) break
  }
  for (const block of blocks.values()) block.hash = hashText(JSON.stringify(block.rows))
  return blocks
}

/** Reads which club owns each area; null on a server without areas. */
export async function readAreas(game: GameConnection, tables: TableLookup): Promise<Areas> {
  const resolvedTables = findOrNull(
    () => [resolveTable('GuildRegion', tables), resolveTable('GuildInfo', tables)] as const,
  )
  if (resolvedTables === null) return null
  const [region, guild] = resolvedTables
  const tax = region.columns.RegionTax === null ? 'null' : `r.${region.columns.RegionTax}`
  const rows = await game.rows(
    `select r.${region.columns.RegionID}, g.${guild.columns.GuName}, ${tax} from ${region.table} r
    left join ${guild.table} g on g.${guild.columns.GuNum} = r.${region.columns.GuNum} order by r.${region.columns.RegionID}`,
  )
  return rows.slice(0, 50).map(([id, club, percent]) => {
    const taxValue = toNumber(percent) ?? 0
    // Some servers store 5 % as 0.05.
    const isShare = taxValue > 0 && taxValue < 1
    return {
      region: toWholeNumber(id),
      club: toText(club).slice(0, 100),
      tax_percent: isShare ? taxValue * 100 : taxValue,
    }
  })
}

/** Reads the pairs of allied clubs; undefined if the configuration names no table. @throws MissingNames, and errors of the database */
async function readPairs(
  game: GameConnection,
  tables: TableLookup,
): Promise<[leader: number, member: number][] | undefined> {
  if (tables.names.GuildAlliance == null) return undefined
  const { table, columns } = resolveTable('GuildAlliance', tables)
  const pair = `p.${columns.LeaderNum}, p.${columns.MemberNum}`
  const rows = await game.rows(`select ${pair} from ${table} p order by ${pair}`)
  return rows
    .map(([leader, member]): [number, number] => [toWholeNumber(leader), toWholeNumber(member)])
    .filter(([leader, member]) => leader > 0 && member > 0 && leader !== member)
}

/**
 * Reads the clubs in alliances, each with the club that leads its alliance. A club belongs to the alliance of its first pair.
 * If the table cannot be read, for example because the login lacks the permission, the other readings continue.
 *
 * @returns null if the alliances cannot be read
 * @throws GameUnavailable
 */
export async function readAlliances(game: GameConnection, tables: TableLookup): Promise<Report['alliances']> {
  try {
    const leaders = new Map<number, number>()
    for (const [leader, member] of (await readPairs(game, tables)) ?? []) {
      const leadingClub = leaders.get(leader) ?? leader
      leaders.set(leader, leadingClub)
      if (!leaders.has(member)) leaders.set(member, leadingClub)
    }
    return [...leaders]
  } catch (error) {
    if (error instanceof GameUnavailable) throw error
    return null
  }
}

/** Returns the findings about the alliances of clubs; none without a table in the configuration. */
export async function checkAlliances(game: GameConnection, tables: TableLookup): Promise<Finding[]> {
  try {
    const pairs = await readPairs(game, tables)
    return pairs === undefined ? [] : [createGoodFinding(`The alliances of clubs can be read: ${pairs.length} pairs.`)]
  } catch (error) {
    if (error instanceof GameUnavailable) throw error
    if (error instanceof MissingNames) return error.missing.map(({ what, advice }) => createProblem(what, advice))
    const advice = 'Grant the account its rights (see the end of this list).'
    return [createProblem(`The alliances of clubs cannot be read: ${(error as Error).message}`, advice)]
  }
}

/** Returns the result of `resolve`; null if it throws MissingNames. */
function findOrNull<Value>(resolve: () => Value): Value | null {
  try {
    return resolve()
  } catch (error) {
    if (error instanceof MissingNames) return null
    throw error
  }
}

/**
 * Sends the report of the game to the site, and then the blocks of clubs that differ there.
 *
 * @returns the clubs whose marks the site requests
 * @throws SiteUnavailable, SiteRefusal
 */
export async function reportClubs(
  callSite: CallSite,
  clubs: ClubBlocks,
  report: Omit<Report, 'clubs'>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const hashes = [...clubs].map(([block, { hash }]) => ({ block, hash }))
  const answer = await callSite(reportGame, { ...report, clubs: hashes }, signal)
  const { wanted_clubs: wantedBlocks, wanted_marks: wantedMarks } = answer
  for (let from = 0; from < wantedBlocks.length; from += CLUB_BLOCKS_AT_ONCE) {
    const blocks = wantedBlocks.slice(from, from + CLUB_BLOCKS_AT_ONCE).flatMap((block) => {
      const currentBlock = clubs.get(block)
      return currentBlock === undefined ? [] : [{ block, ...currentBlock }]
    })
    await callSite(sendClubs, { blocks }, signal)
  }
  return wantedMarks
}
