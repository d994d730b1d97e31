import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { createSiteCall, SiteRefusal } from '#bridge/site.ts'
import { reportUnknown, stopBridge, takeWork } from '#contract/bridge.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, linkAccount, listenForBridges } from '#test/bridge-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, R_COIN } from '#test/money-helpers.ts'

// Tests which agent may work with which database: copies, changed databases, second bridges and a restored site.

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const address = await listenForBridges(site)
// Logs in each time, because the tests advance the clock beyond the lifetime of a confirmation.
const gm = {
  get: async (path: string) => (await openPlayerSession(site, 'gm')).get(path),
  post: async (path: string, body: object) => (await openPlayerSession(site, 'gm')).post(path, body),
}
const helmet = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })

beforeEach(async () => {
  await db.updateTable('bridges').set({ revoked_at: site.now() }).execute()
  for (const table of ['bridge_lease', 'game_copy', 'unknown_units'] as const) await db.deleteFrom(table).execute()
  await db.updateTable('deliveries').set({ refund_requested_at: null, in_game: '' }).execute()
  await db.updateTable('deliveries').set({ state: 'claimed' }).where('state', '<>', 'refunded').execute()
})

const isConflict = (pattern: RegExp) => (error: unknown) =>
  error instanceof SiteRefusal && error.status === 409 && pattern.test(error.message)
const readGamePage = async () => (await gm.get('/api/admin/game')).json()

async function buyUnit() {
  const juan = await createBuyer(site, { rCoin: 300 })
  const gameUserNum = await linkAccount(site, juan.userNum)
  assert.equal((await juan.buy(helmet)).status, 200)
  const { delivery: unit } = await db
    .selectFrom('deliveries')
    .where('user_num', '=', juan.userNum)
    .select('delivery')
    .executeTakeFirstOrThrow()
  return { juan, gameUserNum, unit }
}

test('refuses a second process with the same key until the first has sent nothing for a minute', async () => {
  const agent = await createAgentDouble(site, address)
  await agent.start()
  const secondCall = agent.callAs(randomUUID())
  for (let tries = 0; tries < 20; tries++) {
    clock.advance(5000)
    await agent.takeWork()
    await assert.rejects(agent.start(secondCall), isConflict(/Another process used this bridge’s key/))
  }
  const [bridge] = (await readGamePage()).bridges
  assert.partialDeepStrictEqual(bridge, { state: 'working', refusals: 20 })
  assert.match(bridge.refusal, /a copy of a machine must not have the key/)
  assert.match((await gm.get('/api/admin/health')).text, /was refused 20 times/)
  await agent.start()
  assert.equal((await agent.takeWork()).restore, 'none', 'a further start of the same process takes over at once')
  clock.advance(61_000)
  await agent.start(secondCall)
  assert.equal((await agent.takeWork(secondCall)).restore, 'none')
  await assert.rejects(agent.takeWork(), isConflict(/Another agent has taken over/))
})

test('another process can start as soon as the first has stopped', async () => {
  const agent = await createAgentDouble(site, address)
  await agent.start()
  await agent.call(stopBridge, {})
  await assert.rejects(agent.takeWork(), isConflict(/taken over/))
  const nextCall = agent.callAs(randomUUID())
  await agent.start(nextCall)
  assert.equal((await agent.takeWork(nextCall)).restore, 'none')
})

test('delivers to a moved database only after an owner confirms it, and to the original at once', async () => {
  const agent = await createAgentDouble(site, address)
  agent.copy.identity = { host: 'db1', port: '3306' }
  await agent.start()
  assert.deepEqual((await readGamePage()).identity, { host: 'db1', port: '3306' })
  clock.advance(61_000)
  const secondCall = agent.callAs(randomUUID())
  const { unit } = await buyUnit()
  agent.copy.identity = { host: 'db2', port: '3306' }
  await agent.start(secondCall)
  assert.deepEqual((await agent.takeWork(secondCall)).work, [])
  assert.partialDeepStrictEqual((await readGamePage()).restore.what, [
    { place: 'shop', moved: { host: { known: 'db1', found: 'db2' } } },
  ])
  agent.copy.identity = { host: 'db1' }
  await agent.start()
  assert.equal((await readGamePage()).restore, null)
  assert.deepEqual(
    (await agent.takeWork()).work.map((item) => item.unit),
    [unit],
  )

  clock.advance(61_000)
  agent.copy.identity = { host: 'db2', port: '3306' }
  await agent.start(secondCall)
  for (;;) {
    const { look } = await agent.takeWork(secondCall)
    if (look.length === 0) break
    const through = Math.max(...look.map((item) => item.unit))
    await agent.report({ looked: { through, missing: [], back: [] } }, secondCall)
  }
  assert.equal((await gm.post('/api/admin/game/restore', { offer_again: false, reason: 'New server' })).status, 200)
  agent.copy.epoch = (await agent.takeWork(secondCall)).next_epoch ?? ''
  agent.copy.counter++
  assert.equal((await agent.takeWork(secondCall)).restore, 'none')
  assert.deepEqual((await readGamePage()).identity, { host: 'db2', port: '3306' })
})

