import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WISH_LIST_TEXTS } from '#contract/wishes.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { type Buyer, createBuyer, insertItem } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const [hat, fan] = [await insertItem(db, { item_name: 'Salakot' }), await insertItem(db, { item_name: 'Abaniko' })]

const addWish = (player: Buyer, productnum: number) => player.post('/api/wishlist/add', { productnum })
const readList = async (player: Buyer) => {
  const { items, token } = (await player.get('/api/wishlist')).json()
  return { names: items.map(({ ItemName }: { ItemName: string }) => ItemName), token }
}
const openSharedList = (token: string) => site.post('/api/wishlist/of-friend', { token })

test('lists each wish once, newest first, and only items on sale', async () => {
  const ana = await createBuyer(site)
  for (const item of [hat, hat]) assert.equal((await addWish(ana, item)).status, 200)
  site.clock.advance(1000)
  await addWish(ana, fan)
  assertRefused(await addWish(ana, 999_999), 404)
  assert.deepEqual((await readList(ana)).names, ['Abaniko', 'Salakot'])
  await db.updateTable('shop_items').set({ visible: false }).where('product_num', '=', fan).execute()
  assert.deepEqual((await readList(ana)).names, ['Salakot'])
  await db.updateTable('shop_items').set({ visible: true }).where('product_num', '=', fan).execute()
  await ana.post('/api/wishlist/remove', { productnum: fan })
  assert.deepEqual((await readList(ana)).names, ['Salakot'])
  assert.deepEqual((await readList(await createBuyer(site))).names, [])
})

test('shows a wish list to friends only by its current link', async () => {
  const ana = await createBuyer(site)
  await addWish(ana, hat)
  assert.equal((await readList(ana)).token, null)
  const firstToken = (await ana.post('/api/wishlist/share')).json().token
  assert.ok(firstToken.length >= 22)
  const sharedList = (await openSharedList(firstToken)).json()
  assert.deepEqual(Object.keys(sharedList).sort(), ['items', 'user_id'])
  assert.equal(sharedList.items[0].ItemName, 'Salakot')
  const secondToken = (await ana.post('/api/wishlist/share')).json().token
  assert.notEqual(secondToken, firstToken)
  assertRefused(await openSharedList(firstToken), 404, WISH_LIST_TEXTS.listNotFound)
  assert.equal((await openSharedList(secondToken)).status, 200)
  assert.equal((await readList(ana)).token, secondToken)
  await ana.post('/api/wishlist/hide')
  assertRefused(await openSharedList(secondToken), 404)
})
