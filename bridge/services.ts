import type { reportServices, ServiceWork } from '#contract/bridge-services.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { findClassByCode, getClassCodes, SCHOOLS } from '#contract/game.ts'
import type { GameValues, ServiceReason } from '#contract/services.ts'
import type { GameConfig, ServicesConfig } from './config.ts'
import { isDatabaseError, type OnStep } from './deliver.ts'
import { connectGame } from './game/connect.ts'
import {
  type Cell,
  type GameConnection,
  GameUnavailable,
  type Params,
  type Row,
  toNumber,
  toText,
} from './game/driver.ts'
import { CopyChanged, type Marker, openMarker, selectSecondsSince, writeCounted } from './game/marker.ts'
import {
  findColumn,
  findIncompatibility,
  findTable,
  quote,
  type ResolvedTable,
  readCatalogue,
  resolveTable,
} from './game/names.ts'
import { prepareDatabaseTables } from './game/own-tables.ts'
import { isSet } from './game/values.ts'

/** The seconds after which a completed service is no longer checked, even if its character was never online (SERVICE-6). */
const RECHECK_S = 24 * 60 * 60
/** How often a service is written at most. It is repeated if the game server has written the character's old values back. */
const TRIES_MAX = 2

/** The game's characters, opened to change them. */
export type Characters = {
  connection: GameConnection
  table: ResolvedTable<'ChaInfo'>
  services: ServicesConfig
  /** Other columns that contain a character's name, quoted for SQL (GAME-20). */
  nameColumns: { table: string; column: string }[]
  close(): Promise<void>
}
/** The game's characters, and the marker in the agent's tables next to them. */
export type ReadyCharacters = Characters & { marker: Marker }

/** Opens the game's characters. @throws GameUnavailable, MissingNames, or Error with a sentence for the operator */
export async function openCharacters({ dialect, urls, names, services }: GameConfig): Promise<Characters> {
  if (services === undefined)
    throw new Error(
      'The site sells services. Add "services": {} to the bridge’s configuration, or hide them in the shop.',
    )
  const connection = await connectGame(dialect, urls.game)
  try {
    const catalogue = await readCatalogue(connection)
    const table = resolveTable('ChaInfo', { dialect, catalogue, names })
    const incompatibility = findIncompatibility(dialect, table.definition)
    if (incompatibility !== null) throw new Error(`${incompatibility.what} ${incompatibility.advice}`)
    if (table.columns.ChaOnline === null)
      throw new Error(`${table.definition.name} has no column ChaOnline, so the bridge cannot see who is online.`)
    const nameColumns = services.names.map((name) => {
      const [column = '', tableName = ''] = name.split('.').reverse()
      const namedTable = findTable(catalogue, tableName)
      const info = namedTable && findColumn(namedTable, column)
      if (namedTable === undefined || info === undefined)
        throw new Error(`There is no column ${name} ("services": "names").`)
      return {
        table: `${quote(dialect, namedTable.schema)}.${quote(dialect, namedTable.name)}`,
        column: quote(dialect, info.name),
      }
    })
    return { connection, table, services, nameColumns, close: () => connection.close() }
  } catch (error) {
    await connection.close().catch(() => {})
    throw error
  }
}

/** Creates the agent's tables next to the characters if they are missing, and reads their marker. */
export async function prepareCharacters(config: GameConfig): Promise<ReadyCharacters> {
  const characters = await openCharacters(config)
  try {
    await prepareDatabaseTables(characters.connection, 'game')
    return { ...characters, marker: await openMarker(characters.connection, 'game') }
  } catch (error) {
    await characters.close().catch(() => {})
    throw error
  }
}

/** Refuses a service permanently; its changes are rolled back. */
export class ServiceRefusal extends Error {
  readonly reason: ServiceReason

  constructor(reason: ServiceReason, detail = '') {
    super(detail)
    this.reason = reason
  }
}

/** The character is online, or before a repetition it was missing or had changed. Nothing was written. */
class CharacterNotReady extends Error {}

type DoWork = Extract<ServiceWork, { kind: 'do' }>
export type Report = Omit<CallInput<typeof reportServices>, 'copy'>
type Change = { before: GameValues; after: GameValues }
type ColumnName = keyof ResolvedTable<'ChaInfo'>['columns']

