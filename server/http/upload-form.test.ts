import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Refusal } from '../errors.ts'
import { readUploadForm } from './upload-form.ts'

const MB = 1024 * 1024
const LIMITS = {
  maxBytes: 15 * MB,
  maxParts: 30,
  messages: { tooLarge: 'too large', unreadable: 'unreadable', busy: 'busy', tooSlow: 'too slow' },
}

const folder = join(await mkdtemp(join(tmpdir(), 'tambayan-uploads-')), 'uploads')
after(() => rm(folder, { recursive: true }))

/** Reads a form from its bytes, like one that arrives over a network. */
async function readForm(
  form: FormData | string,
  headers: HeadersInit = {},
  network = '203.0.113.1',
  unfinishedMaxBytes?: number,
) {
  const response = new Response(form)
  const type = { 'Content-Type': response.headers.get('Content-Type') ?? '' }
  const request = { method: 'POST', body: await response.arrayBuffer(), headers: { ...type, ...headers } }
  const limits = unfinishedMaxBytes === undefined ? LIMITS : { ...LIMITS, unfinishedMaxBytes }
  return readUploadForm(new Request('http://site.internal/', request), limits, { network, folder })
}

function createForm(...fields: [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

test('reads the fields and files of a form, with their names and types', async () => {
  const name = 'señor "Dalisay" 日本.png'
  const file = new File([new Uint8Array(100_000).fill(7)], name, { type: 'image/png' })
  const emptyFile = new File([], '', { type: 'application/octet-stream' })
  const { form, release } = await readForm(
    createForm(['message', 'piñata\r\n₱5'], ['a', file], ['a', file], ['b', emptyFile]),
  )
  assert.equal(form.get('message'), 'piñata\r\n₱5')
  const files = form.getAll('a') as File[]
  assert.equal(files.length, 2)
  for (const receivedFile of files) {
    assert.deepEqual([receivedFile.name, receivedFile.type, receivedFile.size], [name, 'image/png', 100_000])
    assert.deepEqual(await receivedFile.bytes(), await file.bytes())
  }
  const emptyField = form.get('b') as File
  assert.deepEqual([emptyField.name, emptyField.size], ['', 0])
  const fileStats = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
  assert.deepEqual([fileStats.length, ...fileStats.map(({ mode }) => mode & 0o777)], [3, 0o600, 0o600, 0o600])
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  await release()
  assert.deepEqual(await readdir(folder), [])
})

const STUCK_FORM_MB = 14
const CHUNKS_IN_MB = 16

/** Creates a request with a form whose first 14 MB arrive at once, and the rest never. */
function createStuckForm() {
  let pullCount = 0
  const part = '--aaaaaaaa\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n'
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (pullCount++ === 0) controller.enqueue(new TextEncoder().encode(part))
      else if (pullCount <= 1 + STUCK_FORM_MB * CHUNKS_IN_MB) controller.enqueue(new Uint8Array(MB / CHUNKS_IN_MB))
      else return new Promise<void>(() => {})
    },
  })
  const headers = { 'Content-Type': 'multipart/form-data; boundary=aaaaaaaa' }
  return new Request('http://site.internal/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

test('stalled uploads use no memory, and end with 408 and without a file', async (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  collectGarbage()
  const bytesBefore = process.memoryUsage().external
  const source = { network: '203.0.113.2', folder }
  const stuckForms = Array.from({ length: 12 }, () => readUploadForm(createStuckForm(), LIMITS, source))
  const settledForms = Promise.allSettled(stuckForms)
  const readSize = async () => {
    const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
    return files.reduce((sum, { size }) => sum + size, 0)
  }
  // Data that waits for a slow disk is still in memory, and written data is freed a little later.
  while ((await readSize()) < 12 * 13.5 * MB) await new Promise((resolve) => setImmediate(resolve))
  let growthMb = Infinity
  for (let attempt = 0; attempt < 200 && growthMb >= 30; attempt++) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    growthMb = (process.memoryUsage().external - bytesBefore) / MB
  }
  assert.ok(growthMb < 30, `${growthMb} MB of ${12 * STUCK_FORM_MB}`)
  const { release } = await readForm(createForm(['a', new File([new Uint8Array(5 * MB)], 'a')]), {}, '203.0.113.3')
  await release()
  t.mock.timers.tick(15_000)
  for (const outcome of await settledForms) {
    assert.equal(outcome.status, 'rejected')
    assert.equal((outcome as PromiseRejectedResult).reason.status, 408)
  }
  assert.deepEqual(await readdir(folder), [])
})

test('accepts 32 concurrent forms from one network, which do not delay other networks', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stuckForms = Array.from({ length: 32 }, () =>
    readUploadForm(createStuckForm(), LIMITS, { network: 'one', folder }),
  )
  const settledForms = Promise.allSettled(stuckForms)
  await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(readForm(createForm(['a', 'b']), {}, 'one'), { status: 503 })
  const { release } = await readForm(createForm(['a', 'b']), {}, 'two')
  await release()
  t.mock.timers.tick(15_000)
  await settledForms
  await (await readForm(createForm(['a', 'b']), {}, 'one')).release()
})

test('limits the total size of a form’s texts', async () => {
  await assert.rejects(readForm(createForm(['a', 'x'.repeat(300_000)])), { status: 400 })
  await assert.rejects(readForm(createForm(['a', 'x'.repeat(200_000)], ['b', 'x'.repeat(200_000)])), { status: 400 })
})

test('accepts as many parts of a form as its limit allows', async () => {
  const createFormWithParts = (count: number) =>
    createForm(...Array.from({ length: count }, (_, index): [string, string] => [`n${index}`, 'x']))
  const { form, release } = await readForm(createFormWithParts(30))
  release()
  assert.equal([...form].length, 30)
  await assert.rejects(readForm(createFormWithParts(31)), { status: 400, message: 'unreadable' })
})

test('accepts every character that the standard allows in a boundary', async () => {
  const boundary = "a'()+,-./:=?_b"
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--${boundary}--\r\n`
  const { form, release } = await readForm(body, { 'Content-Type': `multipart/form-data; boundary=${boundary}` })
  release()
  assert.deepEqual([...form], [['a', 'b']])
})

test('frees the space of a form after its release, or at once after a refusal', async () => {
  const readLargeForm = () => readForm(createForm(['a', new File([new Uint8Array(14 * MB)], 'a')]), {}, 'one', 48 * MB)
  const forms = [await readLargeForm(), await readLargeForm(), await readLargeForm()]
  await assert.rejects(readLargeForm(), (error) => error instanceof Refusal && error.status === 503)
  await forms[0]?.release()
  const retriedForm = await readLargeForm()
  for (const { release } of [...forms, retriedForm]) await release()
  await assert.rejects(readForm(createForm(['a', new File([new Uint8Array(16 * MB)], 'a')])), { status: 413 })
  for (const { release } of [await readLargeForm(), await readLargeForm(), await readLargeForm()]) await release()
  assert.deepEqual(await readdir(folder), [])
})
