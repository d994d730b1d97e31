import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VOUCHER_VALUE_MAX } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  assertBooksAgree,
  type Buyer,
  countStatuses,
  createBuyer,
  insertVouchers,
  readMoneyRows,
  runConcurrently,
} from '#test/money-helpers.ts'
import { hashVoucher, revokeUnusedCodes, selectStreamerResults } from './codes.ts'

const site = await createTestApp({ world: 'demo', env: { RATE_LIMIT: 'on' } })
const unlimitedSite = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })
const { db, clock } = site

/** Asserts that an action does not change the buyer's money, purchases and cart. */
async function assertUntouched(buyer: Buyer, action: () => Promise<unknown>) {
  const before = await readMoneyRows(db, buyer.userNum)
  await action()
  assert.deepEqual(await readMoneyRows(db, buyer.userNum), before)
}

const readVoucher = (code: string) =>
  db.selectFrom('vouchers').where('code_hash', '=', hashVoucher(code)).selectAll().executeTakeFirstOrThrow()

test('redeems a voucher once, books and lists it, and returns the balances', async () => {
  const juan = await createBuyer(site, { rCoin: 5 })
  assert.deepEqual((await juan.redeem('DEMO-1000-AAAA')).json(), {
    message: 'Your code has been redeemed. You got 1,000.00 R-Coin and have 1,005.00 now.',
    status: 1,
    couponcode: 'DEMO-1000-AAAA',
    userPoints: 1005,
    userPoints2: 0,
  })
  assertRefused(await juan.redeem('DEMO-1000-AAAA'), 422, VOUCHER_TEXTS.used)
  assertRefused(await (await createBuyer(site)).redeem('DEMO-1000-AAAA'), 422, VOUCHER_TEXTS.used)
  assert.deepEqual((await juan.get('/api/topuphistory')).json(), {
    topuphistory: [
      { CardCode: 'DEMO-1000-AAAA', DateTopUp: '2026-11-20T13:42:07.000Z', Cardvalue: 1000, CardMilleage: 0 },
    ],
    prev_page: null,
    next_page: null,
    last_page: 1,
    lpm1: 0,
  })
  const entries = await db
    .selectFrom('ledger')
    .where('user_num', '=', juan.userNum)
    .where('reason', '=', 'voucher')
    .select(['currency', 'delta', 'balance_after', 'reference'])
    .execute()
  assert.deepEqual(entries, [{ currency: 'r_coin', delta: 1000, balance_after: 1005, reference: 'DEMO-1000-AAAA' }])
})

test('a voucher of both currencies books both', async () => {
  const juan = await createBuyer(site)
  const [code = ''] = await insertVouchers(db, 1, { r_coin: 20, milleage: 30 })
  const { userPoints, userPoints2 } = (await juan.redeem(code)).json()
  assert.deepEqual([userPoints, userPoints2], [20, 30])
  await assertBooksAgree(db)
})

test('compares codes exactly, including case, spaces and similar characters', async () => {
  const juan = await createBuyer(unlimitedSite)
  await assertUntouched(juan, async () => {
    for (const code of ['demo-1000-aaab', ' DEMO-1000-AAAB', 'DEMO-1000-AAAB ', 'DEMO-1000-AAA_', 'DEMO-1000-AAA%']) {
      assertRefused(await juan.redeem(code), 422, VOUCHER_TEXTS.unknown)
    }
  })
  assert.equal((await juan.redeem('DEMO-1000-AAAB')).status, 200)
})

test('hostile codes are refused and change nothing', async () => {
  const juan = await createBuyer(unlimitedSite)
  const codes = [
    "' or 1=1 --",
    "'; update accounts set r_coin = 1000000; --",
    '<script>alert(1)</script>',
    '\u0000',
    'DEMO\u0000',
    '\ud800',
    '💰'.repeat(60),
    'x'.repeat(10_000),
    '$1',
    '\\',
  ]
  await assertUntouched(juan, async () => {
    for (const code of codes) {
      const answer = await juan.redeem(code)
      assertRefused(answer, 422, VOUCHER_TEXTS.unknown)
      assert.ok(!answer.text.includes('script'))
      assertRefused(await juan.redeem('DEMO-1000-AAAC', code), 422, VOUCHER_TEXTS.unknownReferral)
    }
    for (const code of [undefined, null, '', '   ', 7, {}, ['DEMO-1000-AAAC'], true]) {
      assertRefused(await juan.post('/api/processCoupon', { CouponCode: code }), 422, VOUCHER_TEXTS.codeRequired)
    }
    for (const referral of [7, {}, ['TAMBAYAN'], true]) {
      const body = { CouponCode: 'DEMO-1000-AAAC', ReferralCode: referral }
      assertRefused(await juan.post('/api/processCoupon', body), 422, VOUCHER_TEXTS.unknownReferral)
    }
    assertRefused(await juan.post('/api/processCoupon', '[]'), 422)
    assertRefused(await juan.post('/api/processCoupon', '{'), 400)
  })
  assert.equal((await readVoucher('DEMO-1000-AAAC')).redeemed_by, null)
})