/** The stat points, which a reset sets to 0 and adds to the free ones (GAME-17). */
const POINT_COLUMNS = ['ChaPower', 'ChaDex', 'ChaSpirit', 'ChaStrong', 'ChaStrength', 'ChaIntel'] as const
/** The columns with values that belong to one gender (GAME-18). */
const APPEARANCE_COLUMNS = ['ChaHair', 'ChaFace', 'ChaHairStyle', 'ChaHairColor'] as const

/** The columns that each built-in service changes. */
export const COLUMNS_BY_SERVICE: Record<string, readonly ColumnName[]> = {
  name: ['ChaName'],
  school: ['ChaSchool'],
  gender: ['ChaClass', 'ChaSex', ...APPEARANCE_COLUMNS],
  stats: [...POINT_COLUMNS, 'ChaStRemain'],
  unstuck: [
    ...(['ChaStartMap', 'ChaStartGate', 'ChaPosX', 'ChaPosY', 'ChaPosZ'] as const),
    ...(['ChaSaveMap', 'ChaSavePosX', 'ChaSavePosY', 'ChaSavePosZ'] as const),
  ],
}

const getLockClause = ({ dialect }: GameConnection) =>
  dialect === 'mssql' ? { hint: ' with (updlock, rowlock)', end: '' } : { hint: '', end: ' for update' }

/** Converts a cell to a value for JSON. */
const toValue = (cell: Cell): GameValues[string] => {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'number') return cell
  if (typeof cell === 'boolean') return Number(cell)
  if (cell instanceof Date) return cell.toISOString()
  // MariaDB's driver returns a bit as a buffer.
  if (Buffer.isBuffer(cell) && cell.length === 1) return toNumber(cell)
  const text = toText(cell)
  return /^-?\d{1,15}$/.test(text) && typeof cell !== 'string' ? Number(text) : text
}

type CharacterState = { row: Row; values: GameValues }

/**
 * Reads a character: the columns for a built-in service, or the result of the service's own `read` statement.
 *
 * @param locked locks the row until the transaction ends
 * @returns undefined if the character is missing or deleted (GAME-19)
 */
export async function readCharacter(
  characters: Characters,
  chanum: number,
  { service, columns, locked }: { service: string; columns: readonly string[]; locked: boolean },
): Promise<CharacterState | undefined> {
  const { connection, table, services } = characters
  const c = table.columns
  const lock = locked ? getLockClause(connection) : { hint: '', end: '' }
  const readColumns = columns.filter((name) => c[name as ColumnName] != null)
  const columnList = readColumns.map((name) => `, ${c[name as ColumnName]} as v_${name.toLowerCase()}`).join('')
  const [row] = await connection.query(
    `select ${c.UserNum} as usernum, ${c.ChaOnline} as isonline, ${c.ChaDeleted ?? '0'} as isdeleted, ${c.ChaSchool ?? 'null'} as school${columnList}
    from ${table.table}${lock.hint} where ${c.ChaNum} = :chanum${lock.end}`,
    { chanum },
  )
  if (row === undefined || isSet(row.isdeleted)) return undefined
  const customService = services.own[service]
  if (customService !== undefined) {
    const [ownRow] = await connection.query(customService.read, { chanum })
    if (ownRow === undefined) return undefined
    return { row, values: Object.fromEntries(Object.entries(ownRow).map(([name, cell]) => [name, toValue(cell)])) }
  }
  const values = readColumns.map((name) => {
    const value = toValue(row[`v_${name.toLowerCase()}`])
    // Drivers return large numbers as text.
    return [name, name !== 'ChaName' && typeof value === 'string' ? (toNumber(value) ?? value) : value] as const
  })
  return { row, values: Object.fromEntries(values) }
}

