import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { connectGame } from '#bridge/game/connect.ts'
import type { GameConnection, Row } from '#bridge/game/driver.ts'
import { quote, readCatalogue } from '#bridge/game/names.ts'
import { type GameKind, gameTables } from '#scripts/game-tables.ts'
import { startThrowawayMariadb } from '#scripts/throwaway-mariadb.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'

const DATABASES = {
  mariadb: { user: 'RanUser', game: 'RanGame1', shop: 'RanShop' },
  postgres: { user: 'ranuser', game: 'rangame', shop: 'ranshop' },
}

let copies = 0

/**
 * Copies all or some tables of a database in one state.
 *
 * @returns a function that restores the copies, like a restore of a backup
 */
async function backUp(connection: GameConnection, only?: readonly string[]): Promise<() => Promise<void>> {
  const { dialect } = connection
  const tablesNow = (await readCatalogue(connection)).filter(({ isView }) => !isView)
  const known = tablesNow.map(({ name }) => name)
  const wanted = only?.map((name) => name.toLowerCase())
  const of = `copy${++copies}_`
  const tables = known
    .filter((name) => !/^copy\d/.test(name) && (wanted === undefined || wanted.includes(name.toLowerCase())))
    .map((name) => ({ name: quote(dialect, name), copy: quote(dialect, of + name) }))
  if (tables.length !== (wanted ?? tables).length) throw new Error(`Some of ${wanted} are not there.`)
  const inOneMoment = async (from: 'name' | 'copy', work: () => Promise<void>) => {
    if (dialect === 'mariadb') {
      const [readLock, writeLock] = from === 'name' ? ['read', 'write'] : ['write', 'read']
      const locks = tables.map(({ name, copy }) => `${name} ${readLock}, ${copy} ${writeLock}`)
      await connection.run(`lock tables ${locks.join(', ')}`)
      await work().finally(() => connection.run('unlock tables'))
    } else
      await connection.transaction(async () => {
        const mode = from === 'name' ? 'share' : 'access exclusive'
        await connection.run(`lock table ${tables.map(({ name }) => name).join(', ')} in ${mode} mode`)
        await work()
      })
  }
  for (const { name, copy } of tables)
    await connection.run(
      dialect === 'mariadb' ? `create table ${copy} like ${name}` : `create table ${copy} (like ${name})`,
    )
  await inOneMoment('name', async () => {
    for (const { name, copy } of tables) await connection.run(`insert into ${copy} select * from ${name}`)
  })
  const putBack = () =>
    inOneMoment('copy', async () => {
      for (const { name, copy } of tables) {
        await connection.run(`delete from ${name}`)
        await connection.run(`insert into ${name} select * from ${copy}`)
      }
    })
  // The tables are locked one by one, which can conflict with a transaction of the agent.
  return async () => {
    for (let deadlocks = 0; ; deadlocks++)
      try {
        return await putBack()
      } catch (error) {
        if ((error as { code?: unknown }).code !== '40P01' || deadlocks === 5) throw error
      }
  }
}

/** Copies a database like an operator, with a dump of its server. Existing tables are replaced. */
function copyDatabase(kind: GameKind, bin: string, from: string, to: string): void {
  const mariadb = (url: string) => {
    const { port, pathname } = new URL(url)
    return ['--no-defaults', '--host=127.0.0.1', `--port=${port}`, '--user=root', pathname.slice(1)]
  }
  const [dump, load] =
    kind === 'mariadb'
      ? [
          ['mariadb-dump', ...mariadb(from)],
          ['mariadb', ...mariadb(to)],
        ]
      : [
          [join(bin, 'pg_dump'), '--clean', '--if-exists', from],
          [join(bin, 'psql'), '--quiet', to],
        ]
  const run = ([program = '', ...args]: string[], input?: Buffer) =>
    execFileSync(program, args, { input, maxBuffer: 64 * 1024 ** 2, stdio: ['pipe', 'pipe', 'inherit'] })
  run(load, run(dump))
}

/** Starts a server of a kind with the game's databases. It is closed after the test file. */
export async function startGame(kind: GameKind, settings: string[] = []) {
  const postgres = kind === 'postgres' ? await startThrowawayPostgres(settings) : undefined
  const server = postgres ?? (await startThrowawayMariadb(settings))
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
    /** Connects again after the server was killed. */
    reconnect: async () => {
      for (const place of ['user', 'game', 'shop'] as const) own[place] = await connectGame(kind, urls[place])
    },
    /** Starts another server with a copy of the databases. */
    startCopy: async () => {
      const other = await startGame(kind, settings)
      for (const place of ['user', 'game', 'shop'] as const)
        copyDatabase(kind, postgres?.bin ?? '', urls[place], other.urls[place])
      return other
    },
    /** Copies all or some tables of a database. @returns a function that restores them */
    backUp: (place: keyof typeof own, only?: readonly string[]) => backUp(connection(place), only),
    /** Inserts an account of the game. @returns its UserNum */
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
    /** Sets the flag as the game does when a player picks up an item. */
    setFlag: (purKey: string | number, flag: number) =>
      own.shop.run('update ShopPurchase set PurFlag = :flag where PurKey = :key', { flag, key: purKey }),
  }
}
