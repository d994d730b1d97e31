import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { isUploadPath } from '#server/api.ts'
import { createTestApp } from '#test/helpers.ts'
import { createHttpServer } from './http-server.ts'

const site = await createTestApp({ world: 'empty' })
const timeouts = { headersMs: 400, bodyMs: 400, requestMs: 600, silenceMs: 500, keepAliveMs: 300 }
const server = createHttpServer(getRequestListener(site.app.fetch), isUploadPath, timeouts).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
after(() => server.close())

/**
 * Sends `start`, then `laterBytes` byte by byte, until the server closes the connection. That must happen before everything is
 * sent.
 */
async function trickle(start: string, laterBytes = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const closing = new Promise((resolve) => socket.once('close', resolve))
  socket.write(start)
  let sentCount = 0
  for (; sentCount < laterBytes.length && !socket.destroyed; sentCount++) {
    await sleep(20)
    socket.write(laterBytes[sentCount] ?? '')
  }
  await closing
  if (laterBytes !== '') assert.ok(sentCount < laterBytes.length, 'the server waited for everything')
  return received
}

const POST_HEADERS = 'POST /api/processlogin HTTP/1.1\r\nHost: a\r\n'
const UPLOAD_HEADERS = 'POST /api/submitticket HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=a\r\n'
const LONG_TEXT = 'x'.repeat(500)

const CLIENT_CASES = {
  'sends nothing': () => trickle(''),
  'trickles its headers': () => trickle('GET / HTTP/1.1\r\nHost: a\r\nX-Long: ', LONG_TEXT),
  'stops in its headers': () => trickle('GET / HTTP/1.1\r\nHost:'),
  'trickles a body': () =>
    trickle(`${POST_HEADERS}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n`, LONG_TEXT),
  'stops in a body': () => trickle(`${POST_HEADERS}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{`),
  'stops in a body that it declares as an upload': () =>
    trickle(`${POST_HEADERS}Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 500\r\n\r\n{`),
  'trickles a body without length': () =>
    trickle(
      `${POST_HEADERS}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '1\r\nx\r\n'.repeat(80),
    ),
  'trickles an upload': () => trickle(`${UPLOAD_HEADERS}Content-Length: 500\r\n\r\n`, LONG_TEXT),
  'sends no further request': () => trickle('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'),
}

for (const [behavior, connectClient] of Object.entries(CLIENT_CASES)) {
  test(`disconnects a client that ${behavior}`, async () => {
    const received = await connectClient()
    if (behavior === 'stops in a body' || behavior === 'stops in a body that it declares as an upload')
      assert.match(received, /^HTTP\/1\.1 408 /)
    if (behavior === 'sends no further request') assert.match(received, /^HTTP\/1\.1 200 /)
  })
}

test('disconnects a client that does not read a long response', async () => {
  const longServer = createHttpServer(
    (_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024)),
    isUploadPath,
    timeouts,
  ).listen(0, '127.0.0.1')
  await once(longServer, 'listening')
  const socket = connect((longServer.address() as AddressInfo).port, '127.0.0.1')
  const closing = once(longServer, 'connection').then(([connection]) => once(connection, 'close'))
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await closing
  socket.destroy()
  longServer.close()
})

test('answers successive calls on one connection if their bodies arrive in time', async () => {
  const patientServer = createHttpServer(getRequestListener(site.app.fetch), isUploadPath).listen(0, '127.0.0.1')
  await once(patientServer, 'listening')
  const socket = connect((patientServer.address() as AddressInfo).port, '127.0.0.1')
  const body = JSON.stringify({ UserID: 'nobody', UserPass: 'nothing' })
  const call = `${POST_HEADERS}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  socket.write(`${call}\r\n${body}${call}Connection: close\r\n\r\n`)
  socket.write(body)
  const received = Buffer.concat(await socket.toArray()).toString()
  assert.equal(received.match(/HTTP\/1\.1 200 /g)?.length, 2)
  patientServer.close()
})