/** Returns the new values of the columns that a built-in service changes. @throws ServiceRefusal */
function planNewValues(
  { services }: Characters,
  { service, choice }: DoWork,
  { row, values }: CharacterState,
): GameValues {
  if (services.off.some((off) => off === service))
    throw new ServiceRefusal('unknown', `The service "${service}" is switched off in the configuration.`)
  switch (service) {
    case 'name':
      return { ChaName: choice }
    case 'school':
      return { ChaSchool: Number(choice) }
    case 'gender': {
      const code = String(values.ChaClass)
      const name = findClassByCode(code)
      const otherCode = name === undefined ? undefined : getClassCodes(name).find((classCode) => classCode !== code)
      if (otherCode === undefined) throw new ServiceRefusal('unfit', `The class ${code} has no other gender.`)
      const appearance = APPEARANCE_COLUMNS.filter((column) => column in values).map((column) => [
        column,
        services.looks[column] ?? 0,
      ])
      const sex = values.ChaSex === undefined ? {} : { ChaSex: values.ChaSex === 0 ? 1 : 0 }
      return { ChaClass: Number(otherCode), ...sex, ...Object.fromEntries(appearance) }
    }
    case 'stats': {
      if (typeof values.ChaStRemain !== 'number') throw new ServiceRefusal('unfit', 'There is no column ChaStRemain.')
      const points = POINT_COLUMNS.filter((column) => column in values)
      const sum = points.reduce((total, column) => total + Number(values[column] ?? 0), 0)
      return { ...Object.fromEntries(points.map((column) => [column, 0])), ChaStRemain: values.ChaStRemain + sum }
    }
    case 'unstuck': {
      // Without a column for schools, all characters start at the position of school 0.
      const school = toText(row.school) || '0'
      const position = services.places[school]
      if (position === undefined) throw new ServiceRefusal('unfit', `"services": "places" has no school ${school}.`)
      const { map, gate = 0, x = 0, y = 0, z = 0 } = position
      const startPosition = { ChaStartMap: map, ChaStartGate: gate, ChaPosX: x, ChaPosY: y, ChaPosZ: z }
      const savedPosition = { ChaSaveMap: map, ChaSavePosX: x, ChaSavePosY: y, ChaSavePosZ: z }
      const positionChanges = Object.entries({ ...startPosition, ...savedPosition }).filter(
        ([column]) => column in values,
      )
      if (positionChanges.length === 0) throw new ServiceRefusal('unfit', 'There is no column ChaStartMap.')
      return Object.fromEntries(positionChanges)
    }
    default:
      throw new ServiceRefusal('unknown', `The configuration has no service "${service}".`)
  }
}

/** Returns whether `actual` has every value of `expected`; it can have others too. */
export const hasValues = (actual: GameValues, expected: GameValues) =>
  Object.entries(expected).every(([name, value]) => actual[name] === value)

/** The column whose value shows whether a service was done. Services that are not listed compare all their columns. */
export const MAIN_COLUMNS: Record<string, string> = { name: 'ChaName', school: 'ChaSchool', gender: 'ChaClass' }

/** Returns whether the character still has the value that the player saw when ordering. */
const hasOrderedValue = ({ service, was: oldValues }: DoWork, values: GameValues): boolean => {
  const column = MAIN_COLUMNS[service]
  return oldValues === '' || column === undefined || String(values[column]) === oldValues
}

/** Writes new values to a locked character that is offline; a new name also to the other name columns. @throws ServiceRefusal */
async function writeValues(
  characters: Characters,
  { chanum, usernum }: { chanum: number; usernum: number },
  { before, after }: Change,
  onStep: OnStep,
): Promise<void> {
  const { connection, table, nameColumns } = characters
  const c = table.columns
  const params: Params = { chanum, usernum }
  const sets: string[] = []
  const guardConditions: string[] = []
  for (const [name, value] of Object.entries(after)) {
    const column = c[name as ColumnName]
    if (column == null) throw new ServiceRefusal('unfit', `There is no column ${name}.`)
    params[`to_${name}`] = value
    sets.push(`${column} = :to_${name}`)
    const oldValue = before[name]
    // Positions are fractions, which do not compare exactly. The lock protects them.
    if (oldValue === null || oldValue === undefined || /Pos/.test(name)) continue
    params[`from_${name}`] = oldValue
    guardConditions.push(`${column} = :from_${name}`)
  }
  const isRename = before.ChaName !== after.ChaName && typeof after.ChaName === 'string'
  if (isRename) await requireFreeName(characters, chanum, String(after.ChaName))
  const guard = [`${c.ChaNum} = :chanum`, `${c.UserNum} = :usernum`, `${c.ChaOnline} = 0`, ...guardConditions].join(
    ' and ',
  )
  const rows = await connection.run(`update ${table.table} set ${sets.join(', ')} where ${guard}`, params)
  if (rows !== 1) throw new ServiceRefusal('changed', 'Another program changed the character at the same time.')
  await onStep('character changed')
  if (!isRename) return
  for (const nameColumn of nameColumns) {
    await connection.run(
      `update ${nameColumn.table} set ${nameColumn.column} = :new where ${nameColumn.column} = :old`,
      {
        new: String(after.ChaName),
        old: String(before.ChaName),
      },
    )
    await onStep('name copied')
  }
  await requireFreeName(characters, chanum, String(after.ChaName))
}

