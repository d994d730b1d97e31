import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { OWNER } from '#contract/permissions.ts'
import { CALLS } from '#server/api.ts'
import { createApp } from '#server/app.ts'
import { createErrorCounter } from '#server/error-counter.ts'
import { createPlayer } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createLinkToken, hashToken } from './tokens.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const counter = createErrorCounter()
const lines: string[] = []
const log = pino({ level: 'error', hooks: counter.hooks }, { write: (line) => void lines.push(line) })
const server = createServer(getRequestListener(createApp({ ...site, log }).fetch)).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const { port } = server.address() as AddressInfo

/** Sends the beginning of a body and ends the connection as soon as the server has the headers. */
async function cutOff(path: string, headers: Record<string, string>, length = 'Content-Length: 500'): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const nextRequest = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${headerLines.join('')}${length}\r\n\r\n`)
  const [, res] = await nextRequest
  const closing = once(res, 'close')
  socket.resetAndDestroy()
  await closing
}

/** Returns the number of refusals of a kind, as /metrics reports it. */
const countRefusals = async (kind: string) =>
  Number(
    new RegExp(`tambayan_refusals_total\\{kind="${kind}"\\} (\\d+)`).exec((await site.metrics.read()) ?? '')?.[1] ?? 0,
  )

test('treats an aborted body as the caller’s error, for every call and route', async () => {
  const [player, owner] = [await createPlayer(site), await createOperator(site, OWNER)]
  const token = createLinkToken()
  await site.db
    .insertInto('vote_sites')
    .values({
      name: 'List',
      list: 'generic',
      link: 'https://lists.example/{account}',
      pause_hours: 12,
      account_field: 'account',
      secret_field: 'secret',
      address_hash: hashToken(token),
    })
    .execute()
  const json = { 'Content-Type': 'application/json' }
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=a' }
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const headers of [json, multipart, urlencoded])
    for (const path of [`/votes/${token}`, '/verifyemail', '/unsubscribe']) await cutOff(path, headers)
  for (const { endpoint } of CALLS) {
    if (endpoint.method !== 'POST') continue
    const path = `/api${endpoint.path.replaceAll(/\{\w+\}/g, '1')}`
    const type = endpoint.input?.form === undefined ? json : multipart
    for (const { headers } of [player, owner]) await cutOff(path, { ...headers, ...type })
    await cutOff(path, { ...owner.headers, ...type }, 'Transfer-Encoding: chunked')
  }
  // Some responses are created only after their connection has ended. Wait until the count no longer grows.
  let previousCount = -1
  for (let count = 0; count !== previousCount; count = await countRefusals('body-cut-off')) {
    previousCount = count
    await sleep(50)
  }
  assert.ok((await countRefusals('body-cut-off')) > 100)
  assert.deepEqual([await countRefusals('database-away'), await countRefusals('accident')], [0, 0])
  assert.deepEqual(lines, [])
})

test('answers 400 for a truncated body if the caller still listens', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/processlogin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  socket.end('1\r\n{\r\nbroken')
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 400 /)
})
