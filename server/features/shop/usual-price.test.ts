import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, type Player } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
// The history of prices uses the clock of the database.
site.clock.set(new Date())
const shopOperator = await createOperator(site, 'shop')
const owner = await createOperator(site, OWNER)

type Operator = Pick<Player, 'headers'>
const post = (path: string, body: unknown, operator: Operator = shopOperator) =>
  site.post(`/api/admin${path}`, body, operator.headers)
const loadItem = async (productNum: number) =>
  (await site.get(`/api/admin/items/${productNum}`, shopOperator.headers)).json().item
const saveItem = async (productNum: number, change: object) =>
  post('/items/save', { ...(await loadItem(productNum)), ...change })
const repriceItems = async (target: 'price' | 'sale', rows: [number, number][]) =>
  post('/items/reprice', {
    target,
    sale_starts_at: null,
    sale_ends_at: null,
    rows: await Promise.all(
      rows.map(async ([product_num, price]) => ({
        product_num,
        version: (await loadItem(product_num)).version,
        price,
      })),
    ),
  })
const importCsv = async (text: string, operator: Operator = shopOperator) => {
  const send = (path: string, checked?: string) => {
    const form = new FormData()
    form.set('file', new File([text], 'items.csv', { type: 'text/csv' }))
    if (checked !== undefined) form.set('checked', checked)
    return site.send(`/api/admin/items/${path}`, { method: 'POST', body: form, headers: operator.headers })
  }
  const checkResult = (await send('check-csv')).json()
  assert.deepEqual(checkResult.problems, [])
  return { checkResult, answer: await send('import-csv', checkResult.checked) }
}

type Answer = Awaited<ReturnType<typeof site.post>>
/** Asserts that a call waits for approval. @returns the approval request */
const assertWaits = (answer: Answer) => {
  assert.equal(answer.status, 202, answer.text)
  return answer.json().approval as number
}
const assertDone = (answer: Answer) => assert.equal(answer.status, 200, answer.text)
const readRequest = async (approval: number) =>
  (await site.get('/api/admin/approvals', owner.headers))
    .json()
    .rows.find((row: object) => 'approval' in row && row.approval === approval)
const approve = async (approval: number) => {
  const { content_hash } = await readRequest(approval)
  return post('/approvals/decide', { approval, decision: 'approve', content_hash, note: '' }, owner)
}
/** Moves all earlier prices back by some days. */
const moveHistoryBack = (days: number) =>
  sql`update item_prices set changed_at = changed_at - make_interval(days => ${days}),
    ended_at = ended_at - make_interval(days => ${days})`.execute(db)

test('requires an approval for a price below half of the usual price, and sets it afterwards', async () => {
  const item = await insertItem(db, { price: 1000 })
  assert.equal((await loadItem(item)).usual_price, 1000)
  assertDone(await saveItem(item, { price: 500 }))
  const approval = assertWaits(await saveItem(item, { price: 499 }))
  assert.equal((await loadItem(item)).price, 500)
  assert.match((await readRequest(approval)).summary, /499 R-Coin, usually 1,000/)
  assertDone(await approve(approval))
  assert.equal((await loadItem(item)).price, 499)
})

test('the usual price is the highest of the last 30 days', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertDone(await saveItem(item, { price: 600 }))
  await moveHistoryBack(29)
  assertWaits(await saveItem(item, { price: 400 }))
  await moveHistoryBack(2)
  assert.equal((await loadItem(item)).usual_price, 600)
  assertDone(await saveItem(item, { price: 400 }))
  await moveHistoryBack(40)
  assertWaits(await saveItem(item, { price: 199 }))
})

