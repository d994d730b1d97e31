import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { ItemValues } from '#contract/desk-items.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_NOW } from '#test/databases.ts'
import { createTestApp } from '#test/helpers.ts'
import { countStatuses, createBuyer, insertItem, runConcurrently } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
const inMinutes = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * 60_000).toISOString()

const { rows: categories } = (await gm.get('/api/admin/categories')).json()
const NEW_ITEM_VALUES: ItemValues = {
  item_name: 'Parol',
  category_id: categories[0].id,
  section: 2,
  price: 900,
  description: 'A star of paper.',
  icon: null,
  image_url: '/art/item-batch-26-hoodie.svg',
  ribbon: 'NEW',
  ribbon_picture: null,
  sale_price: null,
  sale_starts_at: null,
  sale_ends_at: null,
  account_limit: null,
  game_product_num: null,
  sold_from: null,
  sold_until: null,
  hidden: false,
  service: null,
  service_pause_hours: null,
  service_classes: [],
  service_schools: [],
  service_choices: [],
}
const saveItem = (change: object) =>
  gm.post('/api/admin/items/save', { product_num: null, version: null, ...NEW_ITEM_VALUES, ...change })
const loadItem = async (productNum: number) => (await gm.get(`/api/admin/items/${productNum}`)).json()
const createItem = async (change: object = {}) => {
  const answer = await saveItem(change)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().item
}
const listAuditEntries = () => db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').execute()

beforeEach(() => site.cache.clear())

test('adds a new item at the end of the shop at once, to be bought at its price', async () => {
  const item = await createItem()
  const lastItem = (await site.get('/api/itemshop?page=999')).json().itemshopdata.at(-1)
  assert.equal(lastItem.ProductNum, item.product_num)
  const buyer = await createBuyer(site, { rCoin: 1000 })
  assert.equal((await buyer.buy(item.product_num)).json().userPoints, 100)
  const [entry] = await listAuditEntries()
  assert.deepEqual([entry?.target_kind, entry?.target_id], ['item', String(item.product_num)])
})

test('one of two concurrent changes to an item gets a conflict and changes nothing', async () => {
  const item = await createItem()
  const entryCount = (await listAuditEntries()).length
  const answers = await runConcurrently(2, (index) =>
    saveItem({ ...item, item_name: `Parol ${index}`, price: 100 + index }),
  )
  assert.deepEqual(countStatuses(answers), { 200: 1, 409: 1 })
  const savedItem = (await loadItem(item.product_num)).item
  assert.equal(savedItem.price, 100 + Number(savedItem.item_name.slice(-1)))
  assert.equal(savedItem.version, item.version + 1)
  assert.equal((await listAuditEntries()).length, entryCount + 1)
})

test('reports contradictory values under their field', async () => {
  const invalidChanges: [object, string][] = [
    [{ sale_price: 900 }, 'sale_price'],
    [{ sale_ends_at: inMinutes(5) }, 'sale_price'],
    [{ sale_price: 5, sale_starts_at: inMinutes(9), sale_ends_at: inMinutes(5) }, 'sale_ends_at'],
    [{ sale_price: 5, sale_starts_at: inMinutes(-9), sale_ends_at: inMinutes(-5) }, 'sale_ends_at'],
    [{ sold_from: inMinutes(9), sold_until: inMinutes(5) }, 'sold_until'],
    [{ price: 0 }, 'price'],
    [{ price: 1_000_000_000 }, 'price'],
    [{ price: 1.5 }, 'price'],
    [{ item_name: ' ' }, 'item_name'],
    [{ category_id: 9_999 }, 'category_id'],
    [{ image_url: 'https://elsewhere.example/a.png' }, 'image_url'],
    [{ image_url: '//elsewhere.example/a.png' }, 'image_url'],
    [{ icon: '../a.svg/' }, 'icon'],
    [{ ribbon_picture: '/\\elsewhere.example' }, 'ribbon_picture'],
    [{ account_limit: 0 }, 'account_limit'],
  ]
  for (const [change, field] of invalidChanges) {
    const answer = await saveItem(change)
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), [field], JSON.stringify(change))
  }
})

test('returns an item with its prices, the newest first', async () => {
  const item = await createItem({ price: 900 })
  await saveItem({ ...item, price: 950, sale_price: 800 })
  const { prices } = await loadItem(item.product_num)
  assert.deepEqual(
    prices.map(({ price, sale_price }: { price: number; sale_price: number | null }) => [price, sale_price]),
    [
      [950, 800],
      [900, null],
    ],
  )
})

