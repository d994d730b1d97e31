import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { crc32, deflateSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { sql } from 'kysely'
import sharp from 'sharp'
import { SCREENSHOT_TEXTS, TICKET_TEXTS } from '#contract/tickets.ts'
import { assertRefused } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import {
  countTicketRows,
  createFile,
  createPictureFile,
  createTicketForm,
  sendForm,
  submitTicket,
} from '#test/ticket-helpers.ts'
import { waitUntil } from '#test/wait-until.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const MB = 1024 * 1024
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=aaaaaaaa' }
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const logEntries: object[] = []
site.log.warn = ((entry: object) => void logEntries.push(entry)) as typeof site.log.warn

const submitWithFiles = (screenshots: File | (string | File)[]) =>
  sendForm(site, '/api/submitticket', createTicketForm({ screenshots }))
const readBytes = async (file: File) => Buffer.from(await file.arrayBuffer())

/** Sends a body with headers that do not have to match it. */
const sendRaw = (body: BodyInit, headers: Record<string, string>) =>
  site.send('/api/submitticket', { method: 'POST', body, headers })

/** Asserts that the refusals in `action` store no rows, and are logged without the content. */
async function assertNothingStored(action: () => Promise<void>) {
  const before = await countTicketRows(site)
  logEntries.length = 0
  await action()
  assert.deepEqual(await countTicketRows(site), before)
  assert.ok(logEntries.length > 0)
  for (const line of logEntries) assert.deepEqual(Object.keys(line), ['address', 'account', 'path', 'status', 'id'])
}

function createPngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const lengthAndCrc = Buffer.alloc(8)
  lengthAndCrc.writeUInt32BE(data.length, 0)
  lengthAndCrc.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([lengthAndCrc.subarray(0, 4), body, lengthAndCrc.subarray(4)])
}

/** Encodes a PNG of one bit per pixel. The header states the size, and only `rows` rows follow. */
function encodePng(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const data = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', data),
    createPngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Encodes an animated WebP with three frames of 40 × 30. */
async function encodeAnimation(): Promise<Buffer> {
  const frames = ['#e4572e', '#2a9d8f', '#ffd21f'].map((background) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  const bytes = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer()
  assert.equal((await sharp(bytes).metadata()).pages, 3)
  return bytes
}

test('detects PNG, JPEG and WebP by content, not by name, and stores WebP', async () => {
  const files = await Promise.all([
    createPictureFile('a.exe', { format: 'png' }),
    createPictureFile('b.svg', { format: 'jpeg' }),
    createPictureFile('c', { format: 'webp' }),
  ])
  const { number } = await submitTicket(site, { screenshots: files })
  const rows = await site.db
    .selectFrom('ticket_screenshots as s')
    .innerJoin('ticket_messages as m', 'm.message', 's.message')
    .innerJoin('tickets as t', 't.ticket', 'm.ticket')
    .where('t.number', '=', number)
    .selectAll('s')
    .orderBy('s.position')
    .execute()
  assert.deepEqual(
    rows.map((row) => row.position),
    [1, 2, 3],
  )
  for (const { content, width, height } of rows) {
    const { format, width: storedWidth, height: storedHeight } = await sharp(content).metadata()
    assert.deepEqual([format, storedWidth, storedHeight], ['webp', width, height])
  }
})

test('scales large pictures down, turns rotated pictures upright, and removes all metadata', async () => {
  const photo = await sharp({ create: { width: 4000, height: 2000, channels: 3, background: '#2a9d8f' } })
    .withExif({ IFD0: { Copyright: 'Home of Juan', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const { key } = await submitTicket(site, { screenshots: createFile('photo.jpg', photo) })
  const { ticket } = (await site.post('/api/checkticket', { key })).json()
  assert.deepEqual(
    [ticket.conversation[0].screenshots[0].width, ticket.conversation[0].screenshots[0].height],
    [960, 1920],
  )
  const [{ content }] = (
    await sql<{ content: Buffer }>`select content from ticket_screenshots order by length(content) desc`.execute(
      site.db,
    )
  ).rows as [{ content: Buffer }]
  const { exif, icc, xmp, orientation } = await sharp(content).metadata()
  assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined])
})

test('stores the first frame of an animated picture', async () => {
  const { key } = await submitTicket(site, { screenshots: createFile('moves.webp', await encodeAnimation()) })
  const { ticket } = (await site.post('/api/checkticket', { key })).json()
  assert.deepEqual(
    [ticket.conversation[0].screenshots[0].width, ticket.conversation[0].screenshots[0].height],
    [40, 30],
  )
})

test('ignores an empty file input', async () => {
  const { key } = await submitTicket(site, { screenshots: [new File([], ''), ''] })
  assert.deepEqual((await site.post('/api/checkticket', { key })).json().ticket.conversation[0].screenshots, [])
})

test('refuses damaged, incomplete and unsuitable files by their content, and names them', async () => {
  const png = await readBytes(await createPictureFile('a.png', { width: 800, height: 600 }))
  const noise = Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 7919) % 251))
  const jpeg = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer()
  await assertNothingStored(async () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      '<!doctype html><script>alert(1)</script>',
      '%PDF-1.7',
      'GIF89a\x01\x00\x01\x00',
      'MZ\x90\x00',
      'RIFF\x00\x00\x00\x00AVI ',
      'x',
    ])
      assertRefused(await submitWithFiles(createFile('cat.png', text)), 422, SCREENSHOT_TEXTS.notAPicture('cat.png'))
    assertRefused(await submitWithFiles(['text']), 422, SCREENSHOT_TEXTS.notAPicture('text'))
    assertRefused(await submitWithFiles(createFile('none.png', '')), 422, SCREENSHOT_TEXTS.empty('none.png'))
    for (const bytes of [
      png.subarray(0, 40),
      png.subarray(0, png.length / 2),
      jpeg.subarray(0, jpeg.length / 2),
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')]),
      Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 aaaa', 'latin1'),
    ])
      assertRefused(await submitWithFiles(createFile('half.png', bytes)), 422, SCREENSHOT_TEXTS.broken('half.png'))
    const validPicture = await createPictureFile('good.png')
    assertRefused(
      await submitWithFiles([validPicture, createFile('bad\u202egnp.exe', 'x')]),
      422,
      SCREENSHOT_TEXTS.notAPicture('badgnp.exe'),
    )
    assertRefused(
      await submitWithFiles([validPicture, validPicture, validPicture, validPicture]),
      422,
      SCREENSHOT_TEXTS.tooMany,
    )
    assertRefused(
      await submitWithFiles(createFile('huge.png', Buffer.alloc(5 * MB + 1))),
      413,
      SCREENSHOT_TEXTS.tooLarge('huge.png'),
    )
  })
})

