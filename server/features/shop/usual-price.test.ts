import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, type Player } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { newOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
// The history of prices uses the clock of the database.
site.clock.set(new Date())
const shop = await newOperator(site, 'shop')
const owner = await newOperator(site, OWNER)

type Who = Pick<Player, 'headers'>
const post = (path: string, body: unknown, by: Who = shop) => site.post(`/api/admin${path}`, body, by.headers)
const load = async (num: number) => (await site.get(`/api/admin/items/${num}`, shop.headers)).json().item
const save = async (num: number, change: object) => post('/items/save', { ...(await load(num)), ...change })
const reprice = async (target: 'price' | 'sale', rows: [number, number][]) =>
  post('/items/reprice', {
    target,
    sale_starts_at: null,
    sale_ends_at: null,
    rows: await Promise.all(
      rows.map(async ([product_num, price]) => ({ product_num, version: (await load(product_num)).version, price })),
    ),
  })
const importCsv = async (text: string, by: Who = shop) => {
  const send = (path: string, checked?: string) => {
    const form = new FormData()
    form.set('file', new File([text], 'items.csv', { type: 'text/csv' }))
    if (checked !== undefined) form.set('checked', checked)
    return site.send(`/api/admin/items/${path}`, { method: 'POST', body: form, headers: by.headers })
  }
  const looked = (await send('check-csv')).json()
  assert.deepEqual(looked.problems, [])
  return { looked, answer: await send('import-csv', looked.checked) }
}

type Answer = Awaited<ReturnType<typeof site.post>>
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
const pass = (days: number) =>
  sql`update item_prices set changed_at = changed_at - make_interval(days => ${days}),
    ended_at = ended_at - make_interval(days => ${days})`.execute(db)

test('requires an approval for a price below half of the usual price, and sets it afterwards', async () => {
  const item = await insertItem(db, { price: 1000 })
  assert.equal((await load(item)).usual_price, 1000)
  assertDone(await save(item, { price: 500 }))
  const approval = assertWaits(await save(item, { price: 499 }))
  assert.equal((await load(item)).price, 500)
  assert.match((await readRequest(approval)).summary, /499 R-Coin, usually 1,000/)
  assertDone(await approve(approval))
  assert.equal((await load(item)).price, 499)
})

test('the usual price is the highest of the last 30 days', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertDone(await save(item, { price: 600 }))
  await pass(29)
  assertWaits(await save(item, { price: 400 }))
  await pass(2)
  assert.equal((await load(item)).usual_price, 600)
  assertDone(await save(item, { price: 400 }))
  await pass(40)
  assertWaits(await save(item, { price: 199 }))
})

test('requires an approval in each way to change prices: a form, many items, a sale and a file', async () => {
  const [dear, cheap] = [await insertItem(db, { price: 1000 }), await insertItem(db, { price: 10 })]
  assertWaits(
    await reprice('price', [
      [dear, 400],
      [cheap, 9],
    ]),
  )
  assertWaits(
    await reprice('sale', [
      [dear, 499],
      [cheap, 9],
    ]),
  )
  assert.deepEqual([(await load(dear)).sale_price, (await load(cheap)).price], [null, 10])
  assertDone(
    await reprice('price', [
      [dear, 500],
      [cheap, 9],
    ]),
  )
  assertWaits(await save(dear, { sale_price: 499 }))
  const tomorrow = new Date(site.clock.now().getTime() + DAY_MS).toISOString()
  assertWaits(await save(dear, { price: 5000, sale_price: 499, sale_ends_at: tomorrow }))
  const { looked, answer } = await importCsv(`product_num,price\n${cheap},8\n${dear},499`)
  assert.deepEqual(
    looked.changes.map(({ risk }: { risk: string | null }) => risk !== null),
    [true, false],
  )
  const approval = assertWaits(answer)
  assert.equal((await load(cheap)).price, 9)
  assertDone(await approve(approval))
  assert.deepEqual([(await load(dear)).price, (await load(cheap)).price], [499, 8])
})

test('a new item has the usual price of earlier items with its number in the game, even if deleted', async () => {
  const old = await insertItem(db, { price: 1000, game_product_num: 7_000_001 })
  const fresh = { ...(await load(old)), product_num: null, version: null, item_name: 'Again' }
  assertWaits(await post('/items/save', { ...fresh, price: 499 }))
  await db.deleteFrom('shop_items').where('product_num', '=', old).execute()
  assertWaits(await post('/items/save', { ...fresh, price: 499 }))
  assertDone(await post('/items/save', { ...fresh, price: 500 }))
  assertDone(await post('/items/save', { ...fresh, price: 100, game_product_num: 7_000_002 }))
  const own = await insertItem(db, { price: 1000 })
  assertWaits(await post('/items/save', { ...fresh, price: 499, game_product_num: own }))
})

