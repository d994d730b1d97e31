import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAPSULE_TEXTS } from '#contract/capsules.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertItem,
  runConcurrently,
} from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const prizes = [
  await insertItem(db, { item_name: 'Common of Capsules', price: 10 }),
  await insertItem(db, { item_name: 'Rare of Capsules', price: 500 }),
  await insertItem(db, { item_name: 'Rarest of Capsules', price: 5000 }),
]
const CHANCES = [900_000, 99_990, 10]

const saveCapsule = (values: object, operator = gm) =>
  operator.post('/api/admin/capsules/save', {
    capsule: null,
    version: null,
    name: 'Capsule of tests',
    description: '',
    currency: 'r_coin',
    price: 50,
    visible: true,
    chances: prizes.map((product_num, index) => ({ product_num, chance: CHANCES[index] })),
    ...values,
  })
const createCapsule = async (values: object = {}) => {
  const answer = await saveCapsule(values)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as { capsule: number; version: number }
}
const drawPrize = (player: Buyer, { capsule, version }: { capsule: number; version: number }, key?: string) =>
  player.post('/api/drawcapsule', { capsule, version }, key === undefined ? {} : { 'Idempotency-Key': key })
const readChances = async (player: Buyer, capsule: number) =>
  (await player.get(`/api/capsules/${capsule}/chances`)).json()

test('a draw takes the price, queues the prize, and records the version and the drawn number', async () => {
  const capsule = await createCapsule()
  const ana = await createBuyer(site, { rCoin: 100 })
  const answer = await drawPrize(ana, capsule)
  assert.equal(answer.status, 200, answer.text)
  const { drawn, userPoints } = answer.json()
  assert.equal(userPoints, 50)
  assert.ok(prizes.includes(drawn.product_num))
  const units = await db.selectFrom('deliveries').where('user_num', '=', ana.userNum).selectAll().execute()
  assert.deepEqual(
    units.map(({ product_num, state }) => [product_num, state]),
    [[drawn.product_num, 'queued']],
  )
  const [latest] = (await ana.get('/api/capsuledraws')).json().draws
  assert.partialDeepStrictEqual(latest, {
    version: capsule.version,
    out_of: 1_000_000,
    price: 50,
    product_num: drawn.product_num,
  })
  // The ranges of the drawn number, in the order of the chances.
  const bounds = {
    [prizes[0] ?? 0]: [0, 900_000],
    [prizes[1] ?? 0]: [900_000, 999_990],
    [prizes[2] ?? 0]: [999_990, 1_000_000],
  }
  const [from = 0, to = 0] = bounds[drawn.product_num] ?? []
  assert.ok(latest.number >= from && latest.number < to)
  const [history] = (await ana.get('/api/shoppurchases')).json().purchasehistory
  assert.partialDeepStrictEqual(history, { shopitem: { ProductNum: drawn.product_num, price: 50 }, quantity: 1 })
  await assertBooksAgree(db)
})

test('draws no prize twice until all are drawn, and shows the chances of the next draw', async () => {
  const capsule = await createCapsule()
  const ana = await createBuyer(site, { rCoin: 1000 })
  for (let round = 0; round < 2; round++) {
    const drawnNums: number[] = []
    for (let draw = 0; draw < prizes.length; draw++) {
      const { out_of, prizes: nextPrizes } = await readChances(ana, capsule.capsule)
      const remainingPrizes = nextPrizes.filter(
        ({ product_num }: { product_num: number }) => !drawnNums.includes(product_num),
      )
      assert.equal(
        out_of,
        remainingPrizes.reduce((sum: number, { chance }: { chance: number }) => sum + chance, 0),
      )
      assert.ok(remainingPrizes.every(({ chance }: { chance: number }) => chance > 0))
      for (const { product_num, chance } of nextPrizes) if (drawnNums.includes(product_num)) assert.equal(chance, 0)
      drawnNums.push((await drawPrize(ana, capsule)).json().drawn.product_num)
    }
    assert.deepEqual(drawnNums.toSorted(), prizes.toSorted())
  }
  const { out_of, draws, spent } = await readChances(ana, capsule.capsule)
  assert.deepEqual([out_of, draws, spent], [1_000_000, 6, { r_coin: 300, milleage: 0 }])
  assert.equal((await ana.get('/api/capsuledraws')).json().draws.length, 6)
})

