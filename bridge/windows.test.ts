import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { packBridge } from '#scripts/pack-bridge.ts'
import { startWindows, toWindowsPath } from '#scripts/windows-node.ts'
import { createPairingCode, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { startGame } from '#test/games.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, R_COIN } from '#test/money-helpers.ts'
import { waitUntil as waitUntilMet } from '#test/wait-until.ts'

/** The packed bridge on Windows, under Wine (docs/OPERATING.md lists what Wine cannot show). */
const windows = startWindows()
const packed = await packBridge(makeTemporaryFolder())
const game = await startGame('mariadb')
const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
// The packed agent uses the machine's clock, so set the site's clock to it.
const syncClock = () => site.clock.set(new Date())
syncClock()
setInterval(syncClock, 500).unref()
const address = await listenForBridges(site)

const folder = join(makeTemporaryFolder(), 'Tulay ng Señor')
mkdirSync(folder)
copyFileSync(packed, join(folder, 'bridge.mjs'))
const bridge = (...args: string[]) => {
  const run = windows.run(
    [toWindowsPath(join(folder, 'bridge.mjs')), ...args, '--config', toWindowsPath(join(folder, 'tulay ñ.json'))],
    {
      cwd: folder,
      extraEnv: { GAME_PASSWORD: '' },
    },
  )
  after(() => run.child.kill('SIGKILL'))
  return run
}
const config = {
  site: address,
  key: 'susi ñ.key',
  game: { ...game.urls, preset: 'ran-mariadb', shop: game.urls.shop.replace('root@', `root:$${'{GAME_PASSWORD}'}@`) },
  userUid: 'UserName',
  passwordForm: 'plain',
  services: {},
}
// The editor of Windows writes a byte order mark.
writeFileSync(join(folder, 'tulay ñ.json'), `\uFEFF${JSON.stringify(config, null, 2).replaceAll('\n', '\r\n')}`)

/** The units that the test buys, in three purchases. */
const UNITS = 60
const waitUntil = (condition: string, isMet: () => Promise<boolean> | boolean, explain: () => string) =>
  waitUntilMet(condition, isMet, { withinMs: 180_000, explain })

test('the packed bridge checks, pairs, delivers and restarts in a Windows folder with a space and an ñ', async () => {
  const unpairedRun = await bridge('check').completion
  assert.equal(unpairedRun.code, 1, unpairedRun.output)
  assert.match(
    unpairedRun.output,
    /PROBLEM There is no key file Z:\\.*\\Tulay ng Señor\\susi ñ\.key: this bridge is not paired/,
  )
  const pairRun = await bridge('pair', address, await createPairingCode(site, 'plain')).completion
  assert.equal(pairRun.code, 0, pairRun.output)
  assert.ok(existsSync(join(folder, 'susi ñ.key')))
  const keysBefore = readFileSync(join(folder, 'susi ñ.key'), 'utf8')
  const secondPairing = await bridge('pair', address, await createPairingCode(site, 'plain')).completion
  assert.match(secondPairing.output, /The keys of an earlier pairing were replaced/)
  assert.notEqual(readFileSync(join(folder, 'susi ñ.key'), 'utf8'), keysBefore)
  assert.deepEqual(
    readdirSync(folder).sort(),
    ['bridge.mjs', 'susi ñ.key', 'tulay ñ.json'],
    'no temporary file is left',
  )

  const products = await db.selectFrom('shop_items').where('hidden', '=', false).select('product_num').execute()
  const helmet = await insertItem(db, { item_name: 'Salakot of Windows', price: 300, section: R_COIN })
  for (const product of [...products.map(({ product_num }) => product_num), helmet]) await game.addProduct(product)
  const usernum = await game.addPlayer('Señorito')
  await game.run('user', `update UserInfo set UserPass = 'secret'`)
  const checkRun = await bridge('check').completion
  assert.equal(checkRun.code, 0, checkRun.output)
  assert.match(checkRun.output, /Everything is ready/)

  const juan = await createBuyer(site, { rCoin: 300 * UNITS })
  await db.updateTable('sessions').set({ created_at: new Date(), last_seen_at: new Date() }).execute()
  await linkAccount(site, juan.userNum, usernum)
  const buy = async () => {
    syncClock()
    const answer = await juan.buy(helmet, undefined, UNITS / 3)
    assert.equal(answer.status, 200, answer.text)
  }
  const readRows = async () => (await game.purchases()).filter(({ useruid }) => useruid === 'Señorito')
  await buy()
  let agent = bridge()
  await waitUntil(
    'something is delivered',
    async () => (await readRows()).length > 0,
    () => agent.readOutput(),
  )
  await buy()
  agent.child.kill('SIGKILL')
  await agent.completion
  agent = bridge()
  await buy()
  const isDelivered = async () =>
    (
      await db
        .selectFrom('deliveries')
        .where('user_num', '=', juan.userNum)
        .where('state', '=', 'delivered')
        .select('delivery')
        .execute()
    ).length === UNITS
  await waitUntil('everything is delivered', isDelivered, () => agent.readOutput())
  assert.equal((await readRows()).length, UNITS, 'nothing is lost or doubled')
  const { system } = await db.selectFrom('bridges').orderBy('bridge', 'desc').select('system').executeTakeFirstOrThrow()
  assert.match(system, /^win32 x64, Node 22\./)
  agent.child.kill('SIGKILL')
  await agent.completion
})
