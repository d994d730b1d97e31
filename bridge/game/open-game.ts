import type { GameConfig } from '../config.ts'
import { connectGame } from './connect.ts'
import { type GameConnection, IncompatibleGame } from './driver.ts'
import { type Marker, openMarker } from './marker.ts'
import {
  type Catalogue,
  describeNonInteger,
  findIncompatibility,
  isIntegerColumn,
  MissingNames,
  type ResolvedTable,
  readCatalogue,
  resolveTable,
  type Table,
} from './names.ts'
import { OWN_TABLES, prepareDatabaseTables } from './own-tables.ts'
import { type Statements, writeStatements } from './statements.ts'

/** The game's databases, opened for the agent. */
export type Game = {
  config: GameConfig
  user: GameConnection
  shop: GameConnection
  statements: Statements
  purchase: ResolvedTable<'ShopPurchase'>
  /** The game's tables that deliveries read. */
  tables: { user: ResolvedTable<'UserInfo'>; product: ResolvedTable<'ShopItemMap'> | null }
  close(): Promise<void>
}

/** The game's databases, in which the agent's own tables exist. */
export type ReadyGame = Game & { marker: Marker }

/** The game's accounts, on a separate connection. */
export type Accounts = {
  connection: GameConnection
  table: ResolvedTable<'UserInfo'>
  config: GameConfig
  close(): Promise<void>
}

/** The game's accounts, in whose database the agent's own tables exist. */
export type ReadyAccounts = Accounts & { marker: Marker }

/** Opens the connections that deliveries need and finds the game's tables. @throws GameUnavailable, MissingNames, IncompatibleGame */
export async function openGame(config: GameConfig): Promise<Game> {
  const { dialect, urls, names } = config
  const user = await connectGame(dialect, urls.user)
  let shop: GameConnection | undefined
  try {
    shop = await connectGame(dialect, urls.shop)
    const catalogues = { user: await readCatalogue(user), shop: await readCatalogue(shop) }
    const tables = {
      user: resolveTable('UserInfo', { dialect, catalogue: catalogues.user, names }),
      product: findProductTable(config, catalogues.shop),
      purchase: resolveTable('ShopPurchase', { dialect, catalogue: catalogues.shop, names }),
    }
    requireTransactions(dialect, tables.purchase.definition)
    const key = tables.user.infos.UserNum
    if (key !== null && !isIntegerColumn(key))
      throw new IncompatibleGame(describeNonInteger(tables.user.definition.name, key).what)
    const openShop = shop
    return {
      config,
      user,
      shop,
      statements: writeStatements(shop, tables, config),
      purchase: tables.purchase,
      tables,
      close: async () => {
        await Promise.allSettled([user.close(), openShop.close()])
      },
    }
  } catch (error) {
    await Promise.allSettled([user.close(), shop?.close()])
    throw error
  }
}

/**
 * Finds the game's list of items; null if names of it are missing and the configuration has a statement that finds products.
 *
 * @throws MissingNames without such a statement
 */
function findProductTable(
  { dialect, names, statements }: Pick<GameConfig, 'dialect' | 'names' | 'statements'>,
  catalogue: Catalogue,
): ResolvedTable<'ShopItemMap'> | null {
  try {
    return resolveTable('ShopItemMap', { dialect, catalogue, names })
  } catch (error) {
    if (error instanceof MissingNames && statements.findProduct !== undefined) return null
    throw error
  }
}

/** Refuses a table without transactions, where a purchase could be lost or doubled. @throws IncompatibleGame */
function requireTransactions(dialect: GameConfig['dialect'], table: Table): void {
  const incompatibility = findIncompatibility(dialect, table)
  if (incompatibility !== null) throw new IncompatibleGame(`${incompatibility.what} ${incompatibility.advice}`)
}

/** Creates the agent's tables if they are missing, and reads the marker of the shop's database. */
export async function prepareOwnTables(game: Game): Promise<ReadyGame> {
  const { shop } = game
  const earlierCatalogue = await prepareDatabaseTables(shop, 'shop')
  for (const name of OWN_TABLES.shop) {
    const ownTable = earlierCatalogue.find((table) => table.name === name)
    if (ownTable !== undefined) requireTransactions(shop.dialect, ownTable)
  }
  return { ...game, marker: await openMarker(shop, 'shop') }
}
