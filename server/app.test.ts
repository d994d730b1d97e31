import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, openUnavailableDatabase } from '#test/helpers.ts'
import { createApp } from './app.ts'

const site = await createTestApp({ world: 'empty' })
const offlineSite = await createTestApp({ database: openUnavailableDatabase() })

type Answer = Awaited<ReturnType<typeof site.get>>

/** Checks CALL-7: the same text in both fields, and no internal details. */
function assertRefusal(answer: Answer, status: number, caseName: string) {
  assert.equal(answer.status, status, `${caseName}: ${answer.text}`)
  assert.match(String(answer.headers.get('content-type')), /^application\/json/, caseName)
  assert.equal(answer.headers.get('cache-control'), 'no-store', caseName)
  const { error, message } = answer.json()
  assert.ok(typeof error === 'string' && error.length > 5, caseName)
  assert.equal(message, error, caseName)
  assert.doesNotMatch(
    answer.text,
    /\bat .*:\d+|\/server\/|node_modules|\.ts\b|select |insert |relation|ECONN|127\.0\.0/i,
  )
}

test('answers 404 JSON for an unknown path under /api with any method', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/getnewsall',
    '/api/getnewsall/0/8/1',
    '/api/news/1/2/3/4/5',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      assertRefusal(await site.send(path, { method }), 404, `${method} ${path}`)
    }
  }
})

test('answers 404 JSON for a call with a wrong method', async () => {
  for (const [method, path] of [
    ['POST', '/api/getSiteBanners'],
    ['DELETE', '/api/getspecificnews/1'],
    ['GET', '/api/processlogin'],
    ['PUT', '/api/processlogin'],
  ] as const) {
    assertRefusal(await site.send(path, { method }), 404, `${method} ${path}`)
  }
})

test('refuses a body that is not JSON without reading it', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/xml']) {
    const answer = await site.post('/api/processlogin', '{"UserID":"juan","UserPass":"juan-demo-1"}', {
      'Content-Type': type,
    })
    assertRefusal(answer, 400, type)
  }
  const bodilessAnswer = await site.send('/api/processlogin', { method: 'POST' })
  assert.ok(bodilessAnswer.status === 400 || bodilessAnswer.status === 422, `no body: ${bodilessAnswer.status}`)
  assertRefusal(bodilessAnswer, bodilessAnswer.status, 'no body')
})

test('refuses a body over the limit with 413, even if its length was not announced', async () => {
  const answer = await site.send('/api/processlogin', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: new Blob(['x'.repeat(70_000)]).stream(),
    duplex: 'half',
  } as RequestInit)
  assertRefusal(answer, 413, 'in parts')
})

test('answers 503 with Retry-After and a readable message while the database is unavailable', async () => {
  for (const path of [
    '/readyz',
    '/api/getnewsall/0/8/1/0',
    '/api/get-top-rankings-list',
    '/api/site',
    '/sitemap.xml',
    '/feed.xml',
  ]) {
    const answer = await offlineSite.get(path)
    assertRefusal(answer, 503, path)
    assert.match(String(answer.headers.get('retry-after')), /^[1-9]\d*$/, path)
  }
})

test('reports the process as healthy while the database is unavailable', async () => {
  assert.deepEqual((await offlineSite.get('/healthz')).json(), { status: 'ok' })
  assert.equal((await offlineSite.get('/metrics')).status, 200)
  assert.equal((await offlineSite.get('/api/time')).status, 200)
})

test('does not cache responses that failed because the database was unavailable', () => {
  assert.equal(offlineSite.cache.getSize().entries, 0)
})

test('reports the process as healthy and ready while the database is available', async () => {
  assert.deepEqual((await site.get('/healthz')).json(), { status: 'ok' })
  assert.deepEqual((await site.get('/readyz')).json(), { status: 'ready' })
})

test('serves metrics as Prometheus text with requests by method and status', async () => {
  await site.get('/api/nothing')
  const { status, headers, text } = await site.get('/metrics')
  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^tambayan_request_seconds_count\{method="GET",status="404"\} [1-9]/m)
  assert.match(text, /^tambayan_answer_cache_bytes \d+$/m)
  assert.match(text, /^process_resident_memory_bytes [1-9]/m)
})

test('sends the security headers with every kind of response, and allows no other origin', async () => {
  const answers = await Promise.all(
    [
      '/healthz',
      '/metrics',
      '/robots.txt',
      '/sitemap.xml',
      '/api/site',
      '/api/time',
      '/api/docs',
      '/api/nothing',
      '/nothing',
    ].map(async (path) => [path, await site.get(path, { Origin: 'https://evil.example' })] as const),
  )
  const refusals = [
    ['400', await site.post('/api/processlogin', '{')],
    ['503', await offlineSite.get('/readyz')],
  ] as const
  const cachedAnswers = [['cached', await site.get('/api/site', { Origin: 'https://evil.example' })]] as const
  for (const [caseName, { headers }] of [...answers, ...refusals, ...cachedAnswers]) {
    const policy = String(headers.get('content-security-policy'))
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
    assert.equal(scripts, "'self'", caseName)
    assert.match(policy, /frame-ancestors 'none'/, caseName)
    assert.match(policy, /default-src 'self'/, caseName)
    assert.match(policy, /base-uri 'none'/, caseName)
    assert.doesNotMatch(policy, /unsafe-eval/, caseName)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', caseName)
    assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', caseName)
    assert.match(String(headers.get('permissions-policy')), /camera=\(\)/, caseName)
    assert.equal(headers.get('x-script-hashes'), null, caseName)
    const corsHeaders = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(corsHeaders, [], caseName)
  }
})

test('allows pictures of this site only', async () => {
  const { headers } = await site.get('/api/site')
  assert.match(String(headers.get('content-security-policy')), /img-src 'self' data: blob:;/)
})

test('requires https of browsers if the public address has it', async () => {
  const { headers } = await site.get('/api/site')
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000; includeSubDomains')
  const httpApp = createApp({ ...site, publicUrl: 'http://127.0.0.1:3000' })
  const answer = await httpApp.request('/healthz')
  assert.equal(answer.headers.get('strict-transport-security'), null)
})

test('lists calls of CALL-2 in the OpenAPI document, each once, and on its page', async () => {
  const { paths } = (await site.get('/api/openapi.json')).json()
  for (const path of [
    '/getnewsall/{type}/{count}/{paged}/{latestflag}',
    '/getspecificnews/{id}',
    '/getSiteBanners',
    '/getdownloadsall',
    '/get-top-rankings-list',
    '/processlogin',
    '/register',
    '/user-ip',
  ]) {
    assert.equal(Object.keys(paths[path] ?? {}).length, 1, path)
  }
  for (const path of ['/api/openapi.json', '/api/docs', '/robots.txt']) {
    const { headers } = await site.get(path, { 'Accept-Encoding': 'br' })
    assert.equal(headers.get('content-encoding'), 'br', path)
    assert.equal((await site.get(path, { 'If-None-Match': headers.get('etag') ?? '' })).status, 304, path)
  }
  const page = await site.get('/api/docs')
  assert.match(String(page.headers.get('content-type')), /^text\/html/)
  assert.match(page.text, /<h3><b>GET<\/b> \/getSiteBanners<\/h3>/)
  assert.doesNotMatch(page.text, /<script/)
})

test('answers an unexpected error with 500 without stack, SQL or path, and continues to work', async () => {
  await site.db.schema.dropTable('banners').execute()
  assertRefusal(await site.get('/api/getSiteBanners'), 500, 'dropped table')
  assert.equal((await site.get('/api/getnewsall/0/8/1/0')).status, 200)
})