test('returns the state of an item: visible, coming, over or hidden', async () => {
  const states: [object, string][] = [
    [{}, 'shown'],
    [{ sold_from: inMinutes(5) }, 'coming'],
    [{ sold_from: inMinutes(-5), sold_until: inMinutes(5) }, 'shown'],
    [{ sold_until: inMinutes(-5) }, 'over'],
    [{ hidden: true, sold_from: inMinutes(5) }, 'hidden'],
  ]
  for (const [change, state] of states) {
    const item = await createItem({ ...change, item_name: `State ${state}` })
    assert.equal(item.state, state)
    const { rows } = (await gm.get(`/api/admin/items?state=${state}&q=state%20${state}`)).json()
    assert.ok(
      rows.some(({ product_num }: { product_num: number }) => product_num === item.product_num),
      state,
    )
    assert.equal((await site.get(`/api/shopitem/${item.product_num}`)).status, state === 'shown' ? 200 : 404, state)
  }
})

test('lists every item once, in the order of the shop', async () => {
  const listedNumbers: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (await gm.get(`/api/admin/items?after=${after}`)).json()
    listedNumbers.push(...page.rows.map(({ product_num }: { product_num: number }) => product_num))
    after = page.next
  }
  const allItems = await db
    .selectFrom('shop_items')
    .select('product_num')
    .orderBy('position')
    .orderBy('product_num')
    .execute()
  assert.deepEqual(
    listedNumbers,
    allItems.map(({ product_num }) => product_num),
  )
})

test('hides and shows many items, and counts only changed items', async () => {
  const numbers = await Promise.all([1, 2, 3].map(async () => (await createItem()).product_num))
  const hideItems = (items: number[], hidden: boolean) => gm.post('/api/admin/items/hide', { items, hidden })
  assert.equal((await hideItems(numbers.slice(0, 1), true)).json().changed, 1)
  assert.equal((await hideItems(numbers, true)).json().changed, 2)
  for (const number of numbers) assert.equal((await site.get(`/api/shopitem/${number}`)).status, 404)
  assert.equal((await hideItems(numbers, false)).json().changed, 3)
  site.cache.clear()
  for (const number of numbers) assert.equal((await site.get(`/api/shopitem/${number}`)).status, 200)
})

test('moves many items to a category in their order, and counts only moved items', async () => {
  const [fromCategory, toCategory] = [categories[0], categories[1]]
  const numbers = [await createItem(), await createItem(), await createItem({ category_id: toCategory.id })].map(
    (item) => item.product_num,
  )
  const moveItems = (items: number[], category_id: number) =>
    gm.post('/api/admin/items/move-to-category', { items, category_id })
  const answer = await moveItems(numbers, toCategory.id)
  assert.deepEqual([answer.status, answer.json().changed], [200, 2], answer.text)
  const { rows } = (await gm.get(`/api/admin/items?category=${toCategory.id}`)).json()
  assert.deepEqual(rows.map(({ product_num }: { product_num: number }) => product_num).slice(-3), numbers)
  assert.equal((await loadItem(numbers[0])).item.version, 2)
  const [entry] = await listAuditEntries()
  assert.deepEqual([entry?.target_kind, entry?.target_id], ['category', String(toCategory.id)])
  assert.deepEqual(
    entry?.changes,
    numbers
      .slice(0, 2)
      .map((num) => ({ field: `category of item ${num}`, before: fromCategory.id, after: toCategory.id })),
  )
  assertRefused(await moveItems(numbers, 999_999), 422)
})

test('moves an item before another item or to the end, and retains the order of the others', async () => {
  const readOrder = async () =>
    (await db.selectFrom('shop_items').select('product_num').orderBy('position').orderBy('product_num').execute()).map(
      ({ product_num }) => product_num,
    )
  const orderBefore = await readOrder()
  const [firstItem = 0, secondItem = 0, thirdItem = 0] = orderBefore
  const lastItem = orderBefore.at(-1) ?? 0
  const moveItem = (product_num: number, targetItem: number | null) =>
    gm.post('/api/admin/items/move', { product_num, before: targetItem })
  assert.equal((await moveItem(lastItem, secondItem)).status, 200)
  assert.deepEqual(await readOrder(), [firstItem, lastItem, ...orderBefore.slice(1, -1)])
  await moveItem(firstItem, null)
  assert.deepEqual(await readOrder(), [lastItem, ...orderBefore.slice(1, -1), firstItem])
  await moveItem(thirdItem, thirdItem)
  assert.deepEqual(await readOrder(), [lastItem, ...orderBefore.slice(1, -1), firstItem])
  assertRefused(await moveItem(999_999, null), 404)
})

