import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { PRICE_MAX } from '#contract/limits.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  countUnits,
  createBuyer,
  insertItem,
  MILLEAGE,
  R_COIN,
  readMoneyRows,
  runConcurrently,
} from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
const hoodie = await insertItem(db, { item_name: 'Hoodie', price: 300, section: R_COIN })
const mami = await insertItem(db, { item_name: 'Mami', price: 40, section: MILLEAGE })
const pin = await insertItem(db, { item_name: 'Pin', price: 7, section: 5 })
let juan: Buyer

beforeEach(async () => {
  juan = await createBuyer(site, { rCoin: 1000, milleage: 500 })
})

async function fillCart(buyer: Buyer, ...products: number[]) {
  for (const productNum of products) await buyer.add(productNum)
  return new Map((await buyer.cart()).map((line) => [line.productnum, line.seq]))
}

const setPrice = (productNum: number, price: number) =>
  db.updateTable('shop_items').set({ price }).where('product_num', '=', productNum).execute()

/** Asserts that refused purchases change nothing of the buyer's money and cart. */
async function assertChangesNothing(buyer: Buyer, work: () => Promise<unknown>) {
  const rowsBefore = await readMoneyRows(db, buyer.userNum)
  await work()
  assert.deepEqual(await readMoneyRows(db, buyer.userNum), rowsBefore)
}

test('charges R-Coin for section 2 and Milleage for every other section', async () => {
  assert.deepEqual((await juan.buy(hoodie)).json(), { message: SHOP_TEXTS.bought, userPoints: 700, userPoints2: 500 })
  assert.deepEqual((await juan.buy(mami)).json(), { message: SHOP_TEXTS.bought, userPoints: 700, userPoints2: 460 })
  assert.deepEqual((await juan.buy(pin)).json(), { message: SHOP_TEXTS.bought, userPoints: 700, userPoints2: 453 })
  const rows = await db
    .selectFrom('ledger')
    .where('user_num', '=', juan.userNum)
    .where('reason', '=', 'purchase')
    .select(['currency', 'delta', 'balance_after', 'reference'])
    .orderBy('entry')
    .execute()
  assert.deepEqual(rows, [
    { currency: 'r_coin', delta: -300, balance_after: 700, reference: 'purchases 1-1' },
    { currency: 'milleage', delta: -40, balance_after: 460, reference: 'purchases 2-2' },
    { currency: 'milleage', delta: -7, balance_after: 453, reference: 'purchases 3-3' },
  ])
  assert.equal(await countUnits(db, juan.userNum), 3)
})

test('sells when the balance equals the price, and changes nothing when it is one point short', async () => {
  const exactBuyer = await createBuyer(site, { rCoin: 300 })
  assert.equal((await exactBuyer.buy(hoodie)).json().userPoints, 0)
  const poorBuyer = await createBuyer(site, { rCoin: 299, milleage: 39 })
  await assertChangesNothing(poorBuyer, async () => {
    assertRefused(await poorBuyer.buy(hoodie), 422, SHOP_TEXTS.shortRCoin)
    assertRefused(await poorBuyer.buy(mami), 422, SHOP_TEXTS.shortMilleage)
    await fillCart(poorBuyer, hoodie, mami)
    assertRefused(await poorBuyer.buyCart(), 422, SHOP_TEXTS.shortBoth)
    for (const { seq } of await poorBuyer.cart()) await poorBuyer.step(seq, -1)
  })
})

test('charges a cart in both currencies, empties it, and queues each unit', async () => {
  const seqs = await fillCart(juan, hoodie, mami, mami, mami, pin)
  assert.deepEqual((await juan.buyCart()).json(), { message: SHOP_TEXTS.bought, userPoints: 700, userPoints2: 373 })
  assert.deepEqual(await juan.cart(), [])
  assert.equal(await countUnits(db, juan.userNum), 5)
  const history = (await juan.get('/api/shoppurchases')).json().purchasehistory
  assert.deepEqual(
    history.map((row: { shopitem: { ItemName: string }; quantity: number }) => [row.shopitem.ItemName, row.quantity]),
    [
      ['Pin', 1],
      ['Mami', 3],
      ['Hoodie', 1],
    ],
  )
  assert.equal(seqs.size, 3)
  await assertBooksAgree(db)
})

