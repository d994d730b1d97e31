import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import type { Maintenance } from '#contract/settings.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused, createRegistration, openPlayerSession, tryLogin } from '#test/account-helpers.ts'
import { openBareDatabase } from '#test/databases.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { type Buyer, createBuyer, insertItem, insertVouchers } from '#test/money-helpers.ts'
import { migrate } from './db/migrate.ts'
import { awaitMoneyCalls } from './maintenance.ts'
import { writeSettings } from './settings.ts'

const site = await createTestApp()
const NO_MAINTENANCE = { from: '', until: '', message: '', allowed: [] }
const MESSAGE = 'We are moving to a larger disk. Back at half past six.'
const formatTimeIn = (ms: number) => new Date(site.now().getTime() + ms).toISOString()
const productNum = await insertItem(site.db, { price: 100 })

async function createVoucher(): Promise<string> {
  const [code = ''] = await insertVouchers(site.db, 1, { r_coin: 50 })
  return code
}

/** Starts maintenance with an announced end in 90 minutes by default. */
const startMaintenance = (values: Partial<Maintenance> = {}) =>
  changeSettings(site, {
    maintenance: {
      from: formatTimeIn(0),
      until: formatTimeIn(90 * MINUTE_MS),
      message: MESSAGE,
      allowed: [],
      ...values,
    },
  })
const endMaintenance = () => changeSettings(site, { maintenance: NO_MAINTENANCE })

test('refuses calls that move money with 503, the operators’ message and Retry-After', async () => {
  const buyer = await createBuyer(site, { rCoin: 1000 })
  const code = await createVoucher()
  await buyer.add(productNum)
  await startMaintenance()
  for (const call of [() => buyer.buy(productNum), () => buyer.buyCart(), () => buyer.redeem(code)]) {
    const answer = await call()
    assertRefused(answer, 503, MESSAGE)
    assert.equal(answer.headers.get('Retry-After'), String(90 * 60))
  }
  assert.deepEqual(await buyer.readBalance(), { rCoin: 1000, milleage: 0 })
  assert.equal((await buyer.cart()).length, 1)
  await startMaintenance({ until: '' })
  assert.equal((await buyer.buy(productNum)).headers.get('Retry-After'), '300', 'no announced end')
  await endMaintenance()
  assert.equal((await buyer.buyCart()).status, 200)
  assert.equal((await buyer.redeem(code)).status, 200)
  assert.deepEqual(await buyer.readBalance(), { rCoin: 950, milleage: 0 })
})

test('does not store a refusal: the same request works after maintenance', async () => {
  const buyer = await createBuyer(site, { rCoin: 1000 })
  const code = await createVoucher()
  await buyer.add(productNum)
  await startMaintenance()
  const calls = [
    () => buyer.buy(productNum, 'one'),
    () => buyer.buyCart(undefined, 'two'),
    () => buyer.redeem(code, '', 'three'),
  ]
  for (const call of calls) assert.equal((await call()).status, 503)
  await endMaintenance()
  for (const call of calls) assert.equal((await call()).status, 200)
  await startMaintenance()
  for (const call of calls) assert.equal((await call()).status, 200, 'a completed request gets its response again')
  assert.deepEqual(await buyer.readBalance(), { rCoin: 850, milleage: 0 })
  assertRefused(await buyer.buy(productNum + 1, 'one'), 422, SHOP_TEXTS.keyReused)
  await endMaintenance()
})

