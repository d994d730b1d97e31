import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { VOUCHER_TEXTS } from '#contract/shop.ts'
import { assertRefused, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, readBalance } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const createInput = (values: object = {}) => ({
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
const mintCampaign = async (values: object = {}, operator: Pick<Player, 'headers'> = gm) => {
  const answer = await site.post('/api/admin/vouchers', createInput(values), operator.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json() as { campaign: number; codes: [string, string, string] }
}
const redeem = (player: Pick<Player, 'headers'>, code: string, referral = '') =>
  site.post('/api/processCoupon', { CouponCode: code, ReferralCode: referral }, player.headers)
const changeCampaign = async (campaign: number, values: object, operator: Pick<Player, 'headers'>) => {
  const { version } = (await site.get(`/api/admin/vouchers/${campaign}`, operator.headers)).json()
  const { name, expires, per_account, in_total, streamer } = createInput(values)
  const path = `/api/admin/vouchers/${campaign}/change`
  const answer = await site.post(path, { version, name, expires, per_account, in_total, streamer }, operator.headers)
  assert.equal(answer.status, 200, answer.text)
}

test('the operator who made a campaign cannot redeem its codes, not even as the only operator', async () => {
  const { codes } = await mintCampaign()
  const balanceBefore = await readBalance(db, gm.user.UserNum)
  const answer = await redeem(gm, codes[0])
  assertRefused(answer, 422, VOUCHER_TEXTS.ownCode)
  assert.deepEqual(await readBalance(db, gm.user.UserNum), balanceBefore)
  const colleague = await createOperator(site, OWNER)
  assert.equal((await redeem(colleague, codes[0])).status, 200)
  await assertBooksAgree(db)
})

test('operators who changed a campaign or gave it to a streamer cannot redeem its codes', async () => {
  const [ana, ben] = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  const minted = await mintCampaign()
  await changeCampaign(minted.campaign, { streamer: 'TAMBAYAN' }, ana)
  assertRefused(await redeem(ana, minted.codes[0]), 422, VOUCHER_TEXTS.ownCode)
  assert.equal((await redeem(ben, minted.codes[0])).status, 200)
})

test('operators cannot redeem codes of a streamer they added, nor any with its referral code', async () => {
  const [ana, ben] = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  assert.equal((await site.post('/api/admin/streamers', { code: 'ULAN', streamer: 'Ulan' }, ana.headers)).status, 200)
  const streamerCampaign = await mintCampaign({ streamer: 'ULAN' })
  assertRefused(await redeem(ana, streamerCampaign.codes[0]), 422, VOUCHER_TEXTS.ownCode)
  const otherCampaign = await mintCampaign()
  assertRefused(await redeem(ana, otherCampaign.codes[0], 'ULAN'), 422, VOUCHER_TEXTS.ownReferral)
  assert.equal((await redeem(ana, otherCampaign.codes[0])).status, 200)
  assert.equal((await redeem(ben, streamerCampaign.codes[0], 'ULAN')).status, 200)
})

test('the operator who approved a campaign cannot redeem its codes', async () => {
  const [ana, ben] = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  const response = await site.post('/api/admin/vouchers', createInput({ r_coin: 10_000_000 }), ana.headers)
  assert.equal(response.status, 202, response.text)
  const { approval } = response.json()
  const { rows } = (await site.get('/api/admin/approvals', ben.headers)).json()
  const { content_hash } = rows.find((row: { approval: number }) => row.approval === approval)
  const decision = { approval, content_hash, decision: 'approve', note: '' }
  const approvalResponse = await site.post('/api/admin/approvals/decide', decision, ben.headers)
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  const runResponse = await site.post('/api/admin/approvals/run', { approval }, ana.headers)
  assert.equal(runResponse.status, 200, runResponse.text)
  const { codes } = runResponse.json().answer
  assertRefused(await redeem(ben, codes[0]), 422, VOUCHER_TEXTS.ownCode)
  assert.equal((await redeem(await createOperator(site, OWNER), codes[0])).status, 200)
})