test('changes many prices as previewed, all or none', async () => {
  const { category } = (await site.get(`/api/shopitem/${await insertItem(db, { price: 95 })}`)).json().data
  const cheapItem = await insertItem(db, { category_id: category, price: 7 })
  const previewPrices = async (query: string) =>
    (await gm.get(`/api/admin/items/prices?category=${category}&${query}`)).json().rows
  const rows = await previewPrices('target=price&change=percent&value=-10&round=5')
  assert.deepEqual(
    rows.map(({ price, new_price }: Record<string, number>) => [price, new_price]),
    [
      [95, 85],
      [7, 5],
    ],
  )
  const newPrices = rows.map((row: Record<string, number>) => ({ ...row, price: row.new_price }))
  await db.updateTable('shop_items').set({ version: 9 }).where('product_num', '=', cheapItem).execute()
  assertRefused(await gm.post('/api/admin/items/reprice', { target: 'price', rows: newPrices }), 409)
  const salePreview = await previewPrices('target=sale&change=amount&value=-2&round=1')
  const salePrices = salePreview.map((row: Record<string, number>) => ({ ...row, price: row.new_price }))
  const saleTimes = { sale_starts_at: inMinutes(-1), sale_ends_at: inMinutes(60) }
  const response = await gm.post('/api/admin/items/reprice', { target: 'sale', ...saleTimes, rows: salePrices })
  assert.deepEqual([response.status, response.json().changed], [200, 2])
  const shopItems = (await site.get(`/api/itemshop?category=${category}&sort=price`)).json().itemshopdata
  assert.deepEqual(
    shopItems.map(({ price, regular_price }: Record<string, number>) => [price, regular_price]),
    [
      [5, 7],
      [93, 95],
    ],
  )
  const [refusedRow] = await previewPrices('target=price&change=price&value=5&round=1')
  assert.match(refusedRow.problem, /sale price is 93/)
})

test('adds, renames and orders categories, and deletes empty ones', async () => {
  const saveCategory = (body: object) => gm.post('/api/admin/categories/save', body)
  const newCategory = (await saveCategory({ id: null, version: null, category_name: 'Fiesta' })).json().category
  assertRefused(await saveCategory({ id: null, version: null, category_name: 'Fiesta' }), 422)
  assert.equal((await saveCategory({ ...newCategory, category_name: 'Pasko' })).status, 200)
  assertRefused(await saveCategory({ ...newCategory, category_name: 'Undas' }), 409)
  const ids = (await gm.get('/api/admin/categories')).json().rows.map(({ id }: { id: number }) => id)
  assert.equal((await gm.post('/api/admin/categories/order', { categories: ids.toReversed() })).status, 200)
  const publicCategories = (await site.get('/api/shopcategories')).json()
  assert.equal(publicCategories[0].category_name, 'Pasko')
  assertRefused(await gm.post('/api/admin/categories/order', { categories: ids.slice(1) }), 409)
  assertRefused(await gm.post('/api/admin/categories/delete', { id: categories[0].id }), 409)
  assert.equal((await gm.post('/api/admin/categories/delete', { id: newCategory.id })).status, 200)
})

// The tests below use the CSV file of items.

