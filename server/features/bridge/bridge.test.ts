import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callUnsigned, createSiteCall, SiteRefusal } from '#bridge/site.ts'
import { BRIDGE_WAIT_MAX_MS, pairBridge, reportFindings, startBridge, takeWork } from '#contract/bridge.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createAgentDouble, createPairingCode, linkAccount, listenForBridges, pairKeys } from '#test/bridge-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer, insertItem, R_COIN } from '#test/money-helpers.ts'
import { STATE_TABLES } from './database-state.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'demo' })
const { db, clock } = site
const address = await listenForBridges(site)
const gm = await openPlayerSession(site, 'gm')
const helmet = await insertItem(db, { item_name: 'Salakot of the Bridge', price: 300, section: R_COIN })
/** Settles all open units, because each test may see only the units that it created. */
async function settleUnits() {
  await db.updateTable('deliveries').set({ refund_requested_at: null, in_game: '' }).execute()
  await db.updateTable('deliveries').set({ state: 'claimed' }).where('state', '<>', 'refunded').execute()
}
await settleUnits()
afterEach(settleUnits)

const isRefusal =
  (reason: string | RegExp, status = 401) =>
  (error: unknown) =>
    error instanceof SiteRefusal &&
    error.status === status &&
    (typeof reason === 'string' ? error.reason === reason : reason.test(error.message))

async function createPurchase(units = 1, isLinked = true) {
  const juan = await createBuyer(site, { rCoin: 300 * units })
  const game = isLinked ? await linkAccount(site, juan.userNum) : 0
  for (let unit = 0; unit < units; unit++) await juan.add(helmet)
  assert.equal((await juan.buyCart()).status, 200)
  const rows = await db
    .selectFrom('deliveries')
    .where('user_num', '=', juan.userNum)
    .selectAll()
    .orderBy('delivery')
    .execute()
  return { juan, game, units: rows.map(({ delivery }) => delivery) }
}
const readUnit = (delivery: number) =>
  db.selectFrom('deliveries').where('delivery', '=', delivery).selectAll().executeTakeFirstOrThrow()
const requestRefund = (units: number[]) => gm.post('/api/admin/orders/refund', { units, reason: 'Bought by mistake' })
const forceRefund = (units: number[]) =>
  gm.post('/api/admin/orders/force-refund', { units, reason: 'The bridge is lost' })

/** Pairs a bridge and takes the lease from all others. */
async function createBridge() {
  await db.deleteFrom('bridge_lease').execute()
  await db.deleteFrom('game_copy').execute()
  const agent = await createAgentDouble(site, address)
  await agent.start()
  return agent
}

type Agent = Awaited<ReturnType<typeof createBridge>>
type Differences = { missing?: number[]; again?: number[]; twice?: number[] }

/** Compares units after a restore, until the site has none left to compare. @param onBatch called before each report */
async function compareAllUnits(
  agent: Agent,
  { missing = [], again = [], twice = [] }: Differences,
  onBatch = async () => {},
) {
  for (let batches = 0; ; batches++) {
    const { work, restore, look } = await agent.takeWork()
    assert.deepEqual([work, restore], [[], 'waits'])
    if (look.length === 0) return
    assert.ok(batches < 50)
    await onBatch()
    const comparedUnits = look.map(({ unit }) => unit)
    const selectCompared = (units: number[]) => units.filter((unit) => comparedUnits.includes(unit))
    await agent.report({
      looked: {
        through: Math.max(...comparedUnits),
        missing: selectCompared(missing),
        back: [],
        again: selectCompared(again),
        twice: selectCompared(twice),
      },
    })
  }
}

test('answers a waiting bridge at once when the site stops', async () => {
  const stopping = new AbortController()
  const otherSite = await createTestApp({
    database: site.database,
    env: { RATE_LIMIT: 'off' },
    stopping: stopping.signal,
  })
  const agent = await createAgentDouble(otherSite, await listenForBridges(otherSite))
  await agent.start()
  const answer = agent.call(takeWork, { ...agent.copy, wait_ms: BRIDGE_WAIT_MAX_MS, doing: [] })
  await sleep(500)
  stopping.abort()
  const timeout = sleep(BRIDGE_WAIT_MAX_MS - 1500, null)
  assert.deepEqual((await Promise.race([answer, timeout]))?.work, [])
})

