import { randomUUID } from 'node:crypto'
import type { GameConfig } from '../config.ts'
import { connectGame } from './connect.ts'
import { type GameConnection, textOf } from './driver.ts'
import { type Resolved, readCatalogue, resolveTable } from './names.ts'
import { OWN_TABLES, type Statements, writeStatements } from './statements.ts'

/** A shop that the bridge must not write to; the message says what to do. */
export class UnfitGame extends Error {
  override name = 'UnfitGame'
}

/** The agent's row in the game's database: whose tables these are, and how often something was told of them. */
export type Copy = { epoch: string; counter: number }

/** The game's databases, opened for the agent. */
export type Game = {
  config: GameConfig
  user: GameConnection
  shop: GameConnection
  statements: Statements
  purchase: Resolved<'ShopPurchase'>
  close(): Promise<void>
}

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

/** Makes the agent's own tables where they are missing, and reads their epoch; a new one where there is none. */
export async function prepareOwnTables({ shop }: Game): Promise<Copy> {
  const own = await readCatalogue(shop)
  if (!own.has('tambayan_delivery') || !own.has('tambayan_bridge'))
    for (const statement of OWN_TABLES[shop.dialect]) await shop.run(statement)
  else
    for (const name of ['tambayan_delivery', 'tambayan_bridge'])
      requireTransactions(shop.dialect, own.get(name)?.engine ?? '', name)
  const found = await readCopy(shop)
  if (found !== undefined) return found
  await shop.run('insert into tambayan_bridge (id, epoch, counter) values (1, :epoch, 0)', { epoch: randomUUID() })
  const made = await readCopy(shop)
  if (made === undefined) throw new UnfitGame('The table tambayan_bridge keeps no row.')
  return made
}

/** The agent's row as it is now. */
export async function readCopy(shop: GameConnection): Promise<Copy | undefined> {
  const [row] = await shop.query('select epoch, counter from tambayan_bridge where id = 1')
  return row === undefined ? undefined : { epoch: textOf(row.epoch), counter: Number(row.counter) }
}

/** The game's database has changed unexpectedly: it was restored, or another agent has written to it. */
export class CopyChanged extends Error {
  override name = 'CopyChanged'
}

/**
 * Counts one more, before anything is told to the site that a restore could undo: then every copy from before has a lower
 * counter than the site knows.
 *
 * @throws CopyChanged
 */
export async function countUp(shop: GameConnection, copy: Copy): Promise<Copy> {
  const rows = await shop.run(
    'update tambayan_bridge set counter = counter + 1 where id = 1 and epoch = :epoch and counter = :counter',
    copy,
  )
  if (rows !== 1) throw new CopyChanged('The game’s database was restored, or someone else has written to it.')
  return { ...copy, counter: copy.counter + 1 }
}

/** Gives the database the epoch that the site made when an operator confirmed the restore. */
export async function renewEpoch(shop: GameConnection, copy: Copy, epoch: string): Promise<Copy> {
  const rows = await shop.run(
    'update tambayan_bridge set epoch = :next, counter = counter + 1 where id = 1 and epoch = :epoch and counter = :counter',
    { ...copy, next: epoch },
  )
  if (rows !== 1) throw new CopyChanged('The game’s database was changed while its restore was confirmed.')
  return { epoch, counter: copy.counter + 1 }
}