test('lets only staff and listed players log in; everyone can read and log out', async () => {
  const juan = await openPlayerSession(site, 'juan')
  await startMaintenance({ allowed: ['MARIA'] })
  assert.deepEqual(await tryLogin(site, 'juan', 'juan-demo-1'), {
    user: null,
    token: null,
    message: MESSAGE,
    status: 6,
  })
  assert.equal((await tryLogin(site, 'juan', 'wrong')).message, LOGIN_ANSWERS.wrong)
  assert.notEqual((await tryLogin(site, 'maria', 'maria-demo-1')).token, null)
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1')).status, 11)
  for (const path of ['/api/shopcart', '/api/shoppurchases', '/api/topuphistory'])
    assert.equal((await juan.get(path)).status, 200, path)
  for (const path of ['/api/site', '/api/getnewsall/0/8/1/0', '/api/itemshop', '/api/shopcategories'])
    assert.equal((await site.get(path)).status, 200, path)
  assert.equal((await juan.post('/api/logout')).status, 200)
  await endMaintenance()
})

test('starts and ends planned maintenance at its times', async () => {
  const buyer = await createBuyer(site, { rCoin: 1000 })
  await startMaintenance({ from: formatTimeIn(10 * MINUTE_MS), until: formatTimeIn(20 * MINUTE_MS) })
  const readStatuses = async () => [
    (await buyer.buy(productNum)).status,
    (await tryLogin(site, 'juan', 'juan-demo-1')).status,
  ]
  assert.deepEqual(await readStatuses(), [200, 1])
  site.clock.advance(10 * MINUTE_MS)
  assert.deepEqual(await readStatuses(), [503, 6])
  site.clock.advance(10 * MINUTE_MS - 1)
  assert.deepEqual(await readStatuses(), [503, 6])
  assert.equal((await buyer.buy(productNum)).headers.get('Retry-After'), '1')
  site.clock.advance(1)
  assert.deepEqual(await readStatuses(), [200, 1])
  await endMaintenance()
})

test('completes a running purchase before maintenance starts, and refuses the next one', {
  skip: site.database.kind === 'embedded' ? 'one connection has no race: npm run test:postgres' : false,
}, async () => {
  const firstBuyer = await createBuyer(site, { rCoin: 1000 })
  const secondBuyer = await createBuyer(site, { rCoin: 1000 })
  const outcomes: string[] = []
  const recordOutcome = (name: string) => (result: { status: number }) => {
    outcomes.push(`${name} ${result.status}`)
  }
  /** Waits until `count` statements are waiting for a lock. */
  const waitForLocks = async (count: number) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(site.db)
    if (rows[0]?.n === count) return
    await sleep(10)
    await waitForLocks(count)
  }
  const lockTaken = Promise.withResolvers<void>()
  const lockEnd = Promise.withResolvers<void>()
  const lockTransaction = site.db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').where('user_num', '=', firstBuyer.userNum).select('user_num').forUpdate().execute()
    lockTaken.resolve()
    await lockEnd.promise
  })
  await lockTaken.promise
  const code = await createVoucher()
  const purchase = firstBuyer.buy(productNum).then(recordOutcome('first'))
  await waitForLocks(1)
  const maintenanceStart = site.db
    .transaction()
    .execute(async (tx) => {
      await awaitMoneyCalls(tx)
      const value = { from: formatTimeIn(0), until: '', message: MESSAGE, allowed: [] }
      const { version } = await tx
        .selectFrom('settings')
        .where('name', '=', 'maintenance')
        .select('version')
        .executeTakeFirstOrThrow()
      await writeSettings(tx, [{ name: 'maintenance', value, version }], {
        userNum: null,
        name: 'test',
        now: site.now(),
      })
      return { status: 0 }
    })
    .then(recordOutcome('maintenance'))
  await waitForLocks(2)
  const lateCalls = Promise.all([
    secondBuyer.buy(productNum).then(recordOutcome('second')),
    secondBuyer.redeem(code).then(recordOutcome('second')),
  ])
  await waitForLocks(4)
  assert.deepEqual(outcomes, [])
  lockEnd.resolve()
  await Promise.all([lockTransaction, purchase, maintenanceStart, lateCalls])
  assert.deepEqual(outcomes.toSorted(), ['first 200', 'maintenance 0', 'second 503', 'second 503'])
  assert.deepEqual(
    [await firstBuyer.readBalance(), await secondBuyer.readBalance()],
    [
      { rCoin: 900, milleage: 0 },
      { rCoin: 1000, milleage: 0 },
    ],
  )
  await endMaintenance()
})