/** Checks that no other character has this name, as the database compares names or ignoring letter case. @throws ServiceRefusal */
async function requireFreeName({ connection, table }: Characters, chanum: number, name: string): Promise<void> {
  const c = table.columns
  const [row] = await connection.query(
    `select count(*) as found from ${table.table}
    where (${c.ChaName} = :name or lower(${c.ChaName}) = lower(:name)) and ${c.ChaNum} <> :chanum`,
    { name, chanum },
  )
  if (toNumber(row?.found) !== 0) throw new ServiceRefusal('name-taken')
}

/** Returns the statement that reads the agent's row of a service and locks it, even before the row exists. */
const selectServiceRow = (connection: GameConnection) => {
  const lock =
    connection.dialect === 'mssql' ? { hint: ' with (updlock, holdlock)', end: '' } : getLockClause(connection)
  return `select number, mark, state, was, became from tambayan_service${lock.hint} where number = :order${lock.end}`
}

/** Parses the JSON values in the agent's own table. */
const parseValues = (cell: Cell): GameValues => JSON.parse(toText(cell) || '{}') as GameValues

/** Returns the values before and after a service, or after the undo of one. @throws ServiceRefusal */
function prepareChange(characters: Characters, work: DoWork, character: CharacterState): Change {
  const { undo, service } = work
  if (undo !== null) {
    // A service from the configuration is undone by the operator's `undo` statement, so its current values do not matter.
    if (characters.services.own[service] === undefined && !hasValues(character.values, undo.after))
      throw new ServiceRefusal('changed')
    return { before: undo.after, after: undo.before }
  }
  if (!hasOrderedValue(work, character.values)) throw new ServiceRefusal('changed')
  const after = planNewValues(characters, work, character)
  return { before: Object.fromEntries(Object.keys(after).map((name) => [name, character.values[name] ?? null])), after }
}

const toStatements = (statements: string | string[] | undefined) =>
  statements === undefined ? [] : [statements].flat()

/**
 * Runs the statements that the configuration has for a service, or for undoing it.
 *
 * @param before the values that the statements get as `:was_{name}`, unless the work is an undo
 * @returns the values after the statements
 * @throws ServiceRefusal when they change no row
 */
async function runOwnStatements(characters: Characters, work: DoWork, before: GameValues): Promise<GameValues> {
  const { connection, services } = characters
  const { service, choice, cha_num: chanum, game_user_num: usernum, undo } = work
  const customService = services.own[service]
  const statements = toStatements(undo === null ? customService?.write : customService?.undo)
  if (statements.length === 0) throw new ServiceRefusal('unfit', `"${service}" has no statement that undoes it.`)
  const oldValues = Object.fromEntries(
    Object.entries(undo?.before ?? before).map(([name, value]) => [`was_${name}`, value]),
  )
  let rows = 0
  for (const statement of statements) rows += await connection.run(statement, { chanum, usernum, choice, ...oldValues })
  if (rows < 1) throw new ServiceRefusal('changed', `The statements of the service "${service}" changed no rows.`)
  const character = await readCharacter(characters, chanum, { service, columns: [], locked: false })
  return character?.values ?? {}
}

/**
 * Does a service, in one transaction with the agent's row for it. The row's key ensures that it is done once: a service that
 * already has a row is only reported again.
 *
 * @throws ServiceRefusal, CharacterNotReady when nothing was written
 * @throws GameUnavailable when the result is unknown
 * @throws CopyChanged when the database was restored before the commit
 */
