import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { assertRefused, loginAs, type Player } from '#test/account-helpers.ts'
import { newOperator, newRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const gm = await loginAs(site, 'gm', 'gm-demo-1')
const HASH = '7c41e09b52f6a8d03be97c1145fa60d28e9b3d7715c0f4a6628be1d937a5f016'

type Who = Pick<Player, 'headers'>
const NEW = {
  id: null,
  version: 0,
  visible: true,
  link_name: 'Full client',
  link_address: 'https://example.net/client.zip',
  link_type: 'full',
  link_description: `Size: 2.9 GB\nSHA-256: ${HASH}`,
  link_date: '2026-11-20T00:00:00.000Z',
  link_icon: 'download',
}
const save = (entry: object, by: Who = gm) => site.post('/api/admin/downloads/save', entry, by.headers)
const list = async () => (await site.get('/api/admin/downloads', gm.headers)).json().rows
const made = await save(NEW)
assert.equal(made.status, 200, made.text)
const load = async () => (await list()).find(({ id }: { id: number }) => id === made.json().id)

test('a hash has as many hexadecimal digits as its kind, or there is none', async () => {
  for (const line of ['SHA-256: abc', `sha256: ${HASH}0`, `SHA-256: ${HASH.replace('7', 'x')}`, 'MD5: abc']) {
    const answer = await save({ ...(await load()), link_description: line })
    assertRefused(answer, 422)
    assert.match(answer.json().message, /64 hexadecimal digits/)
  }
  assert.equal((await save({ ...(await load()), link_description: 'SHA-256:' })).status, 200)
  assert.equal((await save({ ...(await load()), link_description: `sha-256: ${HASH.toUpperCase()}` })).status, 200)
})

test('address, hash, a new download and one that is shown again need a permission of their own; the rest does not', async () => {
  const news = await newOperator(site, await newRole(site, 'site.write'))
  const entry = await load()
  for (const change of [
    { link_address: 'https://evil.example/client.zip' },
    { link_description: `SHA-256: ${HASH.replace('7', '8')}` },
    { link_description: '' },
    { ...NEW },
  ]) {
    const answer = await save({ ...entry, ...change }, news)
    assertRefused(answer, 403)
    assert.equal(answer.json().reason, 'no-permission')
  }
  assert.equal((await load()).link_address, NEW.link_address)
  assert.equal((await save({ ...entry, link_name: 'The whole client', visible: false }, news)).status, 200)
  assertRefused(await save({ ...(await load()), visible: true }, news), 403)
})

test('with a second owner every such change waits for them; an old confirmation does not do', async () => {
  const owner = await newOperator(site, OWNER)
  const entry = await load()
  const changed = { ...entry, link_address: 'https://example.org/client.zip' }
  for (const one of [changed, NEW, { ...entry, visible: true }]) {
    const answer = await save(one)
    assert.equal(answer.status, 202, answer.text)
  }
  assert.equal((await load()).link_address, NEW.link_address)
  const { rows } = (await site.get('/api/admin/approvals?state=waiting', owner.headers)).json()
  const { approval, content_hash } = rows.find(({ summary }: { summary: string }) => summary.includes('example.org'))
  const decision = { approval, content_hash, decision: 'approve', note: '' }
  const decided = await site.post('/api/admin/approvals/decide', decision, owner.headers)
  assert.equal(decided.status, 200, decided.text)
  assert.equal((await load()).link_address, changed.link_address)

  await site.db.updateTable('sessions').set({ confirmed_at: null }).where('user_num', '=', gm.user.UserNum).execute()
  const late = await save({ ...(await load()), link_address: 'https://example.com/client.zip' })
  assertRefused(late, 403)
  assert.equal(late.json().reason, 'sudo')
})
