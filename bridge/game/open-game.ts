import type { GameConfig } from '../config.ts'
import { connectGame } from './connect.ts'
import type { GameConnection } from './driver.ts'
import { type Marker, openMarker } from './marker.ts'
import { type Resolved, readCatalogue, resolveTable } from './names.ts'
import { OWN_TABLES, prepareOwn } from './own-tables.ts'
import { type Statements, writeStatements } from './statements.ts'

/** A shop that the bridge must not write to; the message says what to do. */
export class UnfitGame extends Error {
  override name = 'UnfitGame'
}

/** The game's databases, opened for the agent. */
export type Game = {
  config: GameConfig
  user: GameConnection
  shop: GameConnection
  statements: Statements
  purchase: Resolved<'ShopPurchase'>
  close(): Promise<void>
}

/** With the agent's own tables beside the game's. */
export type ReadyGame = Game & { marker: Marker }

/** Opens the connections that deliveries need and finds the game's tables. @throws GameAway, MissingNames, UnfitGame */
export async function openGame(config: GameConfig): Promise<Game> {
  const { dialect, urls, names } = config
  const user = await connectGame(dialect, urls.user)
  let shop: GameConnection | undefined
  try {
    shop = await connectGame(dialect, urls.shop)
    const of = { user: await readCatalogue(user), shop: await readCatalogue(shop) }
    const tables = {
      user: resolveTable('UserInfo', { dialect, catalogue: of.user, names }),
      product: resolveTable('ShopItemMap', { dialect, catalogue: of.shop, names }),
      purchase: resolveTable('ShopPurchase', { dialect, catalogue: of.shop, names }),
    }
    requireTransactions(dialect, tables.purchase.found.engine, tables.purchase.found.name)
    const open = shop
    return {
      config,
      user,
      shop,
      statements: writeStatements(shop, tables, config),
      purchase: tables.purchase,
      close: async () => {
        await Promise.allSettled([user.close(), open.close()])
      },
    }
  } catch (error) {
    await Promise.allSettled([user.close(), shop?.close()])
    throw error
  }
}

/** @throws UnfitGame for a table of MariaDB that cannot take part in a transaction */
function requireTransactions(dialect: GameConfig['dialect'], engine: string, table: string): void {
  if (dialect === 'mariadb' && engine.toLowerCase() !== 'innodb')
    throw new UnfitGame(
      `The table ${table} has the engine ${engine}, which does not support transactions, so a purchase could be lost or doubled. Stop the game and change it: alter table \`${table}\` engine = InnoDB;`,
    )
}

/** Makes the agent's own tables where they are missing, and reads the marker of the shop's database. */
export async function prepareOwnTables(game: Game): Promise<ReadyGame> {
  const { shop } = game
  const before = await prepareOwn(shop, 'shop')
  for (const name of OWN_TABLES.shop) {
    const found = before.get(name)
    if (found !== undefined) requireTransactions(shop.dialect, found.engine, name)
  }
  return { ...game, marker: await openMarker(shop, 'shop') }
}
