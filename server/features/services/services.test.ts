import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { SERVICE_TEXTS, serviceRefusals } from '#contract/services.ts'
import { SHOP_TEXTS } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertItem,
  R_COIN,
  runConcurrently,
} from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site

const insertService = (service: string, values: object = {}) =>
  insertItem(db, {
    item_name: service,
    price: 100,
    section: R_COIN,
    kind: 'service',
    service,
    service_pause_hours: 0,
    ...values,
  })
const unstuck = await insertService('unstuck')
const schoolChange = await insertService('school', { service_pause_hours: 48 })
const nameChange = await insertService('name', { service_classes: ['1', '64'] })
const tattoo = await insertService('tattoo', { service_choices: ['Dragon', 'Rose'], service_schools: [1] })
const hoodie = await insertItem(db, { item_name: 'Hoodie', price: 100, section: R_COIN })

let juan: Buyer
let hero: number
let heroCount = 0

beforeEach(async () => {
  juan = await createBuyer(site, { rCoin: 1000 })
  hero = await insertCharacter(db, {
    cha_name: `Hero${++heroCount}`,
    cha_class: '1',
    cha_school: 0,
    user_num: juan.userNum,
  })
})

const buy = (buyer: Buyer, productNum: number, query: Record<string, string | number> = {}) =>
  buyer.post(
    `/api/buyitem?${new URLSearchParams({ productnum: String(productNum), ...query } as Record<string, string>)}`,
  )
const readOrders = (buyer: Buyer) =>
  db.selectFrom('service_orders').where('user_num', '=', buyer.userNum).selectAll().orderBy('service_order').execute()
/** Completes an order as the bridge does. */
const completeOrder = (order: { service_order: number } | undefined, at = site.now()) =>
  db
    .updateTable('service_orders')
    .set({ state: 'done', done_at: at, settled_at: at })
    .where('service_order', '=', order?.service_order ?? 0)
    .execute()

describe('buying a service', () => {
  test('creates a purchase with a unit, an order for the character and a ledger entry', async () => {
    const answer = await buy(juan, schoolChange, { character: hero, choice: '2' })
    assert.deepEqual(answer.json(), { message: SERVICE_TEXTS.bought, userPoints: 900, userPoints2: 0 })
    const [order] = await readOrders(juan)
    assert.equal(order?.state, 'waiting')
    assert.deepEqual([order?.cha_num, order?.choice, order?.was], [hero, '2', '0'])
    const [historyRow] = (await juan.get('/api/shoppurchases')).json().purchasehistory
    assert.equal(historyRow.shopitem.kind, 'service')
    assert.deepEqual(
      { ...historyRow.service, since: '' },
      {
        service: 'school',
        state: 'waiting',
        character: `Hero${heroCount}`,
        choice: '2',
        before: 'Sacred Gate',
        after: 'Phoenix',
        note: '',
        since: '',
      },
    )
    await assertBooksAgree(db)
  })

  test('requires a character of the caller, which other items refuse', async () => {
    const otherBuyer = await createBuyer(site, {})
    const otherCharacter = await insertCharacter(db, { user_num: otherBuyer.userNum })
    assertRefused(await buy(juan, unstuck), 422, serviceRefusals.needsCharacter.message)
    assertRefused(
      await buy(juan, unstuck, { character: otherCharacter }),
      422,
      serviceRefusals.characterNotFound.message,
    )
    assertRefused(await buy(juan, unstuck, { character: hero, quantity: 2 }), 422, serviceRefusals.oneService.message)
    assertRefused(await buy(juan, hoodie, { character: hero }), 422, serviceRefusals.notService.message)
    assert.equal((await readOrders(juan)).length, 0)
    assert.equal((await buy(juan, hoodie)).json().message, SHOP_TEXTS.bought)
    assert.equal((await buy(juan, unstuck, { character: hero })).status, 200)
  })

  test('buys once for each key', async () => {
    const query = `productnum=${unstuck}&character=${hero}`
    const buyWithKey = () => juan.post(`/api/buyitem?${query}`, undefined, { 'Idempotency-Key': `twice-${hero}` })
    assert.deepEqual((await buyWithKey()).json(), (await buyWithKey()).json())
    assert.equal((await readOrders(juan)).length, 1)
  })

  test('is limited to the classes, schools and choices that the desk has set', async () => {
    const mage = await insertCharacter(db, { cha_class: '16384', cha_school: 1, user_num: juan.userNum })
    assertRefused(
      await buy(juan, nameChange, { character: mage, choice: 'Juana' }),
      422,
      serviceRefusals.wrongClass.message,
    )
    assertRefused(
      await buy(juan, tattoo, { character: hero, choice: 'Rose' }),
      422,
      serviceRefusals.wrongSchool.message,
    )
    assertRefused(await buy(juan, tattoo, { character: mage, choice: 'Skull' }), 422, serviceRefusals.badChoice.message)
    assertRefused(
      await buy(juan, schoolChange, { character: mage, choice: '7' }),
      422,
      serviceRefusals.badChoice.message,
    )
    assertRefused(
      await buy(juan, schoolChange, { character: mage, choice: '1' }),
      422,
      serviceRefusals.sameChoice.message,
    )
    assertRefused(await buy(juan, unstuck, { character: mage, choice: 'x' }), 422, serviceRefusals.badChoice.message)
    assert.equal((await buy(juan, tattoo, { character: mage, choice: 'Rose' })).status, 200)
  })

  test('is refused before the previous one is done, and during the pause between two uses', async () => {
    assert.equal((await buy(juan, schoolChange, { character: hero, choice: '1' })).status, 200)
    assertRefused(await buy(juan, unstuck, { character: hero }), 422, serviceRefusals.busy.message)
    const [order] = await readOrders(juan)
    await completeOrder(order)
    assert.equal((await buy(juan, unstuck, { character: hero })).status, 200)
    const [, secondOrder] = await readOrders(juan)
    await completeOrder(secondOrder)
    assertRefused(await buy(juan, schoolChange, { character: hero, choice: '2' }), 422, serviceRefusals.tooSoon.message)
    await completeOrder(order, new Date(site.now().getTime() - 49 * HOUR_MS))
    assert.equal((await buy(juan, schoolChange, { character: hero, choice: '2' })).status, 200)
  })

  test('buys one of several concurrent services for a character', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy(juan, unstuck, { character: hero })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await readOrders(juan)).length, 1)
    await assertBooksAgree(db)
  })
})

