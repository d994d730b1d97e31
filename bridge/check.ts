import { type Finding, getBridgeProducts } from '#contract/bridge.ts'
import { checkServicesUsed } from '#contract/bridge-services.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { findCharacters } from './characters.ts'
import {
  checkAccounts,
  checkClubs,
  checkCodePages,
  checkMeasures,
  checkPasswords,
  checkPurchaseTable,
  checkTypes,
  checkUserUid,
} from './check-tables.ts'
import { checkAlliances } from './clubs.ts'
import type { BridgeConfig } from './config.ts'
import { createGoodFinding, createNote, createProblem } from './findings.ts'
import { connectGame } from './game/connect.ts'
import { type GameConnection, IncompatibleGame, runAll } from './game/driver.ts'
import {
  type Catalogue,
  type GameDatabase,
  isIntegerColumn,
  MissingNames,
  type ResolvedTable,
  readCatalogue,
  resolveTable,
  type TableName,
} from './game/names.ts'
import { listMissingTables } from './game/own-tables.ts'
import { readClock } from './game/values.ts'
import { checkGrants } from './grants.ts'
import { checkLogs } from './logs.ts'
import { checkMarks } from './marks.ts'
import { listImpossibleServices, listServices, openCharacters } from './services.ts'
import { type CallSite, SiteRefusal } from './site.ts'
import { findUndeliverable, listUndeliverable } from './undeliverable.ts'

/** The tolerated difference between the clocks of a database and of this machine. */
const CLOCK_TOLERANCE_MS = MINUTE_MS
/** How many product numbers one statement searches for. */
const PRODUCTS_AT_ONCE = 1000
const LISTED_MAX = 20

/**
 * Checks everything that the bridge relies on, without writing to the game or the site. Each problem comes with advice.
 *
 * @param callSite signs as this bridge; without it the site is not called
 */
