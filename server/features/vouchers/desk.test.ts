import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
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

const campaign = (values: Record<string, unknown> = {}) => ({
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

const mint = (values: Record<string, unknown> = {}, key?: string, by = gm) =>
  by.post('/api/admin/vouchers', campaign(values), key === undefined ? {} : { 'Idempotency-Key': key })

/** Creates an operator who has had the role shop for two days. */
async function newShopkeeper() {
  const { user, form } = await createPlayer(site)
  const since = new Date(clock.now().getTime() - 2 * 86_400_000)
  await db
    .transaction()
    .execute((tx) => grantRole(tx, { userNum: user.UserNum, role: 'shop', grantedBy: null, now: since }))
  const shop = await logInAs(site, form.userId, form.userPassword)
  return { user, shop }
}

const lookUp = async (code: string) => (await gm.post('/api/admin/voucher/look-up', { code })).json()

test('creates a campaign with codes of 80 random bits, and shows the codes only once', async () => {
  const answer = await mint({ count: '1,200', r_coin: 10, expires: '2026-12-31', streamer: 'TAMBAYAN' }, 'mint-1')
  assert.equal(answer.status, 200, answer.text)
  const made = answer.json()
  assert.equal(new Set(made.codes).size, 1200)
  for (const code of made.codes) assert.match(code, /^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
  const again = await mint({ count: '1,200', r_coin: 10, expires: '2026-12-31', streamer: 'TAMBAYAN' }, 'mint-1')
  assertRefused(again, 409)
  assert.equal(again.json().campaign, made.campaign)
  const found = (await gm.get(`/api/admin/vouchers/${made.campaign}`)).json()
  assert.partialDeepStrictEqual(found, {
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
  assert.ok(!rows[0]?.text.includes(made.codes[7]))
})

test('refuses contradicting values of a campaign under their field', async () => {
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
    const answer = await mint(values)
    assertRefused(answer, 422)
    assert.deepEqual(Object.keys(answer.json()['form-error']), [field], answer.text)
  }
})

test('changes the terms but not the codes and value of a campaign, and detects concurrent changes', async () => {
  const made = (await mint({ name: 'Fiesta', expires: '2026-12-31', streamer: 'TAMBAYAN' })).json()
  const terms = {
    name: 'Fiesta 2026',
    expires: '2027-01-31',
    per_account: '1',
    in_total: '2',
    streamer: '',
    version: 1,
  }
  const change = (values: object = {}) =>
    gm.post(`/api/admin/vouchers/${made.campaign}/change`, { ...terms, ...values }, { 'Idempotency-Key': randomUUID() })
  const saved = await change()
  assert.equal(saved.status, 200, saved.text)
  assert.partialDeepStrictEqual((await gm.get(`/api/admin/vouchers/${made.campaign}`)).json(), {
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

  const [one, other] = [await createBuyer(site), await createBuyer(site)]
  for (const player of [one, other]) assert.equal((await player.redeem(made.codes.pop())).status, 200)
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
  const { user, shop } = await newShopkeeper()
  const { campaign } = (await mint({ count: 4, in_total: 1 })).json()
  const terms = { name: 'Again', expires: '', per_account: '', streamer: '' }
  const change = (values: object) =>
    shop.post(`/api/admin/vouchers/${campaign}/change`, { ...terms, ...values }, { 'Idempotency-Key': randomUUID() })
  assert.equal((await change({ in_total: 3, version: 1 })).status, 200)
  const spent = await db.selectFrom('staff_spending').where('actor', '=', user.UserNum).select('amount').execute()
  assert.deepEqual(spent, [{ amount: 200 }])

  await insertRows(db, 'staff_spending', { actor: user.UserNum, kind: 'voucher', amount: 999_999_999, at: clock.now() })
  const widened = await change({ in_total: '', version: 2 })
  assert.equal(widened.status, 202, widened.text)
  const { json } = await gm.get(`/api/admin/vouchers/${campaign}`)
  assert.partialDeepStrictEqual(json(), { in_total: 3, left: 3, version: 2 })
})

test('counts new codes against the limit, and creates codes over it after another operator’s approval', async () => {
  const { user, shop } = await newShopkeeper()
  assert.equal((await mint({ count: 1, r_coin: 10, milleage: 5 }, undefined, shop)).status, 200)
  const spent = await db
    .selectFrom('staff_spending')
    .where('actor', '=', user.UserNum)
    .select(['kind', 'amount'])
    .execute()
  assert.deepEqual(spent, [{ kind: 'voucher', amount: 15 }])
  const large = await mint({ count: 100, r_coin: 999_999_999 }, undefined, shop)
  assert.equal(large.status, 202, large.text)
  const { approval } = large.json()
  const { content_hash } = (await gm.get('/api/admin/approvals?state=waiting')).json().rows[0]
  await backdateRights(db)
  const decided = await gm.post('/api/admin/approvals/decide', {
    approval,
    content_hash,
    decision: 'approve',
    note: '',
  })
  assert.equal(decided.status, 200, decided.text)
  const run = await shop.post('/api/admin/approvals/run', { approval })
  assert.equal(run.json().answer.codes.length, 100, run.text)
  assertRefused(await shop.post('/api/admin/approvals/run', { approval }), 409)
})

test('finds a code by its text before and after it is redeemed, and revokes it', async () => {
  const { codes, campaign: number } = (await mint()).json()
  const [used = '', lost = '', unused = ''] = codes as string[]
  assert.equal((await lookUp(` ${used.toLowerCase()} `)).state, 'good')
  const juan = await createBuyer(site)
  assert.equal((await juan.redeem(used, 'TAMBAYAN')).status, 200)
  assert.partialDeepStrictEqual(await lookUp(used), {
    state: 'redeemed',
    redeemed: { user_num: juan.userNum, referral_code: 'TAMBAYAN' },
  })
  const revoke = (code: string) => gm.post('/api/admin/voucher/revoke', { code, reason: 'Posted in public' })
  assert.equal((await revoke(lost)).status, 200)
  assertRefused(await revoke(lost), 409, 'This code has already been revoked.')
  assertRefused(await revoke(used), 409, 'This code has already been redeemed.')
  assertRefused(await revoke('NO-SUCH-CODE'), 404)
  assert.equal((await lookUp(lost)).state, 'revoked')
  assert.equal((await lookUp('NO-SUCH-CODE')).state, 'unknown')
  assertRefused(await juan.redeem(lost), 422, VOUCHER_TEXTS.unknown)
  const all = await gm.post(`/api/admin/vouchers/${number}/revoke`, { reason: 'Lost' })
  assert.deepEqual(all.json(), { message: '1 code revoked.', revoked: 1 })
  assertRefused(await juan.redeem(unused), 422, VOUCHER_TEXTS.unknown)
  const redemptions = (await gm.get(`/api/admin/redemptions?campaign=${number}`)).json()
  assert.partialDeepStrictEqual(redemptions.rows, [{ code: used, user_num: juan.userNum, referral_code: 'TAMBAYAN' }])
  assert.partialDeepStrictEqual((await gm.get('/api/admin/vouchers?name=rainy&state=revoked')).json().rows, [
    { campaign: number, codes: 3, redeemed: 1, revoked: 2, left: 0 },
  ])
  await assertBooksAgree(db)
})

test('adds, renames and lists streamers with their redemptions', async () => {
  const save = (code: string, streamer: string) => gm.post('/api/admin/streamers', { code, streamer })
  assert.equal((await save('AMIHAN', 'Amihan')).status, 200)
  assert.equal((await save('AMIHAN', 'Amihan Plays')).status, 200)
  assertRefused(await save('amihan', 'Amihan'), 422)
  const { codes } = (await mint({ streamer: 'AMIHAN', r_coin: 30, milleage: 7 })).json()
  const juan = await createBuyer(site)
  assert.equal((await juan.redeem(codes[0], 'AMIHAN')).status, 200)
  const { rows } = (await gm.get('/api/admin/streamers')).json()
  assert.partialDeepStrictEqual(
    rows.filter(({ code }: { code: string }) => code === 'AMIHAN'),
    [{ streamer: 'Amihan Plays', redeemed: 1, r_coin: 30, milleage: 7, given: 3, given_redeemed: 1 }],
  )
})