const uploadFile = (path: string, text: string, fields: Record<string, string> = {}) => {
  const body = new FormData()
  body.set('file', new File([text], 'items.csv', { type: 'text/csv' }))
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return site.send(path, { method: 'POST', body, headers: gm.headers })
}
const checkFile = async (text: string) => {
  const answer = await uploadFile('/api/admin/items/check-csv', text)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const exportItems = async () => (await gm.get('/api/admin/items/csv')).text

test('importing the unchanged file of all items changes nothing', async () => {
  await createItem({ item_name: '=SUM(A1)', description: 'With "quotes", commas\nand lines; ñ', sale_price: 3 })
  await createItem({ sold_from: inMinutes(5), sale_price: 8, sale_starts_at: inMinutes(1.5), account_limit: 2 })
  const result = await checkFile(await exportItems())
  assert.deepEqual(result.problems, [])
  assert.deepEqual([result.added, result.changed], [0, 0])
  assert.ok(result.unchanged > 60)
})

test('changes and adds the items of a file together', async () => {
  const item = await createItem({ item_name: 'Lantern', price: 500, account_limit: 4 })
  const text = [
    'product_num,item_name,category,currency,price,sale_price,sale_starts_at,hidden',
    `${item.product_num},Big lantern,,,"1,200",999,2026-12-01 18:00,`,
    ',Small lantern,Costumes,Milleage,40,,,yes',
  ].join('\r\n')
  const checkResult = await checkFile(text)
  assert.deepEqual(
    checkResult.problems.map(({ line, field }: Record<string, unknown>) => [line, field]),
    [
      [2, 'category'],
      [2, 'currency'],
    ],
  )
  const validText = text.replace('lantern,,,', 'lantern,Costumes,R-Coin,')
  const { checked, added, changed, problems } = await checkFile(validText)
  assert.deepEqual([added, changed, problems], [1, 1, []])
  const response = await uploadFile('/api/admin/items/import-csv', validText, { checked })
  assert.equal(response.status, 200, response.text)
  const itemAfter = (await loadItem(item.product_num)).item
  assert.deepEqual(
    [itemAfter.item_name, itemAfter.price, itemAfter.sale_price, itemAfter.sale_starts_at, itemAfter.account_limit],
    ['Big lantern', 1200, 999, '2026-12-01T10:00:00.000Z', 4],
  )
  const [smallLantern] = (await gm.get('/api/admin/items?q=small%20lantern')).json().rows
  assert.deepEqual([smallLantern.state, smallLantern.section, smallLantern.price], ['hidden', 1, 40])
})

test('the file has every field of the form', async () => {
  const at = (hour: number) => `2027-01-01T0${hour}:00:00.000Z`
  const item = await createItem({
    item_name: 'Everything',
    section: 1,
    price: 70,
    icon: 'item-hallway-skates.svg',
    ribbon: 'HOT',
    ribbon_picture: '/art/ribbon-hot.svg',
    sale_price: 60,
    sale_starts_at: at(2),
    sale_ends_at: at(3),
    account_limit: 3,
    game_product_num: 4711,
    sold_from: at(1),
    sold_until: at(4),
    hidden: true,
  })
  // The input of a service can be set only at the desk.
  const emptyFields = Object.keys(NEW_ITEM_VALUES).filter(
    (field) => item[field] === null && !field.startsWith('service'),
  )
  assert.deepEqual(emptyFields, [], 'this test fills in every field')
  const [header = '', ...lines] = (await exportItems()).split('\r\n')
  const line = lines.find((text) => text.includes('Everything')) ?? ''
  const copiedText = `${header}\n${line.replace(/^\d+/, '')}`
  const { checked, added, problems } = await checkFile(copiedText)
  assert.deepEqual([added, problems], [1, []])
  assert.equal((await uploadFile('/api/admin/items/import-csv', copiedText, { checked })).status, 200)
  const [copiedItem] = (await gm.get('/api/admin/items?sort=newest')).json().rows
  assert.notEqual(copiedItem.product_num, item.product_num)
  for (const field of Object.keys(NEW_ITEM_VALUES)) assert.deepEqual(copiedItem[field], item[field], field)
})

test('refuses an import when an item or the file has changed since the check', async () => {
  const item = await createItem({ item_name: 'Kite' })
  const text = `product_num,price\n${item.product_num},77`
  const { checked } = await checkFile(text)
  assertRefused(await uploadFile('/api/admin/items/import-csv', `${text} `, { checked }), 409)
  await saveItem({ ...item, price: 901 })
  assertRefused(await uploadFile('/api/admin/items/import-csv', text, { checked }), 409)
  assert.equal((await loadItem(item.product_num)).item.price, 901)
})

test('reports every problem of a file by its line', async () => {
  const { product_num } = await createItem({ price: 50 })
  const text = [
    'product_num,price,sale_price,sold_from,account_limit',
    `${product_num},0,,,`,
    `${product_num},ten,,,`,
    '999999,5,,,',
    `${product_num},50,60,2026-13-01,1.5`,
    `${product_num},50,,,,,extra`,
  ].join('\n')
  const { problems } = await checkFile(text)
  const reportedProblems = problems.map(({ line, field }: Record<string, unknown>) => `${line} ${field}`)
  for (const expected of [
    ...['2 price', '3 price', '3 product_num', '4 product_num', '5 product_num'],
    ...['5 sold_from', '5 account_limit', '6 '],
  ])
    assert.ok(reportedProblems.includes(expected), `${expected}: ${JSON.stringify(problems)}`)
  const headResult = await checkFile('product_num,name\n1,x')
  assert.match(headResult.problems[0].message, /no column “name”/)
  assert.match((await checkFile('')).problems[0].message, /product_num/)
})