export async function checkGame(
  config: BridgeConfig,
  callSite: CallSite | undefined,
  now = () => new Date(),
): Promise<Finding[]> {
  const findings: Finding[] = []
  const connections: Partial<Record<GameDatabase, GameConnection>> = {}
  const catalogues: Partial<Record<GameDatabase, Catalogue>> = {}
  try {
    for (const database of ['user', 'game', 'shop'] as const) {
      try {
        const connection = await connectGame(config.dialect, config.urls[database])
        connections[database] = connection
        catalogues[database] = await readCatalogue(connection)
        findings.push(createGoodFinding(`The ${database} database answers.`), ...(await checkClock(connection, now())))
      } catch (error) {
        findings.push(
          error instanceof IncompatibleGame
            ? createProblem(error.message, 'Nothing else can be checked. Move the game to a newer server.')
            : createProblem(
                `The ${database} database does not answer: ${(error as Error).message}`,
                `Look at game.${database} in the configuration: the host, the port, the name of the database, the user and the password. Is the server running, and does it accept connections from this machine?`,
              ),
        )
      }
    }
    /** Finds a table, and adds a finding. @returns undefined for a missing one */
    const findTable = <T extends TableName>(table: T, database: GameDatabase): ResolvedTable<T> | undefined => {
      const catalogue = catalogues[database]
      if (catalogue === undefined) return undefined
      try {
        const resolvedTable = resolveTable(table, { dialect: config.dialect, catalogue, names: config.names })
        const kind = resolvedTable.definition.isView ? 'view' : 'table'
        findings.push(
          createGoodFinding(`The ${kind} ${resolvedTable.definition.name} has the columns that the bridge needs.`),
        )
        return resolvedTable
      } catch (error) {
        if (!(error instanceof MissingNames)) throw error
        // A statement of the configuration can find products without this table.
        if (table === 'ShopItemMap' && config.statements.findProduct !== undefined) return undefined
        findings.push(...error.missing.map(({ what, advice }) => createProblem(what, advice)))
        return undefined
      }
    }
    const user = findTable('UserInfo', 'user')
    const product = findTable('ShopItemMap', 'shop')
    const purchase = findTable('ShopPurchase', 'shop')
    const characters = config.statements.readCharacters === undefined ? findTable('ChaInfo', 'game') : undefined
    if (user !== undefined) findings.push(...checkAccounts(config, user))
    if (characters !== undefined) findings.push(...checkTypes(characters), ...checkMeasures(characters))
    if (catalogues.game !== undefined) findings.push(...checkClubs(config, catalogues.game))
    if (connections.game !== undefined && catalogues.game !== undefined)
      findings.push(
        ...(await checkMarks(connections.game, config, catalogues.game)),
        ...(await checkAlliances(connections.game, { ...config, catalogue: catalogues.game })),
      )
    findings.push(...(await checkLogs(config)))
    findings.push(...(await checkStatements(config, connections, catalogues)))
    const tables = { user, product, purchase, characters }
    if (purchase !== undefined) findings.push(...checkPurchaseTable(config, purchase, product !== undefined))
    if (config.services !== undefined) findings.push(...(await checkServices(config)))
    for (const database of config.services === undefined
      ? (['shop', 'user'] as const)
      : (['shop', 'user', 'game'] as const)) {
      const catalogue = catalogues[database]
      const missingStatements = catalogue === undefined ? [] : listMissingTables(config.dialect, database, catalogue)
      if (missingStatements.length > 0)
        findings.push(
          createNote(
            `The bridge’s own tables in the ${database} database do not exist yet.`,
            `The agent makes them on its next start if its account may create tables. Otherwise run this yourself in the ${database} database:\n${missingStatements.join(';\n')};`,
          ),
        )
    }
    // Accounts cannot be read if their key is not a number, which is reported above.
    const canReadAccounts = user !== undefined && (user.infos.UserNum === null || isIntegerColumn(user.infos.UserNum))
    if (connections.user !== undefined && canReadAccounts) {
      findings.push(...(await checkPasswords(config, connections.user, user)))
      if (connections.shop !== undefined && purchase !== undefined)
        findings.push(...(await checkUserUid(config, connections.user, user, connections.shop, purchase)))
      const undeliverable = await findUndeliverable(
        connections.user,
        user,
        config,
        purchase?.infos.UserUID?.length ?? null,
      )
      findings.push(...listUndeliverable(undeliverable).map(({ what, advice }) => createNote(what, advice)))
    }
    findings.push(...checkCodePages(config, tables))
    if (callSite !== undefined) findings.push(...(await checkSite(config, callSite, connections.shop, product, now)))
    findings.push(...(await checkGrants(config, tables, catalogues, connections)))
    return findings
  } finally {
    await Promise.allSettled(Object.values(connections).map((connection) => connection.close()))
  }
}

/** Compares the clock of a database with this machine's (BRIDGE-21). */
async function checkClock(connection: GameConnection, now: Date): Promise<Finding[]> {
  const { zoneMs, driftMs } = await readClock(connection, now)
  const hours = Math.abs(zoneMs) / HOUR_MS
  return [
    ...(zoneMs === 0
      ? []
      : [
          createNote(
            `The database’s clock is ${hours} ${hours === 1 ? 'hour' : 'hours'} ${zoneMs > 0 ? 'behind' : 'ahead of'} this machine’s: their time zones differ.`,
            'The bridge reads the game’s times by the database’s clock, so they are right on the site if the game writes them by that clock too. To have one time everywhere, set the time zone of the database’s server to that of this machine, or of this machine to that of the server, and restart both.',
          ),
        ]),
    ...(Math.abs(driftMs) < CLOCK_TOLERANCE_MS
      ? []
      : [
          createNote(
            `The database’s clock differs from this machine’s by ${Math.round(Math.abs(driftMs) / 1000)} s.`,
            'Set both clocks with a time server (NTP).',
          ),
        ]),
  ]
}