test('refuses a second bridge with another database until the first is revoked', async () => {
  const agent = await createAgentDouble(site, address)
  await agent.start()
  const otherAgent = await createAgentDouble(site, address)
  await assert.rejects(otherAgent.start(), isConflict(/Another bridge is working/))
  clock.advance(HOUR_MS)
  await assert.rejects(otherAgent.start(), isConflict(/One site has one game/))
  assert.partialDeepStrictEqual(
    (await readGamePage()).bridges.find(({ bridge }: { bridge: number }) => bridge === otherAgent.bridge),
    { state: 'refused' },
  )
  assert.equal((await gm.post('/api/admin/game/revoke', { bridge: agent.bridge, reason: 'Sold' })).status, 200)
  await otherAgent.start()
  assert.equal((await otherAgent.takeWork()).restore, 'waits')
})

test('shows the desk a request with a wrong time, but not one with a wrong signature', async () => {
  const agent = await createAgentDouble(site, address)
  await agent.start()
  const callOptions = { site: address, bridge: agent.bridge, instance: randomUUID() }
  const getLateTime = () => new Date(clock.now().getTime() - 2 * HOUR_MS)
  const body = { ...agent.copy, wait_ms: 0, doing: [] }
  const forgedCall = createSiteCall({
    ...callOptions,
    signKey: (await createAgentDouble(site, address)).sign,
    now: getLateTime,
  })
  await assert.rejects(forgedCall(takeWork, body), /signature/)
  const readBridge = async () =>
    (await readGamePage()).bridges.find(({ bridge }: { bridge: number }) => bridge === agent.bridge)
  assert.equal((await readBridge()).refusal, '')
  clock.advance(15_000)
  await assert.rejects(
    createSiteCall({ ...callOptions, signKey: agent.sign, now: getLateTime })(takeWork, body),
    /clock is too far/,
  )
  assert.partialDeepStrictEqual(await readBridge(), {
    state: 'refused',
    refusal: 'Its clock is 2 hours behind the site’s.',
  })
})

test('assigns new numbers after a restore of the site, and lists unknown units with their worth', async () => {
  const agent = await createAgentDouble(site, address)
  const earlierPurchase = await buyUnit()
  const highest = earlierPurchase.unit + 1000
  agent.copy.highest = highest
  const { handed_through } = await agent.start()
  assert.ok((handed_through ?? 0) < highest)
  const laterPurchase = await buyUnit()
  assert.ok(laterPurchase.unit > highest)

  // The unit of the earlier purchase was sold before the bridge started. The game has its number for another purchase.
  const [unitWork] = (await agent.takeWork()).work
  assert.equal(unitWork?.unit, earlierPurchase.unit)
  const attempt = unitWork?.kind === 'deliver' ? unitWork.attempt : 0
  await agent.report({ failed: [{ unit: earlierPurchase.unit, attempt, code: 'number-used', detail: '' }] })
  const { work } = await agent.takeWork()
  const repeatedWork = work.find((item) => item.mark === unitWork?.mark)
  assert.ok((repeatedWork?.unit ?? 0) > laterPurchase.unit)
  assert.equal(
    (await db.selectFrom('deliveries').where('delivery', '=', earlierPurchase.unit).select('unit').execute()).length,
    0,
  )

  const unknownUnit = {
    unit: earlierPurchase.unit,
    game_user_num: earlierPurchase.gameUserNum,
    product_num: helmet,
    price: 300,
    claimed: true,
  }
  await agent.call(reportUnknown, { units: [{ ...unknownUnit, mark: '1-2-3-4' }] })
  await agent.call(reportUnknown, {
    units: [{ ...unknownUnit, unit: repeatedWork?.unit ?? 0, mark: repeatedWork?.mark ?? '' }],
  })
  const { unknown } = await readGamePage()
  assert.partialDeepStrictEqual(unknown, { count: 1, sum: 300 })
  const { user_id } = await db
    .selectFrom('accounts')
    .where('user_num', '=', earlierPurchase.juan.userNum)
    .select('user_id')
    .executeTakeFirstOrThrow()
  assert.partialDeepStrictEqual(unknown.rows, [
    { unit: earlierPurchase.unit, user_id, item_name: 'Salakot', claimed: true },
  ])
  assert.match((await gm.get('/api/admin/health')).text, /1 unit, worth 300 in all/)
  assert.equal((await gm.post('/api/admin/game/unknown', { reason: 'Settled with the player' })).status, 200)
  assert.equal((await readGamePage()).unknown, null)
  assert.equal((await gm.post('/api/admin/game/unknown', { reason: 'Again' })).status, 409)
})
