import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { packBridge } from '#scripts/pack-bridge.ts'
import { createPairingCode, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { startGame } from '#test/games.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, R_COIN } from '#test/money-helpers.ts'
import { readConfig } from './config.ts'

const folder = makeTemporaryFolder()
const packed = await packBridge(makeTemporaryFolder())
const game = await startGame('mariadb')
const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
// The packed agent uses the machine's clock, so set the site's clock to it.
const syncClock = () => site.clock.set(new Date())
syncClock()
setInterval(syncClock, 500).unref()
const address = await listenForBridges(site)

/** The Node that runs the packed agent; `BRIDGE_NODE` can name an older one, from 22 on. */
const NODE = process.env.BRIDGE_NODE ?? process.execPath

/** Starts the packed agent with a command. @returns the process, its output so far, and a promise of exit code and output */
function runAgent(args: string[], env: Record<string, string> = {}) {
  const child = spawn(NODE, [packed, ...args], { env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  after(() => child.kill('SIGKILL'))
  const completion = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }))
  })
  return { child, completion, getOutput: () => output }
}

const configFile = join(folder, 'bridge.json')
const withPasswordVariable = (url: string) => url.replace('root@', `root:$${'{GAME_PASSWORD}'}@`)
const baseConfig = {
  site: address,
  key: 'bridge.key',
  game: {
    preset: 'ran-mariadb',
    user: game.urls.user,
    game: game.urls.game,
    shop: withPasswordVariable(game.urls.shop),
  },
  userUid: 'UserName',
  passwordForm: 'plain',
  services: {},
}
const writeConfig = (value: unknown) => writeFile(configFile, JSON.stringify(value))
const passwordEnvironment = { GAME_PASSWORD: '' }
const helmet = await insertItem(site.db, { item_name: 'Salakot of Commands', price: 300, section: R_COIN })
const usernum = await game.addPlayer('Buyer')

test('an invalid command exits with 2 and prints the usage', async () => {
  await writeConfig(baseConfig)
  const commandLines = [
    [],
    ['--config'],
    ['dance', '--config', configFile],
    ['pair', address, '--config', configFile],
    ['--confg', configFile],
  ]
  for (const args of commandLines) {
    const { code, output } = await runAgent(args, passwordEnvironment).completion
    assert.equal(code, 2, output)
    assert.match(output, /Usage:/)
  }
})

test('an invalid configuration exits with 2 and names the fault', async () => {
  for (const [invalidConfig, expected] of [
    [{ ...baseConfig, sitte: 1 }, /unknown key "sitte"/],
    [{ ...baseConfig, names: { Purkey: 'x' } }, /names has unknown key "Purkey"/],
    [{ ...baseConfig, site: 'http://play.example.ph' }, /https/],
    [{ ...baseConfig, game: { ...baseConfig.game, preset: 'ran-oracle' } }, /must be one of "ran-mssql"/],
    [
      { ...baseConfig, game: { ...baseConfig.game, user: 'postgres://x/y' } },
      /game.user must be an address such as mariadb:/,
    ],
  ] as const) {
    await writeConfig(invalidConfig)
    const { code, output } = await runAgent(['--config', configFile], passwordEnvironment).completion
    assert.equal(code, 2, output)
    assert.match(output, expected)
  }
})

test('reports a variable of the configuration that is not set', async () => {
  await writeConfig(baseConfig)
  assert.match(
    (await runAgent(['check', '--config', configFile]).completion).output,
    /names the variable GAME_PASSWORD, which is not set/,
  )
})

test('reads a Windows path with single, double or forward slashes', async () => {
  for (const [path, file] of [
    ['C:\\bridge\\bridge.key', 'C:/bridge/bridge.key'],
    ['C:\\\\bridge\\\\bridge.key', 'C:/bridge/bridge.key'],
    ['C:/bridge/bridge.key', 'C:/bridge/bridge.key'],
    ['\\\\game\\new\\bridge.key', '//game/new/bridge.key'],
  ] as const) {
    await writeFile(
      configFile,
      JSON.stringify({ ...baseConfig, key: 'KEY' }).replace('KEY', () => path),
    )
    const { keyFile } = await readConfig(configFile, { GAME_PASSWORD: 'x', ...process.env })
    assert.ok(keyFile.endsWith(file) || keyFile === resolve(file), `${path} became ${keyFile}`)
  }
})

test('prints one line when Node.js is too old', async () => {
  const versionOverride = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`
  const { code, output } = await runAgent(['--help'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(versionOverride)}`,
  }).completion
  assert.equal(code, 1)
  assert.match(output, /^The bridge needs Node\.js 22 or newer, and this is 20\.19\.0\. .*\n$/)
})

