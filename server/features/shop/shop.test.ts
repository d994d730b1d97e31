import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP_TEXTS, type ShopItem } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { insertItem, MILLEAGE } from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty' })
const { db } = site

async function insertItems(category_name: string, position: number): Promise<number> {
  const { id } = await db
    .insertInto('shop_categories')
    .values({ category_name, position })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const wear = await insertItems('Wear', 2)
const food = await insertItems('Food', 1)
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
const hidden = await insertItem(db, { category_id: food, item_name: 'Hidden mami', visible: false })

type Page = {
  itemshopdata: ShopItem[]
  prev_page: number | null
  next_page: number | null
  last_page: number
  lpm1: number
  total: number
}
async function browse(query: string): Promise<Page> {
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
  const first = await browse('')
  assert.deepEqual(Object.keys(first).sort(), ['itemshopdata', 'last_page', 'lpm1', 'next_page', 'prev_page', 'total'])
  assert.equal(first.itemshopdata.length, 8)
  assert.deepEqual(getPaging(first), [null, 2, 3, 2])
  assert.deepEqual(getPaging(await browse('?page=2')), [1, 3, 3, 2])
  const last = await browse('?category=0&page=3')
  assert.deepEqual(getPaging(last), [2, null, 3, 2])
  assert.deepEqual([last.itemshopdata.length, last.total], [2, 18])
})

test('returns the nearest page for a page out of range', async () => {
  const last = await browse('?page=3')
  for (const page of ['4', '1000000000', '9'.repeat(100)]) assert.deepEqual(await browse(`?page=${page}`), last)
  const first = await browse('?page=1')
  for (const page of ['0', '-1', `-${'9'.repeat(99)}`]) assert.deepEqual(await browse(`?page=${page}`), first)
  assert.deepEqual(await browse('?category=-7'), first)
})

test('returns the items of a category, and none for an unknown category', async () => {
  assert.deepEqual(getNames(await browse(`?category=${food}`)), ['50% Mami_bowl'])
  assert.equal((await browse(`?category=${wear}`)).total, 17)
  const nothing = await browse('?category=999999&page=3')
  assert.deepEqual([nothing.itemshopdata, nothing.total, ...getPaging(nothing)], [[], 0, null, null, 1, 0])
  assert.deepEqual((await browse(`?category=${'9'.repeat(50)}`)).itemshopdata, [])
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
  assert.deepEqual((await browse(`?category=${food}`)).itemshopdata, [data])
})

test('answers 404 for unknown and hidden items', async () => {
  for (const productNum of [hidden, 999_999, 0, -1, '9'.repeat(30)]) {
    assertRefused(await site.get(`/api/shopitem/${productNum}`), 404, SHOP_TEXTS.itemNotFound)
  }
})

test('finds a part of a name in any case, and treats no character as a wildcard', async () => {
  assert.deepEqual(getNames(await browse('?q=mAmI')), ['50% Mami_bowl'])
  assert.deepEqual(getNames(await browse('?q=%25')), ['50% Mami_bowl'])
  for (const q of ['ｍａｍｉ', 'ma\u200bmi', '５０％'])
    assert.deepEqual(getNames(await browse(`?q=${encodeURIComponent(q)}`)), ['50% Mami_bowl'])
  assert.deepEqual(getNames(await browse('?q=_')), ['50% Mami_bowl'])
  for (const q of ["' or 1=1 --", '%5C', '<script>', 'H_t']) {
    assert.deepEqual(getNames(await browse(`?q=${encodeURIComponent(q).replace('%255C', '%5C')}`)), [])
  }
  assert.equal((await browse(`?q=+hat+&category=${wear}`)).total, 17)
})

test('sorts by price in both directions and by name, across all pages', async () => {
  assert.deepEqual(getNames(await browse('?sort=price')).slice(0, 2), ['50% Mami_bowl', 'Hat Q'])
  assert.deepEqual(getNames(await browse('?sort=-price')).slice(0, 2), ['Hat A', 'Hat B'])
  assert.deepEqual(getNames(await browse('?sort=name&page=3')), ['Hat P', 'Hat Q'])
})

test('a changed price is shown at once', async () => {
  const before = await browse(`?category=${food}`)
  assert.equal(before.itemshopdata[0]?.price, 40)
  await db.updateTable('shop_items').set({ price: 45 }).where('product_num', '=', mami).execute()
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await browse(`?category=${food}`)).itemshopdata[0]?.price === 45) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.equal((await browse(`?category=${food}`)).itemshopdata[0]?.price, 45)
})
