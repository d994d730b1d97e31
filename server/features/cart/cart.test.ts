import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { CART_LINES_MAX, LINE_QUANTITY_MAX } from '#contract/limits.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { type Buyer, countStatuses, createBuyer, insertItem, runConcurrently } from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const item = await insertItem(site.db)
let juan: Buyer
let maria: Buyer

beforeEach(async () => {
  juan = await createBuyer(site, { rCoin: 1000 })
  maria = await createBuyer(site)
})

/** Returns the only line of a cart. */
async function readOnlyLine(buyer: Buyer) {
  const [line, ...otherLines] = await buyer.cart()
  assert.ok(line !== undefined && otherLines.length === 0)
  return line
}

test('a cart line has exactly the fields of CART-2', async () => {
  assert.deepEqual((await juan.add(item)).json(), { message: SHOP_TEXTS.added })
  const line = await readOnlyLine(juan)
  assert.deepEqual(Object.keys(line).sort(), ['isChecked', 'productnum', 'quantity', 'seq', 'shopitem'])
  assert.equal(typeof line.seq, 'number')
  assert.deepEqual([line.productnum, line.quantity, line.isChecked], [item, 1, 1])
  assert.deepEqual(Object.keys(line.shopitem).sort(), [
    'ItemName',
    'ProductNum',
    'category',
    'description',
    'icon',
    'image_url',
    'kind',
    'price',
    'ribbon',
    'ribbon_label',
    'section',
  ])
  assert.equal(line.shopitem.price, 100)
})

test('adding an item again adds one unit, and checks the line again', async () => {
  await juan.add(item)
  await juan.toggle((await readOnlyLine(juan)).seq)
  await juan.add(item)
  const line = await readOnlyLine(juan)
  assert.deepEqual([line.quantity, line.isChecked], [2, 1])
})

test('unknown and hidden items cannot be added or bought', async () => {
  const hiddenItem = await insertItem(site.db, { visible: false })
  for (const productNum of [hiddenItem, 999_999_999, 0, -1, 10 ** 20]) {
    assertRefused(await juan.add(productNum), 404, SHOP_TEXTS.itemNotFound)
    assertRefused(await juan.buy(productNum), 404, SHOP_TEXTS.itemNotFound)
  }
  assert.deepEqual(await juan.cart(), [])
})

test('accepts only a quantity change of one, and ignores other fields of the request', async () => {
  await juan.add(item)
  const { seq } = await readOnlyLine(juan)
  for (const quantityChange of [0, 2, -2, 1e9, -1e9, '1', null, 'NaN', 0.5, [1]]) {
    assertRefused(await juan.post('/api/updateQuantity', { seq, quantityChange }), 422, SHOP_TEXTS.stepOnly)
  }
  assertRefused(await juan.post('/api/updateQuantity', { seq }), 422, SHOP_TEXTS.stepOnly)
  assertRefused(await juan.post('/api/updateQuantity', `{"seq":${seq},"quantityChange":1,"quantity":NaN}`), 400)
  await juan.post('/api/updateQuantity', { seq, quantityChange: 1, quantity: 77, price: 1, section: 1 })
  assert.equal((await readOnlyLine(juan)).quantity, 2)
})

test('plus and minus change by one, and minus at one removes the line', async () => {
  await juan.add(item)
  const { seq } = await readOnlyLine(juan)
  assert.deepEqual((await juan.step(seq, 1)).json(), { message: SHOP_TEXTS.changed })
  assert.equal((await readOnlyLine(juan)).quantity, 2)
  assert.equal(
    (await juan.post('/api/updateQuantity', { seq: `${seq}`, ProductNum: item, quantityChange: -1 })).status,
    200,
  )
  assert.equal((await readOnlyLine(juan)).quantity, 1)
  await juan.step(seq, -1)
  assert.deepEqual(await juan.cart(), [])
  assertRefused(await juan.step(seq, -1), 404, SHOP_TEXTS.lineNotFound)
})

