import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { createApp } from '#server/app.ts'
import { createPublicQueue } from '#server/concurrency.ts'
import { markDriverError } from '#server/db/errors.ts'
import { openPostgres } from '#server/db/open.ts'
import { Refusal } from '#server/errors.ts'
import { insertNews } from '#test/factories.ts'
import { createClock, createTestApp, listenOnPort } from '#test/helpers.ts'
import { waitUntil } from '#test/wait-until.ts'
import { createAnswerCache, type WholeAnswer } from './answer-cache.ts'
import { createHeaderAdder } from './security-headers.ts'

const PUBLIC_HEADERS = { 'Cache-Control': 'public, s-maxage=30' }
const LIFETIME_MS = 5000
const OFFLINE_ERROR = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
markDriverError(OFFLINE_ERROR)

function createCache(maxBytes = 1_000_000) {
  const clock = createClock()
  const now = () => clock.now().getTime()
  const database = { isUnavailable: false, probes: 0 }
  const probe = async () => {
    database.probes++
    if (database.isUnavailable) throw OFFLINE_ERROR
  }
  const addSecurityHeaders = createHeaderAdder('http://localhost')
  const cache = createAnswerCache({
    now,
    lifetimeMs: LIFETIME_MS,
    maxBytes,
    runQueued: createPublicQueue(),
    addSecurityHeaders,
    probe,
  })
  /** Requests a page whose path is its key. */
  const read = (path: string, render: () => Promise<Response>) =>
    cache.respond(createRequest(path), path, () => toWholeAnswer(render()))
  return { clock, database, ...cache, read }
}

// Test the whole app on a real port, where cached responses are sent before the router.
const site = await createTestApp({ world: 'empty' })
const get = await listenOnPort(site)

/** Returns a rendering that counts its runs and has the count in its body. */
function createCountingPage(headers: Record<string, string> = PUBLIC_HEADERS, status = 200) {
  const counter = { runs: 0, render: async () => new Response(`rendering ${++counter.runs}`, { status, headers }) }
  return counter
}