test('refuses decompression bombs before decoding them, with little memory', async () => {
  const animated = await encodeAnimation()
  // The header of the animation states a canvas of 16,384 × 16,384 pixels.
  const oversizedCanvas = Buffer.from(animated)
  oversizedCanvas.set([0xff, 0x3f, 0, 0xff, 0x3f, 0], 24)
  const flatPicture = await createPictureFile('flat.png', { width: 4400, height: 4400 })
  await submitWithFiles(flatPicture)
  const before = process.resourceUsage().maxRSS
  await assertNothingStored(async () => {
    for (const bomb of [encodePng(30_000, 30_000, 10), encodePng(30_000, 30_000, 2000), encodePng(100_000, 300, 1)]) {
      assert.ok(bomb.length < 20_000)
      assertRefused(
        await submitWithFiles(createFile('bomb.png', bomb)),
        422,
        SCREENSHOT_TEXTS.tooManyPixels('bomb.png'),
      )
    }
    assertRefused(await submitWithFiles(createFile('moves.webp', oversizedCanvas)), 422)
    assertRefused(
      await submitWithFiles(createFile('bomb.png', encodePng(4000, 4000, 10))),
      422,
      SCREENSHOT_TEXTS.broken('bomb.png'),
    )
  })
  assert.ok(flatPicture.size < 300_000)
  const responses = await Promise.all([flatPicture, flatPicture, flatPicture, flatPicture].map(submitWithFiles))
  for (const answer of responses) assert.equal(answer.status, 200, answer.text)
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024
  assert.ok(grownMb < 250, `${grownMb} MB`)
})

test('refuses a body over the limit while reading it, also if it states a wrong length', async () => {
  const megabyte = new Uint8Array(MB)
  let sentPieces = 0
  const createEndlessBody = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sentPieces++
        if (sentPieces > 500) controller.close()
        else controller.enqueue(megabyte)
      },
    })
  await assertNothingStored(async () => {
    for (const headers of [{}, { 'Content-Length': '10' }, { 'Content-Length': 'x' }, { 'Content-Length': '-1' }]) {
      sentPieces = 0
      const init = {
        method: 'POST',
        body: createEndlessBody(),
        duplex: 'half',
        headers: { ...FORM_TYPE, ...headers },
      } as RequestInit
      assertRefused(await site.send('/api/submitticket', init), 413, SCREENSHOT_TEXTS.allTooLarge)
      assert.ok(sentPieces < 20, `read ${sentPieces} MB`)
    }
    const correctHeaders = { ...FORM_TYPE, 'Content-Length': String(20 * MB) }
    sentPieces = 0
    const init = { method: 'POST', body: createEndlessBody(), duplex: 'half', headers: correctHeaders } as RequestInit
    assertRefused(await site.send('/api/submitticket', init), 413, SCREENSHOT_TEXTS.allTooLarge)
    assert.ok(sentPieces <= 1, `read ${sentPieces} MB`)
  })
})

