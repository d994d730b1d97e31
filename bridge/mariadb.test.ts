import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAccounts } from '#bridge/accounts.ts'
import { checkGame } from '#bridge/check.ts'
import { IncompatibleGame, toText } from '#bridge/game/driver.ts'
import { connectMariadb, hasReturning } from '#bridge/game/mariadb.ts'
import { readCatalogue, resolveTable } from '#bridge/game/names.ts'
import { openGame } from '#bridge/game/open-game.ts'
import { writeStatements } from '#bridge/game/statements.ts'
import { createKeys } from '#bridge/keys.ts'
import type { CallSite } from '#bridge/site.ts'
import { testBridgeOn } from '#test/bridge-suite.ts'

const { game, config } = await testBridgeOn('mariadb')

test('keeps a connection open to a server that closes idle ones early', async () => {
  await game.run('shop', 'set global wait_timeout = 1')
  const { shop, close } = await openGame(config)
  await sleep(2500)
  assert.deepEqual(await shop.rows('select 1'), [[1]])
  await close()
  await game.run('shop', 'set global wait_timeout = 28800')
})

test('an agent loses its lock within a minute after a power failure, but not while it is idle', async () => {
  const sockets: Socket[] = []
  const { port, hostname } = new URL(game.urls.shop)
  const proxy = createServer((from) => {
    const to = connect(Number(port), hostname)
    from.pipe(to).pipe(from)
    sockets.push(from, to)
    for (const socket of [from, to]) socket.on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = new URL(game.urls.shop)
  address.port = String((proxy.address() as AddressInfo).port)
  const cutOffConnection = await connectMariadb(address.href)
  const idleConnection = await connectMariadb(game.urls.user)
  const shopConnection = await connectMariadb(game.urls.shop)
  assert.ok((await cutOffConnection.takeLock()) && (await idleConnection.takeLock()))
  const [number] = await idleConnection.rows('select connection_id()')
  // The connection stays open but transmits nothing.
  for (const socket of sockets) socket.unpipe()
  const startedAt = performance.now()
  while (!(await shopConnection.takeLock())) {
    assert.ok(performance.now() - startedAt < 120_000, 'the lock was not released')
    await sleep(500)
  }
  assert.deepEqual(await idleConnection.rows('select connection_id()'), [number])
  await idleConnection.close()
  await shopConnection.close()
  for (const socket of sockets) socket.destroy()
  await cutOffConnection.close()
  proxy.close()
})

test('refuses a shop table without transactions', async () => {
  await game.run('shop', 'create table Purchases2 like ShopPurchase')
  await game.run('shop', 'alter table Purchases2 engine = MyISAM')
  await assert.rejects(openGame({ ...config, names: { ShopPurchase: 'Purchases2' } }), (error) => {
    assert.match(String(error), /engine = InnoDB/)
    return error instanceof IncompatibleGame
  })
})

test('reports to the desk that the accounts cannot be used, until they can', async () => {
  await game.run('user', 'create table Users2 like UserInfo')
  await game.run(
    'user',
    'alter table Users2 engine = MyISAM, modify UserBlock varchar(9), modify UserPass varchar(12) not null',
  )
  const wrongConfig = { ...config, names: { UserInfo: 'Users2' } }
  const problems = (await checkGame(wrongConfig, undefined))
    .filter(({ level }) => level === 'problem')
    .map(({ what }) => what)
  assert.match(problems.join(' '), /engine MyISAM.*UserPass has 12 char.*UserBlock is of the type varchar/)
  const reports: string[] = []
  const stopping = new AbortController()
  await runAccounts(wrongConfig, {
    callSite: (async () => {
      stopping.abort()
      return { now: '', work: [], resets: [], restore: 'none', look: [], next_epoch: null }
    }) as unknown as CallSite,
    sealKey: createKeys().seal,
    print: () => {},
    reportProblem: async (problem) => void reports.push(problem),
    signal: stopping.signal,
    waitMs: 0,
    blocksMs: 60_000,
    retryUntilAnswered: (call) => call(),
    pause: () => game.run('user', 'alter table Users2 engine = InnoDB'),
  })
  assert.match(reports[0] ?? '', /^Accounts do not reach the game: .*engine MyISAM/)
  assert.deepEqual(reports.slice(1), [''])
  await game.run('user', 'drop table Users2')
})

test('reads a new row back with `insert … returning`, and with a second statement on older servers', async () => {
  assert.deepEqual(['10.4.34-MariaDB-log', '8.0.41', '10.5.2-MariaDB', '11.8.3-MariaDB-0+deb13u1'].map(hasReturning), [
    false,
    false,
    true,
    true,
  ])
  const { shop, user, close } = await openGame(config)
  const catalogue = await readCatalogue(shop)
  const tableLookup = { dialect: shop.dialect, catalogue, names: {} }
  const tables = {
    user: resolveTable('UserInfo', { ...tableLookup, catalogue: await readCatalogue(user) }),
    product: resolveTable('ShopItemMap', tableLookup),
    purchase: resolveTable('ShopPurchase', tableLookup),
  }
  const params = { useruid: 'juan', product: 7, price: 300 }
  for (const returnsRows of [true, false]) {
    const [insert = '', selectKey] = writeStatements({ dialect: 'mariadb', returnsRows }, tables, config).insertPurchase
    const returnedRows = await shop.query(insert, params)
    const [row] = selectKey === undefined ? returnedRows : await shop.query(selectKey)
    const [purchase] = await shop.query(
      'select *, cast(PurDate as char(40)) as moment from ShopPurchase order by PurKey desc limit 1',
    )
    assert.deepEqual(
      [row?.purkey, row?.useruid, row?.purdate].map(toText),
      [purchase?.purkey, purchase?.useruid, purchase?.moment].map(toText),
    )
    assert.equal(toText(purchase?.useruid), 'juan')
  }
  await shop.run(`delete from ShopPurchase where UserUID = 'juan'`)
  await close()
})
