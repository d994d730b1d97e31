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

type Operator = Pick<Player, 'post' | 'get'>
type MintedCampaign = { campaign: number; codes: string[] }

/** Creates a campaign as an operator. `expires` is a day in Manila. */
async function mintCampaign(operator: Operator, values: Record<string, unknown> = {}): Promise<MintedCampaign> {
  const terms = { expires: '', per_account: null, in_total: null, streamer: '' }
  const form = { name: 'Fiesta', count: 3, r_coin: 100, milleage: 0, ...terms, ...values }
  const answer = await operator.post('/api/admin/vouchers', form)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const revokeCampaign = (operator: Operator, { campaign }: MintedCampaign) =>
  operator.post(`/api/admin/vouchers/${campaign}/revoke`, { reason: 'Leaked.' })
const restoreCampaign = (operator: Operator, { campaign }: MintedCampaign) =>
  operator.post(`/api/admin/vouchers/${campaign}/restore`, { reason: 'Wrong.' })
const readCampaign = async (operator: Operator, { campaign }: MintedCampaign) =>
  (await operator.get(`/api/admin/vouchers/${campaign}`)).json()
const lookUpCode = async (operator: Operator, code = '') =>
  (await operator.post('/api/admin/voucher/look-up', { code })).json()
const readState = async (operator: Operator, code = '') => (await lookUpCode(operator, code)).state

/** Creates a player who redeems codes. */
async function createRedeemer() {
  const player = await createPlayer(site)
  const redeem = (code = '') => player.post('/api/processCoupon', { CouponCode: code, ReferralCode: null })
  return { redeem }
}

/** Logs an operator in again, because their session has ended. */
const logInAgain = (app: typeof site, { form }: Awaited<ReturnType<typeof createOperator>>) =>
  logInAs(app, form.userId, form.userPassword)

test('suspends revoked codes at once, and revokes them permanently after seven days', async () => {
  const operator = await createOperator(site, revoker)
  const minted = await mintCampaign(operator)
  const player = await createRedeemer()
  assert.equal((await player.redeem(minted.codes[0])).status, 200)
  const answer = await revokeCampaign(operator, minted)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json().revoked, 2)
  assertRefused(await player.redeem(minted.codes[1]), 422, VOUCHER_TEXTS.unknown)
  assert.partialDeepStrictEqual(await readCampaign(operator, minted), {
    state: 'revoked',
    suspended: 2,
    revoked: 2,
    left: 0,
  })
  assert.partialDeepStrictEqual(await lookUpCode(operator, minted.codes[1]), {
    state: 'revoked',
    suspended_until: new Date(clock.now().getTime() + 7 * DAY_MS).toISOString(),
  })

  clock.advance(7 * DAY_MS)
  const laterSession = await logInAgain(site, operator)
  assert.partialDeepStrictEqual(await readCampaign(laterSession, minted), {
    state: 'revoked',
    suspended: 0,
    revoked: 2,
  })
  assert.partialDeepStrictEqual(await lookUpCode(laterSession, minted.codes[1]), {
    state: 'revoked',
    suspended_until: null,
  })
  assertRefused(await restoreCampaign(laterSession, minted), 409, 'This campaign has no suspended codes.')
  await assertBooksAgree(db)
})

test('moves the end of restored codes by the time for which they were suspended', async () => {
  const operator = await createOperator(site, revoker)
  const day = new Date(clock.now().getTime() + DAY_MS).toISOString().slice(0, 10)
  const minted = await mintCampaign(operator, { expires: day })
  const { expires_at } = await readCampaign(operator, minted)
  assert.equal((await revokeCampaign(operator, minted)).status, 200)
  clock.advance(5 * DAY_MS)
  assert.ok(new Date(expires_at) < clock.now(), 'the campaign ended while its codes were suspended')
  const laterSession = await logInAgain(site, operator)
  assert.equal((await restoreCampaign(laterSession, minted)).json().restored, 3)
  assert.partialDeepStrictEqual(await readCampaign(laterSession, minted), {
    state: 'open',
    left: 3,
    revoked: 0,
    suspended: 0,
  })
  const player = await createRedeemer()
  assert.equal((await player.redeem(minted.codes[0])).status, 200)
  assert.equal(await readState(laterSession, minted.codes[1]), 'good')

  clock.set(new Date(new Date(expires_at).getTime() + 5 * DAY_MS))
  const lastSession = await logInAgain(site, operator)
  const lateRedeemer = await createRedeemer()
  assertRefused(await lateRedeemer.redeem(minted.codes[1]), 422, VOUCHER_TEXTS.expired)
  assert.partialDeepStrictEqual(await readCampaign(lastSession, minted), { state: 'over', left: 0 })
  assert.equal(await readState(lastSession, minted.codes[1]), 'expired')
})

