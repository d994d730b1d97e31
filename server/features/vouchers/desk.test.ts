import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { assertRefused, createPlayer, logInAs, openPlayerSession } from '#test/account-helpers.ts'
import { backdateRights } from '#test/desk-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, createBuyer } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')

const createInput = (values: Record<string, unknown> = {}) => ({
  name: 'Rainy season',
  count: 3,
  r_coin: 100,
  milleage: 0,
  expires: '',
  per_account: null,
  in_total: null,
  streamer: '',
  ...values,
})

const mintCampaign = (values: Record<string, unknown> = {}, key?: string, operator = gm) =>
  operator.post('/api/admin/vouchers', createInput(values), key === undefined ? {} : { 'Idempotency-Key': key })

/** Creates an operator who has had the role shop for two days, and logs them in. */
async function createShopOperator() {
  const { user, form } = await createPlayer(site)
  const since = new Date(clock.now().getTime() - 2 * DAY_MS)
  await db
    .transaction()
    .execute((tx) => grantRole(tx, { userNum: user.UserNum, role: 'shop', grantedBy: null, now: since }))
  return logInAs(site, form.userId, form.userPassword)
}

const lookUpCode = async (code: string) => (await gm.post('/api/admin/voucher/look-up', { code })).json()

test('creates a campaign with codes of 80 random bits, and shows the codes only once', async () => {
  const terms = { count: '1,200', r_coin: 10, expires: '2026-12-31', streamer: 'TAMBAYAN' }
  const answer = await mintCampaign(terms, 'mint-1')
  assert.equal(answer.status, 200, answer.text)
  const minted = answer.json()
  assert.equal(new Set(minted.codes).size, 1200)
  for (const code of minted.codes) assert.match(code, /^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
  const retryResponse = await mintCampaign(terms, 'mint-1')
  assertRefused(retryResponse, 409)
  assert.equal(retryResponse.json().campaign, minted.campaign)
  const campaignRow = (await gm.get(`/api/admin/vouchers/${minted.campaign}`)).json()
  assert.partialDeepStrictEqual(campaignRow, {
    state: 'open',
    codes: 1200,
    left: 1200,
    expires_at: '2026-12-31T15:59:59.999Z',
    streamer_name: 'Tambayan',
    made_by: 'gm',
  })
  const { rows } = await sql<{ text: string }>`
    select (select coalesce(string_agg(v::text, ' '), '') from vouchers v) || (select string_agg(a::text, ' ') from audit_log a)
      || (select coalesce(string_agg(i::text, ' '), '') from idempotency_keys i) as text`.execute(db)
  assert.ok(!rows[0]?.text.includes(minted.codes[7]))
})

test('refuses invalid values of a campaign, and names their field', async () => {
  for (const [field, values] of [
    ['name', { name: ' ' }],
    ['count', { count: 10_001 }],
    ['count', { count: 0 }],
    ['r_coin', { r_coin: 0 }],
    ['r_coin', { r_coin: -1 }],
    ['milleage', { milleage: 1e12 }],
    ['expires', { expires: '2026-11-19' }],
    ['expires', { expires: '2027-02-30' }],
    ['per_account', { per_account: 0 }],
    ['in_total', { in_total: 4 }],
    ['streamer', { streamer: 'NOBODY' }],
  ] as const) {
    const answer = await mintCampaign(values)
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), [field], answer.text)
  }
})

test('changes a campaign’s terms but not its codes and value, and detects concurrent changes', async () => {
  const minted = (await mintCampaign({ name: 'Fiesta', expires: '2026-12-31', streamer: 'TAMBAYAN' })).json()
  const terms = {
    name: 'Fiesta 2026',
    expires: '2027-01-31',
    per_account: '1',
    in_total: '2',
    streamer: '',
    version: 1,
  }
  const change = (values: object = {}) =>
    gm.post(
      `/api/admin/vouchers/${minted.campaign}/change`,
      { ...terms, ...values },
      { 'Idempotency-Key': randomUUID() },
    )
  const response = await change()
  assert.equal(response.status, 200, response.text)
  assert.partialDeepStrictEqual((await gm.get(`/api/admin/vouchers/${minted.campaign}`)).json(), {
    name: 'Fiesta 2026',
    version: 2,
    codes: 3,
    r_coin: 100,
    left: 2,
    per_account: 1,
    in_total: 2,
    streamer: null,
    expires_at: '2027-01-31T15:59:59.999Z',
  })
  assertRefused(await change(), 409)

  const [firstPlayer, otherPlayer] = [await createBuyer(site), await createBuyer(site)]
  for (const player of [firstPlayer, otherPlayer]) assert.equal((await player.redeem(minted.codes.pop())).status, 200)
  for (const [field, values] of [
    ['expires', { expires: '2026-11-19' }],
    ['expires', { expires: '2026-02-30' }],
    ['in_total', { in_total: 1 }],
    ['in_total', { in_total: 4 }],
    ['streamer', { streamer: 'NOBODY' }],
    ['name', { name: '' }],
  ] as const) {
    const answer = await change({ version: 2, ...values })
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), [field], answer.text)
  }
  assertRefused(await gm.post('/api/admin/vouchers/999999/change', terms, { 'Idempotency-Key': randomUUID() }), 404)
})