test('a code pairs one bridge, once, within ten minutes, and is stored hashed', async () => {
  const code = await createPairingCode(site)
  assert.match(code, /^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/)
  const rows = await db.selectFrom('bridge_codes').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(code))
  const { createKeys } = await import('#bridge/keys.ts')
  const pair = (text: string) => {
    const { publicSignKey, publicSealKey } = createKeys()
    return callUnsigned(address, pairBridge, { code: text, name: '', sign_key: publicSignKey, seal_key: publicSealKey })
  }
  assert.equal((await pair(` ${code.toLowerCase().replaceAll('-', ' ')}`)).site, 'https://play.example.ph')
  await assert.rejects(pair(code), isRefusal(/code does not work/, 422))
  const lateCode = await createPairingCode(site)
  clock.advance(10 * MINUTE_MS + 1)
  await assert.rejects(pair(lateCode), isRefusal(/code does not work/, 422))
  const [firstCode, secondCode] = [await createPairingCode(site), await createPairingCode(site)]
  await assert.rejects(pair(firstCode), isRefusal(/code does not work/, 422), 'a newer code ends it')
  for (let digit = 0; digit < 9; digit++) await assert.rejects(pair(`0000-0000-000${digit}`))
  await assert.rejects(
    pair(secondCode),
    isRefusal(/code does not work/, 422),
    'ten wrong codes end it; the attempt with the earlier code counts too',
  )
})

test('refuses a repeated, changed or late request, and one that is signed for another site', async () => {
  const keys = await pairKeys(site, address)
  const sentRequests: { url: string; init: RequestInit }[] = []
  const callOptions = { site: address, bridge: keys.bridge, signKey: keys.sign, instance: randomUUID(), now: site.now }
  const call = createSiteCall({
    ...callOptions,
    fetch: (url, init = {}) => {
      sentRequests.push({ url: String(url), init })
      return fetch(url, init)
    },
  })
  const body = { epoch: randomUUID(), counter: 0, wait_ms: 0 }
  await assert.rejects(
    call(takeWork, body),
    isRefusal('taken-over', 409),
    'the signature is valid, but the agent has not started',
  )
  const [{ url, init } = { url: '', init: {} }] = sentRequests
  const sendAgain = async (change: RequestInit = {}, target = url) => {
    const answer = await fetch(target, { ...init, ...change, signal: null })
    return `${answer.status} ${((await answer.json()) as { reason: string }).reason}`
  }
  assert.equal(await sendAgain(), '401 replayed')
  const headers = new Headers(init.headers)
  headers.set('Bridge-Nonce', randomUUID())
  assert.equal(await sendAgain({ headers }), '401 signature')
  assert.equal(await sendAgain({ body: String(init.body).replace('"wait_ms":0', '"wait_ms":1') }), '401 signature')
  assert.equal(await sendAgain({}, `${url}?x=1`), '401 signature')
  const foreignCall = createSiteCall({
    ...callOptions,
    site: 'https://evil.example',
    fetch: (target, options) => fetch(String(target).replace('https://evil.example', address), options),
  })
  await assert.rejects(foreignCall(takeWork, body), isRefusal('signature'))
  const lateCall = createSiteCall({ ...callOptions, now: () => new Date(clock.now().getTime() - HOUR_MS) })
  await assert.rejects(lateCall(takeWork, body), (error) => {
    assert.match(String(error), new RegExp(`the site has ${clock.now().toISOString()}`))
    return isRefusal('clock')(error)
  })
  assert.equal((await gm.post('/api/admin/game/revoke', { bridge: keys.bridge, reason: 'Stolen' })).status, 200)
  await assert.rejects(call(takeWork, body), isRefusal('revoked'))
  assert.equal((await site.post('/api/bridge/work', body)).status, 401)
})