/** Returns findings about the services that the game's table and the configuration allow. */
async function checkServices(config: BridgeConfig): Promise<Finding[]> {
  const characters = await openCharacters(config).catch((error: Error) => error)
  if (characters instanceof Error)
    return [
      createProblem(
        `Services cannot change characters: ${characters.message}`,
        'Correct "services" in the configuration.',
      ),
    ]
  await characters.close().catch(() => {})
  return [
    createGoodFinding(`Services can change characters: ${listServices(characters).join(', ')}.`),
    ...listImpossibleServices(characters).map((reason) =>
      createNote(
        reason,
        'Complete "services" or "names" in the configuration, or do not sell it: it would be paid back.',
      ),
    ),
  ]
}

const PURCHASE_PARAMS = { purkey: 0, useruid: '', product: 0, price: 0, purdate: '' }
/** The configuration's statements that write or lock: example parameters, and the columns that they must return. */
const DESCRIBED_STATEMENTS = {
  insertAccount: {
    params: { userid: '', pass: '', second: '', blocked: 0, until: 0 },
    returnedColumns: ['usernum'],
  },
  insertPurchase: {
    params: { unit: 0, mark: '', usernum: 0, useruid: '', product: 0, price: 0 },
    returnedColumns: ['purkey', 'useruid', 'purdate'],
  },
  readPurchase: { params: PURCHASE_PARAMS, returnedColumns: ['flag'] },
  deletePurchase: { params: { ...PURCHASE_PARAMS, flag: 0 }, returnedColumns: [] },
  watch: { params: {}, returnedColumns: ['unit', 'told', 'flag'] },
}

const formatCorrection = (name: string) => `Correct it as "${name}" under "statements" in the configuration.`

/**
 * Checks the grammar, names and columns of the configuration's statements that write or lock. The server parses them without
 * running them. A statement that depends on an earlier one cannot be parsed alone.
 */
