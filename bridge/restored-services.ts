import { BRIDGE_SERVICES_AT_ONCE, type reportServices, type takeServiceWork } from '#contract/bridge-services.ts'
import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import type { GameValues } from '#contract/services.ts'
import { numberOf, type Row, textOf } from './game/driver.ts'
import { renewEpoch, secondsAgo } from './game/marker.ts'
import type { FoundRestored } from './restored.ts'
import { type Change, sayRestored, takeUndone } from './restored-accounts.ts'
import { isSame, MAIN_COLUMN, type ReadyCharacters, readCharacter, readValues } from './services.ts'

/** How many of the services that changed last are compared with their characters each time: more than are done between two looks. */
const COMPARED = 2 * BRIDGE_SERVICES_AT_ONCE
const OWN_TABLE = 'tambayan_service'
/** Between two looks the agent may do services in a table that was restored meanwhile: the newest ones say nothing yet. */
const YOUNG_SECONDS = 60

type LookedFor = CallOutput<typeof takeServiceWork>['look'][number]
type Looked = NonNullable<CallInput<typeof reportServices>['looked']>

/** A service that the agent has noted, compared with what its character has now. */
type Compared = Change & {
  number: number
  /** Whether nobody looks at it again. */
  isSettled: boolean
  isRefunded: boolean
  /** Whether the character has what this one made of it, and no later one. */
  isLast: boolean
  /** Whether the character is at none of the points, as of a player who has gone on; not so with an operator's own services. */
  isElsewhere: boolean
}

/**
 * Compares services with their characters (SERVICE-8), the last ones first. Those of one kind for one character follow each
 * other: the latest point in that row of values at which the character stands decides. What is before it is there, and what
 * is after it is undone.
 */
async function compareServices(characters: ReadyCharacters, compared = 1_000_000): Promise<Compared[]> {
  const { connection } = characters
  const [top, limit] = connection.dialect === 'mssql' ? [`top (${compared}) `, ''] : ['', ` limit ${compared}`]
  const rows = await connection.query(
    `select ${top}number, state, chanum, service, was, became, settled, changed,
      ${secondsAgo(connection.dialect, 'written_at')} as ago
    from ${OWN_TABLE} where state in ('done', 'refunded') and service <> '' order by changed desc, number desc${limit}`,
  )
  const chains = Map.groupBy(rows, ({ chanum, service }) => `${chanum} ${textOf(service)}`)
  const found: Compared[] = []
  for (const chain of chains.values()) found.push(...(await compareChain(characters, chain)))
  return found.sort((a, b) => b.changed - a.changed || b.number - a.number)
}

async function compareChain(characters: ReadyCharacters, rows: Row[]): Promise<Compared[]> {
  const [chanum, service] = [Number(rows[0]?.chanum), textOf(rows[0]?.service)]
  const isOwn = characters.services.own[service] !== undefined
  const main = isOwn ? undefined : MAIN_COLUMN[service]
  const pick = (values: GameValues): GameValues =>
    main === undefined || values[main] === undefined ? values : { [main]: values[main] }
  const chain = rows
    .toSorted((a, b) => Number(a.number) - Number(b.number))
    .map((row) => ({ row, was: pick(readValues(row.was)), became: pick(readValues(row.became)) }))
    .filter(({ was, became }) => Object.keys(became).length > 0 && !isSame(became, was))
  const columns = [...new Set(chain.flatMap(({ became }) => Object.keys(became)))]
  const now = await readCharacter(characters, chanum, { service, columns, locked: false })
  const has = (values: GameValues) => now !== undefined && isSame(values, now.values)
  const points = new Set(
    chain.flatMap(({ was, became }, nth) => [...(has(was) ? [nth] : []), ...(has(became) ? [nth + 1] : [])]),
  )
  const point = Math.max(...points)
  return chain.map(({ row, became }, nth) => ({
    number: Number(row.number),
    changed: Number(row.changed),
    ago: numberOf(row.ago),
    isSettled: numberOf(row.settled) === 1,
    isRefunded: textOf(row.state) === 'refunded',
    isLast: nth === point - 1 && has(became),
    isElsewhere: points.size === 0 && (!isOwn || now === undefined),
    is:
      points.size === 0
        ? 'unknown'
        : nth >= point
          ? main === undefined
            ? 'perhaps undone'
            : 'undone'
          : // Values that it had more than once tell nothing about the time between.
            points.size > 1
            ? 'unknown'
            : 'there',
  }))
}

/** What says something about the table: what the game itself has just undone is done once more, and refunded ones are undone. */
const evidenceOf = (compared: readonly Compared[]) =>
  compared.filter(({ isSettled, isRefunded }) => isSettled && !isRefunded)