test('refuses to start unpaired, and to pair with a wrong code or another form of passwords', async () => {
  await writeConfig(baseConfig)
  const unpairedRun = await runAgent(['--config', configFile], passwordEnvironment).completion
  assert.equal(unpairedRun.code, 1)
  assert.match(unpairedRun.output, /is not paired yet\. Press “Pair a bridge”/)
  const wrongCodeRun = await runAgent(['pair', address, '0000-0000-0000', '--config', configFile], passwordEnvironment)
    .completion
  assert.equal(wrongCodeRun.code, 1)
  const mismatchedRun = await runAgent(
    ['pair', address, await createPairingCode(site, 'md5-upper'), '--config', configFile],
    passwordEnvironment,
  ).completion
  assert.equal(mismatchedRun.code, 2)
  assert.match(mismatchedRun.output, /paired for passwords in the form "md5-upper".*its configuration has "plain"/)
})

test('an attempt to pair does not use up the code if the key file cannot be written', async () => {
  const pairingCode = await createPairingCode(site)
  await writeConfig({ ...baseConfig, key: 'missing/bridge.key' })
  const unwritableRun = await runAgent(['pair', address, pairingCode, '--config', configFile], passwordEnvironment)
    .completion
  assert.equal(unwritableRun.code, 2)
  assert.match(unwritableRun.output, /cannot be written, so the code was not used/)
  await writeConfig(baseConfig)
  const { code, output } = await runAgent(['pair', address, pairingCode, '--config', configFile], passwordEnvironment)
    .completion
  assert.equal(code, 0, output)
  assert.equal((await stat(join(folder, 'bridge.key'))).mode & 0o777, 0o600)
})

test('check reports problems until all are fixed, and writes nothing', async () => {
  const tablesBefore = await game.query('shop', 'show tables')
  const checkRun = await runAgent(['check', '--config', configFile], passwordEnvironment).completion
  assert.equal(checkRun.code, 1)
  assert.match(checkRun.output, /PROBLEM \d+ of \d+ products that the site sells (is|are) not in ShopItemMap/)
  assert.match(checkRun.output, /grant delete on `RanShop`\.`ShopPurchase` to 'tambayan_bridge'@'localhost';/)
  assert.deepEqual(await game.query('shop', 'show tables'), tablesBefore, 'check writes nothing')
  const products = await site.db.selectFrom('shop_items').where('hidden', '=', false).select('product_num').execute()
  for (const { product_num } of products) await game.addProduct(product_num)
  await game.run('user', `update UserInfo set UserPass = 'secret'`)
  await game.run(
    'shop',
    `insert into ShopPurchase (UserUID, ProductNum, PurPrice, PurFlag) values ('Buyer_id', 1, 1, 1)`,
  )
  const userUidRun = await runAgent(['check', '--config', configFile], passwordEnvironment).completion
  assert.match(userUidRun.output, /UserUID holds the player’s UserID: 1 of 1 rows match it/)
  await game.run('shop', `update ShopPurchase set UserUID = 'Buyer'`)
  await writeConfig({ ...baseConfig, services: undefined })
  const runWithoutServices = await runAgent(['check', '--config', configFile], passwordEnvironment).completion
  assert.match(
    runWithoutServices.output,
    /PROBLEM The site sells services for characters, but the configuration has no "services"/,
  )
  await writeConfig(baseConfig)
  const readyRun = await runAgent(['check', '--config', configFile], passwordEnvironment).completion
  assert.equal(readyRun.code, 0, readyRun.output)
  assert.match(readyRun.output, /Everything is ready/)
})

test('a paired bridge delivers a purchase and exits with 0 on SIGTERM', async () => {
  const agent = runAgent(['--config', configFile], passwordEnvironment)
  const juan = await createBuyer(site, { rCoin: 300 })
  await site.db.updateTable('sessions').set({ created_at: new Date(), last_seen_at: new Date() }).execute()
  await linkAccount(site, juan.userNum, usernum)
  await juan.add(helmet)
  assert.equal((await juan.buyCart()).status, 200)
  const readArrivedRows = () =>
    game.query('shop', `select * from ShopPurchase where ProductNum = ${helmet} and UserUID = 'Buyer'`)
  for (let tries = 0; (await readArrivedRows()).length === 0; tries++) {
    assert.ok(tries < 400, agent.getOutput())
    site.clock.set(new Date())
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  for (let tries = 0; tries < 400; tries++) {
    const { findings } = await site.db
      .selectFrom('bridges')
      .select('findings')
      .orderBy('bridge', 'desc')
      .executeTakeFirstOrThrow()
    if (findings.length > 0) break
    assert.ok(tries < 399, `the desk has the findings:\n${agent.getOutput()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  agent.child.kill('SIGTERM')
  const completion = await agent.completion
  assert.equal(completion.code, 0, completion.output)
  assert.match(completion.output, /Stopped\.\n$/)
})

test('refuses to start with another form of passwords than it was paired for', async () => {
  await writeConfig({ ...baseConfig, passwordForm: 'md5-upper' })
  const changedRun = await runAgent(['--config', configFile], passwordEnvironment).completion
  assert.equal(changedRun.code, 2, changedRun.output)
  assert.match(changedRun.output, /paired for passwords in the form "plain".*pair it again/)
})
