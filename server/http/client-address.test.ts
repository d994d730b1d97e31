import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { getClientAddress, getNetwork } from './client-address.ts'

/** Returns the caller's address that the site derives when a socket sends these headers. */
async function getCallerAddress(trustedProxies: number, socket: string, forwardedHeader?: string): Promise<string> {
  const app = new Hono().get('/', (c) => c.text(getClientAddress(c, trustedProxies)))
  const headers: HeadersInit = forwardedHeader === undefined ? {} : { 'X-Forwarded-For': forwardedHeader }
  const answer = await app.request('/', { headers }, { incoming: { socket: { remoteAddress: socket } } })
  return answer.text()
}

test('returns the socket’s address without a trusted proxy', async () => {
  assert.equal(await getCallerAddress(0, '203.0.113.5'), '203.0.113.5')
  assert.equal(await getCallerAddress(0, '203.0.113.5', '198.51.100.1, 198.51.100.2'), '203.0.113.5')
})

test('returns the address that one trusted proxy added, not the caller’s entries', async () => {
  assert.equal(await getCallerAddress(1, '10.0.0.1', '203.0.113.5'), '203.0.113.5')
  assert.equal(await getCallerAddress(1, '10.0.0.1', '198.51.100.1, 203.0.113.5'), '203.0.113.5')
})

test('returns the address that the outer one of two trusted proxies added', async () => {
  assert.equal(await getCallerAddress(2, '10.0.0.1', '203.0.113.5, 10.0.0.2'), '203.0.113.5')
  assert.equal(await getCallerAddress(2, '10.0.0.1', '198.51.100.1, 203.0.113.5, 10.0.0.2'), '203.0.113.5')
})

test('returns the first entry if there are fewer entries than trusted proxies', async () => {
  assert.equal(await getCallerAddress(2, '10.0.0.1', '203.0.113.5'), '203.0.113.5')
})

test('returns the socket’s address if the trusted proxy added nothing', async () => {
  assert.equal(await getCallerAddress(1, '10.0.0.1'), '10.0.0.1')
  assert.equal(await getCallerAddress(1, '10.0.0.1', ' , '), '10.0.0.1')
})

test('normalizes a proxy’s entry without its port, and ignores one that is not an address', async () => {
  assert.equal(await getCallerAddress(1, '10.0.0.1', '203.0.113.5:40123'), '203.0.113.5')
  for (const entry of ['[2001:db8::7]:443', '[2001:db8::7]', '2001:0DB8:0:0::7', '2001:db8::7'])
    assert.equal(await getCallerAddress(1, '10.0.0.1', entry), '2001:db8::7')
  for (const entry of ['unknown', '1', '0x7f.1', '203.0.113.999', 'x'.repeat(300)])
    assert.equal(await getCallerAddress(1, '10.0.0.1', entry), '10.0.0.1')
})

test('returns an IPv4 address that is written as IPv6 in its usual form', async () => {
  assert.equal(await getCallerAddress(0, '::ffff:203.0.113.5'), '203.0.113.5')
  assert.equal(await getCallerAddress(0, '2001:db8::7'), '2001:db8::7')
})

test('returns one network for all addresses of an IPv6 /64', () => {
  assert.equal(getNetwork('203.0.113.7'), '203.0.113.7')
  for (const address of ['2001:db8:1:2::5', '2001:0DB8:1:2:ffff:1:2:3', '2001:db8:1:2::']) {
    assert.equal(getNetwork(address), '2001:db8:1:2::/64')
  }
  assert.equal(getNetwork('::1'), '0:0:0:0::/64')
  assert.notEqual(getNetwork('2001:db8:1:3::5'), getNetwork('2001:db8:1:2::5'))
})

test('returns an IPv4 address in its usual form, and other text unchanged', () => {
  assert.equal(getNetwork('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(getNetwork('::ffff:cb00:7107'), '203.0.113.7')
  assert.equal(getNetwork('unknown'), 'unknown')
})