test('commits a unit as issued before the response, and issues it again until it is reported', async () => {
  const { juan, game, units } = await createPurchase(2)
  const unlinkedPurchase = await createPurchase(1, false)
  const agent = await createBridge()
  const { work } = await agent.takeWork()
  assert.deepEqual(
    work.map(({ mark, ...rest }) => rest),
    units.map((unit) => ({ kind: 'deliver', unit, attempt: 1, game_user_num: game, product_num: helmet, price: 300 })),
  )
  assert.deepEqual((await agent.takeWork()).work, work)
  assert.equal((await readUnit(unlinkedPurchase.units[0] ?? 0)).handed_at, null, 'no account in the game')
  const [firstUnit = 0, secondUnit = 0] = units
  const otherWork = await agent.takeWork(agent.call, [firstUnit])
  assert.deepEqual(otherWork.work, work.slice(1), 'work in progress is not issued again')
  const report = {
    delivered: [{ unit: firstUnit, pur_key: '77' }],
    failed: [{ unit: secondUnit, attempt: 1, code: 'no-product' as const, detail: '' }],
  }
  await agent.report(report)
  await agent.report(report)
  assert.partialDeepStrictEqual(await readUnit(firstUnit), {
    state: 'delivered',
    pur_key: '77',
    delivered_at: clock.now(),
  })
  assert.match((await readUnit(secondUnit)).failure, /does not contain this product/)
  assert.deepEqual((await agent.takeWork()).work, [], 'the unit waits for its retry')
  clock.advance(5001)
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ unit: secondUnit, attempt: 2 }])
  await agent.report({ failed: [{ unit: secondUnit, attempt: 1, code: 'database', detail: 'late' }] })
  assert.equal((await readUnit(secondUnit)).failed_at, null, 'the report of an earlier attempt is ignored')
  await agent.report({
    delivered: [{ unit: secondUnit, pur_key: '78' }],
    flags: [{ unit: firstUnit, flag: 'claimed' }],
  })
  assert.partialDeepStrictEqual(await readUnit(firstUnit), { state: 'claimed', claimed_at: clock.now() })
  const { purchasehistory } = (await juan.get('/api/shoppurchases')).json()
  assert.deepEqual(
    purchasehistory[0].units.map(({ state }: { state: string }) => state),
    ['claimed', 'delivered'],
  )
  await linkAccount(site, unlinkedPurchase.juan.userNum)
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ unit: unlinkedPurchase.units[0] }])
  await agent.report({ delivered: [{ unit: unlinkedPurchase.units[0] ?? 0, pur_key: '79' }] })
})