test('refuses bodies that are not forms, and forms with very many parts', async () => {
  const parts = '--aaaaaaaa\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'
  await assertNothingStored(async () => {
    const bodies: [BodyInit, string][] = [
      ['category=bug', 'application/x-www-form-urlencoded'],
      ['x', 'multipart/form-data'],
      ['x', FORM_TYPE['Content-Type']],
      [parts, FORM_TYPE['Content-Type']],
      [`${parts.repeat(20_000)}--aaaaaaaa--`, FORM_TYPE['Content-Type']],
      [new Uint8Array(1000), FORM_TYPE['Content-Type']],
    ]
    for (const [body, type] of bodies) {
      assertRefused(await sendRaw(body, { 'Content-Type': type }), 400, SCREENSHOT_TEXTS.unreadable)
    }
    assertRefused(await site.send('/api/submitticket', { method: 'POST' }), 400, SCREENSHOT_TEXTS.unreadable)
  })
})

test('unfinished uploads do not delay other players', async () => {
  const release = Promise.withResolvers<void>()
  let waitingUploads = 0
  const heldUploads = Array.from({ length: 8 }, () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (sent++ < 15) return controller.enqueue(new Uint8Array(MB))
        waitingUploads++
        await release.promise
        controller.close()
      },
    })
    return site.send('/api/submitticket', { method: 'POST', body, duplex: 'half', headers: FORM_TYPE } as RequestInit)
  })
  while (waitingUploads < heldUploads.length) await new Promise((resolve) => setImmediate(resolve))
  await submitTicket(site, { screenshots: await createPictureFile('a.png') })
  release.resolve()
  for (const answer of await Promise.all(heldUploads)) assertRefused(answer, 400, SCREENSHOT_TEXTS.unreadable)
})

test('a form that arrives byte by byte takes no more memory than its bytes', async () => {
  const form = new Response(createTicketForm({ message: 'x'.repeat(100_000) }))
  const type = { 'Content-Type': form.headers.get('Content-Type') ?? '' }
  const bytes = new Uint8Array(await form.arrayBuffer())
  let heldPiece: WeakRef<Uint8Array> | undefined
  let retainedPieces = 0
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (sent % 20_000 === 10_000) {
          await sleep(0)
          collectGarbage()
          if (heldPiece?.deref() !== undefined) retainedPieces++
        }
        if (sent === bytes.length) return controller.close()
        const piece = bytes.slice(sent, ++sent)
        if (sent % 20_000 === 1) heldPiece = new WeakRef(piece)
        controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  const init = { method: 'POST', body, duplex: 'half', headers: type } as RequestInit
  assertRefused(await site.send('/api/submitticket', init), 422, TICKET_TEXTS.messageTooLong)
  assert.equal(retainedPieces, 0)
})

/** Serves the site on a port until the test file ends. @returns the server, and the URL of the call */
async function startServer() {
  const server = createServer(getRequestListener(site.app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/submitticket` }
}

test('refuses a 20 MB upload over the network with a message, and survives an interrupted upload', async () => {
  const { server, url } = await startServer()
  await assertNothingStored(async () => {
    const form = createTicketForm({ screenshots: createFile('big.png', Buffer.alloc(20 * MB)) })
    const answer = await fetch(url, { method: 'POST', body: form })
    assert.deepEqual([answer.status, (await answer.json()).message], [413, SCREENSHOT_TEXTS.allTooLarge])
    const requestArrived = once(server, 'request')
    const headers = { ...FORM_TYPE, 'Content-Length': '1000000' }
    const interruptedRequest = request(url, { method: 'POST', headers })
    interruptedRequest.on('error', () => {})
    interruptedRequest.write('--aaaaaaaa\r\n')
    const logCount = logEntries.length
    await requestArrived
    interruptedRequest.destroy()
    await waitUntil('the interruption is logged', () => logEntries.length > logCount, { withinMs: 5000 })
  })
  const answer = await fetch(url, {
    method: 'POST',
    body: createTicketForm({ screenshots: await createPictureFile('a.png') }),
  })
  assert.equal(answer.status, 200)
})

test('refuses a stalled upload over the network with a message', async (t) => {
  const { server, url } = await startServer()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await assertNothingStored(async () => {
    const stalledRequest = request(url, { method: 'POST', headers: { ...FORM_TYPE, 'Content-Length': '1000000' } })
    const requestArrived = once(server, 'request')
    stalledRequest.write('--aaaaaaaa\r\n')
    await requestArrived
    for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve))
    const responseArrived = once(stalledRequest, 'response')
    t.mock.timers.tick(15_000)
    const [{ statusCode }] = await responseArrived
    assert.equal(statusCode, 408)
    stalledRequest.destroy()
  })
})

test('refuses bodies over 64 KiB of calls without files', async () => {
  assertRefused(await site.post('/api/checkticket', { number: 'x'.repeat(70_000) }), 413)
})
