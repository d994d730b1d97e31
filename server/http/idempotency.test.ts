import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { declareEndpoint } from '#contract/endpoint.ts'
import { IDEMPOTENCY_KEY_RETENTION_MS } from '#contract/limits.ts'
import { SHOP_TEXTS, VOUCHER_TEXTS } from '#contract/shop.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { Refusal, refuse } from '#server/errors.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { insertNews } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  countStatuses,
  countUnits,
  createBuyer,
  insertItem,
  insertVouchers,
  runConcurrently,
} from '#test/money-helpers.ts'
import { mount } from './mount.ts'
import { runWrite } from './write.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'on' } })
const { db, clock } = site
const item = await insertItem(db, { price: 100 })
const otherItem = await insertItem(db, { price: 100 })

test('twenty concurrent purchases with one key buy once and get equal responses', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  const answers = await runConcurrently(20, () => juan.buy(item, 'same'))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.deepEqual(countStatuses(answers), { 200: 20 })
  assert.equal((await juan.readBalance()).rCoin, 900)
  assert.equal(await countUnits(db, juan.userNum), 1)
  assert.equal((await juan.buy(item, 'same')).text, answers[0]?.text, 'a later retry gets the same response')
  assert.equal((await juan.buy(item, 'another')).json().userPoints, 800)
})

test('twenty concurrent purchases of a cart with one key buy it once', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  await juan.add(item)
  await juan.add(otherItem)
  const answers = await runConcurrently(20, () => juan.buyCart(undefined, 'same'))
  assert.deepEqual(countStatuses(answers), { 200: 20 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  await juan.add(item)
  assert.equal((await juan.buyCart(undefined, 'same')).text, answers[0]?.text)
  assert.equal((await juan.cart()).length, 1, 'a line that was added later stays')
  assert.equal((await juan.readBalance()).rCoin, 800)
})

test('twenty concurrent redemptions with one key redeem once and get equal responses', async () => {
  const juan = await createBuyer(site)
  const [code = ''] = await insertVouchers(db, 1)
  const answers = await runConcurrently(20, () => juan.redeem(code, '', 'same'))
  assert.deepEqual(countStatuses(answers), { 200: 20 })
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await juan.readBalance()).rCoin, 1000)
})

test('stores a refusal like a success: a retry with enough money is still refused', async () => {
  const juan = await createBuyer(site, { rCoin: 50 })
  assertRefused(await juan.buy(item, 'poor'), 422, SHOP_TEXTS.shortRCoin)
  const [code = ''] = await insertVouchers(db, 1)
  await juan.redeem(code)
  assertRefused(await juan.buy(item, 'poor'), 422, SHOP_TEXTS.shortRCoin)
  assertRefused(await juan.buy(999_999_999, 'no item'), 404, SHOP_TEXTS.itemNotFound)
  assertRefused(await juan.buy(999_999_999, 'no item'), 404, SHOP_TEXTS.itemNotFound)
  assertRefused(await juan.buyCart(undefined, 'empty'), 422, SHOP_TEXTS.nothingChecked)
  await juan.add(item)
  assertRefused(await juan.buyCart(undefined, 'empty'), 422, SHOP_TEXTS.nothingChecked)
  assert.equal((await juan.buy(item, 'rich')).status, 200)
})

test('stores the refusal of a voucher, and counts one failure for all retries', async () => {
  const juan = await createBuyer(site)
  for (let attempt = 0; attempt < 30; attempt++) {
    assertRefused(await juan.redeem('NO-SUCH-CODE', '', 'typo'), 422, VOUCHER_TEXTS.unknown)
  }
  const [code = ''] = await insertVouchers(db, 1)
  assert.equal((await juan.redeem(code)).status, 200)
})

test('refuses a key that was used for another request, and moves no money', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  await juan.buy(item, 'key')
  await juan.add(item)
  const [line] = await juan.cart()
  const [code = ''] = await insertVouchers(db, 1)
  assertRefused(await juan.buy(otherItem, 'key'), 422, SHOP_TEXTS.keyReused)
  assertRefused(await juan.buyCart(undefined, 'key'), 422, SHOP_TEXTS.keyReused)
  assertRefused(await juan.redeem(code, '', 'key'), 422, SHOP_TEXTS.keyReused)
  assert.equal((await juan.buyCart([{ seq: line?.seq }], 'cart')).status, 200)
  assertRefused(await juan.buyCart(undefined, 'cart'), 422, SHOP_TEXTS.keyReused)
  assert.equal((await juan.redeem(code, '', 'code')).status, 200)
  assertRefused(await juan.redeem(`${code} `, '', 'code'), 422, SHOP_TEXTS.keyReused)
  assert.deepEqual(await juan.readBalance(), { rCoin: 1800, milleage: 0 })
})

test('runs one of several different calls with one key, and refuses the others', async () => {
  for (let round = 0; round < 6; round++) {
    const juan = await createBuyer(site, { rCoin: round % 2 === 0 ? 1000 : 10 })
    await juan.add(item)
    const [code = ''] = await insertVouchers(db, 1, { r_coin: 1 })
    const answers = await runConcurrently(12, (index) => {
      if (index % 3 === 0) return juan.buy(otherItem, 'one')
      return index % 3 === 1 ? juan.buyCart(undefined, 'one') : juan.redeem(code, '', 'one')
    })
    assert.deepEqual(
      Object.keys(countStatuses(answers)).filter((status) => status !== '200' && status !== '422'),
      [],
    )
    assert.equal(answers.filter(({ text }) => !text.includes(SHOP_TEXTS.keyReused)).length, 4)
  }
  await assertBooksAgree(db)
})