/** Whether the game's table of characters was restored without the agent's own one: the services done last are undone. */
export async function findRestoredServices(characters: ReadyCharacters): Promise<FoundRestored | null> {
  const { table, marker } = characters
  const { restored } = marker.copy
  if (restored.includes(table.found.name)) return null
  const evidence = evidenceOf(await compareServices(characters, COMPARED))
  const isYoung = ({ is, ago }: Compared) => is === 'there' && ago !== null && ago < YOUNG_SECONDS
  const old = evidence.findIndex((one) => !isYoung(one))
  const found = sayRestored(table.found.name, evidence.slice(old === -1 ? evidence.length : old))
  return found === null ? null : { ...found, tables: [...restored, ...found.tables] }
}

/** The services that a restore of the game's table alone has undone. */
function selectUndone({ marker, table }: ReadyCharacters, compared: readonly Compared[]): Set<number> {
  if (!marker.copy.restored.includes(table.found.name)) return new Set()
  // What was done after the restore is there.
  const evidence = evidenceOf(compared)
  const newest = evidence.findIndex(({ is }) => is === 'undone' || is === 'perhaps undone')
  const since = takeUndone(evidence.slice(Math.max(0, newest))).at(-1)?.changed ?? Number.POSITIVE_INFINITY
  const undone = compared.filter(
    ({ is, changed, isElsewhere }) => changed >= since && (is === 'undone' || is === 'perhaps undone' || isElsewhere),
  )
  return new Set(undone.map(({ number }) => number))
}

/**
 * After a restore, of services that were done: which ones the characters lack, and of refunded ones, which they have again.
 * What the agent's own table lacks because it alone was restored was done all the same; it is noted again, so that nothing does
 * it twice. None of this is counted: the counter of a restored copy must not catch up.
 */
export async function lookForServices(characters: ReadyCharacters, look: readonly LookedFor[]): Promise<Looked> {
  const { connection, marker } = characters
  const isOwnTableBehind = marker.copy.restored.includes(OWN_TABLE)
  const numbers = look.map(({ order }) => order).filter(Number.isSafeInteger)
  const rows = await connection.query(
    `select number, mark, state from ${OWN_TABLE} where number in (${numbers.join(', ')})`,
  )
  const known = new Map(rows.map((row) => [Number(row.number), row]))
  const missing: number[] = []
  for (const one of look) {
    const { order: number, mark, refunded } = one
    const row = known.get(number)
    if (row !== undefined && textOf(row.mark) === mark) {
      if (refunded)
        await connection.run(
          `update ${OWN_TABLE} set state = 'refunded', settled = 1 where number = :number and state = 'done'`,
          { number },
        )
      else if (textOf(row.state) !== 'done') missing.push(number)
    } else if (row === undefined && isOwnTableBehind) await noteAgain(characters, one)
    else if (!refunded) missing.push(number)
  }
  const compared = await compareServices(characters)
  const undone = selectUndone(characters, compared)
  const has = new Set(compared.filter(({ isLast }) => isLast).map(({ number }) => number))
  const isLost = ({ order, refunded }: LookedFor) => !refunded && undone.has(order)
  return {
    through: Math.max(...numbers),
    missing: [...new Set([...missing, ...look.filter(isLost).map(({ order }) => order)])],
    back: look.filter(({ order, refunded }) => refunded && has.has(order)).map(({ order }) => order),
  }
}

/** Notes a service that the agent has done and that its restored table does not have. */
async function noteAgain({ connection }: ReadyCharacters, one: LookedFor): Promise<void> {
  const { order: number, mark, refunded, service, cha_num: chanum, game_user_num: usernum, before, after } = one
  await connection.run(
    `insert into ${OWN_TABLE} (number, mark, state, usernum, chanum, service, was, became, tries, settled)
    values (:number, :mark, :state, :usernum, :chanum, :service, :was, :became, 1, 1)`,
    {
      ...{ number, mark, usernum, chanum, service },
      state: refunded ? 'refunded' : 'done',
      was: JSON.stringify(before),
      became: JSON.stringify(after),
    },
  )
}

/**
 * Notes that an operator has confirmed the restore: what it has undone can be done again, and where the agent's own table was
 * restored, nothing in it is looked at again, because it may have been undone or refunded since.
 */
export async function settleRestoredServices(characters: ReadyCharacters, epoch: string): Promise<void> {
  const { connection, marker } = characters
  const undone = [...selectUndone(characters, await compareServices(characters))]
  await connection.transaction(async () => {
    const [lowest] = await connection.query(`select min(number) as number from ${OWN_TABLE}`)
    let free = Math.min(0, Number(lowest?.number ?? 0))
    // The bridge's account may not delete rows; one of a number that no order has says nothing.
    for (const number of undone)
      await connection.run(
        `update ${OWN_TABLE} set number = :free, state = 'lost', settled = 1 where number = :number and state = 'done'`,
        { free: --free, number },
      )
    if (marker.copy.restored.includes(OWN_TABLE)) await connection.run(`update ${OWN_TABLE} set settled = 1`)
    await renewEpoch(marker, epoch)
  })
}
