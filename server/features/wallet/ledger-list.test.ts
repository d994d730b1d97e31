import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { adjustMoney } from '#contract/wallet.ts'
import { assertRefused, createPlayer } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
await changeSettings(site, { require_staff_factor: false })
const owner = await createOperator(site, OWNER)
const reader = await createOperator(site, await createRole(site, 'orders.read'))
const ana = await createPlayer(site)
const ben = await createPlayer(site)

const giveMoney = async (player: { user: { UserNum: number } }, currency: string, amount: number) => {
  const path = `/api${adjustMoney.path.replace('{player}', String(player.user.UserNum))}`
  const answer = await owner.post(path, { currency, direction: 'give', amount, reason: 'Event' })
  assert.equal(answer.status, 200, answer.text)
}
await giveMoney(ana, 'rCoin', 500)
await giveMoney(ana, 'milleage', 30)
await giveMoney(ben, 'rCoin', 70)

type Row = { user_id: string; delta: number; currency: string; actor: string | null; balance_after: number }
const readLedger = async (query: string): Promise<Row[]> => {
  const answer = await site.get(`/api/admin/ledger?${query}`, reader.headers)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().rows
}

test('lists every change of a balance, newest first, with the operator who made it', async () => {
  const rows = await readLedger('reason=adjustment')
  assert.deepEqual(
    rows.map(({ user_id, delta, currency, actor }) => [user_id, delta, currency, actor]),
    [
      [ben.user.UserID, 70, 'r_coin', owner.user.UserID],
      [ana.user.UserID, 30, 'milleage', owner.user.UserID],
      [ana.user.UserID, 500, 'r_coin', owner.user.UserID],
    ],
  )
})

test('filters the ledger by player, currency and day', async () => {
  assert.deepEqual(
    (await readLedger(`player=${ana.user.UserID}&currency=r_coin`)).map(({ delta }) => delta),
    [500],
  )
  assert.deepEqual(await readLedger(`player=${ana.user.UserNum}&until=2020-01-01`), [])
  assert.deepEqual(await readLedger('player=nobody_here'), [])
})

test('exports the ledger with its filters to operators with the permission to read it', async () => {
  const query = { player: ana.user.UserID }
  const { status, text } = await reader.post('/api/admin/export', { list: '/admin/ledger', query })
  assert.equal(status, 200, text)
  const [header = '', ...lines] = text.trim().split('\r\n')
  assert.match(
    header,
    /^\uFEFF?entry,at,user_num,user_id,currency,delta,balance_after,reason,reference,actor,reverses$/,
  )
  assert.equal(lines.length, 2)
  const otherOperator = await createOperator(site, await createRole(site, 'news.read'))
  assertRefused(await otherOperator.post('/api/admin/export', { list: '/admin/ledger' }), 403)
})