test('counts the codes that a change makes redeemable again against the limit', async () => {
  const shopOperator = await createShopOperator()
  const { campaign } = (await mintCampaign({ count: 4, in_total: 1 })).json()
  const terms = { name: 'Again', expires: '', per_account: '', streamer: '' }
  const change = (values: object) =>
    shopOperator.post(
      `/api/admin/vouchers/${campaign}/change`,
      { ...terms, ...values },
      { 'Idempotency-Key': randomUUID() },
    )
  assert.equal((await change({ in_total: 3, version: 1 })).status, 200)
  const spending = await db
    .selectFrom('staff_spending')
    .where('actor', '=', shopOperator.user.UserNum)
    .select('amount')
    .execute()
  assert.deepEqual(spending, [{ amount: 200 }])

  await insertRows(db, 'staff_spending', {
    actor: shopOperator.user.UserNum,
    kind: 'voucher',
    amount: 999_999_999,
    at: clock.now(),
  })
  const response = await change({ in_total: '', version: 2 })
  assert.equal(response.status, 202, response.text)
  const { json } = await gm.get(`/api/admin/vouchers/${campaign}`)
  assert.partialDeepStrictEqual(json(), { in_total: 3, left: 3, version: 2 })
})

test('counts new codes against the limit, and creates more only after an approval', async () => {
  const shopOperator = await createShopOperator()
  assert.equal((await mintCampaign({ count: 1, r_coin: 10, milleage: 5 }, undefined, shopOperator)).status, 200)
  const spending = await db
    .selectFrom('staff_spending')
    .where('actor', '=', shopOperator.user.UserNum)
    .select(['kind', 'amount'])
    .execute()
  assert.deepEqual(spending, [{ kind: 'voucher', amount: 15 }])
  const response = await mintCampaign({ count: 100, r_coin: 999_999_999 }, undefined, shopOperator)
  assert.equal(response.status, 202, response.text)
  const { approval } = response.json()
  const { content_hash } = (await gm.get('/api/admin/approvals?state=waiting')).json().rows[0]
  await backdateRights(db)
  const approvalResponse = await gm.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  const runResponse = await shopOperator.post('/api/admin/approvals/run', { approval })
  assert.equal(runResponse.json().answer.codes.length, 100, runResponse.text)
  assertRefused(await shopOperator.post('/api/admin/approvals/run', { approval }), 409)
})

test('finds a code by its text before and after it is redeemed, and revokes it', async () => {
  const { codes, campaign } = (await mintCampaign()).json()
  const [usedCode = '', lostCode = '', unusedCode = ''] = codes as string[]
  assert.equal((await lookUpCode(` ${usedCode.toLowerCase()} `)).state, 'good')
  const juan = await createBuyer(site)
  assert.equal((await juan.redeem(usedCode, 'TAMBAYAN')).status, 200)
  assert.partialDeepStrictEqual(await lookUpCode(usedCode), {
    state: 'redeemed',
    redeemed: { user_num: juan.userNum, referral_code: 'TAMBAYAN' },
  })
  const revokeCode = (code: string) => gm.post('/api/admin/voucher/revoke', { code, reason: 'Posted in public' })
  assert.equal((await revokeCode(lostCode)).status, 200)
  assertRefused(await revokeCode(lostCode), 409, 'This code has already been revoked.')
  assertRefused(await revokeCode(usedCode), 409, 'This code has already been redeemed.')
  assertRefused(await revokeCode('NO-SUCH-CODE'), 404)
  assert.equal((await lookUpCode(lostCode)).state, 'revoked')
  assert.equal((await lookUpCode('NO-SUCH-CODE')).state, 'unknown')
  assertRefused(await juan.redeem(lostCode), 422, VOUCHER_TEXTS.unknown)
  const revokeResponse = await gm.post(`/api/admin/vouchers/${campaign}/revoke`, { reason: 'Lost' })
  assert.deepEqual(revokeResponse.json(), { message: '1 code revoked.', revoked: 1 })
  assertRefused(await juan.redeem(unusedCode), 422, VOUCHER_TEXTS.unknown)
  const redemptions = (await gm.get(`/api/admin/redemptions?campaign=${campaign}`)).json()
  assert.partialDeepStrictEqual(redemptions.rows, [
    { code: usedCode, user_num: juan.userNum, referral_code: 'TAMBAYAN' },
  ])
  assert.partialDeepStrictEqual((await gm.get('/api/admin/vouchers?name=rainy&state=revoked')).json().rows, [
    { campaign, codes: 3, redeemed: 1, revoked: 2, left: 0 },
  ])
  await assertBooksAgree(db)
})

test('adds, renames and lists streamers with their redemptions', async () => {
  const saveStreamer = (code: string, streamer: string) => gm.post('/api/admin/streamers', { code, streamer })
  assert.equal((await saveStreamer('AMIHAN', 'Amihan')).status, 200)
  assert.equal((await saveStreamer('AMIHAN', 'Amihan Plays')).status, 200)
  assertRefused(await saveStreamer('amihan', 'Amihan'), 422)
  const { codes } = (await mintCampaign({ streamer: 'AMIHAN', r_coin: 30, milleage: 7 })).json()
  const juan = await createBuyer(site)
  assert.equal((await juan.redeem(codes[0], 'AMIHAN')).status, 200)
  const { rows } = (await gm.get('/api/admin/streamers')).json()
  assert.partialDeepStrictEqual(
    rows.filter(({ code }: { code: string }) => code === 'AMIHAN'),
    [{ streamer: 'Amihan Plays', redeemed: 1, r_coin: 30, milleage: 7, given: 3, given_redeemed: 1 }],
  )
})
