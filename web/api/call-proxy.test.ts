import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCalls } from './call-proxy.ts'

type Calls = {
  news: {
    ':id': { $get(sent: { param: { id: string }; query?: Record<string, string | undefined> }): Promise<Response> }
  }
  buy: { $post(sent?: { json?: unknown; header?: Record<string, string | undefined> }): Promise<Response> }
}

function record() {
  const asked: Request[] = []
  const calls = createCalls<Calls>('http://site.test/api', async (input, init) => {
    asked.push(new Request(input, init))
    return new Response('{}')
  })
  return { asked, calls }
}

test('a call fills in its path and leaves out query fields that were left open', async () => {
  const { asked, calls } = record()
  await calls.news[':id'].$get({ param: { id: 'a/b' }, query: { page: '2', q: undefined } })
  assert.equal(asked[0]?.method, 'GET')
  assert.equal(asked[0]?.url, 'http://site.test/api/news/a%2Fb?page=2')
})

test('a call sends its body as JSON and its headers', async () => {
  const { asked, calls } = record()
  await calls.buy.$post({ json: { seq: 1 }, header: { 'idempotency-key': 'k', 'x-none': undefined } })
  assert.equal(asked[0]?.method, 'POST')
  assert.equal(asked[0]?.headers.get('Content-Type'), 'application/json')
  assert.equal(asked[0]?.headers.get('Idempotency-Key'), 'k')
  assert.equal(asked[0]?.headers.has('x-none'), false)
  assert.deepEqual(await asked[0]?.json(), { seq: 1 })
})

test('a call without anything to send has no body', async () => {
  const { asked, calls } = record()
  await calls.buy.$post()
  assert.equal(await asked[0]?.text(), '')
})