/** Converts the response of a rendering to the form that the cache stores. */
async function toWholeAnswer(rendering: Promise<Response>): Promise<WholeAnswer> {
  const answer = await rendering
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

const createRequest = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://site.test${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })

test('caches a response under its address for its lifetime', async () => {
  const cache = createCache()
  const page = createCountingPage()
  const read = async () => (await cache.read('/news', page.render)).text()
  assert.equal(await read(), 'rendering 1')
  cache.clock.advance(LIFETIME_MS - 1)
  assert.equal(await read(), 'rendering 1')
  cache.clock.advance(1)
  assert.equal(await read(), 'rendering 2')
})

test('caches a separate response for each address', async () => {
  const cache = createCache()
  const page = createCountingPage()
  for (const path of ['/news', '/news?topic=1', '/news?topic=2', '/']) await cache.read(path, page.render)
  assert.equal(page.runs, 4)
})

test('fifty concurrent requests share one rendering', async () => {
  const cache = createCache()
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const render = async () => {
    runs++
    await gate.promise
    return new Response('slow', { headers: PUBLIC_HEADERS })
  }
  const answers = Array.from({ length: 50 }, () => cache.read('/rankings', render))
  gate.resolve()
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  assert.deepEqual({ runs, texts: [...new Set(texts)] }, { runs: 1, texts: ['slow'] })
})

test('a failed rendering fails all waiting requests, and the next one retries it', async () => {
  const cache = createCache()
  const gate = Promise.withResolvers<Response>()
  const waitingReads = Array.from({ length: 3 }, () => cache.read('/', () => gate.promise))
  gate.reject(new Error('no'))
  const outcomes = await Promise.allSettled(waitingReads)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(await (await cache.read('/', createCountingPage().render)).text(), 'rendering 1')
})

test('clear drops cached responses', async () => {
  const cache = createCache()
  const page = createCountingPage()
  await cache.read('/', page.render)
  cache.clear()
  assert.equal(cache.getSize().entries, 0)
  assert.equal(await (await cache.read('/', page.render)).text(), 'rendering 2')
  assert.equal(page.runs, 2)
})

test('clear also drops running renderings', async () => {
  const cache = createCache()
  const gate = Promise.withResolvers<Response>()
  const oldRead = cache.read('/', () => gate.promise)
  cache.clear()
  const freshAnswer = cache.read('/', async () => new Response('new', { headers: PUBLIC_HEADERS }))
  assert.equal(await (await freshAnswer).text(), 'new')
  gate.resolve(new Response('old', { headers: PUBLIC_HEADERS }))
  await oldRead
  assert.equal(await (await cache.read('/', createCountingPage().render)).text(), 'new')
})

test('never caches a response that is not public', async () => {
  for (const policy of ['no-store', 'private, max-age=60', '']) {
    const cache = createCache()
    const page = createCountingPage(policy === '' ? {} : { 'Cache-Control': policy })
    await cache.read('/user', page.render)
    await cache.read('/user', page.render)
    assert.deepEqual({ runs: page.runs, entries: cache.getSize().entries }, { runs: 2, entries: 0 }, policy)
  }
})

test('sends a response that is not public to all requests that wait for it', async () => {
  const cache = createCache()
  const page = createCountingPage({ 'Cache-Control': 'no-store' }, 503)
  const texts = await Promise.all(['/', '/', '/'].map(async (path) => (await cache.read(path, page.render)).text()))
  assert.deepEqual(texts, ['rendering 1', 'rendering 1', 'rendering 1'])
})

const renderOffline = async (): Promise<Response> => {
  throw OFFLINE_ERROR
}
const summarize = async (answer: Response) => [answer.status, await answer.text(), answer.headers.get('age')]

test('without the database, sends a stale response with its age, even after ten minutes', async () => {
  const cache = createCache()
  await cache.read('/', createCountingPage().render)
  cache.database.isUnavailable = true
  for (const minutes of [1, 11, 23 * 60]) {
    cache.clock.advance(minutes * MINUTE_MS)
    const age = String(Math.floor((cache.clock.now().getTime() - createClock().now().getTime()) / 1000))
    assert.deepEqual(await summarize(await cache.read('/', renderOffline)), [200, 'rendering 1', age])
  }
  await assert.rejects(cache.read('/other', renderOffline), 'nothing to send')
  cache.clock.advance(DAY_MS)
  await assert.rejects(cache.read('/', renderOffline), 'too old')
})

test('sends the stale response instead of an error page', async () => {
  const cache = createCache()
  await cache.read('/', createCountingPage().render)
  cache.clock.advance(LIFETIME_MS)
  await assert.rejects(cache.getValue('/rows', renderOffline))
  const errorPage = createCountingPage({ 'Cache-Control': 'no-store' }, 503)
  assert.deepEqual(await summarize(await cache.read('/', errorPage.render)), [200, 'rendering 1', '5'])
})

test('does not wait for an unavailable database, but probes it once a second', async () => {
  const cache = createCache()
  const page = createCountingPage()
  await cache.read('/', page.render)
  cache.clock.advance(LIFETIME_MS)
  cache.database.isUnavailable = true
  await assert.rejects(cache.getValue('/rows', renderOffline))
  const renderNever = () => new Promise<Response>(() => {})
  for (let count = 0; count < 20; count++) {
    assert.equal((await cache.read('/', renderNever)).status, 200)
    cache.clock.advance(100)
  }
  assert.equal(cache.database.probes, 2)
  cache.database.isUnavailable = false
  cache.clock.advance(1000)
  await cache.read('/', renderNever)
  await Promise.resolve()
  assert.equal(await (await cache.read('/', page.render)).text(), 'rendering 2')
})

test('while the site is busy, sends a stale response for ten minutes, even after a change', async () => {
  const cache = createCache()
  await cache.read('/', createCountingPage().render)
  const renderBusy = async (): Promise<Response> => {
    throw new Refusal(503, 'busy', 'busy')
  }
  cache.clear()
  assert.deepEqual(await summarize(await cache.read('/', renderBusy)), [200, 'rendering 1', '0'])
  cache.clock.advance(10 * MINUTE_MS - 1)
  assert.deepEqual(await summarize(await cache.read('/', renderBusy)), [200, 'rendering 1', '599'])
  const renderBroken = async (): Promise<Response> => {
    throw new Error('broken')
  }
  await assert.rejects(cache.read('/', renderBroken), { message: 'broken' })
  cache.clock.advance(1)
  await assert.rejects(cache.read('/', renderBusy), { status: 503 })
})

test('sends a stale response instead of a slow rendering, which is cached for later', async (t) => {
  const cache = createCache()
  await cache.read('/', createCountingPage().render)
  cache.clear()
  cache.clock.advance(LIFETIME_MS)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const gate = Promise.withResolvers<Response>()
  const waitingRead = cache.read('/', () => gate.promise)
  t.mock.timers.tick(1000)
  assert.deepEqual(await summarize(await waitingRead), [200, 'rendering 1', '5'])
  gate.resolve(new Response('late', { headers: PUBLIC_HEADERS }))
  assert.equal(await (await cache.read('/', createCountingPage().render)).text(), 'late')
})

test('answers the ETag of a stale response with 304', async () => {
  const cache = createCache()
  const etag = (await cache.read('/', createCountingPage().render)).headers.get('etag') ?? ''
  cache.clock.advance(LIFETIME_MS)
  const retry = await cache.respond(createRequest('/', { 'if-none-match': etag }), '/', () =>
    toWholeAnswer(renderOffline()),
  )
  assert.deepEqual([retry.status, retry.headers.get('age')], [304, '5'])
})

test('distinguishes addresses only by declared parameters, in any order', async () => {
  site.cache.clear()
  const addresses = ['?category=0&page=1', '?page=1&category=0', '?page=1&utm_source=x&category=0&fbclid=y']
  const etags = new Set<string | undefined>()
  for (const address of addresses) etags.add((await get(`/api/itemshop${address}`)).headers.etag)
  // One entry is the response, the other is the total of the list.
  assert.deepEqual([etags.size, site.cache.getSize().entries], [1, 2])
  await get('/api/itemshop?category=0&sort=price')
  assert.equal(site.cache.getSize().entries, 3)
})

test('addresses with made-up parameters share one cached response', async () => {
  const cache = createCache()
  const page = createCountingPage()
  for (const path of ['/', '/?q=1', '/?q=2'])
    await cache.respond(createRequest(path), '/', () => toWholeAnswer(page.render()))
  assert.deepEqual([page.runs, cache.getSize().entries], [1, 1])
  const server = createServer((req, res) => {
    if (!cache.serve(req, res, () => undefined)) res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const readStatus = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  assert.deepEqual(await Promise.all(['/', '/?q=1', '/?q=2'].map(readStatus)), [200, 200, 200], 'from the cache')
  assert.equal(await readStatus('/?q=3'), 404, 'not requested before')
  cache.clock.advance(LIFETIME_MS)
  assert.equal(await readStatus('/?q=1'), 404, 'too old')
  await assert.rejects(cache.getValue('/rows', renderOffline))
  const staleAnswer = await fetch(`http://127.0.0.1:${port}/?q=1`)
  assert.deepEqual([staleAnswer.status, staleAnswer.headers.get('age')], [200, '5'], 'old, but the database is offline')
  server.close()
})

test('a value for callers in the process is made once in its lifetime', async () => {
  const cache = createCache()
  let runs = 0
  const compute = async () => ({ made: ++runs })
  const [value] = await Promise.all([cache.getValue('/time', compute), cache.getValue('/time', compute)])
  assert.deepEqual(value, { made: 1 })
  assert.ok(Object.isFrozen(value))
  cache.clock.advance(LIFETIME_MS)
  assert.deepEqual(await cache.getValue('/time', compute), { made: 2 })
  cache.clear()
  assert.deepEqual(await cache.getValue('/time', compute), { made: 3 })
})

test('computes a value that depends only on its key once, regardless of age and changes', async () => {
  const cache = createCache()
  let runs = 0
  const compute = async () => ({ made: ++runs })
  await Promise.all([cache.getDerivedValue('of 1', compute), cache.getDerivedValue('of 1', compute)])
  cache.clock.advance(LIFETIME_MS)
  cache.clear()
  assert.deepEqual(await cache.getDerivedValue('of 1', compute), { made: 1 })
  assert.deepEqual(await cache.getDerivedValue('of 2', compute), { made: 2 })
})

test('stays within its memory limit for any number of addresses', async () => {
  const maxBytes = 300_000
  const cache = createCache(maxBytes)
  for (let page = 0; page < 400; page++) {
    await cache.read(`/news?page=${page}`, async () => new Response(`${page}`.repeat(400), { headers: PUBLIC_HEADERS }))
    assert.ok(cache.getSize().bytes <= maxBytes)
  }
  const { entries } = cache.getSize()
  assert.ok(entries > 10 && entries < 400, `${entries} entries`)
  const newestPage = createCountingPage()
  assert.notEqual(await (await cache.read('/news?page=399', newestPage.render)).text(), 'rendering 1')
})

test('a response that is too large for the cache is sent uncached', async () => {
  const cache = createCache(5000)
  const renderLarge = async () => new Response(crypto.randomUUID().repeat(500), { headers: PUBLIC_HEADERS })
  assert.equal((await cache.read('/', renderLarge)).status, 200)
  assert.deepEqual(cache.getSize(), { entries: 0, bytes: 0 })
})

const NEWS_ADDRESS = '/api/getnewsall/0/8/1/0'
await insertNews(site.db, { subject: 'Unang balita', content: `<p>${'salita '.repeat(300)}</p>` })

test('cached and fresh responses are the same in every coding', async () => {
  const decoders = { identity: (b: Buffer) => b, br: brotliDecompressSync, gzip: gunzipSync }
  const plainContent = (await get(NEWS_ADDRESS, { 'accept-encoding': 'identity' })).body
  for (const [coding, decode] of Object.entries(decoders)) {
    site.cache.clear()
    const freshAnswer = await get(NEWS_ADDRESS, { 'accept-encoding': coding })
    const cachedAnswer = await get(NEWS_ADDRESS, { 'accept-encoding': coding })
    for (const answer of [freshAnswer, cachedAnswer]) {
      assert.equal(answer.headers['content-encoding'], coding === 'identity' ? undefined : coding)
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(Number(answer.headers['content-length']), answer.body.length)
      assert.deepEqual(decode(answer.body), plainContent)
    }
    assert.deepEqual(cachedAnswer.headers, { ...freshAnswer.headers, date: cachedAnswer.headers.date })
  }
  assert.equal(JSON.parse(plainContent.toString()).data[0].subject, 'Unang balita')
})

const ENCODING_CASES: [accepts: string | undefined, coding: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0', undefined],
  ['br; q=0 , gzip ;q=0.000', undefined],
  ['br;q=0.1', 'br'],
  ['deflate', undefined],
]
for (const [accepts, coding] of ENCODING_CASES) {
  test(`Accept-Encoding ${accepts === undefined ? 'left out' : `'${accepts}'`} gets ${coding ?? 'the plain bytes'}`, async () => {
    for (const prepare of [site.cache.clear, () => {}]) {
      prepare()
      const answer = await get(NEWS_ADDRESS, accepts === undefined ? {} : { 'accept-encoding': accepts })
      assert.equal(answer.headers['content-encoding'], coding)
    }
  })
}

test('the ETag is the same in every coding and changes with the content', async () => {
  const etags = await Promise.all(
    ['identity', 'br', 'gzip'].map(
      async (coding) => (await get(NEWS_ADDRESS, { 'accept-encoding': coding })).headers.etag,
    ),
  )
  assert.equal(new Set(etags).size, 1)
  assert.match(String(etags[0]), /^W\/"[\w-]{22}"$/)
  const otherAnswer = await get('/api/getnewsall/1/8/1/0')
  assert.notEqual(otherAnswer.headers.etag, etags[0])
})

test('a matching ETag is answered with 304 and no body, fresh or cached', async () => {
  const { etag = '' } = (await get(NEWS_ADDRESS)).headers
  const strongTag = etag.replace('W/', '')
  for (const matchingTag of [etag, strongTag, `"a", ${etag}`, `"a",${strongTag},"b"`, '*']) {
    for (const prepare of [site.cache.clear, () => {}]) {
      prepare()
      const answer = await get(NEWS_ADDRESS, { 'if-none-match': matchingTag })
      assert.deepEqual({ status: answer.status, bytes: answer.body.length }, { status: 304, bytes: 0 }, matchingTag)
      assert.equal(answer.headers.etag, etag)
      assert.match(String(answer.headers['cache-control']), /s-maxage=30/)
      // The browser's copy of the page retains its policy, because other hashes would block its scripts.
      assert.equal(answer.headers['content-security-policy'], undefined)
    }
  }
})

test('another ETag is answered in full', async () => {
  for (const otherTag of ['"a"', 'W/"a"', 'etag', '""'])
    assert.equal((await get(NEWS_ADDRESS, { 'if-none-match': otherTag })).status, 200, otherTag)
})

test('HEAD has the headers of GET and no body, fresh or cached', async () => {
  const { headers } = await get(NEWS_ADDRESS)
  for (const prepare of [site.cache.clear, () => {}]) {
    prepare()
    const headAnswer = await get(NEWS_ADDRESS, {}, 'HEAD')
    assert.deepEqual({ status: headAnswer.status, bytes: headAnswer.body.length }, { status: 200, bytes: 0 })
    for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'content-length'] as const) {
      assert.equal(headAnswer.headers[name], headers[name], name)
    }
  }
})

test('a cached response does not depend on the caller', async () => {
  const guestAnswer = await get(NEWS_ADDRESS)
  site.cache.clear()
  const otherAnswer = await get(NEWS_ADDRESS, {
    authorization: 'Bearer token',
    cookie: 'a=b',
    'x-forwarded-for': '203.0.113.9',
  })
  assert.deepEqual(otherAnswer.body, guestAnswer.body)
  assert.equal(otherAnswer.headers.etag, guestAnswer.headers.etag)
})

test('a new address with made-up parameters is answered from memory', async () => {
  site.cache.clear()
  await get(NEWS_ADDRESS)
  const { etag } = (await get(NEWS_ADDRESS)).headers
  const countBefore = await countCached()
  for (let index = 0; index < 5; index++) assert.equal((await get(`${NEWS_ADDRESS}?x=${index}`)).headers.etag, etag)
  assert.equal((await countCached()) - countBefore, 5)
})

/** Returns the number of requests that were answered from the cache, before the router. */
async function countCached(): Promise<number> {
  const { body } = await get('/metrics')
  return Number(/^tambayan_cached_answers_total (\d+)/m.exec(body.toString())?.[1])
}

test('adds no cache entries for made-up parameters', async () => {
  site.cache.clear()
  for (let index = 0; index < 5; index++) await get(`${NEWS_ADDRESS}?x=${index}`)
  // One entry is the response, the other is the total of the list.
  assert.equal(site.cache.getSize().entries, 2)
})

test('refusals and private responses are never cached', async () => {
  site.cache.clear()
  for (const path of ['/api/getnewsall/x/8/1/0', '/api/nothing', '/api/time', '/healthz', '/metrics']) {
    await get(path)
  }
  assert.equal(site.cache.getSize().entries, 0)
})

/** Waits until the news have these subjects, because a notification from the database needs a moment. */
async function waitForSubjects(read: () => Promise<string[]>, expectedSubjects: string[]) {
  let subjects: string[] = []
  await waitUntil(
    `the subjects are ${expectedSubjects.join(', ')}`,
    async () => {
      subjects = await read()
      return isDeepStrictEqual(subjects, expectedSubjects)
    },
    { withinMs: 5000, everyMs: 10, explain: () => `they are ${subjects.join(', ')}` },
  )
}

const readSubjects = async () =>
  JSON.parse((await get(NEWS_ADDRESS)).body.toString()).data.map(({ subject }: { subject: string }) => subject)

test('shows a change of the news in the database at once', async () => {
  await readSubjects()
  const id = await insertNews(site.db, { subject: 'Ikalawa' })
  await waitForSubjects(readSubjects, ['Ikalawa', 'Unang balita'])
  await site.db.updateTable('news').set({ subject: 'Binago' }).where('id', '=', id).execute()
  await waitForSubjects(readSubjects, ['Binago', 'Unang balita'])
  await site.db.deleteFrom('news').where('id', '=', id).execute()
  await waitForSubjects(readSubjects, ['Unang balita'])
})

test('a change drops the pages of every process at once', async () => {
  const { url } = site.database
  const database = url === undefined ? site.database : await openPostgres(url)
  const cache = createCache()
  await database.listen('content_changed', cache.clear)
  const otherProcess = createApp({ ...site, db: database.db, cache })
  const readOtherSubjects = async () => {
    const answer = await otherProcess.request(NEWS_ADDRESS)
    const { data } = (await answer.json()) as { data: { subject: string }[] }
    return data.map(({ subject }) => subject)
  }
  try {
    await waitForSubjects(readOtherSubjects, ['Unang balita'])
    const id = await insertNews(site.db, { subject: 'Para sa lahat' })
    await waitForSubjects(readOtherSubjects, ['Para sa lahat', 'Unang balita'])
    await waitForSubjects(readSubjects, ['Para sa lahat', 'Unang balita'])
    await site.db.deleteFrom('news').where('id', '=', id).execute()
  } finally {
    if (url !== undefined) await database.close()
  }
})
