import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { readUploadForm } from './upload-form.ts'

const MB = 1024 * 1024
const LIMITS = {
  maxBytes: 15 * MB,
  maxParts: 30,
  said: { tooLarge: 'too large', unreadable: 'unreadable', busy: 'busy', tooSlow: 'too slow' },
}

/** Reads a form from its bytes, as it arrives over the network. */
async function readForm(form: FormData | string, headers: HeadersInit = {}) {
  const whole = new Response(form)
  const type = { 'Content-Type': whole.headers.get('Content-Type') ?? '' }
  const request = { method: 'POST', body: await whole.arrayBuffer(), headers: { ...type, ...headers } }
  return readUploadForm(new Request('http://site.internal/', request), LIMITS)
}

function formOf(...fields: [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

test('a form is read whole: fields, files, their names and types', async () => {
  const name = 'señor "Dalisay" 日本.png'
  const file = new File([new Uint8Array(100_000).fill(7)], name, { type: 'image/png' })
  const open = new File([], '', { type: 'application/octet-stream' })
  const { form, release } = await readForm(formOf(['message', 'piñata\r\n₱5'], ['a', file], ['a', file], ['b', open]))
  release()
  assert.equal(form.get('message'), 'piñata\r\n₱5')
  const files = form.getAll('a') as File[]
  assert.equal(files.length, 2)
  for (const one of files) {
    assert.deepEqual([one.name, one.type, one.size], [name, 'image/png', 100_000])
    assert.deepEqual(await one.bytes(), await file.bytes())
  }
  const empty = form.get('b') as File
  assert.deepEqual([empty.name, empty.size], ['', 0])
})

test('a form may have as many parts as its limit says, and not one more', async () => {
  const parts = (count: number) =>
    formOf(...Array.from({ length: count }, (_, at): [string, string] => [`n${at}`, 'x']))
  const { form, release } = await readForm(parts(30))
  release()
  assert.equal([...form].length, 30)
  await assert.rejects(readForm(parts(31)), { status: 400, message: 'unreadable' })
})

test('a boundary may consist of every character that the standard allows', async () => {
  const boundary = "a'()+,-./:=?_b"
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--${boundary}--\r\n`
  const { form, release } = await readForm(body, { 'Content-Type': `multipart/form-data; boundary=${boundary}` })
  release()
  assert.deepEqual([...form], [['a', 'b']])
})

test('what forms hold is free again once it is released, and after a refusal at once', async () => {
  const large = () => readForm(formOf(['a', new File([new Uint8Array(14 * MB)], 'a')]))
  const forms = [await large(), await large(), await large()]
  await assert.rejects(large(), (error) => error instanceof Refusal && error.status === 503)
  forms[0]?.release()
  const again = await large()
  for (const { release } of [...forms, again]) release()
  await assert.rejects(readForm(formOf(['a', new File([new Uint8Array(16 * MB)], 'a')])), { status: 413 })
  for (const { release } of [await large(), await large(), await large()]) release()
})