test('books a pick-up that is reported before the delivery, and then the number in the game', async () => {
  const { units } = await createPurchase(1)
  const [unit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({ flags: [{ unit, flag: 'claimed' }] })
  assert.partialDeepStrictEqual(await readUnit(unit), {
    state: 'claimed',
    delivered_at: clock.now(),
    claimed_at: clock.now(),
  })
  await agent.report({ delivered: [{ unit, pur_key: '91' }] })
  await agent.report({ delivered: [{ unit, pur_key: '92' }] })
  assert.partialDeepStrictEqual(await readUnit(unit), { state: 'claimed', pur_key: '91' })
})

test('refunds a unit only after the bridge has removed it, and never a picked-up one', async () => {
  const { juan, units } = await createPurchase(3)
  const [removedUnit = 0, pickedUpUnit = 0, cancelledUnit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({ delivered: units.map((unit) => ({ unit, pur_key: String(unit) })) })
  await agent.report({ cancelled: units })
  assert.deepEqual(await juan.readBalance(), { rCoin: 0, milleage: 0 }, 'no refund was requested')
  assert.deepEqual((await requestRefund([removedUnit, pickedUpUnit])).json().requested, [removedUnit, pickedUpUnit])
  assert.deepEqual(
    (await agent.takeWork()).work.map(({ kind, unit }) => [kind, unit]),
    [
      ['cancel', removedUnit],
      ['cancel', pickedUpUnit],
    ],
  )
  const response = await gm.post('/api/admin/orders/withdraw-refund', { units: [removedUnit], reason: 'Too late' })
  assert.equal(response.status, 409, 'the bridge may have removed the unit')
  const report = { cancelled: [removedUnit], kept: [{ unit: pickedUpUnit, why: 'claimed' as const }] }
  await Promise.all([agent.report(report), agent.report(report)])
  assert.deepEqual(await juan.readBalance(), { rCoin: 300, milleage: 0 })
  assert.partialDeepStrictEqual(await readUnit(pickedUpUnit), { state: 'claimed', refund_requested_at: null })
  assert.match((await readUnit(pickedUpUnit)).refund_refused, /has taken the item/)
  assert.equal((await requestRefund([pickedUpUnit])).status, 409)
  await agent.report({ flags: [{ unit: cancelledUnit, flag: 'cancelled' }] })
  assert.equal((await readUnit(cancelledUnit)).in_game, 'cancelled')
  assert.equal((await juan.readBalance()).rCoin, 300, 'an operator has to decide')
  const forcedResponse = await forceRefund([cancelledUnit])
  assert.equal(forcedResponse.status, 200, forcedResponse.text)
  assert.equal((await juan.readBalance()).rCoin, 600)
  await assertBooksAgree(db)
})

test('refunds no picked-up unit, neither by force nor after a contradictory report', async () => {
  const { juan, units } = await createPurchase(2)
  const [firstUnit = 0, secondUnit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({ delivered: units.map((unit) => ({ unit, pur_key: String(unit) })) })
  await requestRefund(units)
  await agent.report({ flags: [{ unit: firstUnit, flag: 'claimed' }] })
  assert.partialDeepStrictEqual(await readUnit(firstUnit), { state: 'claimed', refund_requested_at: null })
  assert.match((await readUnit(firstUnit)).refund_refused, /has taken the item/)
  assert.equal((await forceRefund([firstUnit])).status, 409)
  assert.deepEqual(
    (await agent.takeWork()).work.map(({ kind, unit }) => [kind, unit]),
    [['cancel', secondUnit]],
  )
  await agent.report({ flags: [{ unit: secondUnit, flag: 'claimed' }], cancelled: [secondUnit] })
  assert.partialDeepStrictEqual(await readUnit(secondUnit), { state: 'claimed', refund_requested_at: null })
  await db
    .updateTable('deliveries')
    .set({ refund_requested_at: clock.now() })
    .where('delivery', '=', firstUnit)
    .execute()
  assert.equal((await forceRefund([firstUnit])).status, 409)
  await agent.takeWork()
  await agent.report({ cancelled: units })
  assert.deepEqual(await juan.readBalance(), { rCoin: 0, milleage: 0 })
  await agent.report({ kept: [{ unit: firstUnit, why: 'claimed' }] })
  assert.deepEqual((await agent.takeWork()).work, [])
})

test('the bridge still removes a unit from the game after a forced refund', async () => {
  const { juan, units } = await createPurchase(3)
  const [firstUnit = 0, secondUnit = 0, pickedUpUnit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({ delivered: units.map((unit) => ({ unit, pur_key: String(unit) })) })
  await agent.report({ flags: [{ unit: secondUnit, flag: 'cancelled' }] })
  await requestRefund([firstUnit, pickedUpUnit])
  assert.equal((await forceRefund(units)).status, 200)
  assert.deepEqual(await juan.readBalance(), { rCoin: 900, milleage: 0 })
  const { work } = await agent.takeWork()
  assert.deepEqual(
    work.map(({ mark, ...rest }) => rest),
    units.map((unit) => ({ kind: 'cancel', unit, paid: true })),
  )
  await agent.report({ cancelled: [firstUnit, secondUnit], kept: [{ unit: pickedUpUnit, why: 'claimed' }] })
  for (const unit of [firstUnit, secondUnit])
    assert.partialDeepStrictEqual(await readUnit(unit), { state: 'refunded', in_game: '' })
  assert.partialDeepStrictEqual(await readUnit(pickedUpUnit), {
    state: 'refunded',
    in_game: 'taken',
    refund_refused: '',
  })
  assert.deepEqual((await agent.takeWork()).work, [])
  assert.deepEqual(await juan.readBalance(), { rCoin: 900, milleage: 0 })
  await assertBooksAgree(db)
})

test('pauses a unit that was permanently removed from the game, and refunds it on request', async () => {
  const { juan, units } = await createPurchase(1)
  const [unit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({ cancelled: [unit] })
  assert.partialDeepStrictEqual(await readUnit(unit), { state: 'queued', failure_code: 'cancelled' })
  assert.match((await readUnit(unit)).failure, /Refund it/)
  assert.deepEqual((await agent.takeWork()).work, [], 'the unit waits for its retry')
  clock.advance(5001)
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ unit, attempt: 2 }])
  await agent.report({ cancelled: [unit] })
  clock.advance(5001)
  assert.deepEqual((await agent.takeWork()).work, [], 'the second wait is longer')
  assert.deepEqual((await requestRefund([unit])).json().requested, [unit])
  await agent.takeWork()
  await agent.report({ cancelled: [unit] })
  assert.partialDeepStrictEqual(await readUnit(unit), { state: 'refunded', failed_at: null })
  await agent.report({ cancelled: [unit] })
  assert.deepEqual(await juan.readBalance(), { rCoin: 300, milleage: 0 })
})

test('a unit for an account with a changed ID in the game waits for a decision', async () => {
  const { juan, game, units } = await createPurchase(1)
  const [unit = 0] = units
  const accountValues = {
    user_num: juan.userNum,
    state: 'linked',
    game_user_id: 'juan',
    changed_at: clock.now(),
  } as const
  const emptyColumns = { confirmed_by: null, block_due_at: null, handed_by: null, retry_at: null }
  await insertRows(db, 'game_accounts', { ...accountValues, ...emptyColumns })
  const agent = await createBridge()
  const unitValues = { unit, game_user_num: game }
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ ...unitValues, game_user_id: 'juan' }])
  const failure = { unit, code: 'renamed' as const, detail: 'It is “stranger” now.', game_user_id: 'stranger' }
  await agent.report({ failed: [{ ...failure, attempt: 1 }] })
  assert.match((await readUnit(unit)).failure, /now has a different ID in the game.*Account import page.*stranger/)
  const importRows = (await gm.get('/api/admin/game/account-import')).json().odd
  assert.partialDeepStrictEqual(
    importRows.find(({ user_num }: { user_num: number }) => user_num === juan.userNum),
    { game_user_id: 'juan', found_user_id: 'stranger' },
  )
  const decision = { user_num: juan.userNum, found_user_id: 'stranger', is_same: true, reason: 'Asked in the game' }
  assert.equal((await gm.post('/api/admin/game/account-import/renamed', decision)).status, 200)
  clock.advance(5001)
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ ...unitValues, game_user_id: 'stranger' }])
})