describe('a new name', () => {
  test('must differ from names that characters have, have ordered, or had in the last 30 days', async () => {
    await insertCharacter(db, { cha_name: 'Taken', user_num: (await createBuyer(site)).userNum })
    const readRefusal = async (choice: string) =>
      (await buy(juan, nameChange, { character: hero, choice })).json().message
    assert.equal(await readRefusal('taKen'), serviceRefusals.nameTaken.message)
    assert.equal(await readRefusal('two words'), serviceRefusals.badName.message)
    assert.equal(await readRefusal(''), serviceRefusals.badName.message)
    assert.equal(await readRefusal(`Hero${heroCount}`), serviceRefusals.sameChoice.message)

    const rival = await createBuyer(site, { rCoin: 1000 })
    const rivalCharacter = await insertCharacter(db, {
      cha_name: `Rival${heroCount}`,
      cha_class: '1',
      user_num: rival.userNum,
    })
    const answers = await Promise.all([
      buy(juan, nameChange, { character: hero, choice: `Wanted${heroCount}` }),
      buy(rival, nameChange, { character: rivalCharacter, choice: `wanted${heroCount}` }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])

    const [order] = [...(await readOrders(juan)), ...(await readOrders(rival))]
    await completeOrder(order)
    const thirdBuyer = await createBuyer(site, { rCoin: 1000 })
    const thirdCharacter = await insertCharacter(db, {
      cha_name: `Third${heroCount}`,
      cha_class: '1',
      user_num: thirdBuyer.userNum,
    })
    const freedName = order?.was ?? ''
    await db
      .updateTable('characters')
      .set({ cha_name: order?.choice ?? '' })
      .where('cha_num', '=', order?.cha_num ?? 0)
      .execute()
    assertRefused(
      await buy(thirdBuyer, nameChange, { character: thirdCharacter, choice: freedName }),
      422,
      serviceRefusals.nameTaken.message,
    )
    await completeOrder(order, new Date(site.now().getTime() - 31 * DAY_MS))
    assert.equal((await buy(thirdBuyer, nameChange, { character: thirdCharacter, choice: freedName })).status, 200)
  })
})

test('prompts the player for the service’s choice, and shows the result for each character', async () => {
  const question = (await juan.get(`/api/service/${schoolChange}`)).json()
  assert.equal(question.asks, 'school')
  assert.deepEqual(question.choices[2], { value: '2', label: 'Phoenix' })
  assert.deepEqual(
    question.characters.map(({ ChaNum, problem }: { ChaNum: number; problem: unknown }) => [ChaNum, problem]),
    [[hero, null]],
  )
  const check = await juan.get(`/api/service/${schoolChange}/check?character=${hero}&choice=1`)
  assert.deepEqual(check.json(), { price: 100, section: 2, before: 'Sacred Gate', after: 'Mystic Peak' })
  const refusedCheck = await juan.get(`/api/service/${schoolChange}/check?character=${hero}&choice=0`)
  assertRefused(refusedCheck, 422, serviceRefusals.sameChoice.message)
  assert.equal((await juan.get(`/api/service/${hoodie}`)).status, 404)
})

test('allows a service on a wish list, but not in a cart', async () => {
  assertRefused(await juan.post(`/api/addtocart?productnum=${unstuck}`), 422, SERVICE_TEXTS.notHere)
  assert.deepEqual(await juan.cart(), [])
  assert.equal((await juan.post('/api/wishlist/add', { productnum: unstuck })).status, 200)
})

test('the database refuses services in carts, gifts, capsules and rewards, and changed kinds', async () => {
  const refusedByTrigger = { constraint: 'services_for_characters' }
  await assert.rejects(
    insertRows(db, 'cart_lines', { user_num: juan.userNum, product_num: unstuck, quantity: 1 }),
    refusedByTrigger,
  )
  await assert.rejects(
    insertRows(db, 'letter_gifts', {
      letter: 1,
      product_num: unstuck,
      quantity: 1,
      value: 1,
      budget: 1,
      sent_at: site.now(),
    }),
    refusedByTrigger,
  )
  await assert.rejects(
    insertRows(db, 'reward_offers', { source: 'daily', slot: 1, product_num: unstuck, quantity: 1 }),
    refusedByTrigger,
  )
  await assert.rejects(
    insertRows(db, 'capsule_chances', { capsule: 1, version: 1, product_num: unstuck, chance: 1_000_000 }),
    refusedByTrigger,
  )
  await assert.rejects(
    db.updateTable('shop_items').set({ kind: 'item' }).where('product_num', '=', unstuck).execute(),
    { constraint: 'shop_items_kind_stays' },
  )
})

describe('a free unstuck', () => {
  const freeUnstuck = insertService('unstuck', { item_name: 'Guard', price: 0 })
  const orderUnstuck = async (buyer = juan, character = hero) => buy(buyer, await freeUnstuck, { character })

  test('is an order without a ledger entry', async () => {
    const answer = await orderUnstuck()
    assert.deepEqual(answer.json(), { message: SERVICE_TEXTS.bought, userPoints: 1000, userPoints2: 0 })
    const [orderRow] = await readOrders(juan)
    assert.deepEqual([orderRow?.service, orderRow?.state], ['unstuck', 'waiting'])
    const entries = await db.selectFrom('ledger').where('user_num', '=', juan.userNum).select('reason').execute()
    assert.deepEqual(entries, [{ reason: 'opening balance' }])
    const [historyRow] = (await juan.get('/api/shoppurchases')).json().purchasehistory
    assert.equal(historyRow.shopitem.price, 0)
    await assertBooksAgree(db)
  })

  test('is possible once in 24 hours for each character, also with concurrent requests', async () => {
    const answers = await runConcurrently(5, () => orderUnstuck())
    assert.deepEqual(countStatuses(answers), { 200: 1, 422: 4 })
    const [firstOrder] = await readOrders(juan)
    await completeOrder(firstOrder)
    assertRefused(await orderUnstuck(), 422, serviceRefusals.tooSoon.message)
    const secondCharacter = await insertCharacter(db, { cha_class: '1', user_num: juan.userNum })
    assert.equal((await orderUnstuck(juan, secondCharacter)).status, 200, 'another character')
    // A session that is not used for 12 hours expires.
    for (let times = 0; times < 3; times++) {
      site.clock.advance(11 * HOUR_MS)
      await juan.get('/api/mailbox')
    }
    assert.equal((await orderUnstuck()).status, 200)
    assert.equal((await buy(juan, unstuck, { character: secondCharacter })).status, 422, 'the order still waits')
    site.clock.advance(-33 * HOUR_MS)
  })

  test('does not count after a refund, which pays nothing and sends a letter', async () => {
    const gm = await createOperator(site, 'shop')
    assert.equal((await orderUnstuck()).status, 200)
    const { delivery } = await db
      .selectFrom('deliveries')
      .where('user_num', '=', juan.userNum)
      .select('delivery')
      .executeTakeFirstOrThrow()
    const answer = await gm.post('/api/admin/orders/refund', { units: [delivery], reason: 'It was not stuck' })
    assert.equal(answer.json().message, 'Paid back nothing for 1 unit.', answer.text)
    assert.equal((await readOrders(juan))[0]?.state, 'refunded')
    assert.equal((await juan.readBalance()).rCoin, 1000)
    assert.equal((await juan.get('/api/mailbox')).json().letters[0].subject, 'Unstuck (Guard): not done')
    assert.equal((await orderUnstuck()).status, 200)
    await assertBooksAgree(db)
  })

  test('refuses orders from 10 minutes before a club war until its end, if the setting is on', async () => {
    const now = site.clock.now().getTime()
    const insertWar = (from: number, until: number, repeats: 'once' | 'weekly' = 'once') =>
      db
        .insertInto('events')
        .values({
          title: 'Club war',
          club_war: true,
          starts_at: new Date(now + from * MINUTE_MS),
          ends_at: new Date(now + until * MINUTE_MS),
          repeats,
          created_at: new Date(now),
          changed_at: new Date(now),
        })
        .execute()
    const isRefused = async () => (await orderUnstuck()).status === 422
    const orderAsNewPlayer = async () => {
      const buyer = await createBuyer(site)
      return orderUnstuck(buyer, await insertCharacter(db, { cha_class: '1', user_num: buyer.userNum }))
    }
    await insertWar(10, 70)
    await changeSettings(site, { free_unstuck_rests_in_wars: true })
    assertRefused(await orderUnstuck(), 422, serviceRefusals.clubWar.message)
    await db.updateTable('events').set({ cancelled_why: 'Rain' }).execute()
    assert.equal((await orderAsNewPlayer()).status, 200, 'the war was cancelled')
    await db.deleteFrom('events').execute()
    await insertWar(10.1, 70)
    assert.equal((await orderAsNewPlayer()).status, 200, 'more than 10 minutes before the war')
    await db.deleteFrom('events').execute()
    await insertWar(-60, 0.1)
    assert.ok(await isRefused(), 'until its end')
    await db.deleteFrom('events').execute()
    const twoWeeksAgo = (-2 * 7 * DAY_MS) / MINUTE_MS
    await insertWar(twoWeeksAgo - 30, twoWeeksAgo + 30, 'weekly')
    assert.ok(await isRefused(), 'each week')
    assert.equal((await buy(juan, unstuck, { character: hero })).status, 200, 'a paid unstuck is possible')
    await db.deleteFrom('events').execute()
    await changeSettings(site, { free_unstuck_rests_in_wars: false })
  })

  test('is the only item that may have the price 0', async () => {
    await assert.rejects(insertService('stats', { price: 0 }), { constraint: 'shop_items_price_check' })
    await assert.rejects(insertItem(db, { price: 0 }), { constraint: 'shop_items_price_check' })
  })
})

test('finds services by their effect, and by the operators’ names', async () => {
  const nightGuard = await insertService('unstuck', { item_name: 'Night guard' })
  const findItems = async (q: string) =>
    (await site.get(`/api/itemshop?q=${encodeURIComponent(q)}`))
      .json()
      .itemshopdata.map(({ ProductNum }: { ProductNum: number }) => ProductNum)
  for (const query of ['unstuck', 'Stuck', 'night']) assert.ok((await findItems(query)).includes(nightGuard), query)
  assert.ok((await findItems('change school')).includes(schoolChange))
  assert.ok((await findItems('rename')).includes(nameChange))
  assert.ok(!(await findItems('rename')).includes(nightGuard))
})