test('buys every checked line if `items` is missing or empty', async () => {
  for (const items of [undefined, '', ' ', '[]']) {
    const buyer = await createBuyer(site, { rCoin: 1000, milleage: 500 })
    const seqs = await fillCart(buyer, hoodie, mami)
    await buyer.toggle(seqs.get(hoodie) ?? 0)
    assert.deepEqual((await buyer.buyCart(items)).json(), {
      message: SHOP_TEXTS.bought,
      userPoints: 1000,
      userPoints2: 460,
    })
    assert.deepEqual(
      (await buyer.cart()).map(({ productnum }) => productnum),
      [hoodie],
    )
  }
})

test('buys only the listed lines, and reads only their seq', async () => {
  const seqs = await fillCart(juan, hoodie, mami, pin)
  const line = (productNum: number) => ({
    seq: seqs.get(productNum),
    quantity: 1e9,
    price: 1,
    isChecked: 0,
    productnum: hoodie,
    shopitem: { price: 0, section: 1, ProductNum: hoodie },
  })
  const answer = await juan.buyCart([line(mami), line(pin), line(mami)])
  assert.deepEqual(answer.json(), { message: SHOP_TEXTS.bought, userPoints: 1000, userPoints2: 453 })
  assert.deepEqual(
    (await juan.cart()).map(({ productnum }) => productnum),
    [hoodie],
  )
})

test('buys nothing for a list with an unchecked, unknown or other user’s line', async () => {
  const maria = await createBuyer(site)
  const otherLines = await fillCart(maria, mami)
  const seqs = await fillCart(juan, hoodie, mami)
  await juan.toggle(seqs.get(hoodie) ?? 0)
  const validLine = { seq: seqs.get(mami) }
  const lists: unknown[] = [
    [validLine, { seq: seqs.get(hoodie) }],
    [validLine, { seq: otherLines.get(mami) }],
    [validLine, { seq: 999_999_999 }],
    ...[0, -1, 1e9, 1e300, 'NaN', null, 1.5, '', 'x', [], {}, true].map((seq) => [validLine, { seq }]),
    [validLine, { seq: [validLine.seq] }],
    [validLine, {}],
    [validLine, null],
    [validLine, 3],
    [[validLine]],
    '{"seq":1}',
    '"all"',
    'null',
    '0',
    'NaN',
    '[',
    "1' or '1'='1",
    '<script>alert(1)</script>',
    '\u0000',
    `[${'{"seq":1},'.repeat(3000)}{"seq":1}]`,
  ]
  for (const items of lists) {
    await assertChangesNothing(juan, async () => assertRefused(await juan.buyCart(items), 422, SHOP_TEXTS.notChecked))
  }
  assert.equal((await maria.cart()).length, 1)
})

test('buys nothing for an empty cart or one without checked lines', async () => {
  assertRefused(await juan.buyCart(), 422, SHOP_TEXTS.nothingChecked)
  const seqs = await fillCart(juan, mami)
  await juan.toggle(seqs.get(mami) ?? 0)
  await assertChangesNothing(juan, async () => assertRefused(await juan.buyCart(), 422, SHOP_TEXTS.nothingChecked))
})

test('buys none of the checked lines if one of two currencies is short', async () => {
  const buyer = await createBuyer(site, { rCoin: 299, milleage: 500 })
  await fillCart(buyer, hoodie, mami)
  await assertChangesNothing(buyer, async () => assertRefused(await buyer.buyCart(), 422, SHOP_TEXTS.shortRCoin))
  const otherBuyer = await createBuyer(site, { rCoin: 300, milleage: 39 })
  await fillCart(otherBuyer, hoodie, mami)
  await assertChangesNothing(otherBuyer, async () =>
    assertRefused(await otherBuyer.buyCart(), 422, SHOP_TEXTS.shortMilleage),
  )
})

test('charges the current price if it changed after the item was added', async () => {
  const item = await insertItem(db, { price: 10 })
  await fillCart(juan, item, item)
  await setPrice(item, 25)
  assert.equal((await juan.cart())[0]?.shopitem.price, 25)
  assert.equal((await juan.buyCart()).json().userPoints, 950)
  await db.updateTable('shop_items').set({ section: MILLEAGE }).where('product_num', '=', item).execute()
  assert.deepEqual((await juan.buy(item)).json(), { message: SHOP_TEXTS.bought, userPoints: 950, userPoints2: 475 })
  const [lastPurchase, firstPurchase] = (await juan.get('/api/shoppurchases')).json().purchasehistory
  assert.deepEqual(
    [lastPurchase.shopitem.section, firstPurchase.shopitem.section, firstPurchase.shopitem.price],
    [MILLEAGE, R_COIN, 25],
  )
})

