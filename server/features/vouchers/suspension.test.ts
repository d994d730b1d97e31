import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { assertRefused, createPlayer, logInAs, type Player } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { assertBooksAgree } from '#test/money-helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
await changeSettings(site, { require_staff_factor: false, approvals_on: false })
const revoker = await createRole(site, 'vouchers.revoke', 'vouchers.read', 'vouchers.mint')

type By = Pick<Player, 'post' | 'get'>
type Made = { campaign: number; codes: string[] }

/** Creates a campaign as an operator. `expires` is a day in Manila. */
async function mint(by: By, values: Record<string, unknown> = {}): Promise<Made> {
  const terms = { expires: '', per_account: null, in_total: null, streamer: '' }
  const form = { name: 'Fiesta', count: 3, r_coin: 100, milleage: 0, ...terms, ...values }
  const answer = await by.post('/api/admin/vouchers', form)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const revoke = (by: By, { campaign }: Made) => by.post(`/api/admin/vouchers/${campaign}/revoke`, { reason: 'Leaked.' })
const restore = (by: By, { campaign }: Made) => by.post(`/api/admin/vouchers/${campaign}/restore`, { reason: 'Wrong.' })
const read = async (by: By, { campaign }: Made) => (await by.get(`/api/admin/vouchers/${campaign}`)).json()
const lookUp = async (by: By, code = '') => (await by.post('/api/admin/voucher/look-up', { code })).json()
const readState = async (by: By, code = '') => (await lookUp(by, code)).state

/** Creates a player who redeems codes. */
async function newRedeemer() {
  const player = await createPlayer(site)
  const redeem = (code = '') => player.post('/api/processCoupon', { CouponCode: code, ReferralCode: null })
  return { redeem }
}

/** Logs an operator in again, because their session has ended. */
const logInAgain = (site_: typeof site, { form }: Awaited<ReturnType<typeof createOperator>>) =>
  logInAs(site_, form.userId, form.userPassword)

test('suspends revoked codes at once like unknown codes, and revokes them permanently after seven days', async () => {
  const operator = await createOperator(site, revoker)
  const made = await mint(operator)
  const player = await newRedeemer()
  assert.equal((await player.redeem(made.codes[0])).status, 200)
  const answer = await revoke(operator, made)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().revoked, 2)
  assertRefused(await player.redeem(made.codes[1]), 422, VOUCHER_TEXTS.unknown)
  assert.partialDeepStrictEqual(await read(operator, made), { state: 'revoked', suspended: 2, revoked: 2, left: 0 })
  assert.partialDeepStrictEqual(await lookUp(operator, made.codes[1]), {
    state: 'revoked',
    suspended_until: new Date(clock.now().getTime() + 7 * DAY_MS).toISOString(),
  })

  clock.advance(7 * DAY_MS)
  const later = await logInAgain(site, operator)
  assert.partialDeepStrictEqual(await read(later, made), { state: 'revoked', suspended: 0, revoked: 2 })
  assert.partialDeepStrictEqual(await lookUp(later, made.codes[1]), { state: 'revoked', suspended_until: null })
  assertRefused(await restore(later, made), 409, 'This campaign has no suspended codes.')
  await assertBooksAgree(db)
})

test('moves the end of restored codes by the time for which they were suspended', async () => {
  const operator = await createOperator(site, revoker)
  const day = new Date(clock.now().getTime() + DAY_MS).toISOString().slice(0, 10)
  const made = await mint(operator, { expires: day })
  const { expires_at } = await read(operator, made)
  assert.equal((await revoke(operator, made)).status, 200)
  clock.advance(5 * DAY_MS)
  assert.ok(new Date(expires_at) < clock.now(), 'the campaign ended while its codes were suspended')
  const later = await logInAgain(site, operator)
  assert.equal((await restore(later, made)).json().restored, 3)
  assert.partialDeepStrictEqual(await read(later, made), { state: 'open', left: 3, revoked: 0, suspended: 0 })
  const player = await newRedeemer()
  assert.equal((await player.redeem(made.codes[0])).status, 200)
  assert.equal(await readState(later, made.codes[1]), 'good')

  clock.set(new Date(new Date(expires_at).getTime() + 5 * DAY_MS))
  const end = await logInAgain(site, operator)
  const late = await newRedeemer()
  assertRefused(await late.redeem(made.codes[1]), 422, VOUCHER_TEXTS.expired)
  assert.partialDeepStrictEqual(await read(end, made), { state: 'over', left: 0 })
  assert.equal(await readState(end, made.codes[1]), 'expired')
})