test('refuses a text with characters that the database cannot store', async () => {
  const agent = await createBridge()
  const finding = { level: 'note' as const, advice: '' }
  for (const badText of ['a\0b', 'a\ud800b']) {
    const version = {
      ...agent.copy,
      version: badText,
      system: '',
      preset: 'ran-mariadb',
      password_form: 'plain' as const,
    }
    await assert.rejects(agent.call(startBridge, version), isRefusal(/cannot be stored/, 422))
    await assert.rejects(
      agent.call(reportFindings, { problem: badText, findings: [] }),
      isRefusal(/cannot be stored/, 422),
    )
    await assert.rejects(
      agent.call(reportFindings, { problem: null, findings: [{ ...finding, what: badText }] }),
      isRefusal(/cannot be stored/, 422),
    )
  }
})

test('ignores an agent’s reports about units of another game', async () => {
  const { juan, units } = await createPurchase(1)
  const [unit = 0] = units
  const agent = await createBridge()
  await agent.report({ delivered: [{ unit, pur_key: '1' }], flags: [{ unit, flag: 'claimed' }], cancelled: [unit] })
  assert.equal((await readUnit(unit)).state, 'queued', 'the unit was never issued')
  await agent.takeWork()
  const stranger = await createAgentDouble(site, address)
  await assert.rejects(stranger.start(), isRefusal(/Another bridge is working/, 409))
  clock.advance(MINUTE_MS + 1000)
  await assert.rejects(stranger.start(), isRefusal(/belongs to another game database/, 409))
  await gm.post('/api/admin/game/revoke', { bridge: agent.bridge, reason: 'Replaced' })
  await stranger.start()
  await stranger.report({ delivered: [{ unit, pur_key: '1' }], flags: [{ unit, flag: 'claimed' }] })
  assert.equal((await readUnit(unit)).state, 'queued')
  assert.deepEqual(await juan.readBalance(), { rCoin: 0, milleage: 0 })
  assert.equal((await stranger.takeWork()).restore, 'waits', 'the request is from another database')
})