test('requires an approval in each way to change prices: a form, many items, a sale and a file', async () => {
  const [dearItem, cheapItem] = [await insertItem(db, { price: 1000 }), await insertItem(db, { price: 10 })]
  assertWaits(
    await repriceItems('price', [
      [dearItem, 400],
      [cheapItem, 9],
    ]),
  )
  assertWaits(
    await repriceItems('sale', [
      [dearItem, 499],
      [cheapItem, 9],
    ]),
  )
  assert.deepEqual([(await loadItem(dearItem)).sale_price, (await loadItem(cheapItem)).price], [null, 10])
  assertDone(
    await repriceItems('price', [
      [dearItem, 500],
      [cheapItem, 9],
    ]),
  )
  assertWaits(await saveItem(dearItem, { sale_price: 499 }))
  const tomorrow = new Date(site.clock.now().getTime() + DAY_MS).toISOString()
  assertWaits(await saveItem(dearItem, { price: 5000, sale_price: 499, sale_ends_at: tomorrow }))
  const { checkResult, answer } = await importCsv(`product_num,price\n${cheapItem},8\n${dearItem},499`)
  assert.deepEqual(
    checkResult.changes.map(({ risk }: { risk: string | null }) => risk !== null),
    [true, false],
  )
  const approval = assertWaits(answer)
  assert.equal((await loadItem(cheapItem)).price, 9)
  assertDone(await approve(approval))
  assert.deepEqual([(await loadItem(dearItem)).price, (await loadItem(cheapItem)).price], [499, 8])
})

test('a new item takes the usual price of earlier, also deleted, items with its game number', async () => {
  const oldItem = await insertItem(db, { price: 1000, game_product_num: 7_000_001 })
  const newItem = { ...(await loadItem(oldItem)), product_num: null, version: null, item_name: 'Again' }
  assertWaits(await post('/items/save', { ...newItem, price: 499 }))
  await db.deleteFrom('shop_items').where('product_num', '=', oldItem).execute()
  assertWaits(await post('/items/save', { ...newItem, price: 499 }))
  assertDone(await post('/items/save', { ...newItem, price: 500 }))
  assertDone(await post('/items/save', { ...newItem, price: 100, game_product_num: 7_000_002 }))
  const otherItem = await insertItem(db, { price: 1000 })
  assertWaits(await post('/items/save', { ...newItem, price: 499, game_product_num: otherItem }))
})

test('the check of a file lists the new items that wait for approval, with the reason', async () => {
  const item = await insertItem(db, { price: 1000, game_product_num: 7_050_001 })
  const { category_name } = await loadItem(item)
  const { checkResult, answer } = await importCsv(
    [
      'product_num,item_name,category,currency,price,game_product_num',
      `,Dear,${category_name},R-Coin,500,7050002`,
      `,Cheap,${category_name},R-Coin,499,7050001`,
      `,Gift,${category_name},R-Coin,1,7050003`,
    ].join('\n'),
  )
  assert.deepEqual(
    checkResult.changes.map(({ item_name, risk }: { item_name: string; risk: string | null }) => [item_name, risk]),
    [
      ['Cheap', '499 R-Coin, usually 1,000'],
      ['Gift', '1 R-Coin, below the lowest price of 100'],
      ['Dear', null],
    ],
  )
  assertWaits(answer)
})

test('an imported item takes the usual price of the item that already uses its game number', async () => {
  // The dear item gets the next number, and the item of the file the one after it.
  const importedNumber = (await insertItem(db)) + 2
  const dearItem = await insertItem(db, { price: 1000, game_product_num: importedNumber })
  const { answer } = await importCsv(
    `product_num,item_name,category,currency,price\n,Again,${(await loadItem(dearItem)).category_name},R-Coin,1`,
  )
  assertWaits(answer)
})

test('requires an approval for another number in the game, but not for confirming the current one', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertWaits(await saveItem(item, { game_product_num: 7_100_001, price: 100_000 }))
  assertDone(await saveItem(item, { game_product_num: item }))
  assertDone(await saveItem(item, { game_product_num: null }))
})

test('requires an approval to sell an R-Coin item for Milleage', async () => {
  const item = await insertItem(db, { price: 1000 })
  const approval = assertWaits(await saveItem(item, { section: 1 }))
  assertWaits(
    await post('/items/save', {
      ...(await loadItem(item)),
      product_num: null,
      version: null,
      section: 1,
      game_product_num: item,
    }),
  )
  assertDone(await approve(approval))
  assertDone(await saveItem(item, { description: 'For Milleage now.' }))
})