test('draws once for each idempotency key, and concurrent draws give each prize once', async () => {
  const capsule = await createCapsule()
  const [ana, ben] = [await createBuyer(site, { rCoin: 1000 }), await createBuyer(site, { rCoin: 150 })]
  const repeatedAnswers = await runConcurrently(5, () => drawPrize(ana, capsule, 'one draw'))
  assert.equal(new Set(repeatedAnswers.map(({ text }) => text)).size, 1)
  assert.equal((await ana.readBalance()).rCoin, 950)
  const answers = await runConcurrently(6, () => drawPrize(ben, capsule))
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 3 })
  const drawnNums = answers.filter(({ status }) => status === 200).map((answer) => answer.json().drawn.product_num)
  assert.deepEqual(drawnNums.toSorted(), prizes.toSorted())
  await assertBooksAgree(db)
})

test('refuses a draw without money, of a hidden or changed capsule, or during maintenance', async () => {
  const capsule = await createCapsule({ currency: 'milleage', price: 70 })
  const ana = await createBuyer(site, { rCoin: 1000, milleage: 69 })
  assertRefused(await drawPrize(ana, capsule), 422, SHOP_TEXTS.shortMilleage)
  assertRefused(await drawPrize(ana, { capsule: 999_999, version: 1 }), 404, CAPSULE_TEXTS.capsuleNotFound)
  assertRefused(await drawPrize(ana, { ...capsule, version: capsule.version + 1 }), 409, CAPSULE_TEXTS.changed)
  const hiddenCapsule = await createCapsule({ visible: false })
  assertRefused(await drawPrize(ana, hiddenCapsule), 404)
  assertRefused(await ana.get(`/api/capsules/${hiddenCapsule.capsule}`), 404)
  const maintenance = { from: clock.now().toISOString(), until: '', message: 'Back soon.', allowed: [] }
  await changeSettings(site, { maintenance })
  assertRefused(await drawPrize(ana, capsule), 503, 'Back soon.')
  await changeSettings(site, { maintenance: { ...maintenance, from: '' } })
  assert.deepEqual(await ana.readBalance(), { rCoin: 1000, milleage: 69 })
})

test('a prize is refunded only if it cannot be delivered', async () => {
  const capsule = await createCapsule()
  const ana = await createBuyer(site, { rCoin: 50 })
  await drawPrize(ana, capsule)
  const { delivery } = await db
    .selectFrom('deliveries')
    .where('user_num', '=', ana.userNum)
    .select('delivery')
    .executeTakeFirstOrThrow()
  const refund = () => gm.post('/api/admin/orders/refund', { units: [delivery], reason: 'Player request' })
  assertRefused(await refund(), 409)
  await updateRows(
    db,
    'deliveries',
    { delivery },
    { handed_at: clock.now(), failed_at: clock.now(), failure: 'The item bank is full.' },
  )
  assert.equal((await refund()).status, 200)
})

test('the call and the database require whole chances with the sum 1,000,000', async () => {
  const [firstItem = 0, secondItem = 0] = prizes
  const wrongChances = [
    [{ product_num: firstItem, chance: 999_999 }],
    [
      { product_num: firstItem, chance: 600_000 },
      { product_num: secondItem, chance: 400_001 },
    ],
    [
      { product_num: firstItem, chance: 0.5 },
      { product_num: secondItem, chance: 999_999.5 },
    ],
    [
      { product_num: firstItem, chance: 500_000 },
      { product_num: firstItem, chance: 500_000 },
    ],
    [{ product_num: 999_999, chance: 1_000_000 }],
    [],
  ]
  for (const chances of wrongChances) assertRefused(await saveCapsule({ chances }), 422)
  const { capsule } = await createCapsule()
  const insert = (chance: number) =>
    db.insertInto('capsule_chances').values({ capsule, version: 99, product_num: firstItem, chance }).execute()
  await assert.rejects(insert(999_999), /capsule_chances_sum|instead of 1000000/)
  await assert.rejects(db.updateTable('capsule_chances').set({ chance: 5 }).where('capsule', '=', capsule).execute())
  await assert.rejects(db.deleteFrom('capsule_chances').where('capsule', '=', capsule).execute())
})