async function doService(characters: ReadyCharacters, work: DoWork, onStep: OnStep): Promise<Change | 'cancelled'> {
  const { connection, marker } = characters
  const { order, mark, service, cha_num: chanum, game_user_num: usernum, undo } = work
  const result = await writeCounted(marker, async () => {
    await onStep('transaction started')
    const [serviceRow] = await connection.query(selectServiceRow(connection), { order })
    if (serviceRow !== undefined) {
      if (toText(serviceRow.mark) !== mark)
        throw new ServiceRefusal('database', 'The number was used for another service.')
      if (toText(serviceRow.state) !== 'done') return 'cancelled' as const
      return { before: parseValues(serviceRow.was), after: parseValues(serviceRow.became) }
    }
    const columns = undo === null ? (COLUMNS_BY_SERVICE[service] ?? []) : Object.keys(undo.after)
    const character = await readCharacter(characters, chanum, { service, columns, locked: true })
    if (character === undefined) throw new ServiceRefusal('gone')
    if (toNumber(character.row.usernum) !== usernum) throw new ServiceRefusal('not-yours')
    if (isSet(character.row.isonline)) throw new CharacterNotReady()
    await onStep('character locked')
    const isOwn = characters.services.own[service] !== undefined
    const change = isOwn
      ? { before: character.values, after: character.values }
      : prepareChange(characters, work, character)
    await connection.run(
      `update tambayan_service set settled = 1 where settled = 0 and (number = :undone or (chanum = :chanum and service = :service))`,
      { undone: undo?.order ?? 0, chanum, service },
    )
    await connection.run(
      `insert into tambayan_service (number, mark, state, usernum, chanum, service, tries)
      values (:order, :mark, 'done', :usernum, :chanum, :service, 1)`,
      { order, mark, usernum, chanum, service },
    )
    await onStep('service noted')
    if (isOwn) change.after = await runOwnStatements(characters, work, character.values)
    else await writeValues(characters, { chanum, usernum }, change, onStep)
    const characterAfter = await readCharacter(characters, chanum, { service, columns, locked: false })
    if (characterAfter === undefined || !hasValues(characterAfter.values, change.after))
      throw new ServiceRefusal(
        service === 'name' ? 'bad-name' : 'database',
        'The character has other values than the service wrote.',
      )
    await connection.run('update tambayan_service set was = :was, became = :became where number = :order', {
      order,
      was: JSON.stringify(change.before),
      became: JSON.stringify(change.after),
    })
    await onStep('values noted')
    return change
  })
  await onStep('service committed')
  return result
}

/** Cancels an order and prevents later attempts. @returns the change if the order was already done; null otherwise */
async function cancelService(
  { connection, marker }: ReadyCharacters,
  { order, mark }: Pick<ServiceWork, 'order' | 'mark'>,
  onStep: OnStep,
): Promise<Change | null> {
  const result = await writeCounted(marker, async () => {
    const [serviceRow] = await connection.query(selectServiceRow(connection), { order })
    if (serviceRow !== undefined && toText(serviceRow.mark) === mark && toText(serviceRow.state) === 'done')
      return { before: parseValues(serviceRow.was), after: parseValues(serviceRow.became) }
    if (serviceRow === undefined)
      await connection.run(
        `insert into tambayan_service (number, mark, state, settled) values (:order, :mark, 'cancelled', 1)`,
        { order, mark },
      )
    await onStep('service cancelled')
    return null
  })
  await onStep('cancel committed')
  return result
}

export const createEmptyReport = (): Required<Report> => ({
  done: [],
  online: [],
  refused: [],
  failed: [],
  cancelled: [],
  again: [],
  settled: [],
  looked: null,
})

/** The detail of a refusal whose reason is lost, because the agent crashed between storing the refusal and reporting it. */
const REFUSED_EARLIER = 'The bridge refused it earlier and stopped before it could report why.'

/**
 * Does the services that the site requests, each in a separate transaction.
 *
 * @returns the results to report
 * @throws GameUnavailable when the result of a service is unknown; the next round reads it
 * @throws CopyChanged when the database was restored before a service was committed; that service was not written
 */