test('requires an approval to show a cheap item again, but not for its other changes', async () => {
  const game_product_num = 7_200_001
  const cheapItem = await insertItem(db, { price: 100, game_product_num, hidden: true, visible: false })
  await insertItem(db, { price: 1000, game_product_num })
  assertWaits(await post('/items/hide', { items: [cheapItem], hidden: false }))
  assertWaits(await saveItem(cheapItem, { hidden: false }))
  assertDone(await saveItem(cheapItem, { description: 'Hidden, and described.' }))
  const expiredItem = await insertItem(db, {
    price: 100,
    game_product_num,
    sold_until: new Date('2026-01-01'),
    visible: false,
  })
  assertWaits(await saveItem(expiredItem, { sold_until: null }))
  const shownItem = await insertItem(db, { price: 100, game_product_num })
  assertDone(await saveItem(shownItem, { description: 'Cheap, and described.' }))
  assertDone(await post('/items/hide', { items: [shownItem], hidden: true }))
})

test('requires a recent confirmation to save prices and capsules', async () => {
  const unconfirmedOperator = await createOperator(site, 'shop')
  await db
    .updateTable('sessions')
    .set({ confirmed_at: null })
    .where('user_num', '=', unconfirmedOperator.user.UserNum)
    .execute()
  for (const path of ['/items/save', '/items/reprice', '/items/import-csv', '/capsules/save']) {
    const answer = await post(path, {}, unconfirmedOperator)
    assertRefused(answer, 403)
    assert.equal(answer.json().reason, 'sudo', path)
  }
})

test('requires an approval for a capsule whose average worth exceeds the price of a draw', async () => {
  const [dearItem, cheapItem] = [await insertItem(db, { price: 1000 }), await insertItem(db, { price: 100 })]
  assertDone(await saveItem(dearItem, { price: 500 }))
  const saveCapsule = (change: object) =>
    post('/capsules/save', {
      capsule: null,
      version: null,
      name: 'Of tests',
      description: '',
      currency: 'r_coin',
      price: 550,
      visible: true,
      chances: [
        { product_num: dearItem, chance: 500_000 },
        { product_num: cheapItem, chance: 500_000 },
      ],
      ...change,
    })
  const approval = assertWaits(await saveCapsule({ price: 549 }))
  assertDone(await approve(approval))
  const answer = await saveCapsule({})
  assertDone(answer)
  const savedCapsule = { capsule: answer.json().capsule, version: 1 }
  assertWaits(await saveCapsule({ ...savedCapsule, price: 100 }))
  assertWaits(await saveCapsule({ currency: 'milleage', price: 549 }))
  assertDone(await saveCapsule({ ...savedCapsule, name: 'Renamed' }))
})

test('requires an approval for a capsule whose prizes are worth more than drawing all of them costs', async () => {
  const [dearItem, cheapItem] = [await insertItem(db, { price: 100_000 }), await insertItem(db, { price: 1 })]
  const chances = [
    { product_num: dearItem, chance: 10_000 },
    { product_num: cheapItem, chance: 990_000 },
  ]
  const capsuleValues = {
    capsule: null,
    version: null,
    name: 'Sure',
    description: '',
    currency: 'r_coin',
    visible: true,
    chances,
  }
  assertWaits(await post('/capsules/save', { ...capsuleValues, price: 1002 }))
  assertDone(await post('/capsules/save', { ...capsuleValues, price: 50_001 }))
})

test('Today lists items sold below half of their usual price, with the operator who set it', async () => {
  const item = await insertItem(db, { price: 1000, item_name: 'Ginto' })
  const approval = assertWaits(await saveItem(item, { price: 100 }))
  assertDone(await approve(approval))
  const readNeeds = async (operator: Operator = owner) =>
    (await site.get('/api/admin/today', operator.headers)).json().needs
  const readCheapNeeds = async () => (await readNeeds()).filter(({ kind }: { kind: string }) => kind === 'cheap')
  assert.deepEqual(await readCheapNeeds(), [])
  site.clock.set(TEST_NOW)
  const buyer = await createBuyer(site, { rCoin: 1000 })
  await buyer.buy(item)
  await buyer.buy(item)
  const [need, ...otherNeeds] = await readCheapNeeds()
  assert.deepEqual(otherNeeds, [])
  assert.equal(need.count, 2)
  assert.equal(need.detail, `Ginto for 100 R-Coin, usually 1,000; the price is from ${shopOperator.user.UserID}`)
})