async function describeStatements(
  { statements }: BridgeConfig,
  connection: GameConnection,
  names: readonly (keyof typeof DESCRIBED_STATEMENTS)[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  // SQL Server can't list the columns of every valid statement, for example of one with a temporary table.
  const createFinding = connection.dialect === 'mssql' ? createNote : createProblem
  for (const name of names) {
    const { params, returnedColumns } = DESCRIBED_STATEMENTS[name]
    const ownStatements = [statements[name] ?? []].flat()
    for (const [nth, statement] of ownStatements.entries()) {
      const statementLabel = ownStatements.length === 1 ? name : `${name}, number ${nth + 1},`
      try {
        const columns = await connection.describe(statement, params)
        const isLast = nth === ownStatements.length - 1
        const missingColumns =
          columns !== null && isLast ? returnedColumns.filter((column: string) => !columns.includes(column)) : []
        findings.push(
          missingColumns.length === 0
            ? createGoodFinding(
                `Your statement ${statementLabel} is valid. A test delivery will show whether it does what it should.`,
              )
            : createFinding(
                `Your statement ${statementLabel} does not return the column ${missingColumns.join(', ')}.`,
                `${formatCorrection(name)} Make it return ${returnedColumns.join(', ')}.`,
              ),
        )
      } catch (error) {
        const reason = (error as Error).message
        findings.push(
          nth === 0
            ? createFinding(`Your statement ${statementLabel} is not valid: ${reason}`, formatCorrection(name))
            : createNote(
                `Your statement ${statementLabel} cannot be checked on its own: ${reason}`,
                'Try it with a test delivery.',
              ),
        )
      }
    }
  }
  return findings
}

/** Checks the configuration's statements: runs those that only read, and lets the server parse the others. */
async function checkStatements(
  config: BridgeConfig,
  { user, game, shop }: Partial<Record<GameDatabase, GameConnection>>,
  catalogues: Partial<Record<GameDatabase, Catalogue>>,
): Promise<Finding[]> {
  const { findPlayer, findProduct, readCharacters } = config.statements
  const trials: [name: string, run: (() => Promise<unknown>) | undefined][] = [
    ['findPlayer', user && findPlayer ? () => runAll(user, [findPlayer].flat(), { usernum: 0 }) : undefined],
    ['findProduct', shop && findProduct ? () => runAll(shop, [findProduct].flat(), { product: 0 }) : undefined],
    ['readCharacters', game && readCharacters ? () => readFirstCharacters(game) : undefined],
  ]
  const readFirstCharacters = (connection: GameConnection) =>
    findCharacters(config, catalogues.game ?? []).read(connection, 0)
  const findings: Finding[] = []
  for (const [name, run] of trials) {
    if (run === undefined) continue
    findings.push(
      await run().then(
        () => createGoodFinding(`Your statement ${name} works.`),
        (error: Error) =>
          createProblem(
            `Your statement ${name} does not work: ${error.message}`,
            'Correct it under "statements" in the configuration.',
          ),
      ),
    )
  }
  // The statement "watch" also reads the bridge's table, which the first start creates.
  if (shop !== undefined && catalogues.shop?.some(({ name }) => name === 'tambayan_delivery'))
    findings.push(
      ...(await describeStatements(config, shop, ['insertPurchase', 'readPurchase', 'deletePurchase', 'watch'])),
    )
  if (user !== undefined) findings.push(...(await describeStatements(config, user, ['insertAccount'])))
  return findings
}

/** Checks that the site answers, that it does not sell services without "services", and that the game has its products. */
async function checkSite(
  config: BridgeConfig,
  callSite: CallSite,
  shop: GameConnection | undefined,
  product: ResolvedTable<'ShopItemMap'> | undefined,
  now: () => Date,
): Promise<Finding[]> {
  try {
    const answer = await callSite(getBridgeProducts, {})
    const clockDifferenceS = Math.round(Math.abs(now().getTime() - Date.parse(answer.now)) / 1000)
    const findings = [createGoodFinding(`The site ${config.site} answers; the clocks differ by ${clockDifferenceS} s.`)]
    const { wanted } = config.services === undefined ? await callSite(checkServicesUsed, {}) : { wanted: false }
    if (wanted)
      findings.push(
        createProblem(
          'The site sells services for characters, but the configuration has no "services".',
          'Add "services", or hide them on the desk (Items): orders of them wait, and are paid back in the end.',
        ),
      )
    const ownStatement = config.statements.findProduct
    if (shop === undefined || (product === undefined && ownStatement === undefined)) return findings
    const numbers = answer.rows.map((row) => row.game_product_num)
    const existingProducts = new Set<number>()
    if (ownStatement !== undefined)
      for (const number of numbers)
        if ((await runAll(shop, [ownStatement].flat(), { product: number })).length > 0) existingProducts.add(number)
    if (ownStatement === undefined && product !== undefined)
      for (let from = 0; from < numbers.length; from += PRODUCTS_AT_ONCE) {
        const column = product.columns.ProductNum
        const rows = await shop.query(
          `select ${column} as product from ${product.table} where ${column} in (${numbers.slice(from, from + PRODUCTS_AT_ONCE).join(', ')})`,
        )
        for (const row of rows) existingProducts.add(Number(row.product))
      }
    const missingProducts = answer.rows.filter((row) => !existingProducts.has(row.game_product_num))
    if (missingProducts.length === 0)
      return [...findings, createGoodFinding(`The game’s shop has all ${answer.rows.length} products of the site.`)]
    const names = missingProducts.slice(0, LISTED_MAX).map((row) => `${row.game_product_num} (${row.item_name})`)
    return [
      ...findings,
      createProblem(
        `${missingProducts.length} of ${answer.rows.length} products that the site sells ${missingProducts.length === 1 ? 'is' : 'are'} ${product === undefined ? 'unknown to your statement findProduct' : `not in ${product.definition.name}`}.`,
        `They would be invisible in the game, so they are not delivered: ${names.join(', ')}${missingProducts.length > LISTED_MAX ? ' and more' : ''}. Add them there, or set the item’s number in the game on the desk (Items), or hide them.`,
      ),
    ]
  } catch (error) {
    const advice =
      error instanceof SiteRefusal
        ? 'Follow the advice, then run this again.'
        : 'Check "site" in the configuration, and whether this machine reaches the internet.'
    return [createProblem((error as Error).message, advice)]
  }
}
