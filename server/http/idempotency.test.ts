import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { buyCartItem, buyItem } from '#contract/cart.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { IDEMPOTENCY_KEY_MS } from '#contract/limits.ts'
import { SHOP, VOUCHER } from '#contract/shop-messages.ts'
import { processCoupon } from '#contract/vouchers.ts'
import { migrate } from '#server/db/migrate.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { openBareDatabase } from '#test/databases.ts'
import { insertAccount, insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  atOnce,
  countUnits,
  createBuyer,
  insertItem,
  insertVouchers,
  tally,
} from '#test/money-helpers.ts'
import { createOnceRequest, inOneTransaction, runOnce, sweepIdempotencyKeys } from './idempotency.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'on' } })
const { db, clock } = site
const item = await insertItem(db, { price: 100 })
const other = await insertItem(db, { price: 100 })

test('the same key twenty times at once buys once and gives twenty equal answers', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  const answers = await atOnce(20, () => juan.buy(item, 'same'))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.deepEqual(tally(answers), { 200: 20 })
  assert.equal((await juan.holds()).rCoin, 900)
  assert.equal(await countUnits(db, juan.userNum), 1)
  assert.equal((await juan.buy(item, 'same')).text, answers[0]?.text, 'and later')
  assert.equal((await juan.buy(item, 'another')).json().userPoints, 800)
})

test('the same key twenty times at once buys a cart once', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  await juan.add(item)
  await juan.add(other)
  const answers = await atOnce(20, () => juan.buyCart(undefined, 'same'))
  assert.deepEqual(tally(answers), { 200: 20 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  await juan.add(item)
  assert.equal((await juan.buyCart(undefined, 'same')).text, answers[0]?.text)
  assert.equal((await juan.cart()).length, 1, 'what was added later stays')
  assert.equal((await juan.holds()).rCoin, 800)
})

test('the same key twenty times at once redeems once, with twenty equal answers', async () => {
  const juan = await createBuyer(site)
  const [code = ''] = await insertVouchers(db, 1)
  const answers = await atOnce(20, () => juan.redeem(code, '', 'same'))
  assert.deepEqual(tally(answers), { 200: 20 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await juan.holds()).rCoin, 1000)
})

test('a refusal is remembered like a success: money that comes later does not turn it into a purchase', async () => {
  const juan = await createBuyer(site, { rCoin: 50 })
  assertRefused(await juan.buy(item, 'poor'), 422, SHOP.shortRCoin)
  const [code = ''] = await insertVouchers(db, 1)
  await juan.redeem(code)
  assertRefused(await juan.buy(item, 'poor'), 422, SHOP.shortRCoin)
  assertRefused(await juan.buy(999_999_999, 'no item'), 404, SHOP.noItem)
  assertRefused(await juan.buy(999_999_999, 'no item'), 404, SHOP.noItem)
  assertRefused(await juan.buyCart(undefined, 'empty'), 422, SHOP.nothingChecked)
  await juan.add(item)
  assertRefused(await juan.buyCart(undefined, 'empty'), 422, SHOP.nothingChecked)
  assert.equal((await juan.buy(item, 'rich')).status, 200)
})

test('a refused voucher under a key is remembered, and counts as one failure however often it is asked', async () => {
  const juan = await createBuyer(site)
  for (let times = 0; times < 30; times++) {
    assertRefused(await juan.redeem('NO-SUCH-CODE', '', 'typo'), 422, VOUCHER.unknown)
  }
  const [code = ''] = await insertVouchers(db, 1)
  assert.equal((await juan.redeem(code)).status, 200)
})

test('the same key for something else is refused and moves nothing', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  await juan.buy(item, 'key')
  await juan.add(item)
  const [line] = await juan.cart()
  const [code = ''] = await insertVouchers(db, 1)
  assertRefused(await juan.buy(other, 'key'), 422, SHOP.keyReused)
  assertRefused(await juan.buyCart(undefined, 'key'), 422, SHOP.keyReused)
  assertRefused(await juan.redeem(code, '', 'key'), 422, SHOP.keyReused)
  assert.equal((await juan.buyCart([{ seq: line?.seq }], 'cart')).status, 200)
  assertRefused(await juan.buyCart(undefined, 'cart'), 422, SHOP.keyReused)
  assert.equal((await juan.redeem(code, '', 'code')).status, 200)
  assertRefused(await juan.redeem(`${code} `, '', 'code'), 422, SHOP.keyReused)
  assert.deepEqual(await juan.holds(), { rCoin: 1800, milleage: 0 })
})

test('different calls with one key at once: one is done, the others are refused, none waits in a circle', async () => {
  for (let round = 0; round < 6; round++) {
    const juan = await createBuyer(site, { rCoin: round % 2 === 0 ? 1000 : 10 })
    await juan.add(item)
    const [code = ''] = await insertVouchers(db, 1, { r_coin: 1 })
    const answers = await atOnce(12, (index) => {
      if (index % 3 === 0) return juan.buy(other, 'one')
      return index % 3 === 1 ? juan.buyCart(undefined, 'one') : juan.redeem(code, '', 'one')
    })
    assert.deepEqual(
      Object.keys(tally(answers)).filter((status) => status !== '200' && status !== '422'),
      [],
    )
    assert.equal(answers.filter(({ text }) => !text.includes(SHOP.keyReused)).length, 4)
  }
  await assertBooksAgree(db)
})

