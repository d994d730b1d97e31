import type { reportWork, UnitCheck } from '#contract/bridge.ts'
import type { reportAccounts } from '#contract/bridge-accounts.ts'
import type { reportServices, takeServiceWork } from '#contract/bridge-services.ts'
import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { toNumber, toText } from './game/driver.ts'
import type { ReadyAccounts, ReadyGame } from './game/open-game.ts'
import { hasValues, MAIN_COLUMNS, type ReadyCharacters, readCharacter } from './services.ts'

// After a restore, the agent compares the site's records of the game with the game (decision 033).

type UnitDifferences = Required<NonNullable<CallInput<typeof reportWork>['looked']>>
type BalanceDifferences = NonNullable<CallInput<typeof reportAccounts>['looked']>
type ServiceDifferences = NonNullable<CallInput<typeof reportServices>['looked']>

/**
 * Compares units. Reports units that are missing in the game (`missing`), refunded units that are in the game (`back`), picked-up
 * units that wait in the game again (`again`), and units that were picked up before and after the restore (`twice`). A missing
 * row of a picked-up unit is no difference, because games remove such rows.
 */
export async function compareUnits(
  { shop, statements }: ReadyGame,
  requestedUnits: readonly UnitCheck[],
): Promise<UnitDifferences> {
  const units = requestedUnits.map(({ unit }) => unit).filter(Number.isSafeInteger)
  const rows = await shop.query(`${statements.selectUnits} where d.unit in (${units.join(', ')})`)
  const gameRows = new Map(rows.map((row) => [Number(row.unit), row]))
  const differences: UnitDifferences = { through: Math.max(...units), missing: [], back: [], again: [], twice: [] }
  /** Units that the bridge has noted as delivered, but that the game does not have. */
  const lostUnits: number[] = []
  for (const { unit, refunded, claimed } of requestedUnits) {
    const row = gameRows.get(unit)
    const [state, notedFlag, flag] = [toText(row?.state), toText(row?.told), toNumber(row?.flag)]
    if (refunded) {
      if (flag !== null) differences.back.push(unit)
    } else if (state !== 'delivered') differences.missing.push(unit)
    else if (flag === null) {
      if (!claimed && notedFlag !== 'gone') lostUnits.push(unit)
    } else if (claimed && flag !== 1) differences.again.push(unit)
    else if (claimed && notedFlag !== 'claimed') differences.twice.push(unit)
  }
  differences.missing.push(...lostUnits)
  // Only a restore of the game's table alone leaves units in the bridge's table that the game does not have.
  if (lostUnits.length > 0)
    await shop.run(`update tambayan_delivery set state = 'lost' where unit in (${lostUnits.join(', ')})`)
  if (differences.again.length > 0)
    await shop.run(`update tambayan_delivery set flag = 'waiting' where unit in (${differences.again.join(', ')})`)
  return differences
}

/**
 * Compares balances that were taken out of the game. Reports balances that the game has again although the bridge has no
 * record of them.
 */
export async function compareBalances(
  { connection, table }: ReadyAccounts,
  requestedBalances: readonly { game_user_num: number }[],
): Promise<BalanceDifferences> {
  const { UserNum, UserPoint } = table.columns
  const numbers = requestedBalances.map(({ game_user_num }) => game_user_num).filter(Number.isSafeInteger)
  const rows =
    UserPoint === null
      ? []
      : await connection.query(
          `select u.${UserNum} as usernum, u.${UserPoint} as held from ${table.table} u where u.${UserNum} in (${numbers.join(', ')})
            and not exists (select 1 from tambayan_balance b where b.usernum = u.${UserNum})`,
        )
  const returnedBalances = rows.map(({ usernum, held }) => ({
    game_user_num: Number(usernum),
    found: Math.max(0, toNumber(held) ?? 0),
  }))
  return { through: Math.max(...numbers), back: returnedBalances }
}

type DoneService = CallOutput<typeof takeServiceWork>['look'][number]

/**
 * Compares completed services. Reports services that the game lacks, and refunded services that a character has. Marks
 * refunded services as refunded in the bridge's table, because the agent repeats a service in the state `done` if the
 * character has its old values.
 */
export async function compareServices(
  characters: ReadyCharacters,
  doneServices: readonly DoneService[],
): Promise<ServiceDifferences> {
  const { connection } = characters
  const orders = doneServices.map(({ order }) => order).filter(Number.isSafeInteger)
  const rows = await connection.query(
    `select number, mark from tambayan_service where state = 'done' and number in (${orders.join(', ')})`,
  )
  const marks = new Map(rows.map(({ number, mark }) => [Number(number), toText(mark)]))
  const differences: ServiceDifferences = { through: Math.max(...orders), missing: [], back: [] }
  for (const doneService of doneServices) {
    const { order, mark, refunded } = doneService
    const isRecorded = marks.get(order) === mark
    if (!refunded && !isRecorded) differences.missing.push(order)
    if (!refunded || !isRecorded) continue
    await connection.run(
      `update tambayan_service set state = 'refunded', settled = 1 where number = :order and state = 'done'`,
      { order },
    )
    if (await hasChange(characters, doneService)) differences.back.push(order)
  }
  return differences
}

/** Returns whether a character has the values that a service wrote. Returns false if the service changed nothing. */
async function hasChange(characters: ReadyCharacters, { service, cha_num, before, after }: DoneService) {
  const mainColumn = MAIN_COLUMNS[service]
  const value = mainColumn === undefined ? undefined : after[mainColumn]
  const change = mainColumn === undefined || value === undefined ? after : { [mainColumn]: value }
  if (hasValues(before, change)) return false
  const character = await readCharacter(characters, cha_num, { service, columns: Object.keys(change), locked: false })
  return character !== undefined && hasValues(character.values, change)
}
