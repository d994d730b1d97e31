import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { assertBooksAgree, countStatuses, createBuyer, runConcurrently } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')

const adjustBalance = (player: number, values: Record<string, unknown>, key?: string) =>
  gm.post(
    `/api/admin/players/${player}/money`,
    { currency: 'rCoin', direction: 'give', amount: 50, reason: 'A lost hat', ...values },
    key === undefined ? {} : { 'Idempotency-Key': key },
  )

test('a manual balance change has one ledger entry with operator and reason', async () => {
  const juan = await createBuyer(site, { rCoin: 10 })
  const answer = await adjustBalance(juan.userNum, {}, 'gift')
  assert.deepEqual([answer.json().before, answer.json().after], [10, 60])
  assert.deepEqual((await adjustBalance(juan.userNum, {}, 'gift')).json(), answer.json())
  const takeResponse = await adjustBalance(juan.userNum, { direction: 'take', amount: 60 })
  assert.equal(takeResponse.status, 200, takeResponse.text)
  const entries = await db
    .selectFrom('ledger')
    .where('user_num', '=', juan.userNum)
    .where('reason', '=', 'adjustment')
    .select(['delta', 'balance_after', 'reference', 'actor'])
    .orderBy('entry')
    .execute()
  assert.deepEqual(entries, [
    { delta: 50, balance_after: 60, reference: '', actor: gm.user.UserNum },
    { delta: -60, balance_after: 0, reference: '', actor: gm.user.UserNum },
  ])
  await assertBooksAgree(db)
})

test('lets no balance fall below zero, also with concurrent changes', async () => {
  const juan = await createBuyer(site, { milleage: 100 })
  const takeMilleage = () => adjustBalance(juan.userNum, { direction: 'take', currency: 'milleage', amount: 60 })
  const answers = await runConcurrently(4, takeMilleage)
  assert.deepEqual(countStatuses(answers), { 200: 1, 422: 3 })
  assertRefused(await takeMilleage(), 422, 'The account has only 40 Milleage, and a balance cannot fall below zero.')
  await assertBooksAgree(db)
})

test('refuses the operator’s own or an unknown account, a missing reason and invalid amounts', async () => {
  const juan = await createBuyer(site)
  assertRefused(await adjustBalance(gm.user.UserNum, {}), 403)
  assertRefused(await adjustBalance(gm.user.UserNum, { direction: 'take' }), 403)
  assertRefused(await adjustBalance(999_999, {}), 404)
  for (const values of [
    { reason: '' },
    { reason: ' x ' },
    { amount: 0 },
    { amount: -5 },
    { amount: 1.5 },
    { amount: 1e12 },
  ])
    assertRefused(await adjustBalance(juan.userNum, values), 422)
  assert.deepEqual(await juan.readBalance(), { rCoin: 0, milleage: 0 })
})