test('a new item has the usual price of the item with the same number in the game', async () => {
  const next = (await insertItem(db)) + 2
  const dear = await insertItem(db, { price: 1000, game_product_num: next })
  const { answer } = await importCsv(
    `product_num,item_name,category,currency,price\n,Again,${(await load(dear)).category_name},R-Coin,1`,
  )
  assertWaits(answer)
})

test('requires an approval for another number in the game, but not for confirming the current one', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertWaits(await save(item, { game_product_num: 7_100_001, price: 100_000 }))
  assertDone(await save(item, { game_product_num: item }))
  assertDone(await save(item, { game_product_num: null }))
})

test('requires an approval to sell an R-Coin item for Milleage', async () => {
  const item = await insertItem(db, { price: 1000 })
  const approval = assertWaits(await save(item, { section: 1 }))
  assertWaits(
    await post('/items/save', {
      ...(await load(item)),
      product_num: null,
      version: null,
      section: 1,
      game_product_num: item,
    }),
  )
  assertDone(await approve(approval))
  assertDone(await save(item, { description: 'For Milleage now.' }))
})

test('requires an approval to show a cheap item again, but not for its other changes', async () => {
  const game_product_num = 7_200_001
  const cheap = await insertItem(db, { price: 100, game_product_num, hidden: true, visible: false })
  await insertItem(db, { price: 1000, game_product_num })
  assertWaits(await post('/items/hide', { items: [cheap], hidden: false }))
  assertWaits(await save(cheap, { hidden: false }))
  assertDone(await save(cheap, { description: 'Hidden, and described.' }))
  const over = await insertItem(db, {
    price: 100,
    game_product_num,
    sold_until: new Date('2026-01-01'),
    visible: false,
  })
  assertWaits(await save(over, { sold_until: null }))
  const shown = await insertItem(db, { price: 100, game_product_num })
  assertDone(await save(shown, { description: 'Cheap, and described.' }))
  assertDone(await post('/items/hide', { items: [shown], hidden: true }))
})

test('requires a recent confirmation to save prices and capsules', async () => {
  const late = await newOperator(site, 'shop')
  await db.updateTable('sessions').set({ confirmed_at: null }).where('user_num', '=', late.user.UserNum).execute()
  for (const path of ['/items/save', '/items/reprice', '/items/import-csv', '/capsules/save']) {
    const answer = await post(path, {}, late)
    assertRefused(answer, 403)
    assert.equal(answer.json().reason, 'sudo', path)
  }
})

test('requires an approval for a capsule whose average worth exceeds the price of a draw', async () => {
  const [dear, cheap] = [await insertItem(db, { price: 1000 }), await insertItem(db, { price: 100 })]
  assertDone(await save(dear, { price: 500 }))
  const capsule = (change: object) =>
    post('/capsules/save', {
      capsule: null,
      version: null,
      name: 'Of tests',
      description: '',
      currency: 'r_coin',
      price: 550,
      visible: true,
      chances: [
        { product_num: dear, chance: 500_000 },
        { product_num: cheap, chance: 500_000 },
      ],
      ...change,
    })
  const approval = assertWaits(await capsule({ price: 549 }))
  assertDone(await approve(approval))
  const answer = await capsule({})
  assertDone(answer)
  const made = { capsule: answer.json().capsule, version: 1 }
  assertWaits(await capsule({ ...made, price: 100 }))
  assertWaits(await capsule({ currency: 'milleage', price: 549 }))
  assertDone(await capsule({ ...made, name: 'Renamed' }))
})

test('requires an approval for a capsule whose best prize is worth more than the draws it takes', async () => {
  const [dear, cheap] = [await insertItem(db, { price: 100_000 }), await insertItem(db, { price: 1 })]
  const chances = [
    { product_num: dear, chance: 10_000 },
    { product_num: cheap, chance: 990_000 },
  ]
  const all = {
    capsule: null,
    version: null,
    name: 'Sure',
    description: '',
    currency: 'r_coin',
    visible: true,
    chances,
  }
  assertWaits(await post('/capsules/save', { ...all, price: 1002 }))
  assertDone(await post('/capsules/save', { ...all, price: 50_001 }))
})

