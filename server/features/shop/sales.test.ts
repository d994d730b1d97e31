import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  countUnits,
  createBuyer,
  insertItem,
  MILLEAGE,
  readBalance,
  readMoneyRows,
  runConcurrently,
} from '#test/money-helpers.ts'
import { hasChangedItem, updateItemSales } from './jobs.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const inMinutes = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE_MS)

/** A price of 1,000 with a sale at 600, from 10 to 20 minutes from now. */
const cape = await insertItem(db, {
  item_name: 'Cape',
  price: 1000,
  sale_price: 600,
  sale_starts_at: inMinutes(10),
  sale_ends_at: inMinutes(20),
})
const pin = await insertItem(db, { item_name: 'Pin', price: 700 })
const rareItem = await insertItem(db, { item_name: 'Rare', price: 10, section: MILLEAGE, account_limit: 3 })
let juan: Buyer

beforeEach(async () => {
  site.clock.set(TEST_NOW)
  site.cache.clear()
  juan = await createBuyer(site, { rCoin: 5000, milleage: 500 })
})

const readItem = async (productNum: number) => (await site.get(`/api/shopitem/${productNum}`)).json().data
const setMinutes = (minutes: number) => {
  site.clock.set(inMinutes(minutes))
  site.cache.clear()
}

test('changes the shown price and the charged price at the same time', async () => {
  for (const [minutes, price] of [
    [9.999, 1000],
    [10, 600],
    [19.999, 600],
    [20, 1000],
  ] as const) {
    setMinutes(minutes)
    const balanceBefore = await readBalance(db, juan.userNum)
    assert.equal((await readItem(cape)).price, price, `shown after ${minutes} minutes`)
    assert.equal((await juan.buy(cape)).status, 200)
    assert.equal(
      balanceBefore.rCoin - (await readBalance(db, juan.userNum)).rCoin,
      price,
      `charged after ${minutes} minutes`,
    )
  }
  await assertBooksAgree(db)
})

test('shows and charges the current price of a cart', async () => {
  await juan.add(cape)
  await juan.add(pin)
  setMinutes(15)
  const lines = await juan.cart()
  assert.deepEqual(
    lines.map(({ shopitem }) => shopitem.price),
    [600, 700],
  )
  assert.equal((await juan.buyCart()).json().userPoints, 5000 - 1300)
})

test('only an item on sale has a regular price and the end of the sale', async () => {
  setMinutes(15)
  const item = await readItem(cape)
  assert.deepEqual(
    { regular: item.regular_price, ends: item.sale_ends_at },
    { regular: 1000, ends: inMinutes(20).toISOString() },
  )
  assert.ok(!('regular_price' in (await readItem(pin))))
  setMinutes(25)
  assert.ok(!('regular_price' in (await readItem(cape))))
})

test('a purchase in the history shows the price that was paid', async () => {
  setMinutes(15)
  await juan.buy(cape)
  setMinutes(60)
  const { purchasehistory } = (await juan.get('/api/shoppurchases')).json()
  assert.equal(purchasehistory[0].shopitem.price, 600)
  assert.ok(!('regular_price' in purchasehistory[0].shopitem))
})

test('an item with limited time can be bought exactly within that time', async () => {
  const limitedItem = await insertItem(db, { sold_from: inMinutes(10), sold_until: inMinutes(20) })
  for (const [minutes, status] of [
    [9.999, 404],
    [10, 200],
    [20, 404],
  ] as const) {
    setMinutes(minutes)
    assert.equal((await juan.buy(limitedItem)).status, status, `after ${minutes} minutes`)
  }
  setMinutes(15)
  await juan.add(limitedItem)
  setMinutes(21)
  const response = await juan.buyCart()
  assert.deepEqual([response.status, response.json().message], [422, SHOP_TEXTS.nothingChecked])
})

test('updates lists at the start of a sale, and not before', async () => {
  const category_id = (await readItem(cape)).category
  const lateItem = await insertItem(db, { category_id, price: 800, sold_from: inMinutes(5), visible: false })
  const listItems = async (sort: string) => {
    const { itemshopdata } = (await site.get(`/api/itemshop?category=${category_id}&sort=${sort}`)).json()
    return itemshopdata.map(({ ProductNum }: { ProductNum: number }) => ProductNum)
  }
  setMinutes(1)
  await updateItemSales(db, inMinutes(1))
  assert.deepEqual(await listItems('price'), [cape])
  setMinutes(6)
  await updateItemSales(db, inMinutes(6))
  assert.deepEqual(await listItems('price'), [lateItem, cape])
  setMinutes(11)
  await updateItemSales(db, inMinutes(11))
  assert.deepEqual(await listItems('price'), [cape, lateItem])
  assert.deepEqual(await listItems('-price'), [lateItem, cape])
  setMinutes(21)
  await updateItemSales(db, inMinutes(21))
  assert.deepEqual(await listItems('price'), [lateItem, cape])
  await db.deleteFrom('shop_items').where('product_num', '=', lateItem).execute()
})