test('suspends and restores a single code, but not a redeemed code', async () => {
  const operator = await createOperator(site, revoker)
  const minted = await mintCampaign(operator)
  const [firstCode, otherCode] = minted.codes
  const callVouchers = (action: string, code = '') =>
    operator.post(`/api/admin/voucher/${action}`, { code, reason: 'Leaked.' })
  assert.equal((await callVouchers('revoke', firstCode)).status, 200)
  assertRefused(await callVouchers('revoke', firstCode), 409, 'This code has already been revoked.')
  assertRefused(await callVouchers('restore', otherCode), 409, 'This code is not suspended.')
  const player = await createRedeemer()
  assertRefused(await player.redeem(firstCode), 422, VOUCHER_TEXTS.unknown)
  assert.equal((await callVouchers('restore', firstCode)).status, 200)
  assert.equal((await player.redeem(firstCode)).status, 200)
  assertRefused(await callVouchers('restore', firstCode), 409)
})

test('the counts agree after codes are restored and redeemed concurrently', async () => {
  const operator = await createOperator(site, revoker)
  const minted = await mintCampaign(operator)
  assert.equal((await revokeCampaign(operator, minted)).status, 200)
  const players = [await createRedeemer(), await createRedeemer()]
  const answers = await Promise.all([
    restoreCampaign(operator, minted),
    restoreCampaign(operator, minted),
    ...players.map((player) => player.redeem(minted.codes[0])),
  ])
  assert.deepEqual([answers[0]?.status, answers[1]?.status].sort(), [200, 409])
  assert.ok(answers.slice(2).filter(({ status }) => status === 200).length <= 1)
  const { codes, redeemed, revoked, left } = await readCampaign(operator, minted)
  assert.equal(left, codes - redeemed - revoked)
  await assertBooksAgree(db)
})

test('counts suspended codes as redeemable when a change makes codes redeemable again', async () => {
  await changeSettings(site, { approvals_on: true })
  const operator = await createOperator(site, revoker)
  const minted = await mintCampaign(operator, { in_total: 1 })
  assert.equal((await revokeCampaign(operator, minted)).status, 200)
  const terms = { name: 'Fiesta', expires: '', per_account: '', in_total: '3', streamer: '', version: 1 }
  assert.equal((await operator.post(`/api/admin/vouchers/${minted.campaign}/change`, terms)).status, 200)
  const spending = await db
    .selectFrom('staff_spending')
    .where('actor', '=', operator.user.UserNum)
    .select('amount')
    .orderBy('entry')
    .execute()
  assert.deepEqual(spending, [{ amount: 300 }, { amount: 200 }])
})

test('requires another owner’s approval for the second campaign in 24 hours, also code by code', async () => {
  const onlyOperator = await createOperator(site, revoker)
  for (const _ of [1, 2, 3])
    assert.equal((await revokeCampaign(onlyOperator, await mintCampaign(onlyOperator))).status, 200)

  const owner = await createOperator(site, OWNER)
  const operator = await createOperator(site, revoker)
  const [firstCampaign, secondCampaign] = [
    await mintCampaign(operator),
    await mintCampaign(operator, { name: 'Second' }),
  ]
  assert.equal((await revokeCampaign(operator, firstCampaign)).status, 200)
  assert.equal((await restoreCampaign(operator, firstCampaign)).status, 200)
  assert.equal((await revokeCampaign(operator, firstCampaign)).status, 200, 'the same campaign counts once')
  const response = await revokeCampaign(operator, secondCampaign)
  assert.equal(response.status, 202, response.text)
  const codeResponse = await operator.post('/api/admin/voucher/revoke', {
    code: secondCampaign.codes[0],
    reason: 'Leaked.',
  })
  assert.equal(codeResponse.status, 202, codeResponse.text)
  assert.partialDeepStrictEqual(await readCampaign(operator, secondCampaign), { state: 'open', revoked: 0, left: 3 })

  const { approval } = response.json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const player = await createRedeemer()
  assert.equal((await player.redeem(secondCampaign.codes[0])).status, 200)
  const body = { approval, decision: 'approve', content_hash, note: '' }
  const approvalResponse = await owner.post('/api/admin/approvals/decide', body)
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  assert.partialDeepStrictEqual(await readCampaign(operator, secondCampaign), { suspended: 2, left: 0 })

  clock.advance(DAY_MS + HOUR_MS)
  const nextSession = await logInAgain(site, operator)
  assert.equal((await revokeCampaign(nextSession, await mintCampaign(nextSession))).status, 200)
})