test('refuses a voucher from the moment of its end', async () => {
  const juan = await createBuyer(site)
  const [validCode = '', expiredCode = ''] = [
    ...(await insertVouchers(db, 1, { expires_at: new Date(clock.now().getTime() + 1) })),
    ...(await insertVouchers(db, 1, { expires_at: clock.now() })),
  ]
  assert.equal((await juan.redeem(validCode)).status, 200)
  assertRefused(await juan.redeem(expiredCode), 422, VOUCHER_TEXTS.expired)
})

test('lets each account redeem one code of a campaign with that limit, also concurrently', async () => {
  const [juan, maria] = await runConcurrently(2, () => createBuyer(site))
  assert.ok(juan && maria)
  const codes = await insertVouchers(db, 6, { per_account: 1 })
  const answers = await runConcurrently(5, (index) => juan.redeem(codes[index] ?? ''))
  assert.deepEqual(countStatuses(answers), { 200: 1, 422: 4 })
  for (const answer of answers.filter(({ status }) => status === 422)) {
    assertRefused(answer, 422, VOUCHER_TEXTS.oncePerAccount)
  }
  assert.equal((await juan.readBalance()).rCoin, 1000)
  assert.equal((await maria.redeem(codes[5] ?? '')).status, 200)
})

test('counts redemptions by referral code, and refuses an unknown referral code', async () => {
  const juan = await createBuyer(site)
  const [firstCode = '', secondCode = '', thirdCode = ''] = await insertVouchers(db, 3, { r_coin: 10, milleage: 3 })
  assertRefused(await juan.redeem(firstCode, 'tambayan'), 422, VOUCHER_TEXTS.unknownReferral)
  assert.equal((await readVoucher(firstCode)).redeemed_by, null)
  assert.equal((await juan.redeem(firstCode, ' TAMBAYAN ')).status, 200)
  assert.equal((await juan.redeem(secondCode, 'TAMBAYAN')).status, 200)
  assert.equal((await juan.redeem(thirdCode, '')).status, 200)
  const streamers = await selectStreamerResults(db, { after: '', size: 50 })
  assert.partialDeepStrictEqual(
    streamers.filter(({ code }) => code === 'TAMBAYAN'),
    [{ streamer: 'Tambayan', redeemed: 2, r_coin: 20, milleage: 6 }],
  )
})

test('refuses every code with 429 after ten failures, until 15 minutes are over', async () => {
  const juan = await createBuyer(site)
  const [code = '', otherCode = ''] = await insertVouchers(db, 2)
  // An unknown referral code does not count as a failure.
  for (let times = 0; times < 20; times++) await juan.redeem(code, 'NOBODY')
  for (let times = 0; times < LIMITS.voucherFailures.max; times++) {
    assertRefused(await juan.redeem(`WRONG-${times}`), 422, VOUCHER_TEXTS.unknown)
  }
  const response = await juan.redeem(code)
  assertRefused(response, 429)
  assert.equal(response.headers.get('retry-after'), String(LIMITS.voucherFailures.windowMs / 1000))
  assert.equal((await readVoucher(code)).redeemed_by, null)
  const maria = await createBuyer(site)
  assert.equal((await maria.redeem(otherCode)).status, 200, 'another player is not delayed')
  clock.advance(LIMITS.voucherFailures.windowMs)
  assert.equal((await juan.redeem(code)).status, 200)
})

test('checks at most ten of thirty concurrent guesses', async () => {
  const juan = await createBuyer(site)
  const GUESS_COUNT = 30
  const answers = await runConcurrently(GUESS_COUNT, (index) => juan.redeem(`GUESS-${index}`))
  const { max } = LIMITS.voucherFailures
  assert.deepEqual(countStatuses(answers), { 422: max, 429: GUESS_COUNT - max })
})

test('does not count concurrent successes as failures', async () => {
  const juan = await createBuyer(site)
  const codes = await insertVouchers(db, 15)
  assert.deepEqual(countStatuses(await runConcurrently(15, (index) => juan.redeem(codes[index] ?? ''))), { 200: 15 })
  assert.equal((await juan.readBalance()).rCoin, 15_000)
})

test('RATE_LIMIT=off disables the limit of failures', async () => {
  const juan = await createBuyer(unlimitedSite)
  for (let times = 0; times < 2 * LIMITS.voucherFailures.max; times++) {
    assertRefused(await juan.redeem(`WRONG-${times}`), 422, VOUCHER_TEXTS.unknown)
  }
})

test('lets one of fifty concurrent redemptions of a voucher succeed', async () => {
  const buyers = await runConcurrently(10, () => createBuyer(site))
  const [code = ''] = await insertVouchers(db, 1)
  const answers = await runConcurrently(50, (index) => {
    const buyer = buyers[index % 10]
    assert.ok(buyer)
    return buyer.redeem(code)
  })
  assert.deepEqual(countStatuses(answers), { 200: 1, 422: 49 })
  for (const answer of answers.filter(({ status }) => status === 422)) assertRefused(answer, 422, VOUCHER_TEXTS.used)
  const balances = await Promise.all(buyers.map((buyer) => buyer.readBalance()))
  assert.deepEqual(
    balances.map(({ rCoin }) => rCoin).sort((a, b) => b - a),
    [1000, ...Array(9).fill(0)],
  )
  await assertBooksAgree(db)
})