test('two accounts can use the same key', async () => {
  const [juan, maria] = await runConcurrently(2, () => createBuyer(site, { rCoin: 300 }))
  assert.ok(juan && maria)
  await juan.buy(item, 'mine')
  assert.equal((await maria.buy(otherItem, 'mine')).json().userPoints, 200)
})

test('a key expires after 24 hours, and not earlier', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  const start = clock.now()
  await juan.buy(item, 'old')
  clock.advance(IDEMPOTENCY_KEY_RETENTION_MS)
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).where('user_num', '=', juan.userNum).execute()
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 900)
  await runCleanUp(db, 'idempotency keys', clock.now())
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 900)
  clock.advance(1)
  const answers = await runConcurrently(5, () => juan.buy(otherItem, 'old'))
  assert.deepEqual(
    answers.map((answer) => answer.json().userPoints),
    [800, 800, 800, 800, 800],
  )
  clock.advance(IDEMPOTENCY_KEY_RETENTION_MS + 1)
  await runCleanUp(db, 'idempotency keys', clock.now())
  await db.updateTable('sessions').set({ last_seen_at: clock.now() }).where('user_num', '=', juan.userNum).execute()
  assert.equal((await juan.buy(item, 'old')).json().userPoints, 700)
  clock.set(start)
})

test('refuses an empty key and a key longer than 200 characters with a readable message', async () => {
  const juan = await createBuyer(site, { rCoin: 1000 })
  assertRefused(await juan.buy(item, ''), 422)
  assertRefused(await juan.buyCart(undefined, 'k'.repeat(201)), 422)
  assertRefused(await juan.redeem('X', '', 'k'.repeat(201)), 422)
  assert.equal((await juan.buy(item, 'k'.repeat(200))).status, 200)
})

const ANONYMOUS_SESSION = {
  sessionId: 1,
  userNum: 0,
  userId: '',
  userType: 1,
  secretAnswerUntil: null,
  tokenHash: '',
  takeOverStep: null,
  confirmedAt: null,
}

/** A call that writes a news item and then behaves as its input requests. */
const testCall = declareEndpoint({
  method: 'POST',
  path: '/test-once',
  summary: 'A call of the tests',
  area: 'tests',
  access: 'player',
  idempotent: true,
  input: { body: z.object({ outcome: z.string() }) },
  output: z.object({ done: z.string() }),
  errors: {
    no: { status: 409, message: 'No.' },
    later: { status: 503, message: 'Later.' },
  },
})
const mountedCall = mount(testCall, async ({ outcome }, { deps }) => {
  await insertNews(deps.db, { subject: 'Isang beses' })
  if (outcome === 'accident') throw new Error('interrupted')
  if (outcome === 'returned refusal') return refuse(testCall, 'no')
  if (outcome === 'undeclared message') throw new Refusal(409, 'no', 'Not now.')
  if (outcome === 'no' || outcome === 'later') throw refuse(testCall, outcome)
  return { done: outcome }
})

/** Makes the call, with a key if one is given. */
const callOnce = (outcome: string, key: string | null = null) =>
  runWrite(
    mountedCall,
    { outcome },
    {
      deps: site,
      session: ANONYMOUS_SESSION,
      caller: { address: '127.0.0.1', device: '' },
      idempotency: { owner: 'guest:1', key, content: outcome },
      addHeader: () => {},
    },
  )
const countNews = async () =>
  (await db.selectFrom('news').select('id').where('subject', '=', 'Isang beses').execute()).length

test('a failed call leaves nothing behind, so its key can be used again', async () => {
  const countBefore = await countNews()
  for (const [outcome, expected] of [
    ['accident', /interrupted/],
    ['later', /Later/],
    ['undeclared message', /Not now/],
  ] as const) {
    await assert.rejects(callOnce(outcome, outcome), expected)
    await assert.rejects(callOnce(outcome), expected)
    assert.equal(await countNews(), countBefore, outcome)
    const storedRows = await db.selectFrom('idempotency_keys').where('key', '=', outcome).selectAll().execute()
    assert.deepEqual(storedRows, [], outcome)
  }
  const answers = await runConcurrently(10, () => callOnce('done', 'again'))
  assert.deepEqual(
    answers,
    answers.map(() => ({ done: 'done' })),
  )
  assert.equal(await countNews(), countBefore + 1)
})

test('a thrown refusal rolls back and a returned one commits; both are stored under the key', async () => {
  const countBefore = await countNews()
  const counts: number[] = []
  for (const [outcome, key] of [
    ['no', 'no'],
    ['no', 'no'],
    ['no', null],
    ['returned refusal', 'returned refusal'],
    ['returned refusal', 'returned refusal'],
    ['returned refusal', null],
  ] as const) {
    await assert.rejects(callOnce(outcome, key), { name: 'Refusal', status: 409, message: 'No.' })
    counts.push((await countNews()) - countBefore)
  }
  assert.deepEqual(counts, [0, 0, 0, 1, 1, 2])
  const storedRows = await db
    .selectFrom('idempotency_keys')
    .where('key', 'in', ['no', 'returned refusal'])
    .select('refused')
    .execute()
  assert.deepEqual(storedRows, [{ refused: 'no' }, { refused: 'no' }])
})