test('each change creates a version; draws retain their version, and a player’s round continues', async () => {
  const capsule = await createCapsule({
    chances: [
      { product_num: prizes[0], chance: 500_000 },
      { product_num: prizes[1], chance: 500_000 },
    ],
  })
  const ana = await createBuyer(site, { rCoin: 1000 })
  const firstPrize = (await drawPrize(ana, capsule)).json().drawn.product_num
  const newVersion = await createCapsule({ capsule: capsule.capsule, version: capsule.version })
  assert.equal(newVersion.version, capsule.version + 1)
  assertRefused(await saveCapsule({ capsule: capsule.capsule, version: capsule.version }), 409)
  assertRefused(await drawPrize(ana, capsule), 409)
  const otherPrizes = [(await drawPrize(ana, newVersion)).json(), (await drawPrize(ana, newVersion)).json()].map(
    ({ drawn }) => drawn.product_num,
  )
  assert.deepEqual([firstPrize, ...otherPrizes].toSorted(), prizes.toSorted())
  const { draws } = (await ana.get('/api/capsuledraws')).json()
  assert.deepEqual(
    draws.map(({ version }: { version: number }) => version),
    [newVersion.version, newVersion.version, capsule.version],
  )
})

test('a lower daily limit of draws applies at once, a higher one or none after a day', async () => {
  const capsule = await createCapsule()
  const ana = await createBuyer(site, { rCoin: 10_000 })
  const setLimit = (draws: number | null) => ana.post('/api/capsulelimit', { draws })
  const readLimit = async () => (await readChances(ana, capsule.capsule)).limit
  /** Advances the clock in steps, and uses the session after each, which otherwise would expire. */
  const advanceTime = async (ms: number) => {
    for (let remainingMs = ms; remainingMs > 0; remainingMs -= 8 * HOUR_MS) {
      clock.advance(Math.min(remainingMs, 8 * HOUR_MS))
      await readLimit()
    }
  }
  assert.deepEqual(await readLimit(), { draws: null, later: null, today: 0 })
  for (const draws of [-1, 1001, 1.5, '3', undefined])
    assert.equal((await ana.post('/api/capsulelimit', { draws })).status, 422)
  assert.deepEqual((await setLimit(3)).json(), { message: CAPSULE_TEXTS.limitSet })
  assert.equal((await drawPrize(ana, capsule)).status, 200)
  const answers = await runConcurrently(6, () => drawPrize(ana, capsule))
  assert.deepEqual(countStatuses(answers), { 200: 2, 409: 4 })
  for (const answer of answers.filter(({ status }) => status === 409))
    assertRefused(answer, 409, CAPSULE_TEXTS.ownLimit)
  assert.equal((await ana.readBalance()).rCoin, 10_000 - 3 * 50)

  assert.deepEqual((await setLimit(null)).json(), { message: CAPSULE_TEXTS.limitLater })
  assertRefused(await drawPrize(ana, capsule), 409, CAPSULE_TEXTS.ownLimit)
  const from = new Date(clock.now().getTime() + DAY_MS).toISOString()
  assert.deepEqual(await readLimit(), { draws: 3, later: { draws: null, from }, today: 3 })
  // A lower limit cancels a pending raise.
  assert.deepEqual((await setLimit(1)).json(), { message: CAPSULE_TEXTS.limitSet })
  assert.deepEqual(await readLimit(), { draws: 1, later: null, today: 3 })
  assert.deepEqual((await setLimit(5)).json(), { message: CAPSULE_TEXTS.limitLater })
  await advanceTime(DAY_MS - 1)
  assert.equal((await readLimit()).draws, 1)
  assert.equal((await drawPrize(ana, capsule)).status, 200)
  assertRefused(await drawPrize(ana, capsule), 409, CAPSULE_TEXTS.ownLimit)
  clock.advance(1)
  assert.deepEqual(await readLimit(), { draws: 5, later: null, today: 1 })
  assert.equal((await drawPrize(ana, capsule)).status, 200)
  await setLimit(0)
  await advanceTime(2 * DAY_MS)
  assertRefused(await drawPrize(ana, capsule), 409, CAPSULE_TEXTS.ownLimit)
  await assertBooksAgree(db)
})
