import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_TEXTS } from '#contract/accounts.ts'
import { WHITELIST_MAX } from '#contract/limits.ts'
import { createPlayer, openPlayerSession, type Player, selectMailsTo } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
const siteWithoutProxy = await createTestApp({ database: site.database })

const forwardedFrom = (address: string) => ({ 'X-Forwarded-For': address })
const whitelist = (player: Player, address: string) => player.post('/api/whitelist-user-ip', {}, forwardedFrom(address))
const readConnection = async (player: Player, address: string) =>
  (await player.get('/api/user-ip', forwardedFrom(address))).json().useripdata
const readAddresses = async (player: Player) =>
  (
    await site.db
      .selectFrom('whitelisted_addresses')
      .where('user_num', '=', player.user.UserNum)
      .select('address')
      .orderBy('address')
      .execute()
  ).map(({ address }) => address)

test('whitelists the caller’s address on request, not before', async () => {
  const player = await createPlayer(site)
  const response = await player.get('/api/user-ip', forwardedFrom('203.0.113.1'))
  assert.equal(response.headers.get('Cache-Control'), 'no-store')
  assert.deepEqual(response.json(), { useripdata: { CC_IP: '203.0.113.1', CC_status: 0 } })
  const answer = await whitelist(player, '203.0.113.1')
  assert.deepEqual([answer.status, answer.json()], [200, { message: ACCOUNT_TEXTS.whitelisted }])
  assert.deepEqual(await readConnection(player, '203.0.113.1'), { CC_IP: '203.0.113.1', CC_status: 1 })
  assert.equal((await readConnection(player, '203.0.113.2')).CC_status, 0)
})

test('whitelists an address for one account only', async () => {
  const [player, maria] = [await createPlayer(site), await openPlayerSession(site, 'maria')]
  await whitelist(player, '203.0.113.3')
  assert.equal((await readConnection(maria, '203.0.113.3')).CC_status, 0)
})

test('accepts a request without a body, and ignores a body', async () => {
  const player = await createPlayer(site)
  const response = await site.send('/api/whitelist-user-ip', { method: 'POST', headers: player.headers })
  assert.equal(response.status, 200)
  const form = { CC_IP: '9.9.9.9', address: '9.9.9.9' }
  assert.equal((await player.post('/api/whitelist-user-ip', form, forwardedFrom('203.0.113.4'))).status, 200)
  assert.deepEqual(await readAddresses(player), ['127.0.0.1', '203.0.113.4'])
})

test('an account stores its five newest addresses', async () => {
  const player = await createPlayer(site)
  for (let lastByte = 1; lastByte <= WHITELIST_MAX + 2; lastByte++) {
    await whitelist(player, `203.0.113.${lastByte}`)
    site.clock.advance(1000)
  }
  assert.deepEqual(
    await readAddresses(player),
    [3, 4, 5, 6, 7].map((lastByte) => `203.0.113.${lastByte}`),
  )
})

test('stores the newest address, also among addresses of the same millisecond', async () => {
  const player = await createPlayer(site)
  for (let lastByte = 1; lastByte <= WHITELIST_MAX; lastByte++) await whitelist(player, `203.0.113.${lastByte}`)
  await whitelist(player, '203.0.113.99')
  assert.equal((await readAddresses(player)).length, WHITELIST_MAX)
  assert.equal((await readConnection(player, '203.0.113.99')).CC_status, 1)
})

test('accepts a repeated request for an address without another change or email', async () => {
  const player = await createPlayer(site)
  for (let times = 0; times < 3; times++) assert.equal((await whitelist(player, '203.0.113.1')).status, 200)
  const mails = (await selectMailsTo(site, player.form.userEmail)).filter(({ subject }) => /whitelisted/.test(subject))
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.body_text ?? '', /The address 203\.0\.113\.1 can now be used to connect/)
  const { data } = (await player.get('/api/account-history')).json()
  assert.equal(data.filter(({ kind }: { kind: string }) => kind === 'address-whitelisted').length, 1)
})

test('stores five addresses of concurrent requests, and mails each address once', async () => {
  const player = await createPlayer(site)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => whitelist(player, `203.0.113.${100 + (index % 8)}`)),
  )
  for (const { status } of answers) assert.equal(status, 200)
  assert.equal((await readAddresses(player)).length, WHITELIST_MAX)
  const otherPlayer = await createPlayer(site)
  await Promise.all([whitelist(otherPlayer, '203.0.113.1'), whitelist(otherPlayer, '203.0.113.1')])
  const mails = (await selectMailsTo(site, otherPlayer.form.userEmail)).filter(({ subject }) =>
    /whitelisted/.test(subject),
  )
  assert.equal(mails.length, 1)
})

test('uses the address that the trusted proxy added, not the caller’s entry', async () => {
  const player = await createPlayer(site)
  assert.equal((await readConnection(player, '198.51.100.1, 203.0.113.7')).CC_IP, '203.0.113.7')
  const answer = await siteWithoutProxy.get('/api/user-ip', { ...player.headers, ...forwardedFrom('203.0.113.7') })
  assert.equal(answer.json().useripdata.CC_IP, '127.0.0.1', 'without TRUST_PROXY the header is ignored')
})

test('whitelists an IPv6 address', async () => {
  const player = await createPlayer(site)
  await whitelist(player, '2001:db8::7')
  assert.deepEqual(await readConnection(player, '2001:db8::7'), { CC_IP: '2001:db8::7', CC_status: 1 })
})