test('delivers nothing after a restore until an operator confirms it, then also the lost units', async () => {
  const agent = await createBridge()
  const { units } = await createPurchase(2)
  const [deliveredUnit = 0, lostUnit = 0] = units
  agent.copy.counter = 8
  await agent.takeWork()
  await agent.report({ delivered: units.map((unit) => ({ unit, pur_key: String(unit) })) })
  const { delivered: inBanks } = (await gm.get('/api/admin/game')).json().deliveries
  const nextPurchase = await createPurchase(1)
  agent.copy.counter = 7
  const confirm = (offer_again: boolean) => gm.post('/api/admin/game/restore', { offer_again, reason: 'Disk broke' })
  await compareAllUnits(agent, { missing: [lostUnit] }, async () =>
    assert.equal((await confirm(true)).status, 409, 'the bridge is still comparing'),
  )
  const { restore: restoreState, deliveries } = (await gm.get('/api/admin/game')).json()
  assert.partialDeepStrictEqual(restoreState, { looked: true, lost: 1, confirmed: false })
  assert.partialDeepStrictEqual(deliveries, { delivered: inBanks - 1, lost: 1 })
  const answer = await confirm(true)
  assert.equal(answer.json().message, 'Deliveries go on. 1 lost unit will be delivered again.')
  const { restore, next_epoch, work } = await agent.takeWork()
  assert.deepEqual([restore, work], ['confirmed', []])
  agent.copy.epoch = next_epoch ?? ''
  agent.copy.counter = 8
  const nextWork = await agent.takeWork()
  assert.deepEqual(
    nextWork.work.map(({ unit }) => unit),
    [lostUnit, nextPurchase.units[0]],
  )
  assert.equal((await readUnit(deliveredUnit)).state, 'delivered')
  agent.copy.epoch = randomUUID()
  assert.equal((await agent.takeWork()).restore, 'waits', 'the epoch is another one')
})

test('counts lost units and lost services separately when a restore is confirmed', async () => {
  const { units } = await createPurchase(2)
  const service = { kind: 'service', service: 'unstuck', service_pause_hours: 0 } as const
  const productNum = await insertItem(db, { item_name: 'Unstuck', price: 100, section: R_COIN, ...service })
  const maria = await createBuyer(site, { rCoin: 100 })
  const chaNum = await insertCharacter(db, { cha_name: 'Nawala', cha_class: '1', user_num: maria.userNum })
  assert.equal((await maria.post(`/api/buyitem?productnum=${productNum}&character=${chaNum}`)).status, 200)
  const at = site.now()
  const { delivery } = await db
    .updateTable('service_orders')
    .set({ state: 'done', done_at: at, lost_at: at })
    .where('user_num', '=', maria.userNum)
    .returning('delivery')
    .executeTakeFirstOrThrow()
  const deliveryNums = [...units, ...(delivery === null ? [] : [delivery])]
  await db
    .updateTable('deliveries')
    .set({ state: 'claimed', handed_at: at, delivered_at: at, claimed_at: at, in_game: 'lost', marked_at: at })
    .where('delivery', 'in', deliveryNums)
    .execute()
  await createBridge()
  const restoreValues = { restored_at: at, looked_at: at, found_epoch: randomUUID(), found_counter: 0 }
  await db.updateTable(STATE_TABLES.shop).set(restoreValues).execute()
  await insertRows(db, STATE_TABLES.game, { epoch: randomUUID(), counter: 1, ...restoreValues })
  const confirm = (by: typeof gm, offer_again: boolean) =>
    by.post('/api/admin/game/restore', { offer_again, reason: 'Disk broke' })

  const helper = await createOperator(site, await createRole(site, 'game.read', 'game.write'))
  const response = await confirm(helper, false)
  assert.equal(response.status, 202, response.text)
  const { summary, effect } = await db
    .selectFrom('approvals')
    .where('approval', '=', response.json().approval)
    .select(['summary', 'effect'])
    .executeTakeFirstOrThrow()
  assert.match(summary, /; 2 lost units not delivered again; 1 lost service not done again$/)
  const numbers = { 'lost units': units, 'lost services': [delivery] }
  assert.partialDeepStrictEqual(effect, numbers)

  assert.equal(
    (await confirm(gm, true)).json().message,
    'Deliveries go on. 2 lost units will be delivered again. Services go on. 1 lost service will be done again.',
  )
  await db.deleteFrom(STATE_TABLES.game).execute()
})

