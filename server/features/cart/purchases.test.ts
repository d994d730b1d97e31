import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { selectMailsTo } from '#test/account-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, runConcurrently } from '#test/money-helpers.ts'
import { mailReceipts } from './receipts.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
const item = await insertItem(db, { item_name: 'Hoodie', price: 1200, description: 'Warm.', icon: 'hoodie.svg' })

test('lists a purchase with the name and price at its time, and the state of its units', async () => {
  const juan = await createBuyer(site, { rCoin: 10_000 })
  await juan.add(item)
  await juan.add(item)
  await juan.buyCart()
  await db
    .updateTable('deliveries')
    .set({
      state: 'claimed',
      claimed_at: new Date('2026-11-20T15:00:00Z'),
      refund_requested_at: new Date('2026-11-20T16:00:00Z'),
    })
    .where('user_num', '=', juan.userNum)
    .where('unit', '=', 2)
    .execute()
  await updateRows(db, 'shop_items', { product_num: item }, { price: 1, item_name: 'Vest', visible: false })
  const page = (await juan.get('/api/shoppurchases')).json()
  assert.deepEqual(page, {
    purchasehistory: [
      {
        id: 1,
        shopitem: {
          ProductNum: item,
          ItemName: 'Hoodie',
          price: 1200,
          section: 2,
          description: 'Warm.',
          icon: 'hoodie.svg',
          image_url: null,
          ribbon: null,
          ribbon_label: null,
          category: page.purchasehistory[0].shopitem.category,
          kind: 'item',
        },
        quantity: 2,
        PurDate: '2026-11-20T13:42:07.000Z',
        deliveries: [
          { state: 'claimed', units: 1 },
          { state: 'queued', units: 1 },
        ],
        units: [
          { unit: 1, state: 'queued', since: '2026-11-20T13:42:07.000Z', refundRequested: null, refunded: null },
          {
            unit: 2,
            state: 'claimed',
            since: '2026-11-20T15:00:00.000Z',
            refundRequested: '2026-11-20T16:00:00.000Z',
            refunded: null,
          },
        ],
      },
    ],
    prev_page: null,
    next_page: null,
    last_page: 1,
    lpm1: 0,
  })
  await updateRows(db, 'shop_items', { product_num: item }, { price: 10, item_name: 'Hoodie', visible: true })
})

test('lists purchases newest first, ten a page, and the nearest page for one out of range', async () => {
  const juan = await createBuyer(site, { rCoin: 10_000 })
  const emptyHistory = (await juan.get('/api/shoppurchases?page=7')).json()
  assert.deepEqual(emptyHistory, { purchasehistory: [], prev_page: null, next_page: null, last_page: 1, lpm1: 0 })
  for (let purchase = 0; purchase < 23; purchase++) await juan.buy(item)
  const readIds = async (page: string) => {
    const answer = (await juan.get(`/api/shoppurchases?page=${page}`)).json()
    return [
      answer.purchasehistory.map(({ id }: { id: number }) => id),
      answer.prev_page,
      answer.next_page,
      answer.last_page,
      answer.lpm1,
    ]
  }
  const listIds = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)
  assert.deepEqual(await readIds('1'), [listIds(23, 14), null, 2, 3, 2])
  assert.deepEqual(await readIds('2'), [listIds(13, 4), 1, 3, 3, 2])
  for (const page of ['3', '4', '9'.repeat(60)]) assert.deepEqual(await readIds(page), [listIds(3, 1), 2, null, 3, 2])
  for (const page of ['0', '-5']) assert.deepEqual(await readIds(page), await readIds('1'))
  const maria = await createBuyer(site)
  assert.deepEqual((await maria.get('/api/shoppurchases')).json().purchasehistory, [])
})

test('mails one receipt for each purchase, if the player wants them, with formatted amounts', async () => {
  const juan = await createBuyer(site, { rCoin: 100_000, milleage: 100 })
  const { user_email } = await db
    .selectFrom('accounts')
    .where('user_num', '=', juan.userNum)
    .select('user_email')
    .executeTakeFirstOrThrow()
  const mami = await insertItem(db, { item_name: 'Mami <b>', price: 40, section: 1 })
  await db.updateTable('shop_items').set({ price: 1200 }).where('product_num', '=', item).execute()
  await juan.buy(item)
  assert.deepEqual((await juan.get('/api/receipts')).json(), { wanted: false })
  assert.deepEqual((await juan.post('/api/receipts', { wanted: true })).json(), { message: SHOP_TEXTS.receiptsOn })
  assert.deepEqual((await juan.get('/api/receipts')).json(), { wanted: true })
  for (const productNum of [item, item, mami]) await juan.add(productNum)
  await juan.buyCart()
  await juan.buy(item)
  assert.deepEqual((await juan.post('/api/receipts', { wanted: false })).json(), { message: SHOP_TEXTS.receiptsOff })
  await juan.buy(item)
  const counts = await runConcurrently(3, () => mailReceipts(site))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    2,
  )
  const mails = await selectMailsTo(site, user_email)
  assert.equal(mails.length, 2)
  const cart = mails.find(({ body_text }) => body_text.includes('Mami'))
  assert.match(cart?.body_text ?? '', /2 x Hoodie: 2,400\.00 R-Coin[\s\S]*1 x Mami <b>: 40\.00 Milleage/)
  assert.ok(cart !== undefined && !cart.body_html.includes('Mami <b>'), 'HTML in a name is escaped')
  assert.equal(await mailReceipts(site), 0)
})

test('a refused purchase gives no receipt', async () => {
  const poorBuyer = await createBuyer(site)
  await poorBuyer.post('/api/receipts', { wanted: true })
  await poorBuyer.buy(item)
  assert.equal(await mailReceipts(site), 0)
})
