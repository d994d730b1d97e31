import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { connectGame } from '#bridge/game/connect.ts'
import type { GameConnection, Row } from '#bridge/game/driver.ts'
import { quote, readCatalogue } from '#bridge/game/names.ts'
import { createTableStatements, type GameKind } from '#scripts/game-tables.ts'
import { startThrowawayMariadb } from '#scripts/throwaway-mariadb.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'

const DATABASES = {
  mariadb: { user: 'RanUser', game: 'RanGame1', shop: 'RanShop' },
  postgres: { user: 'ranuser', game: 'rangame', shop: 'ranshop' },
}

let copyCount = 0

/**
 * Copies all or some tables of a database in one state.
 *
 * @returns a function that restores the copies, like a restore of a backup
 */
async function backUp(connection: GameConnection, tableNames?: readonly string[]): Promise<() => Promise<void>> {
  const { dialect } = connection
  const existingTables = (await readCatalogue(connection)).filter(({ isView }) => !isView)
  const existingNames = existingTables.map(({ name }) => name)
  const requestedNames = tableNames?.map((name) => name.toLowerCase())
  const copyPrefix = `copy${++copyCount}_`
  const tables = existingNames
    .filter(
      (name) => !/^copy\d/.test(name) && (requestedNames === undefined || requestedNames.includes(name.toLowerCase())),
    )
    .map((name) => ({ name: quote(dialect, name), copy: quote(dialect, copyPrefix + name) }))
  if (tables.length !== (requestedNames ?? tables).length) throw new Error(`Some of ${requestedNames} are not there.`)
  /** Runs `work` while the tables are locked, and on MariaDB their copies too. It only reads the tables that `from` names. */
  const withTableLocks = async (from: 'name' | 'copy', work: () => Promise<void>) => {
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
  await withTableLocks('name', async () => {
    for (const { name, copy } of tables) await connection.run(`insert into ${copy} select * from ${name}`)
  })
  const restoreRows = () =>
    withTableLocks('copy', async () => {
      for (const { name, copy } of tables) {
        await connection.run(`delete from ${name}`)
        await connection.run(`insert into ${name} select * from ${copy}`)
      }
    })
  // The tables are locked one by one, which can deadlock with a transaction of the agent.
  return async () => {
    for (let deadlocks = 0; ; deadlocks++)
      try {
        return await restoreRows()
      } catch (error) {
        if ((error as { code?: unknown }).code !== '40P01' || deadlocks === 5) throw error
      }
  }
}

/** Copies a database like an operator, with a dump of its server. Existing tables are replaced. */
function copyDatabase(kind: GameKind, bin: string, from: string, to: string): void {
  const listMariadbArgs = (url: string) => {
    const { port, pathname } = new URL(url)
    return ['--no-defaults', '--host=127.0.0.1', `--port=${port}`, '--user=root', pathname.slice(1)]
  }
  const [dump, load] =
    kind === 'mariadb'
      ? [
          ['mariadb-dump', ...listMariadbArgs(from)],
          ['mariadb', ...listMariadbArgs(to)],
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
  const baseUrl = kind === 'mariadb' ? server.url : server.url.replace(/\/postgres$/, '')
  const urls = { user: `${baseUrl}/${names.user}`, game: `${baseUrl}/${names.game}`, shop: `${baseUrl}/${names.shop}` }
  const admin = await connectGame(kind, kind === 'mariadb' ? `${baseUrl}/mysql` : server.url)
  const connections = { user: admin, game: admin, shop: admin }
  for (const database of ['user', 'game', 'shop'] as const) {
    await admin.run(`create database ${names[database]}`)
    connections[database] = await connectGame(kind, urls[database])
    for (const statement of createTableStatements(kind)[database]) await connections[database].run(statement)
  }
  after(async () => {
    await Promise.allSettled([
      admin.close(),
      connections.user.close(),
      connections.game.close(),
      connections.shop.close(),
    ])
    await server.stop()
  })
  const connection = (database: keyof typeof connections): GameConnection => connections[database]
  const query = (database: keyof typeof connections, statement: string): Promise<Row[]> =>
    connection(database).query(statement)

  return {
    kind,
    urls,
    server,
    preset: `ran-${kind}` as const,
    connection,
    query,
    run: (database: keyof typeof connections, statement: string) => connection(database).run(statement),
    /** Connects again after the server was killed. */
    reconnect: async () => {
      for (const database of ['user', 'game', 'shop'] as const)
        connections[database] = await connectGame(kind, urls[database])
    },
    /** Starts another server with a copy of the databases. */
    startCopy: async () => {
      const gameCopy = await startGame(kind, settings)
      for (const database of ['user', 'game', 'shop'] as const)
        copyDatabase(kind, postgres?.bin ?? '', urls[database], gameCopy.urls[database])
      return gameCopy
    },
    /** Copies all or some tables of a database. @returns a function that restores them */
    backUp: (database: keyof typeof connections, tableNames?: readonly string[]) =>
      backUp(connection(database), tableNames),
    /** Inserts an account of the game. @returns its UserNum */
    addPlayer: async (name = `p${randomUUID().slice(0, 12)}`, id = `${name}_id`): Promise<number> => {
      await connections.user.run(`insert into UserInfo (UserID, UserName, UserPass) values (:id, :name, 'x')`, {
        id,
        name,
      })
      const [row] = await connections.user.query('select max(UserNum) as num from UserInfo where UserName = :name', {
        name,
      })
      return Number(row?.num)
    },
    addProduct: (product: number) =>
      connections.shop.run(
        'insert into ShopItemMap (ProductNum, ItemMain, ItemSub, ItemName) values (:product, 7, :sub, :name)',
        { product, sub: product, name: `Product ${product}` },
      ),
    purchases: () => query('shop', 'select * from ShopPurchase order by PurKey'),
    /** Sets the flag as the game does when a player picks up an item. */
    setFlag: (purKey: string | number, flag: number) =>
      connections.shop.run('update ShopPurchase set PurFlag = :flag where PurKey = :key', { flag, key: purKey }),
  }
}