export async function doServices(
  characters: ReadyCharacters,
  work: readonly ServiceWork[],
  onStep: OnStep = () => {},
): Promise<Report> {
  const report = createEmptyReport()
  for (const task of work) {
    const { order } = task
    try {
      const result =
        task.kind === 'do' ? await doService(characters, task, onStep) : await cancelService(characters, task, onStep)
      if (result === null) report.cancelled.push(order)
      else if (result === 'cancelled') report.refused.push({ order, reason: 'database', detail: REFUSED_EARLIER })
      else report.done.push({ order, ...result })
    } catch (error) {
      if (error instanceof CharacterNotReady) report.online.push(order)
      else if (error instanceof ServiceRefusal) {
        // Store the refusal before the report, so a late attempt cannot do a service that was paid back.
        const result = await cancelService(characters, task, onStep)
        if (result === null) report.refused.push({ order, reason: error.reason, detail: error.message.slice(0, 300) })
        else report.done.push({ order, ...result })
      } else if (error instanceof GameUnavailable || error instanceof CopyChanged || !isDatabaseError(error))
        throw error
      else report.failed.push({ order, detail: error.message.replace(/\s+/g, ' ').slice(0, 300) })
    }
  }
  return report
}

/**
 * Checks completed services again, because a game server that had loaded the character writes its old values back at
 * logout (GAME-21). The service is then repeated once. If the old values come back again, it is refunded (SERVICE-6).
 *
 * @returns the report, and a function that stores it as reported; call that when the site has received it
 */
export async function recheckServices(
  characters: ReadyCharacters,
  onStep: OnStep = () => {},
): Promise<{ report: Report; storeReported: () => Promise<void> }> {
  const { connection, marker } = characters
  const report = createEmptyReport()
  const rows = await connection.query(
    `select ${connection.dialect === 'mssql' ? 'top (500) ' : ''}number, usernum, chanum, service, was, became, tries, seen,
      ${selectSecondsSince(connection.dialect, 'written_at')} as ago
    from tambayan_service where settled = 0 and state = 'done' order by number${connection.dialect === 'mssql' ? '' : ' limit 500'}`,
  )
  for (const row of rows) {
    const [order, chanum] = [Number(row.number), Number(row.chanum)]
    const [service, before, after] = [toText(row.service), parseValues(row.was), parseValues(row.became)]
    const columns = Object.keys(after)
    const currentCharacter = await readCharacter(characters, chanum, { service, columns, locked: false })
    if (currentCharacter !== undefined && isSet(currentCharacter.row.isonline)) {
      if (toText(row.seen) === '')
        await connection.run(`update tambayan_service set seen = 'online' where number = :order`, { order })
      continue
    }
    const isReverted =
      currentCharacter !== undefined && !hasValues(after, before) && hasValues(currentCharacter.values, before)
    // An operator's own statements may not be safe to repeat.
    if (isReverted && (Number(row.tries) >= TRIES_MAX || characters.services.own[service] !== undefined))
      report.refused.push({ order, reason: 'back', detail: '' })
    else if (isReverted) {
      if (
        await repeatChange(
          characters,
          { order, chanum, usernum: Number(row.usernum), service },
          { before, after },
          onStep,
        )
      )
        report.again.push(order)
    } else if (currentCharacter === undefined || toText(row.seen) !== '' || (toNumber(row.ago) ?? 0) >= RECHECK_S)
      report.settled.push(order)
  }
  const storeReported = async () => {
    const refusedOrders = report.refused.map(({ order }) => order)
    await writeCounted(marker, async () => {
      if (refusedOrders.length > 0)
        await connection.run(
          `update tambayan_service set settled = 1, state = 'refunded' where number in (${refusedOrders.join(', ')})`,
        )
      if (report.settled.length > 0)
        await connection.run(`update tambayan_service set settled = 1 where number in (${report.settled.join(', ')})`)
    })
  }
  return { report, storeReported }
}

type RepeatedService = { order: number; chanum: number; usernum: number; service: string }

/** Does a service again. @returns false if the character has changed or is online */
async function repeatChange(
  characters: ReadyCharacters,
  { order, chanum, usernum, service }: RepeatedService,
  change: Change,
  onStep: OnStep,
): Promise<boolean> {
  const { connection, marker } = characters
  const columns = Object.keys(change.after)
  try {
    await writeCounted(marker, async () => {
      const character = await readCharacter(characters, chanum, { service, columns, locked: true })
      if (character === undefined || isSet(character.row.isonline) || !hasValues(character.values, change.before))
        throw new CharacterNotReady()
      await writeValues(characters, { chanum, usernum }, change, onStep)
      await connection.run(`update tambayan_service set tries = tries + 1, seen = '' where number = :order`, { order })
    })
    return true
  } catch (error) {
    if (error instanceof CharacterNotReady || error instanceof ServiceRefusal) return false
    throw error
  }
}