test('suspends and restores a single code, but not a redeemed code', async () => {
  const operator = await createOperator(site, revoker)
  const made = await mint(operator)
  const [one, other] = made.codes
  const act = (what: string, code = '') => operator.post(`/api/admin/voucher/${what}`, { code, reason: 'Leaked.' })
  assert.equal((await act('revoke', one)).status, 200)
  assertRefused(await act('revoke', one), 409, 'This code has already been revoked.')
  assertRefused(await act('restore', other), 409, 'This code is not suspended.')
  const player = await newRedeemer()
  assertRefused(await player.redeem(one), 422, VOUCHER_TEXTS.unknown)
  assert.equal((await act('restore', one)).status, 200)
  assert.equal((await player.redeem(one)).status, 200)
  assertRefused(await act('restore', one), 409)
})

test('the counts agree after codes are restored and redeemed concurrently', async () => {
  const operator = await createOperator(site, revoker)
  const made = await mint(operator)
  assert.equal((await revoke(operator, made)).status, 200)
  const players = [await newRedeemer(), await newRedeemer()]
  const answers = await Promise.all([
    restore(operator, made),
    restore(operator, made),
    ...players.map((player) => player.redeem(made.codes[0])),
  ])
  assert.deepEqual([answers[0]?.status, answers[1]?.status].sort(), [200, 409])
  assert.ok(answers.slice(2).filter(({ status }) => status === 200).length <= 1)
  const { codes, redeemed, revoked, left } = await read(operator, made)
  assert.equal(left, codes - redeemed - revoked)
  await assertBooksAgree(db)
})

test('counts suspended codes as redeemable when a change makes codes redeemable again', async () => {
  await changeSettings(site, { approvals_on: true })
  const operator = await createOperator(site, revoker)
  const made = await mint(operator, { in_total: 1 })
  assert.equal((await revoke(operator, made)).status, 200)
  const terms = { name: 'Fiesta', expires: '', per_account: '', in_total: '3', streamer: '', version: 1 }
  assert.equal((await operator.post(`/api/admin/vouchers/${made.campaign}/change`, terms)).status, 200)
  const spent = await db
    .selectFrom('staff_spending')
    .where('actor', '=', operator.user.UserNum)
    .select('amount')
    .orderBy('entry')
    .execute()
  assert.deepEqual(spent, [{ amount: 300 }, { amount: 200 }])
})

test('requires another owner’s approval for the second campaign in 24 hours, also code by code', async () => {
  const alone = await createOperator(site, revoker)
  for (const _ of [1, 2, 3]) assert.equal((await revoke(alone, await mint(alone))).status, 200)

  const owner = await createOperator(site, OWNER)
  const operator = await createOperator(site, revoker)
  const [first, second] = [await mint(operator), await mint(operator, { name: 'Second' })]
  assert.equal((await revoke(operator, first)).status, 200)
  assert.equal((await restore(operator, first)).status, 200)
  assert.equal((await revoke(operator, first)).status, 200, 'the same campaign counts once')
  const waiting = await revoke(operator, second)
  assert.equal(waiting.status, 202, waiting.text)
  const single = await operator.post('/api/admin/voucher/revoke', { code: second.codes[0], reason: 'Leaked.' })
  assert.equal(single.status, 202, single.text)
  assert.partialDeepStrictEqual(await read(operator, second), { state: 'open', revoked: 0, left: 3 })

  const { approval } = waiting.json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const player = await newRedeemer()
  assert.equal((await player.redeem(second.codes[0])).status, 200)
  const body = { approval, decision: 'approve', content_hash, note: '' }
  const decided = await owner.post('/api/admin/approvals/decide', body)
  assert.equal(decided.status, 200, decided.text)
  assert.partialDeepStrictEqual(await read(operator, second), { suspended: 2, left: 0 })

  clock.advance(DAY_MS + HOUR_MS)
  const next = await logInAgain(site, operator)
  assert.equal((await revoke(next, await mint(next))).status, 200)
})