test('another user’s line is not found and stays unchanged', async () => {
  await maria.add(item)
  const line = await readOnlyLine(maria)
  assertRefused(await juan.step(line.seq, 1), 404, SHOP_TEXTS.lineNotFound)
  assertRefused(await juan.step(line.seq, -1), 404, SHOP_TEXTS.lineNotFound)
  assertRefused(await juan.toggle(line.seq), 404, SHOP_TEXTS.lineNotFound)
  assert.deepEqual(await readOnlyLine(maria), line)
})

test('checks and unchecks a line', async () => {
  await juan.add(item)
  const { seq } = await readOnlyLine(juan)
  assert.deepEqual((await juan.toggle(seq)).json(), { message: SHOP_TEXTS.changed })
  assert.equal((await readOnlyLine(juan)).isChecked, 0)
  await juan.toggle(seq)
  assert.equal((await readOnlyLine(juan)).isChecked, 1)
})

test('a hidden item’s line leaves the shown cart and returns with the item', async () => {
  const seasonalItem = await insertItem(site.db)
  await juan.add(seasonalItem)
  await juan.add(item)
  await site.db.updateTable('shop_items').set({ visible: false }).where('product_num', '=', seasonalItem).execute()
  assert.equal((await readOnlyLine(juan)).productnum, item)
  assertRefused(await juan.add(seasonalItem), 404, SHOP_TEXTS.itemNotFound)
  await site.db.updateTable('shop_items').set({ visible: true }).where('product_num', '=', seasonalItem).execute()
  assert.equal((await juan.cart()).length, 2)
})

/** Inserts a cart line into the database. */
const insertLine = (userNum: number, product_num: number, quantity = 1) =>
  site.db.insertInto('cart_lines').values({ user_num: userNum, product_num, quantity }).execute()

test('limits a line to 99 units, also with concurrent requests', async () => {
  await insertLine(juan.userNum, item, LINE_QUANTITY_MAX - 2)
  const { seq } = await readOnlyLine(juan)
  const answers = await runConcurrently(10, (index) => (index % 2 === 0 ? juan.add(item) : juan.step(seq, 1)))
  assert.deepEqual(countStatuses(answers), { 200: 2, 422: 8 })
  for (const answer of answers.filter(({ status }) => status === 422)) assertRefused(answer, 422, SHOP_TEXTS.lineFull)
  assert.equal((await readOnlyLine(juan)).quantity, LINE_QUANTITY_MAX)
})

const itemNums = await runConcurrently(CART_LINES_MAX + 5, () => insertItem(site.db))

test('limits a cart to 50 lines, also with concurrent requests', async () => {
  for (const productNum of itemNums.slice(0, CART_LINES_MAX - 2)) await insertLine(juan.userNum, productNum)
  const answers = await runConcurrently(7, (index) => juan.add(itemNums[CART_LINES_MAX - 2 + index] ?? 0))
  assert.deepEqual(countStatuses(answers), { 200: 2, 422: 5 })
  for (const answer of answers.filter(({ status }) => status === 422)) assertRefused(answer, 422, SHOP_TEXTS.cartFull)
  assert.equal((await juan.cart()).length, CART_LINES_MAX)
  const [existingItem] = itemNums
  assert.equal((await juan.add(existingItem ?? 0)).status, 200, 'a full cart accepts another unit of an existing line')
})

test('concurrent changes of a cart lose no update', async () => {
  await runConcurrently(20, () => juan.add(item))
  const { seq, quantity } = await readOnlyLine(juan)
  assert.equal(quantity, 20)
  await runConcurrently(20, (index) => juan.step(seq, index % 4 === 0 ? 1 : -1))
  assert.equal((await readOnlyLine(juan)).quantity, 10)
  await runConcurrently(9, () => juan.toggle(seq))
  assert.equal((await readOnlyLine(juan)).isChecked, 0)
})

test('removes a line after as many concurrent decrements as it has units', async () => {
  await runConcurrently(5, () => juan.add(item))
  const { seq } = await readOnlyLine(juan)
  assert.deepEqual(countStatuses(await runConcurrently(8, () => juan.step(seq, -1))), { 200: 5, 404: 3 })
  assert.deepEqual(await juan.cart(), [])
})
