import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '#contract/request-limits.ts'
import { getTime } from '#contract/site.ts'
import { createApi, createCall } from '#server/api.ts'
import { readConfig } from '#server/config.ts'
import { answerError } from '#server/errors.ts'
import { createPlayer } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createLimits, type Limits } from './limits.ts'

const site = await createTestApp({ world: 'empty' })

/** Uses up a limit except for the last few attempts. */
function consumeAllBut(
  limits: Limits,
  name: 'guestCalls' | 'playerCalls' | 'tokens' | 'pages',
  subject: string | number,
  remaining: number,
) {
  for (let count = remaining; count < LIMITS[name].max; count++) limits.consumeInMemory(name, subject)
}

/** Creates an API with separate limits, and returns a function that calls it. */
function createLimitedCall(env: Record<string, string>) {
  const config = readConfig(env)
  const limits = createLimits({ ...site, config })
  const deps = { ...site, config, limits }
  const api = createApi(deps)
  api.onError((error, c) => answerError(error, c, { log: site.log }))
  const call = (headers: Record<string, string> = {}) => api.request('/time', { headers })
  return Object.assign(call, { api, limits, inProcess: createCall(deps) })
}

test('refuses too many calls from one address with 429 and Retry-After, but no other address', async () => {
  const call = createLimitedCall({ TRUST_PROXY: '1' })
  const callFrom = (address: string) => call({ 'X-Forwarded-For': address })
  consumeAllBut(call.limits, 'guestCalls', '203.0.113.5', 2)
  for (let remaining = 2; remaining > 0; remaining--) assert.equal((await callFrom('203.0.113.5')).status, 200)
  const response = await callFrom('203.0.113.5')
  assert.equal(response.status, 429)
  const retryAfterSeconds = Number(response.headers.get('Retry-After'))
  assert.ok(
    Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 1 && retryAfterSeconds <= 60,
    `Retry-After ${retryAfterSeconds}`,
  )
  assert.deepEqual(await response.json(), {
    error: 'Too many Requests! try again later',
    message: 'Too many Requests! try again later',
  })
  assert.equal((await callFrom('203.0.113.6')).status, 200)
})

test('a caller cannot avoid the limit with another X-Forwarded-For', async () => {
  const call = createLimitedCall({})
  consumeAllBut(call.limits, 'guestCalls', '127.0.0.1', 1)
  assert.equal((await call({ 'X-Forwarded-For': '203.0.113.1' })).status, 200)
  assert.equal((await call({ 'X-Forwarded-For': '203.0.113.2' })).status, 429)
})

test('refuses nothing with RATE_LIMIT=off', async () => {
  const call = createLimitedCall({ RATE_LIMIT: 'off' })
  consumeAllBut(call.limits, 'guestCalls', '127.0.0.1', 0)
  for (let attempt = 0; attempt < 5; attempt++) assert.equal((await call()).status, 200)
})

test('does not count the calls that render pages, and no other caller can imitate them', async () => {
  const call = createLimitedCall({})
  consumeAllBut(call.limits, 'guestCalls', '127.0.0.1', 1)
  for (let attempt = 0; attempt < 5; attempt++) await call.inProcess(getTime, {})
  assert.equal((await call({ 'X-In-Process': '1' })).status, 200)
  assert.equal((await call({ 'X-In-Process': '1' })).status, 429)
})

test('players behind one address do not lock each other out', async () => {
  const sharedSite = await createTestApp({ world: 'empty' })
  const [busyPlayer, calmPlayer] = await Promise.all([createPlayer(sharedSite), createPlayer(sharedSite)])
  const requestCart = (player: typeof busyPlayer) => sharedSite.get('/api/shopcart', player.headers)
  consumeAllBut(sharedSite.limits, 'playerCalls', busyPlayer.user.UserNum, 1)
  assert.equal((await requestCart(busyPlayer)).status, 200)
  const response = await requestCart(busyPlayer)
  assert.equal(response.status, 429)
  assert.match(String(response.headers.get('retry-after')), /^[1-9]\d?$/)
  assert.equal((await requestCart(calmPlayer)).status, 200)
  const requestAsGuest = () => sharedSite.get('/api/time')
  consumeAllBut(sharedSite.limits, 'guestCalls', '127.0.0.1', 1)
  assert.deepEqual([(await requestAsGuest()).status, (await requestAsGuest()).status], [200, 429])
  assert.equal((await requestCart(calmPlayer)).status, 200, 'guests do not use up the limit of players')
  sharedSite.clock.advance(LIMITS.playerCalls.windowMs)
  assert.deepEqual([(await requestCart(busyPlayer)).status, (await requestAsGuest()).status], [200, 200])
})

test('counts made-up tokens by address; on a public call they count like no token', async () => {
  const call = createLimitedCall({})
  consumeAllBut(call.limits, 'guestCalls', '127.0.0.1', 1)
  assert.equal((await call({ Authorization: 'Bearer made-up' })).status, 200)
  assert.equal((await call({ Authorization: 'Bearer made-up' })).status, 429)
  const { api, limits } = createLimitedCall({})
  const callWithToken = () => api.request('/shopcart', { headers: { Authorization: 'Bearer x' } })
  consumeAllBut(limits, 'tokens', '127.0.0.1', 1)
  assert.equal((await callWithToken()).status, 401)
  assert.equal((await callWithToken()).status, 429)
})

test('the memory for counts is bounded for any number of addresses', () => {
  const { consumeInMemory } = createLimits({ ...site, config: readConfig({}) })
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 200_000; index++) consumeInMemory('pages', `2001:db8:${index.toString(16)}::/64`)
  const growthMb = (process.memoryUsage().heapUsed - before) / 1e6
  assert.ok(growthMb < 60, `${growthMb} MB`)
})

test('limits pages by address or IPv6 network; a browser gets the refusal as a page', async () => {
  const sharedSite = await createTestApp({ world: 'empty', env: { TRUST_PROXY: '1' } })
  const request = (path: string, address: string) =>
    sharedSite.get(path, { 'X-Forwarded-For': address, Accept: 'text/html,*/*;q=0.8' })
  const paths = ['/feed.xml', '/sitemap.xml', '/nothing', '/_root.data']
  consumeAllBut(sharedSite.limits, 'pages', '2001:db8:0:1::/64', paths.length)
  for (const [index, path] of paths.entries())
    assert.notEqual((await request(path, `2001:db8:0:1:${index}::1`)).status, 429)
  for (const path of ['/feed.xml', '/sitemap.xml', '/', '/_root.data']) {
    const response = await request(path, '2001:db8:0:1:ffff::1')
    assert.equal(response.status, 429, path)
    assert.match(String(response.headers.get('retry-after')), /^[1-9]\d?$/)
    assert.match(String(response.headers.get('content-type')), /^text\/html/)
    assert.match(response.text, /<h1>Too many Requests! try again later<\/h1>/)
    assert.match(String(response.headers.get('content-security-policy')), /script-src 'self'/)
  }
  assert.equal((await request('/feed.xml', '2001:db8:0:2::1')).status, 200, 'the next network')
  assert.equal((await request('/api/time', '2001:db8:0:1::1')).status, 200, 'calls have a separate limit')
  assert.equal((await request('/healthz', '2001:db8:0:1::1')).status, 200)
})