test('refuses a listed line with a hidden item, and skips it when no lines are listed', async () => {
  const seasonal = await insertItem(db, { price: 10 })
  const seqs = await fillCart(juan, seasonal, mami)
  await db.updateTable('shop_items').set({ visible: false }).where('product_num', '=', seasonal).execute()
  const listedLines = [{ seq: seqs.get(seasonal) }, { seq: seqs.get(mami) }]
  await assertChangesNothing(juan, async () => assertRefused(await juan.buyCart(listedLines), 422, SHOP_TEXTS.itemGone))
  assert.deepEqual((await juan.buyCart()).json(), { message: SHOP_TEXTS.bought, userPoints: 1000, userPoints2: 460 })
  assertRefused(await juan.buyCart(), 422, SHOP_TEXTS.nothingChecked)
})

test('ignores price and section in a request, and a quantity in its body', async () => {
  const answer = await juan.post(`/api/buyitem?productnum=${hoodie}&price=0&section=1`, { price: 0, quantity: 1e9 })
  assert.deepEqual(answer.json(), { message: SHOP_TEXTS.bought, userPoints: 700, userPoints2: 500 })
  assert.equal(await countUnits(db, juan.userNum), 1)
})

test('books several units of an item as one purchase, and queues each unit', async () => {
  const answer = await juan.buy(mami, undefined, 3)
  assert.deepEqual(answer.json(), { message: SHOP_TEXTS.bought, userPoints: 1000, userPoints2: 380 })
  const [purchase, ...otherPurchases] = (await juan.get('/api/shoppurchases')).json().purchasehistory
  assert.deepEqual([purchase.quantity, purchase.shopitem.price, otherPurchases.length], [3, 40, 0])
  const units = await db.selectFrom('deliveries').where('user_num', '=', juan.userNum).select('unit').execute()
  assert.deepEqual(
    units.map(({ unit }) => unit),
    [1, 2, 3],
  )
  const ledgerQuery = await db
    .selectFrom('ledger')
    .where('user_num', '=', juan.userNum)
    .where('reason', '=', 'purchase')
  assert.deepEqual(await ledgerQuery.select(['delta', 'balance_after', 'reference']).execute(), [
    { delta: -120, balance_after: 380, reference: 'purchases 1-1' },
  ])
  await assertBooksAgree(db)
})

test('buys no unit if the money is not enough for all', async () => {
  const buyer = await createBuyer(site, { rCoin: 899, milleage: 500 })
  await assertChangesNothing(buyer, async () => {
    assertRefused(await buyer.buy(hoodie, undefined, 3), 422, SHOP_TEXTS.shortRCoin)
  })
  assert.equal((await buyer.buy(hoodie, undefined, 2)).json().userPoints, 299)
})

test('charges 99 times the highest price', async () => {
  const crown = await insertItem(db, { price: PRICE_MAX })
  const richBuyer = await createBuyer(site, { rCoin: 99 * PRICE_MAX + 1 })
  assert.equal((await richBuyer.buy(crown, undefined, 99)).json().userPoints, 1)
  await assertBooksAgree(db)
})

test('refuses a quantity that is not a whole number from 1 to 99', async () => {
  for (const quantity of ['0', '-1', '100', '1.5', '1e1', '', ' 2', 'two', '٣', '0x2', '999999999999']) {
    await assertChangesNothing(juan, async () =>
      assertRefused(await juan.buy(mami, undefined, quantity), 422, SHOP_TEXTS.quantity),
    )
  }
})

test('refuses an idempotency key that is reused with another quantity', async () => {
  const firstAnswer = await juan.buy(mami, 'some', 2)
  assert.deepEqual((await juan.buy(mami, 'some', 2)).json(), firstAnswer.json())
  assertRefused(await juan.buy(mami, 'some', 3), 422, SHOP_TEXTS.keyReused)
  assert.equal(await countUnits(db, juan.userNum), 2)
})

test('counts a missing quantity as 1', async () => {
  const defaultAnswer = await juan.buy(mami, 'one')
  assert.deepEqual((await juan.buy(mami, 'one', 1)).json(), defaultAnswer.json())
  assert.equal(await countUnits(db, juan.userNum), 1)
})

