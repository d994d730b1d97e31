import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { connectGame } from '#bridge/game/connect.ts'
import type { GameConnection, Row } from '#bridge/game/driver.ts'
import { type GameKind, gameTables } from '#scripts/game-tables.ts'
import { startThrowawayMariadb } from '#scripts/throwaway-mariadb.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'

const DATABASES = {
  mariadb: { user: 'RanUser', game: 'RanGame1', shop: 'RanShop' },
  postgres: { user: 'ranuser', game: 'rangame', shop: 'ranshop' },
}

/** A server of a kind with the game's databases; closed after the test file. */
export async function startGame(kind: GameKind, settings: string[] = []) {
  const server = kind === 'mariadb' ? await startThrowawayMariadb(settings) : await startThrowawayPostgres(settings)
  const names = DATABASES[kind]
  const base = kind === 'mariadb' ? server.url : server.url.replace(/\/postgres$/, '')
  const urls = { user: `${base}/${names.user}`, game: `${base}/${names.game}`, shop: `${base}/${names.shop}` }
  const admin = await connectGame(kind, kind === 'mariadb' ? `${base}/mysql` : server.url)
  const own = { user: admin, game: admin, shop: admin }
  for (const place of ['user', 'game', 'shop'] as const) {
    await admin.run(`create database ${names[place]}`)
    own[place] = await connectGame(kind, urls[place])
    for (const statement of gameTables(kind)[place]) await own[place].run(statement)
  }
  after(async () => {
    await Promise.allSettled([admin.close(), own.user.close(), own.game.close(), own.shop.close()])
    await server.stop()
  })
  const connection = (place: keyof typeof own): GameConnection => own[place]
  const ask = (place: keyof typeof own, statement: string): Promise<Row[]> => connection(place).query(statement)

  return {
    kind,
    urls,
    server,
    preset: `ran-${kind}` as const,
    connection,
    ask,
    run: (place: keyof typeof own, statement: string) => connection(place).run(statement),
    /** Connects again, after the server was killed. */
    reconnect: async () => {
      for (const place of ['user', 'game', 'shop'] as const) own[place] = await connectGame(kind, urls[place])
    },
    /** An account of the game. @returns its UserNum */
    addPlayer: async (name = `p${randomUUID().slice(0, 12)}`, id = `${name}_id`): Promise<number> => {
      await own.user.run(`insert into UserInfo (UserID, UserName, UserPass) values (:id, :name, 'x')`, { id, name })
      const [row] = await own.user.query('select max(UserNum) as num from UserInfo where UserName = :name', { name })
      return Number(row?.num)
    },
    addProduct: (product: number) =>
      own.shop.run(
        'insert into ShopItemMap (ProductNum, ItemMain, ItemSub, ItemName) values (:product, 7, :sub, :name)',
        { product, sub: product, name: `Product ${product}` },
      ),
    purchases: () => ask('shop', 'select * from ShopPurchase order by PurKey'),
    /** What the game does when a player takes an item. */
    setFlag: (purKey: string | number, flag: number) =>
      own.shop.run('update ShopPurchase set PurFlag = :flag where PurKey = :key', { flag, key: purKey }),
  }
}