/** Lists every call that spends money, each with its own key. */
function listSpendingCalls(buyer: Buyer, to: string, capsule: { capsule: number; version: number }) {
  const createKeyHeader = (name: string) => ({ 'Idempotency-Key': `${name} ${buyer.userNum}` })
  return [
    () => buyer.buy(productNum, `item ${buyer.userNum}`),
    () => buyer.buyCart(undefined, `cart ${buyer.userNum}`),
    () => buyer.post('/api/buygift', { productnum: productNum, user_id: to, note: '' }, createKeyHeader('gift')),
    () => buyer.post('/api/drawcapsule', capsule, createKeyHeader('draw')),
  ]
}

test('while purchases are closed, refuses calls that spend money, but redeems codes', async () => {
  const buyer = await createBuyer(site, { rCoin: 5000 })
  await updateRows(
    site.db,
    'accounts',
    { user_num: buyer.userNum },
    { created_at: new Date(0), email_verified_at: new Date(0) },
  )
  const capsule = await site.db
    .selectFrom('capsules')
    .where('visible', '=', true)
    .select(['capsule', 'version'])
    .executeTakeFirstOrThrow()
  await buyer.add(productNum)
  await changeSettings(site, { purchases_open: false, purchases_message: 'The shop opens with the first season.' })
  const calls = listSpendingCalls(buyer, 'maria', capsule)
  for (const call of calls) {
    const answer = await call()
    assertRefused(answer, 503, 'The shop opens with the first season.')
    assert.equal(answer.headers.get('Retry-After'), '300')
  }
  assert.deepEqual(await buyer.readBalance(), { rCoin: 5000, milleage: 0 })
  assert.equal((await buyer.redeem(await createVoucher())).status, 200)
  for (const path of ['/api/itemshop', '/api/capsules']) assert.equal((await site.get(path)).status, 200, path)
  const readClosedNotice = async () => (await site.get('/api/site')).json().purchases_closed
  assert.deepEqual(await readClosedNotice(), { text: 'The shop opens with the first season.', from: '' })

  // Announces a planned opening, which takes effect at its time.
  await changeSettings(site, {
    purchases_open: true,
    purchases_from: formatTimeIn(10 * MINUTE_MS),
    purchases_message: '',
  })
  assertRefused(await buyer.buy(productNum), 503, SHOP_TEXTS.closed)
  assert.equal((await buyer.buy(productNum)).headers.get('Retry-After'), '600')
  assert.deepEqual(await readClosedNotice(), { text: SHOP_TEXTS.closed, from: formatTimeIn(10 * MINUTE_MS) })
  site.clock.advance(10 * MINUTE_MS)
  site.cache.clear()
  assert.equal(await readClosedNotice(), null)
  // A refusal was not stored, so the same request works now, and completed requests get the same response again.
  for (const call of calls) assert.equal((await call()).status, 200)
  await changeSettings(site, { purchases_open: false })
  for (const call of calls) assert.equal((await call()).status, 200)
  await changeSettings(site, { purchases_open: true, purchases_from: '' })
})

test('refuses registrations while registration is closed', async () => {
  await changeSettings(site, { registration_open: false })
  assertRefused(await site.post('/api/register', createRegistration()), 409, REGISTRATION_TEXTS.closed)
  await changeSettings(site, { registration_open: true })
  assert.equal((await site.post('/api/register', createRegistration())).status, 200)
})

test('purchases on a new site are closed until an operator opens them', async (t) => {
  const { db, close } = await openBareDatabase()
  t.after(close)
  await migrate(db)
  assert.deepEqual((await sql`select from purchases_open`.execute(db)).rows, [])
})