test('keys belong to the account', async () => {
  const [juan, maria] = await atOnce(2, () => createBuyer(site, { rCoin: 300 }))
  assert.ok(juan && maria)
  await juan.buy(item, 'mine')
  assert.equal((await maria.buy(other, 'mine')).json().userPoints, 200)
})

test('a key is forgotten after 24 hours, not before', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  const start = clock.now()
  await juan.buy(item, 'old')
  clock.advance(IDEMPOTENCY_KEY_MS)
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).where('user_num', '=', juan.userNum).execute()
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 900)
  await sweepIdempotencyKeys(db, clock.now())
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 900)
  clock.advance(1)
  const answers = await atOnce(5, () => juan.buy(other, 'old'))
  assert.deepEqual(
    answers.map((answer) => answer.json().userPoints),
    [800, 800, 800, 800, 800],
  )
  clock.advance(IDEMPOTENCY_KEY_MS + 1)
  await sweepIdempotencyKeys(db, clock.now())
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).where('user_num', '=', juan.userNum).execute()
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 700)
  clock.set(start)
})

test('a key that is empty or longer than 200 characters is refused in a whole sentence', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  assertRefused(await juan.buy(item, ''), 422)
  assertRefused(await juan.buyCart(undefined, 'k'.repeat(201)), 422)
  assertRefused(await juan.redeem('X', '', 'k'.repeat(201)), 422)
  assert.equal((await juan.buy(item, 'k'.repeat(200))).status, 200)
})

test('what was answered in the 24 hours before the upgrade holds after it', async (t) => {
  const database = await openBareDatabase('embedded')
  t.after(() => database.close())
  await migrate(database.db, '010-hidden-html')
  const user_num = await insertAccount(database.db)
  // The texts as they were then.
  const refusals = {
    noItem: 'There is no such item in the shop.',
    nothingChecked: 'No checked items in your cart.',
    notChecked: 'Only checked lines of your own cart can be bought.',
    itemGone: 'An item in your cart is no longer sold. Please remove it.',
    shortRCoin: 'Not enough R-Coin.',
    shortMilleage: 'Not enough Milleage.',
    shortBoth: 'Not enough R-Coin and Milleage.',
    unknown: 'This voucher code is not valid.',
    used: 'This voucher code was already used.',
    expired: 'This voucher code has expired.',
    oncePerAccount: 'You already used a code of this kind.',
    unknownReferral: 'This referral code is not known.',
  }
  const keep = (key: string, status: number, body: object, hoursAgo: number, content = 'buyitem 1') =>
    sql`
    insert into kept_answers (user_num, key, content, status, body, created_at)
    values (${user_num}, ${key}, ${content}, ${status}, ${JSON.stringify(body)}::jsonb,
            now() - make_interval(hours => ${hoursAgo}::int))`.execute(database.db)
  const answer = { message: SHOP.bought, userPoints: 1, userPoints2: 2 }
  const bought: [key: string, content: string, endpoint: Endpoint, input: Record<string, unknown>][] = [
    ['bought', 'buyitem 1', buyItem, { productnum: 1 }],
    ['all', 'buycartitem all', buyCartItem, { items: undefined }],
    ['lines', 'buycartitem 3,14', buyCartItem, { items: [3, 14] }],
    ['voucher', JSON.stringify(['processCoupon', 'A"B', '']), processCoupon, { CouponCode: 'A"B', ReferralCode: '' }],
  ]
  for (const [key, content] of bought) await keep(key, 200, answer, 23, content)
  await keep('old', 200, answer, 25)
  for (const [code, message] of Object.entries(refusals)) await keep(code, 422, { error: message, message }, 1)
  await migrate(database.db)
  const deps = { db: database.db, now: () => new Date() }
  const session = {
    sessionId: 1,
    userNum: user_num,
    userId: '',
    userType: 1,
    secretAnswerUntil: null,
    claimStep: null,
    confirmedAt: null,
  }
  const retry = async (
    key: string,
    endpoint: Endpoint = buyItem,
    input: Record<string, unknown> = { productnum: 1 },
  ) => {
    const request = await createOnceRequest(endpoint, input, session, key)
    return runOnce(deps, request, () => inOneTransaction(deps, request, async () => ({ answer: 'ran' as unknown })))
  }
  for (const [key, , endpoint, input] of bought) assert.deepEqual(await retry(key, endpoint, input), { answer }, key)
  assert.deepEqual(await retry('old'), { answer: 'ran' })
  for (const code of Object.keys(refusals)) assert.deepEqual(await retry(code), { refused: code })
})

test('work in TypeScript that throws leaves nothing behind, so the same key can run again', async () => {
  const request = { owner: 'guest:1', key: 'throws', content: 'work' }
  const count = () => db.selectFrom('news').select('id').where('subject', '=', 'Isang beses').execute()
  const work = (fails: 'fails' | 'succeeds') =>
    runOnce(site, request, () =>
      inOneTransaction(site, request, async (tx) => {
        await insertNews(tx, { subject: 'Isang beses' })
        if (fails === 'fails') throw new Error('interrupted')
        return { answer: 'done' }
      }),
    )
  await assert.rejects(work('fails'), /interrupted/)
  assert.equal((await count()).length, 0)
  const outcomes = await atOnce(10, () => work('succeeds'))
  assert.ok(outcomes.every((outcome) => 'answer' in outcome && outcome.answer === 'done'))
  assert.equal((await count()).length, 1)
})