test('Today lists items sold below half of their usual price, with the operator who set the price', async () => {
  const item = await insertItem(db, { price: 1000, item_name: 'Ginto' })
  const approval = assertWaits(await save(item, { price: 100 }))
  assertDone(await approve(approval))
  const today = async (by: Who = owner) => (await site.get('/api/admin/today', by.headers)).json().needs
  const cheap = async () => (await today()).filter(({ kind }: { kind: string }) => kind === 'cheap')
  assert.deepEqual(await cheap(), [])
  site.clock.set(TEST_NOW)
  const buyer = await createBuyer(site, { rCoin: 1000 })
  await buyer.buy(item)
  await buyer.buy(item)
  const [need, ...more] = await cheap()
  assert.deepEqual(more, [])
  assert.equal(need.count, 2)
  assert.equal(need.detail, `Ginto for 100 R-Coin, usually 1,000; the price is from ${shop.user.UserID}`)
})

const SERVICE = { kind: 'service', section: 2, service_pause_hours: 0 } as const
const fresh = async (from: number, change: object) => ({
  ...(await load(from)),
  product_num: null,
  version: null,
  ...change,
})

test('another item of a service has the service’s usual price, if their choices overlap', async () => {
  const first = await insertItem(db, { ...SERVICE, item_name: 'New name', price: 50_000, service: 'name' })
  assertWaits(await post('/items/save', await fresh(first, { item_name: 'Another name', price: 1 })))
  assertWaits(await post('/items/save', await fresh(first, { item_name: 'Another name', price: 24_999 })))
  assertDone(await post('/items/save', await fresh(first, { item_name: 'Another name', price: 25_000 })))
  const horse = { ...SERVICE, service: 'mount', service_choices: ['horse'] }
  const chosen = await insertItem(db, { ...horse, item_name: 'Mount', price: 40_000 })
  for (const service_choices of [['horse'], ['cow', 'horse'], []])
    assertWaits(await post('/items/save', await fresh(chosen, { service_choices, price: 500 })))
  assertDone(await post('/items/save', await fresh(chosen, { service_choices: ['cow'], price: 500 })))
  // A cheap service becomes an expensive one.
  const cow = (await post('/items/save', await fresh(chosen, { service_choices: ['goat'], price: 500 }))).json().item
  assertWaits(await save(cow.product_num, { service_choices: ['goat', 'horse'] }))
  assertWaits(await save(cow.product_num, { service: 'name', service_choices: [] }))
})

test('requires an approval for a price below the owners’ floor, unless the item usually costs less', async () => {
  const item = await insertItem(db, { price: 150 })
  const unknown = (price: number, number: number) => fresh(item, { price, game_product_num: number })
  assertWaits(await post('/items/save', await unknown(99, 7_100_001)))
  assertWaits(await post('/items/save', { ...(await unknown(99, 7_100_001)), hidden: true }))
  assertDone(await post('/items/save', await unknown(100, 7_100_002)))
  assertWaits(await save(item, { price: 90 }))
  assertWaits(await save(item, { sale_price: 90 }))
  assertDone(await save(await insertItem(db, { price: 60 }), { price: 40 }))
  const unstuck = await insertItem(db, { ...SERVICE, item_name: 'Way out', price: 60, service: 'unstuck' })
  assertDone(await post('/items/save', await fresh(unstuck, { price: 50 })))
})

test('requires another owner’s approval to lower the floor, but not to raise it', async () => {
  await newOperator(site, OWNER)
  const change = async (value: number) => {
    const row = await db.selectFrom('settings').where('name', '=', 'price_floor').select('version').executeTakeFirst()
    const body = { changes: [{ name: 'price_floor', value, version: row?.version ?? 0 }] }
    return post('/settings/staff/save', body, owner)
  }
  assertWaits(await change(1))
  assertDone(await change(500))
  const item = await insertItem(db, { price: 1000 })
  assertWaits(await post('/items/save', await fresh(item, { price: 499, game_product_num: 7_200_001 })))
  assertWaits(await change(100))
})

test('Today lists items without a usual price, with the operator who set the price', async () => {
  const item = await insertItem(db, { price: 1000 })
  assertDone(
    await post('/items/save', await fresh(item, { item_name: 'Rare hat', price: 700, game_product_num: 7_300_001 })),
  )
  const { needs } = (await site.get('/api/admin/today', owner.headers)).json()
  const found = needs.find(({ kind }: { kind: string }) => kind === 'unpriced')
  assert.match(found.detail, new RegExp(`Rare hat for 700 .*priced by ${shop.form.userId}`))
})