/** The built-in services, in the order in which `check --try` tries them. */
const BUILT_IN = ['unstuck', 'stats', 'school', 'name', 'gender']

/** Lists the services that the game's tables and the configuration allow. */
export const listServices = (characters: Characters): string[] => [
  ...BUILT_IN.filter((service) => explainImpossible(characters, service) === null),
  ...Object.keys(characters.services.own).filter((name) => COLUMNS_BY_SERVICE[name] === undefined),
]

/** Returns the reason why a built-in service is impossible for all characters, as a clause; null if it is possible. */
function explainImpossible({ services, table }: Characters, service: string): string | null {
  if (services.own[service] !== undefined) return null
  const { places, off } = services
  if (off.some((name) => name === service)) return 'it is switched off under "services": "off"'
  if (service === 'school' && table.columns.ChaSchool === null)
    return `${table.definition.name} has no column ChaSchool`
  if (service === 'unstuck' && Object.keys(places).length === 0)
    return 'the start of each school is not under "services": "places"'
  if (service === 'stats' && table.columns.ChaStRemain === null)
    return `${table.definition.name} has no column ChaStRemain`
  return null
}

/** Returns a sentence for each service that is impossible for all characters, or for characters of some schools. */
export function listImpossibleServices(characters: Characters): string[] {
  const { own: customServices, places, off } = characters.services
  const missingServices = BUILT_IN.filter((service) => !off.some((name) => name === service)).flatMap((service) => {
    const reason = explainImpossible(characters, service)
    return reason === null ? [] : [`The service ${service} cannot be done: ${reason}.`]
  })
  const missingSchools = SCHOOLS.filter(({ code }) => places[code] === undefined).map(
    ({ name, code }) => `${name} (${code})`,
  )
  return customServices.unstuck === undefined &&
    characters.table.columns.ChaSchool !== null &&
    Object.keys(places).length > 0 &&
    missingSchools.length > 0
    ? [
        ...missingServices,
        `The service unstuck cannot be done to characters of ${missingSchools.join(' and ')}: "services": "places" has no start position for them.`,
      ]
    : missingServices
}

/** Returns the newest character that is offline; null if there is none. */
export async function findOfflineCharacter({
  connection,
  table,
}: Characters): Promise<{ chanum: number; usernum: number } | null> {
  const c = table.columns
  const [top, limit] = connection.dialect === 'mssql' ? ['top (1) ', ''] : ['', ' limit 1']
  const deletedCondition = c.ChaDeleted === null ? '' : ` and ${c.ChaDeleted} = 0`
  const [row] = await connection.query(
    `select ${top}${c.ChaNum} as chanum, ${c.UserNum} as usernum from ${table.table}
    where ${c.ChaOnline} = 0${deletedCondition} order by ${c.ChaNum} desc${limit}`,
  )
  return row === undefined ? null : { chanum: Number(row.chanum), usernum: Number(row.usernum) }
}

/**
 * Tries a service on a character, in a transaction that the caller rolls back.
 *
 * @returns the problem, which the finding shows after the colon in `Trial: the service name for character 7: …`; '' if
 *   there is none
 */
export async function tryService(
  characters: Characters,
  service: string,
  { chanum, usernum }: { chanum: number; usernum: number },
): Promise<string> {
  const character = await readCharacter(characters, chanum, {
    service,
    columns: COLUMNS_BY_SERVICE[service] ?? [],
    locked: true,
  })
  if (character === undefined) return 'reading the character returned no row.'
  const choice = service === 'name' ? `Try${Date.now() % 10_000_000}` : service === 'school' ? '1' : ''
  const work: DoWork = {
    kind: 'do',
    order: 0,
    mark: '',
    service,
    game_user_num: usernum,
    cha_num: chanum,
    choice,
    was: '',
    undo: null,
  }
  let after: GameValues
  if (characters.services.own[service] === undefined) {
    const change = prepareChange(characters, work, character)
    await writeValues(characters, { chanum, usernum }, change, () => {})
    after = change.after
  } else after = await runOwnStatements(characters, work, character.values)
  const characterAfter = await readCharacter(characters, chanum, {
    service,
    columns: COLUMNS_BY_SERVICE[service] ?? [],
    locked: false,
  })
  return characterAfter !== undefined && hasValues(characterAfter.values, after)
    ? ''
    : 'the character has other values than the service wrote.'
}