test('the job of sales is due when a sale begins or ends, and not after its run', async () => {
  const expiredItem = await insertItem(db, { sold_until: new Date(Date.now() - DAY_MS) })
  assert.equal(await hasChangedItem(db), true)
  await updateItemSales(db, new Date())
  assert.equal(await hasChangedItem(db), false)
  const { visible } = await db
    .selectFrom('shop_items')
    .where('product_num', '=', expiredItem)
    .select('visible')
    .executeTakeFirstOrThrow()
  assert.equal(visible, false)
})

test('an item hidden by hand stays hidden when its time comes', async () => {
  const hiddenItem = await insertItem(db, { sold_from: inMinutes(1), hidden: true, visible: false })
  await updateItemSales(db, inMinutes(2))
  const row = db.selectFrom('shop_items').where('product_num', '=', hiddenItem).select('visible')
  assert.equal((await row.executeTakeFirstOrThrow()).visible, false)
})

test('limits the units of an item for an account across all ways to buy', async () => {
  await juan.buy(rareItem)
  await juan.add(rareItem)
  await juan.add(rareItem)
  await juan.add(rareItem)
  const stateBefore = await readMoneyRows(db, juan.userNum)
  const response = await juan.buyCart()
  assert.deepEqual([response.status, response.json().message], [422, SHOP_TEXTS.overLimit])
  assert.deepEqual(await readMoneyRows(db, juan.userNum), stateBefore)
  const [line] = await juan.cart()
  await juan.step(line?.seq ?? 0, -1)
  assert.equal((await juan.buyCart()).status, 200)
  assert.deepEqual([(await juan.buy(rareItem)).status, await countUnits(db, juan.userNum)], [422, 3])
  const maria = await createBuyer(site, { milleage: 100 })
  assert.equal((await maria.buy(rareItem)).status, 200, 'each account has a separate limit')
})

test('concurrent purchases do not exceed the limit together', async () => {
  const answers = await runConcurrently(8, (index) =>
    index % 2 === 0 ? juan.buy(rareItem) : juan.add(rareItem).then(() => juan.buyCart()),
  )
  assert.equal(await countUnits(db, juan.userNum), 3)
  assert.ok((countStatuses(answers)[200] ?? 0) <= 3)
  assert.deepEqual(Object.keys(countStatuses(answers)), ['200', '422'])
  await assertBooksAgree(db)
})

test('a refunded unit does not count for the limit', async () => {
  await runConcurrently(3, () => juan.buy(rareItem))
  const gm = await openPlayerSession(site, 'gm')
  const units = await db.selectFrom('deliveries').where('user_num', '=', juan.userNum).select('delivery').execute()
  const refund = { units: units.map(({ delivery }) => delivery), reason: 'Bought by mistake' }
  const refundResponse = await gm.post('/api/admin/orders/refund', refund)
  assert.equal(refundResponse.status, 200, refundResponse.text)
  assert.equal((await juan.buy(rareItem)).status, 200)
})

test('repeats a refusal for the limit under the same key', async () => {
  await runConcurrently(3, () => juan.buy(rareItem))
  assert.equal((await juan.buy(rareItem, 'k1')).status, 422)
  await db.updateTable('shop_items').set({ account_limit: 9 }).where('product_num', '=', rareItem).execute()
  assert.equal((await juan.buy(rareItem, 'k1')).status, 422)
  assert.equal((await juan.buy(rareItem, 'k2')).status, 200)
  await db.updateTable('shop_items').set({ account_limit: 3 }).where('product_num', '=', rareItem).execute()
})

test('records every price of an item, for every kind of change', async () => {
  const item = await insertItem(db, { price: 50 })
  const change = db.updateTable('shop_items').where('product_num', '=', item)
  await change.set({ price: 60 }).execute()
  await change.set({ item_name: 'Ibang pangalan' }).execute()
  await change.set({ sale_price: 40 }).execute()
  const recordedPrices = await db
    .selectFrom('item_prices')
    .where('product_num', '=', item)
    .orderBy('item_price')
    .select(['price', 'sale_price'])
    .execute()
  assert.deepEqual(recordedPrices, [
    { price: 50, sale_price: null },
    { price: 60, sale_price: null },
    { price: 60, sale_price: 40 },
  ])
})
