import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { clientAddress, getNetwork } from './client-address.ts'

/** Returns the caller's address that the site derives when a socket sends these headers. */
async function seen(trustedProxies: number, socket: string, forwarded?: string): Promise<string> {
  const app = new Hono().get('/', (c) => c.text(clientAddress(c, trustedProxies)))
  const headers: HeadersInit = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const answer = await app.request('/', { headers }, { incoming: { socket: { remoteAddress: socket } } })
  return answer.text()
}

test('without a trusted proxy only the socket’s address counts', async () => {
  assert.equal(await seen(0, '203.0.113.5'), '203.0.113.5')
  assert.equal(await seen(0, '203.0.113.5', '198.51.100.1, 198.51.100.2'), '203.0.113.5')
})

test('behind one proxy the address it saw counts, not the caller’s entries', async () => {
  assert.equal(await seen(1, '10.0.0.1', '203.0.113.5'), '203.0.113.5')
  assert.equal(await seen(1, '10.0.0.1', '198.51.100.1, 203.0.113.5'), '203.0.113.5')
})

test('behind two proxies the address the outer one saw counts', async () => {
  assert.equal(await seen(2, '10.0.0.1', '203.0.113.5, 10.0.0.2'), '203.0.113.5')
  assert.equal(await seen(2, '10.0.0.1', '198.51.100.1, 203.0.113.5, 10.0.0.2'), '203.0.113.5')
})

test('when fewer proxies wrote than are trusted, the farthest address written counts', async () => {
  assert.equal(await seen(2, '10.0.0.1', '203.0.113.5'), '203.0.113.5')
})

test('behind a proxy that wrote nothing the socket’s address counts', async () => {
  assert.equal(await seen(1, '10.0.0.1'), '10.0.0.1')
  assert.equal(await seen(1, '10.0.0.1', ' , '), '10.0.0.1')
})

test('a proxy’s entry counts in its usual form without a port, if it is an address', async () => {
  assert.equal(await seen(1, '10.0.0.1', '203.0.113.5:40123'), '203.0.113.5')
  for (const written of ['[2001:db8::7]:443', '[2001:db8::7]', '2001:0DB8:0:0::7', '2001:db8::7'])
    assert.equal(await seen(1, '10.0.0.1', written), '2001:db8::7')
  for (const written of ['unknown', '1', '0x7f.1', '203.0.113.999', 'x'.repeat(300)])
    assert.equal(await seen(1, '10.0.0.1', written), '10.0.0.1')
})

test('an IPv4 address in IPv6 clothes is the same address', async () => {
  assert.equal(await seen(0, '::ffff:203.0.113.5'), '203.0.113.5')
  assert.equal(await seen(0, '2001:db8::7'), '2001:db8::7')
})

test('addresses of one IPv6 network count together', () => {
  assert.equal(getNetwork('203.0.113.7'), '203.0.113.7')
  for (const address of ['2001:db8:1:2::5', '2001:0DB8:1:2:ffff:1:2:3', '2001:db8:1:2::']) {
    assert.equal(getNetwork(address), '2001:db8:1:2::/64')
  }
  assert.equal(getNetwork('::1'), '0:0:0:0::/64')
  assert.notEqual(getNetwork('2001:db8:1:3::5'), getNetwork('2001:db8:1:2::5'))
})

test('an IPv4 address counts in any notation, and any other text as it is', () => {
  assert.equal(getNetwork('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(getNetwork('::ffff:cb00:7107'), '203.0.113.7')
  assert.equal(getNetwork('unknown'), 'unknown')
})
