import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertItem, MILLEAGE } from '#test/money-helpers.ts'
import { waitUntil } from '#test/wait-until.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site

async function insertCategory(category_name: string, position: number): Promise<number> {
  const { id } = await db
    .insertInto('shop_categories')
    .values({ category_name, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const wear = await insertCategory('Wear', 2)
const food = await insertCategory('Food', 1)
for (let index = 0; index < 17; index++) {
  await insertItem(db, { category_id: wear, item_name: `Hat ${String.fromCharCode(65 + index)}`, price: 1000 - index })
}
const mami = await insertItem(db, {
  category_id: food,
  item_name: '50% Mami_bowl',
  price: 40,
  section: MILLEAGE,
  ribbon: 'NEW',
  icon: 'item-mami.svg',
})
const hiddenItem = await insertItem(db, { category_id: food, item_name: 'Hidden mami', visible: false })

type Page = {
  itemshopdata: ShopItem[]
  prev_page: number | null
  next_page: number | null
  last_page: number
  lpm1: number
  total: number
}
async function readPage(query: string): Promise<Page> {
  const answer = await site.get(`/api/itemshop${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
const getNames = ({ itemshopdata }: Page) => itemshopdata.map(({ ItemName }) => ItemName)
const getPaging = ({ prev_page, next_page, last_page, lpm1 }: Page) => [prev_page, next_page, last_page, lpm1]

test('returns the categories as a plain list in their order, also to guests', async () => {
  const answer = await site.get('/api/shopcategories')
  assert.deepEqual(answer.json(), [
    { id: food, category_name: 'Food' },
    { id: wear, category_name: 'Wear' },
  ])
  assert.ok(answer.headers.get('etag'))
})

test('returns eight items a page, with the numbers of the neighboring pages', async () => {
  const firstPage = await readPage('')
  assert.deepEqual(Object.keys(firstPage).sort(), [
    'itemshopdata',
    'last_page',
    'lpm1',
    'next_page',
    'prev_page',
    'total',
  ])
  assert.equal(firstPage.itemshopdata.length, 8)
  assert.deepEqual(getPaging(firstPage), [null, 2, 3, 2])
  assert.deepEqual(getPaging(await readPage('?page=2')), [1, 3, 3, 2])
  const lastPage = await readPage('?category=0&page=3')
  assert.deepEqual(getPaging(lastPage), [2, null, 3, 2])
  assert.deepEqual([lastPage.itemshopdata.length, lastPage.total], [2, 18])
})

test('returns the nearest page for a page out of range', async () => {
  const lastPage = await readPage('?page=3')
  for (const page of ['4', '1000000000', '9'.repeat(100)]) assert.deepEqual(await readPage(`?page=${page}`), lastPage)
  const firstPage = await readPage('?page=1')
  for (const page of ['0', '-1', `-${'9'.repeat(99)}`]) assert.deepEqual(await readPage(`?page=${page}`), firstPage)
  assert.deepEqual(await readPage('?category=-7'), firstPage)
})

test('returns the items of a category, and none for an unknown category', async () => {
  assert.deepEqual(getNames(await readPage(`?category=${food}`)), ['50% Mami_bowl'])
  assert.equal((await readPage(`?category=${wear}`)).total, 17)
  const emptyPage = await readPage('?category=999999&page=3')
  assert.deepEqual([emptyPage.itemshopdata, emptyPage.total, ...getPaging(emptyPage)], [[], 0, null, null, 1, 0])
  assert.deepEqual((await readPage(`?category=${'9'.repeat(50)}`)).itemshopdata, [])
})

test('returns exactly these fields of an item, with its ribbon as an address', async () => {
  const { data } = (await site.get(`/api/shopitem/${mami}`)).json()
  assert.deepEqual(data, {
    ProductNum: mami,
    ItemName: '50% Mami_bowl',
    price: 40,
    section: MILLEAGE,
    description: '',
    icon: 'item-mami.svg',
    image_url: null,
    ribbon: '/art/ribbon-new.svg',
    ribbon_label: 'NEW',
    category: food,
    kind: 'item',
  })
  assert.deepEqual((await readPage(`?category=${food}`)).itemshopdata, [data])
})

test('answers 404 for unknown and hidden items', async () => {
  for (const productNum of [hiddenItem, 999_999, 0, -1, '9'.repeat(30)]) {
    assertRefused(await site.get(`/api/shopitem/${productNum}`), 404, SHOP_TEXTS.itemNotFound)
  }
})

test('finds a part of a name in any case, and treats no character as a wildcard', async () => {
  assert.deepEqual(getNames(await readPage('?q=mAmI')), ['50% Mami_bowl'])
  assert.deepEqual(getNames(await readPage('?q=%25')), ['50% Mami_bowl'])
  for (const q of ['ｍａｍｉ', 'ma\u200bmi', '５０％'])
    assert.deepEqual(getNames(await readPage(`?q=${encodeURIComponent(q)}`)), ['50% Mami_bowl'])
  assert.deepEqual(getNames(await readPage('?q=_')), ['50% Mami_bowl'])
  for (const q of ["' or 1=1 --", '%5C', '<script>', 'H_t']) {
    assert.deepEqual(getNames(await readPage(`?q=${encodeURIComponent(q).replace('%255C', '%5C')}`)), [])
  }
  assert.equal((await readPage(`?q=+hat+&category=${wear}`)).total, 17)
})

test('sorts by price in both directions and by name, across all pages', async () => {
  assert.deepEqual(getNames(await readPage('?sort=price')).slice(0, 2), ['50% Mami_bowl', 'Hat Q'])
  assert.deepEqual(getNames(await readPage('?sort=-price')).slice(0, 2), ['Hat A', 'Hat B'])
  assert.deepEqual(getNames(await readPage('?sort=name&page=3')), ['Hat P', 'Hat Q'])
})

test('shows a changed price before the cached response expires', async () => {
  const pageBefore = await readPage(`?category=${food}`)
  assert.equal(pageBefore.itemshopdata[0]?.price, 40)
  await db.updateTable('shop_items').set({ price: 45 }).where('product_num', '=', mami).execute()
  const isPriceShown = async () => (await readPage(`?category=${food}`)).itemshopdata[0]?.price === 45
  await waitUntil('the new price is shown', isPriceShown, { withinMs: 2000 })
})
