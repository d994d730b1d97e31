import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { answerWhileStarting } from './getting-ready.ts'

let progress = { step: 3, of: 6 }
const server = createServer(answerWhileStarting(() => progress))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

test('shows the current step on a page that reloads itself', async () => {
  const page = await fetch(`${origin}/itemshop?page=2`)
  assert.equal(page.status, 503)
  assert.match(page.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const text = await page.text()
  assert.match(text, /Tambayan is getting ready, step 3 of 6/)
  assert.match(text, /<meta http-equiv="refresh" content="\d+">/)
})

test('shows no step if there are none', async () => {
  progress = { step: 0, of: 0 }
  assert.match(await (await fetch(origin)).text(), /Tambayan is getting ready</)
})

test('reports the process as healthy and the site as not ready', async () => {
  assert.equal((await fetch(`${origin}/healthz`)).status, 200)
  assert.equal((await fetch(`${origin}/readyz`)).status, 503)
})

test('answers calls as JSON', async () => {
  const response = await fetch(`${origin}/api/getnews`)
  assert.equal(response.status, 503)
  assert.match((await response.json()).message, /getting ready/)
})