test('a request that has waited since before a restore does not end the restore', async () => {
  const agent = await createBridge()
  agent.copy.counter = 9
  await agent.takeWork()
  const pendingRequest = agent
    .call(takeWork, { ...agent.copy, wait_ms: 1500, doing: [] })
    .catch((error: unknown) => error)
  await sleep(300)
  // The same agent finds that its database was restored, and starts again.
  agent.copy.counter = 4
  await agent.start()
  const isOpen = async () => (await gm.get('/api/admin/game')).json().restore !== null
  assert.ok(await isOpen())
  await createPurchase()
  assert.ok(isRefusal('taken-over', 409)(await pendingRequest))
  assert.ok(await isOpen())
})

test('confirming a restore does not deliver units again that an earlier restore left as lost', async () => {
  const agent = await createBridge()
  const { units } = await createPurchase(2)
  const [firstUnit = 0, secondUnit = 0] = units
  agent.copy.counter = 8
  await agent.takeWork()
  await agent.report({ delivered: units.map((unit) => ({ unit, pur_key: String(unit) })) })
  const loseUnits = async (missing: number[], offer_again: boolean) => {
    agent.copy.counter--
    await compareAllUnits(agent, { missing })
    const restoreState = (await gm.get('/api/admin/game')).json().restore
    const answer = await gm.post('/api/admin/game/restore', { offer_again, reason: 'Disk broke' })
    agent.copy.epoch = (await agent.takeWork()).next_epoch ?? ''
    agent.copy.counter = 20
    await agent.takeWork()
    clock.advance(1000)
    return [restoreState.lost, answer.json().message]
  }
  assert.deepEqual(await loseUnits([firstUnit], false), [
    1,
    'Deliveries go on. 1 lost unit stays marked as lost, under Orders.',
  ])
  const expected = [1, 'Deliveries go on. 1 lost unit will be delivered again.']
  assert.deepEqual(
    await loseUnits([firstUnit, secondUnit], true),
    expected,
    'an operator has decided about the first unit',
  )
  assert.partialDeepStrictEqual(await readUnit(firstUnit), { state: 'delivered', in_game: 'lost' })
  assert.partialDeepStrictEqual(await readUnit(secondUnit), { state: 'queued', in_game: '' })
})