const SERVICE = { kind: 'service', section: 2, service_pause_hours: 0 } as const
const copyItemValues = async (from: number, change: object) => ({
  ...(await loadItem(from)),
  product_num: null,
  version: null,
  ...change,
})

test('another item of a service has the service’s usual price, if their choices overlap', async () => {
  const firstService = await insertItem(db, { ...SERVICE, item_name: 'New name', price: 50_000, service: 'name' })
  assertWaits(await post('/items/save', await copyItemValues(firstService, { item_name: 'Another name', price: 1 })))
  assertWaits(
    await post('/items/save', await copyItemValues(firstService, { item_name: 'Another name', price: 24_999 })),
  )
  assertDone(
    await post('/items/save', await copyItemValues(firstService, { item_name: 'Another name', price: 25_000 })),
  )
  const mountValues = { ...SERVICE, service: 'mount', service_choices: ['horse'] }
  const mountItem = await insertItem(db, { ...mountValues, item_name: 'Mount', price: 40_000 })
  for (const service_choices of [['horse'], ['cow', 'horse'], []])
    assertWaits(await post('/items/save', await copyItemValues(mountItem, { service_choices, price: 500 })))
  assertDone(await post('/items/save', await copyItemValues(mountItem, { service_choices: ['cow'], price: 500 })))
  // A cheap service becomes an expensive one.
  const goatMount = (
    await post('/items/save', await copyItemValues(mountItem, { service_choices: ['goat'], price: 500 }))
  ).json().item
  assertWaits(await saveItem(goatMount.product_num, { service_choices: ['goat', 'horse'] }))
  assertWaits(await saveItem(goatMount.product_num, { service: 'name', service_choices: [] }))
})

test('requires an approval for a price below the floor, unless the item usually costs less', async () => {
  const item = await insertItem(db, { price: 150 })
  const copyWithGameNumber = (price: number, game_product_num: number) =>
    copyItemValues(item, { price, game_product_num })
  assertWaits(await post('/items/save', await copyWithGameNumber(99, 7_100_001)))
  assertWaits(await post('/items/save', { ...(await copyWithGameNumber(99, 7_100_001)), hidden: true }))
  assertDone(await post('/items/save', await copyWithGameNumber(100, 7_100_002)))
  assertWaits(await saveItem(item, { price: 90 }))
  assertWaits(await saveItem(item, { sale_price: 90 }))
  assertDone(await saveItem(await insertItem(db, { price: 60 }), { price: 40 }))
  const unstuck = await insertItem(db, { ...SERVICE, item_name: 'Way out', price: 60, service: 'unstuck' })
  assertDone(await post('/items/save', await copyItemValues(unstuck, { price: 50 })))
})

test('requires another owner’s approval to lower the floor, but not to raise it', async () => {
  await createOperator(site, OWNER)
  const saveFloor = async (value: number) => {
    const row = await db.selectFrom('settings').where('name', '=', 'price_floor').select('version').executeTakeFirst()
    const body = { changes: [{ name: 'price_floor', value, version: row?.version ?? 0 }] }
    return post('/settings/staff/save', body, owner)
  }
  assertWaits(await saveFloor(1))
  assertDone(await saveFloor(500))
  const item = await insertItem(db, { price: 1000 })
  assertWaits(await post('/items/save', await copyItemValues(item, { price: 499, game_product_num: 7_200_001 })))
  assertWaits(await saveFloor(100))
})

test('Today lists items without a usual price, with the operator who set the price', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertDone(
    await post(
      '/items/save',
      await copyItemValues(item, { item_name: 'Rare hat', price: 700, game_product_num: 7_300_001 }),
    ),
  )
  const { needs } = (await site.get('/api/admin/today', owner.headers)).json()
  const need = needs.find(({ kind }: { kind: string }) => kind === 'unpriced')
  assert.match(need.detail, new RegExp(`Rare hat for 700 .*priced by ${shopOperator.form.userId}`))
})