test('lists only the player’s top-ups, newest first, ten a page', async () => {
  const juan = await createBuyer(site)
  const codes = await insertVouchers(db, 12)
  for (const code of codes) await juan.redeem(code)
  const listCodes = async (page: string) =>
    (await juan.get(`/api/topuphistory?page=${page}`))
      .json()
      .topuphistory.map(({ CardCode }: { CardCode: string }) => CardCode)
  assert.deepEqual(await listCodes('1'), codes.slice(2).reverse())
  for (const page of ['2', '3', '9'.repeat(80)]) assert.deepEqual(await listCodes(page), codes.slice(0, 2).reverse())
  assert.deepEqual(await listCodes('-1'), await listCodes('1'))
  assertRefused(await juan.get('/api/topuphistory?page=two'), 422, 'Page must be a whole number.')
  assert.deepEqual((await (await createBuyer(site)).get('/api/topuphistory')).json().topuphistory, [])
})

test('a code that was redeemed stays redeemed, even if its row is reset by hand', async () => {
  const [juan, maria] = [await createBuyer(site), await createBuyer(site)]
  const [code = ''] = await insertVouchers(db, 1)
  assert.equal((await juan.redeem(code)).status, 200)
  await updateRows(db, 'vouchers', { code_hash: hashVoucher(code) }, { redeemed_by: null, redeemed_at: null })
  assertRefused(await maria.redeem(code), 422, VOUCHER_TEXTS.used)
  const topupValues = { user_num: maria.userNum, ordinal: 1, code, r_coin: 1000, milleage: 0, created_at: clock.now() }
  await assert.rejects(db.insertInto('topups').values(topupValues).execute(), { constraint: 'topups_code_key' })
  assert.equal((await maria.readBalance()).rCoin, 0)
})

test('redeems a voucher of the highest value, and the database refuses a higher value', async () => {
  const juan = await createBuyer(site)
  const [code = ''] = await insertVouchers(db, 1, { r_coin: VOUCHER_VALUE_MAX, milleage: VOUCHER_VALUE_MAX })
  assert.equal((await juan.redeem(code)).status, 200)
  for (const value of [{ r_coin: VOUCHER_VALUE_MAX + 1 }, { milleage: VOUCHER_VALUE_MAX + 1 }])
    await assert.rejects(insertVouchers(db, 1, value), { constraint: 'voucher_campaigns_value_ceiling' })
})

test('limits the redeemed codes of a campaign, also concurrently', async () => {
  const buyers = await runConcurrently(20, () => createBuyer(site))
  const codes = await insertVouchers(db, 20, { in_total: 5 })
  const answers = await runConcurrently(20, (index) => {
    const buyer = buyers[index]
    assert.ok(buyer)
    return buyer.redeem(codes[index] ?? '')
  })
  assert.deepEqual(countStatuses(answers), { 200: 5, 422: 15 })
  for (const answer of answers.filter(({ status }) => status === 422))
    assertRefused(answer, 422, VOUCHER_TEXTS.allRedeemed)
  await assertBooksAgree(db)
})

test('an account redeems as many codes of a campaign as its limit allows', async () => {
  const juan = await createBuyer(site)
  const codes = await insertVouchers(db, 6, { per_account: 3 })
  const answers = await runConcurrently(5, (index) => juan.redeem(codes[index] ?? ''))
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 2 })
})

test('a code that is concurrently redeemed and revoked ends as only one of the two', async () => {
  const buyers = await runConcurrently(8, () => createBuyer(site))
  const codes = await insertVouchers(db, 8, { r_coin: 10 })
  const { campaign } = await readVoucher(codes[0] ?? '')
  const [revokedCount, ...answers] = await Promise.all([
    db.transaction().execute((tx) => revokeUnusedCodes(tx, campaign, clock.now())),
    ...buyers.map((buyer, index) => buyer.redeem(codes[index] ?? '')),
  ])
  const redeemedCount = answers.filter(({ status }) => status === 200).length
  assert.equal(Number(revokedCount) + redeemedCount, codes.length)
  for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, 422, VOUCHER_TEXTS.unknown)
  const counts = await db
    .selectFrom('voucher_campaigns')
    .where('id', '=', campaign)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.deepEqual([counts.redeemed, counts.revoked], [redeemedCount, revokedCount])
  await assertBooksAgree(db)
})

test('the database stores only hashes of codes that can still be redeemed', async () => {
  const juan = await createBuyer(site)
  const [usedCode = '', unusedCode = ''] = await insertVouchers(db, 2)
  assert.equal((await juan.redeem(usedCode)).status, 200)
  const rows = await db.selectFrom('vouchers').selectAll().execute()
  assert.ok(
    !JSON.stringify(rows).includes(unusedCode) && rows.some(({ code_hash }) => code_hash === hashVoucher(unusedCode)),
  )
  const history = await db.selectFrom('topups').where('user_num', '=', juan.userNum).select('code').execute()
  assert.deepEqual(history, [{ code: usedCode }])
})