test('treats a picked-up unit that was refunded as paid back after a restore of the game', async () => {
  const { juan, units } = await createPurchase(4)
  const [returnedUnit = 0, missingUnit = 0, twiceUnit = 0, otherUnit = 0] = units
  const agent = await createBridge()
  agent.copy.counter = 8
  await agent.takeWork()
  await agent.report({
    delivered: units.map((unit) => ({ unit, pur_key: String(unit) })),
    flags: units.map((unit) => ({ unit, flag: 'claimed' as const })),
  })
  for (const unit of [returnedUnit, missingUnit, twiceUnit])
    assert.equal((await gm.post('/api/admin/orders/refund-picked-up', { unit, reason: 'Weakened' })).status, 200)
  agent.copy.counter = 7
  await compareAllUnits(agent, { missing: [missingUnit], again: [returnedUnit, otherUnit], twice: [twiceUnit] })
  assert.deepEqual(await Promise.all(units.map(async (unit) => (await readUnit(unit)).in_game)), [
    'back',
    '',
    'taken',
    'again',
  ])
  assert.equal((await gm.post('/api/admin/orders/refund-picked-up', { unit: otherUnit, reason: 'Late' })).status, 409)
  const answer = await gm.post('/api/admin/game/restore', { offer_again: true, reason: 'Disk broke' })
  assert.equal(answer.status, 200, answer.text)
  agent.copy.epoch = (await agent.takeWork()).next_epoch ?? ''
  agent.copy.counter = 8
  const { work } = await agent.takeWork()
  assert.partialDeepStrictEqual(work, [{ kind: 'cancel', unit: returnedUnit, paid: true }])
  await agent.report({ cancelled: [returnedUnit] })
  for (const [unit, in_game] of [
    [returnedUnit, ''],
    [missingUnit, ''],
    [twiceUnit, 'taken'],
  ] as const)
    assert.partialDeepStrictEqual(await readUnit(unit), { state: 'claimed', in_game })
  assert.partialDeepStrictEqual(await readUnit(otherUnit), { state: 'delivered', in_game: '' })
  assert.deepEqual(await juan.readBalance(), { rCoin: 900, milleage: 0 })
  await assertBooksAgree(db)
})

test('finds no lost units when a bridge returns to its former database, and keeps earlier losses', async () => {
  const { units } = await createPurchase(3)
  const [unit = 0, pickedUpUnit = 0, lostUnit = 0] = units
  const agent = await createBridge()
  await agent.takeWork()
  await agent.report({
    delivered: units.map((unitNum) => ({ unit: unitNum, pur_key: String(unitNum) })),
    flags: [{ unit: pickedUpUnit, flag: 'claimed' }],
  })
  await db.updateTable('deliveries').set({ in_game: 'lost' }).where('delivery', '=', lostUnit).execute()
  const formerCopy = { ...agent.copy }
  clock.advance(1000)
  agent.copy.epoch = randomUUID()
  assert.equal((await agent.takeWork()).restore, 'waits')
  await agent.report({ looked: { through: lostUnit, missing: units, back: [] } })
  assert.equal((await readUnit(unit)).in_game, 'lost')
  agent.copy.epoch = formerCopy.epoch
  assert.equal((await agent.takeWork()).restore, 'none')
  assert.partialDeepStrictEqual(await readUnit(unit), { state: 'delivered', in_game: '' })
  assert.partialDeepStrictEqual(await readUnit(pickedUpUnit), { state: 'claimed', in_game: '' })
  assert.equal((await gm.post('/api/admin/orders/retry', { units: [pickedUpUnit] })).status, 409)
  assert.equal((await readUnit(lostUnit)).in_game, 'lost')
})

test('can send a failed unit to another account, but not a unit that may be in the game', async () => {
  const { units } = await createPurchase(2)
  const [unit = 0, deliveredUnit = 0] = units
  const maria = await createBuyer(site, {})
  const gameUser = await linkAccount(site, maria.userNum)
  const { user_id } = await db
    .selectFrom('accounts')
    .where('user_num', '=', maria.userNum)
    .select('user_id')
    .executeTakeFirstOrThrow()
  const agent = await createBridge()
  await agent.takeWork()
  const redirect = (unitNums: number[]) =>
    gm.post('/api/admin/orders/redirect', { units: unitNums, user_id: user_id.toUpperCase(), reason: 'Account lost' })
  assert.equal((await redirect([unit])).status, 409)
  await agent.report({
    failed: [{ unit, attempt: 1, code: 'no-player', detail: '' }],
    delivered: [{ unit: deliveredUnit, pur_key: '5' }],
  })
  assert.equal((await redirect([unit, deliveredUnit])).status, 409)
  assert.equal((await redirect([unit])).json().message, `1 unit will go to ${user_id}.`)
  assert.partialDeepStrictEqual((await agent.takeWork()).work, [{ unit, game_user_num: gameUser }])
})