test('counts every unit against the limit for each account, also in concurrent purchases', async () => {
  const limitedItem = await insertItem(db, { price: 1, account_limit: 5 })
  assert.equal((await juan.buy(limitedItem, undefined, 3)).status, 200)
  await assertChangesNothing(juan, async () =>
    assertRefused(await juan.buy(limitedItem, undefined, 3), 422, SHOP_TEXTS.overLimit),
  )
  assert.equal((await juan.buy(limitedItem, undefined, 2)).status, 200)
  const maria = await createBuyer(site, { rCoin: 100 })
  assert.deepEqual(countStatuses(await runConcurrently(6, () => maria.buy(limitedItem, undefined, 2))), {
    200: 2,
    422: 4,
  })
  assert.equal(await countUnits(db, maria.userNum), 4)
  await assertBooksAgree(db)
})

test('completes seven of a hundred concurrent purchases by a buyer with money for seven', async () => {
  const buyer = await createBuyer(site, { rCoin: 7 * 300 + 299, milleage: 5000 })
  const answers = await runConcurrently(100, () => buyer.buy(hoodie))
  assert.deepEqual(countStatuses(answers), { 200: 7, 422: 93 })
  for (const answer of answers.filter(({ status }) => status === 422)) assertRefused(answer, 422, SHOP_TEXTS.shortRCoin)
  assert.deepEqual(
    answers.flatMap((answer) => (answer.status === 200 ? [answer.json().userPoints] : [])).sort((a, b) => b - a),
    [2099, 1799, 1499, 1199, 899, 599, 299],
  )
  assert.deepEqual(await buyer.readBalance(), { rCoin: 299, milleage: 5000 })
  assert.equal(await countUnits(db, buyer.userNum), 7)
  await assertBooksAgree(db)
})

test('buys a cart once in concurrent purchases of it', async () => {
  for (let round = 0; round < 5; round++) {
    const buyer = await createBuyer(site, { rCoin: 5000, milleage: 5000 })
    const seqs = await fillCart(buyer, hoodie, mami, mami)
    const listedLines = [...seqs.values()].map((seq) => ({ seq }))
    const answers = await runConcurrently(4, (index) => buyer.buyCart(index % 2 === 0 ? listedLines : undefined))
    assert.deepEqual(countStatuses(answers), { 200: 1, 422: 3 })
    assert.deepEqual(await buyer.readBalance(), { rCoin: 4700, milleage: 4920 })
    assert.equal(await countUnits(db, buyer.userNum), 3)
  }
  await assertBooksAgree(db)
})

test('completes one of several concurrent purchases by a buyer with money for one', async () => {
  const buyer = await createBuyer(site, { rCoin: 400, milleage: 500 })
  await fillCart(buyer, hoodie, mami)
  const answers = await runConcurrently(6, (index) => (index === 0 ? buyer.buyCart() : buyer.buy(hoodie)))
  assert.equal(countStatuses(answers)[200], 1)
  for (const answer of answers.filter(({ status }) => status === 422)) {
    assert.equal(answer.json().message, SHOP_TEXTS.shortRCoin)
  }
  assert.equal((await buyer.readBalance()).rCoin, 100)
})

test('loses nothing and has no deadlock in concurrent purchases and changes of a cart', async () => {
  const buyers = await runConcurrently(4, () => createBuyer(site, { rCoin: 100_000, milleage: 100_000 }))
  const answers = await Promise.all(
    buyers.flatMap((buyer) =>
      Array.from({ length: 60 }, async (_, index) => {
        const kind = index % 5
        if (kind === 0) return buyer.buy(hoodie)
        if (kind === 1) return buyer.add(index % 2 === 0 ? mami : hoodie)
        if (kind === 2) return buyer.buyCart(undefined, `cross-${index % 15}`)
        if (kind === 3) return buyer.add(pin)
        return buyer.buy(mami, `cross-${index % 15}`)
      }),
    ),
  )
  assert.ok(answers.some(({ status }) => status === 200))
  // A purchase of an empty cart is refused.
  for (const { status, text } of answers) assert.ok(status === 200 || status === 422, text)
  for (const buyer of buyers) {
    assert.ok((await buyer.cart()).every(({ quantity }) => quantity > 0))
    const { units } = await db
      .selectFrom('purchases')
      .where('user_num', '=', buyer.userNum)
      .select((eb) => eb.fn.sum<number>('quantity').as('units'))
      .executeTakeFirstOrThrow()
    assert.equal(await countUnits(db, buyer.userNum), Number(units))
  }
  await assertBooksAgree(db)
})
