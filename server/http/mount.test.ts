import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { pino } from 'pino'
import { z } from 'zod'
import { getSiteBanners } from '#contract/banners.ts'
import { getShopCart } from '#contract/cart.ts'
import { getDownloadsAll } from '#contract/downloads.ts'
import { type CallInput, declareEndpoint, type Endpoint } from '#contract/endpoint.ts'
import { getMedia } from '#contract/media.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { getNewsAll } from '#contract/news.ts'
import { getTopRankingsList } from '#contract/rankings.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { getSearch } from '#contract/search.ts'
import { getUser } from '#contract/session.ts'
import { getItemShop, getShopItem, SHOP_TEXTS } from '#contract/shop.ts'
import { getSite } from '#contract/site.ts'
import { createCall } from '#server/api.ts'
import type { Deps } from '#server/deps.ts'
import { answerError, type FieldErrors, Refusal, refuse } from '#server/errors.ts'
import { assertRefused, openPlayerSession } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { answerRequest, callMounted } from './answer-calls.ts'
import { type MountedCall, mount } from './mount.ts'
import type { Session } from './session.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
const juan = await openPlayerSession(site, 'juan')
const EXPIRED_TOKEN = { Authorization: 'Bearer 0123456789012345678901234567890' }
const createSession = (player: typeof juan, userType = 1): Session => ({
  sessionId: 0,
  userNum: player.user.UserNum,
  userId: player.user.UserID,
  userType,
  secretAnswerUntil: null,
  tokenHash: '',
  takeOverStep: null,
  confirmedAt: null,
})

/** Serves a call over HTTP. @returns a function that sends a request and returns the response and its text */
function serve(mountedCall: MountedCall, deps: Deps = site) {
  const app = new Hono()
  app.onError((error, c) => answerError(error, c, { log: site.log }))
  app.on(mountedCall.endpoint.method, mountedCall.endpoint.path.replace(/\{(\w+)\}/g, ':$1'), (c) =>
    answerRequest(deps, mountedCall, c),
  )
  return async (path: string, init: RequestInit = {}) => {
    const answer = await app.request(path, { method: mountedCall.endpoint.method, ...init })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) }
  }
}

const createJsonInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Returns the refusal of a call in the process. */
async function catchRefusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => assert.fail('The call was not refused.'),
    (refusal: unknown) => refusal,
  )
  assert.ok(error instanceof Refusal, String(error))
  return error
}

const userOutput = z.object({ user: z.string().nullable() })
const callFields = { method: 'POST', summary: 'A call of the tests', area: 'tests', output: userOutput } as const

test('a public call gets no session, whatever its headers are', async () => {
  const call = declareEndpoint({ ...callFields, path: '/public', access: 'public' })
  const mountedCall = mount(call, (_, { session }) => ({ user: session === null ? null : 'somebody' }))
  for (const headers of [{}, EXPIRED_TOKEN, juan.headers]) {
    const answer = await serve(mountedCall)('/public', { headers })
    assert.deepEqual([answer.status, answer.json()], [200, { user: null }])
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  }
  assert.deepEqual(await callMounted(site, mountedCall, {}, createSession(juan)), { user: null })
})

test('a visitor’s call refuses and logs an expired token and another account’s name', async () => {
  const call = declareEndpoint({ ...callFields, path: '/visitor', access: 'visitor' })
  const mountedCall = mount(call, (_, { session }) => ({ user: session?.userId ?? null }))
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const request = serve(mountedCall, { ...site, log })
  assert.deepEqual((await request('/visitor')).json(), { user: null })
  assert.deepEqual((await request('/visitor', { headers: juan.headers })).json(), { user: 'juan' })
  assert.equal(lines.length, 0)
  assertRefused(await request('/visitor', { headers: { ...EXPIRED_TOKEN, 'X-Forwarded-For': '203.0.113.4' } }), 401)
  assertRefused(
    await request('/visitor', createJsonInit({ UserID: 'maria' }, juan.headers)),
    403,
    LOGIN_ANSWERS.notYours,
  )
  const [{ address, path, status, id } = {}] = lines
  assert.deepEqual(
    { address, path, status, id },
    { address: '203.0.113.4', path: '/visitor', status: 401, id: 'no-session' },
  )
  assert.equal(lines.length, 2)
  assert.deepEqual(await callMounted(site, mountedCall, {}, createSession(juan)), { user: 'juan' })
  assert.deepEqual(await callMounted(site, mountedCall, {}), { user: null })
})

test('does not log refusals with 429', async () => {
  const call = declareEndpoint({ ...callFields, path: '/flooded', access: 'visitor' })
  let lines = 0
  const log = pino({ level: 'warn' }, { write: () => void lines++ })
  const request = serve(
    mount(call, () => ({ user: null })),
    { ...site, log },
  )
  for (let attempt = 0; attempt < LIMITS.guestCalls.max; attempt++)
    site.limits.consumeInMemory('guestCalls', '203.0.113.99')
  for (let attempt = 0; attempt < 50; attempt++)
    assert.equal((await request('/flooded', { headers: { 'X-Forwarded-For': '203.0.113.99' } })).status, 429)
  assert.equal(lines, 0)
})

test('a player’s call in the process needs a session too, and refuses another account’s name', async () => {
  const call = declareEndpoint({
    ...callFields,
    path: '/player',
    access: 'player',
    input: { body: z.object({ UserID: z.string().optional() }) },
  })
  const mountedCall = mount(call, (_, { session }) => ({ user: session.userId }))
  assert.equal((await catchRefusal(callMounted(site, mountedCall, {}))).status, 401)
  assert.equal((await catchRefusal(callMounted(site, mountedCall, { UserID: 'gm' }, createSession(juan)))).status, 403)
  assert.deepEqual(await callMounted(site, mountedCall, { UserID: 'JUAN' }, createSession(juan)), { user: 'juan' })
})

test('counts every request of an address against a limit, but no calls in the process', async () => {
  const call = declareEndpoint({
    ...callFields,
    path: '/limited',
    access: 'public',
    limit: 'recovery',
    input: { body: z.object({ word: z.string('Word is required.') }) },
  })
  const mountedCall = mount(call, () => ({ user: null }))
  const request = serve(mountedCall)
  const requestFrom = (address: string, body: unknown) =>
    request('/limited', createJsonInit(body, { 'X-Forwarded-For': address }))
  for (let attempt = 0; attempt < LIMITS.recovery.max; attempt++)
    assertRefused(await requestFrom('2001:db8::1', {}), 422)
  const refusal = await requestFrom('2001:db8::2', { word: 'x' })
  assertRefused(refusal, 429, 'Too many Requests! try again later')
  assert.equal(refusal.headers.get('Retry-After'), String(LIMITS.recovery.windowMs / 1000))
  assert.equal((await requestFrom('2001:db8:0:1::1', { word: 'x' })).status, 200)
  for (let attempt = 0; attempt <= LIMITS.recovery.max; attempt++) await callMounted(site, mountedCall, { word: 'x' })
  const unlimitedSite = { ...site, limits: { ...site.limits, consume: async () => {} } }
  const unlimitedRequest = serve(mountedCall, unlimitedSite)
  const init = createJsonInit({ word: 'x' }, { 'X-Forwarded-For': '2001:db8::1' })
  assert.equal((await unlimitedRequest('/limited', init)).status, 200)
})

test('computes a cached response once over HTTP and once in the process for each input', async () => {
  const call = declareEndpoint({
    method: 'GET',
    path: '/cached/{id}',
    summary: 'A call of the tests',
    area: 'tests',
    access: 'public',
    cache: { freshMs: 1000 },
    input: { params: z.object({ id: z.string() }), query: z.object({ page: z.string().optional() }) },
    output: z.object({ run: z.int(), list: z.array(z.int()) }),
  })
  let runs = 0
  const mountedCall = mount(call, () => ({ run: ++runs, list: [1] }))
  const request = serve(mountedCall)
  const firstAnswer = await request('/cached/a')
  assert.deepEqual(firstAnswer.json(), { run: 1, list: [1] })
  assert.equal(firstAnswer.headers.get('Cache-Control'), 'public, max-age=0, s-maxage=30, stale-if-error=600')
  assert.equal((await request('/cached/a?made=up')).json().run, 1)
  const value = await callMounted<typeof call>(site, mountedCall, { id: 'a' })
  assert.equal(value.run, 2)
  assert.ok(Object.isFrozen(value) && Object.isFrozen(value.list))
  assert.equal(await callMounted<typeof call>(site, mountedCall, { id: 'a' }), value, 'no copy')
  assert.equal((await callMounted<typeof call>(site, mountedCall, { id: 'a', page: 2 })).run, 3)
  assert.equal((await request('/cached/a?page=2&x=1')).json().run, 4)
  site.clock.advance(5000)
  assert.equal((await request('/cached/a')).json().run, 5)
})

const orderFields = {
  ...callFields,
  path: '/order',
  input: { body: z.object({ name: z.string(), item: z.int() }) },
  output: z.object({ run: z.int() }),
  errors: { sold: { status: 422, message: 'It is sold out.', field: 'item' } },
} as const

test('distinguishes guests with the same key by the declared field, and stores no secrets', async () => {
  let runs = 0
  const call = declareEndpoint({ ...orderFields, access: 'visitor', idempotent: { guestBy: 'name' } })
  const mountedCall = mount(call, {
    prepare: async () => 'a',
    write: async (_, { prepared: order }) => ({ order }),
    finish: async () => ({ run: ++runs }),
  })
  const request = serve(mountedCall)
  const send = (name: string, item: number) =>
    request('/order', createJsonInit({ name, item }, { 'Idempotency-Key': 'guests' }))
  assert.equal((await send('Ana', 1)).json().run, 1)
  assert.equal((await send('ana', 1)).json().run, 2, 'run again')
  assertRefused(await send('ANA', 2), 422, SHOP_TEXTS.keyReused)
  assert.equal((await send('ben', 2)).status, 200)
  const rows = await site.db.selectFrom('idempotency_keys').where('key', '=', 'guests').selectAll().execute()
  assert.equal(rows.length, 2)
  for (const { owner, answer } of rows) {
    assert.match(owner, /^guest:[\w-]{43}$/)
    assert.deepEqual(answer, { order: 'a' })
  }
})

test('combines path, query and body into one object, and reports all wrong fields together', async () => {
  const rule = 'Count must be a whole number.'
  const digits = z.string(rule).regex(/^\d+$/, rule).transform(Number)
  const call = declareEndpoint({
    ...callFields,
    path: '/input/{id}',
    access: 'public',
    input: {
      params: z.object({ id: digits }),
      query: z.object({ count: digits.default(7) }),
      body: z.object({ name: z.string().min(2, 'name must have two letters.'), kind: z.string().optional() }),
    },
    output: z.object({ got: z.unknown() }),
  })
  const mountedCall = mount(call, (input) => ({ got: input }))
  const request = serve(mountedCall)
  assert.deepEqual((await request('/input/5?count=3', createJsonInit({ name: 'Ana', more: 1 }))).json().got, {
    id: 5,
    count: 3,
    name: 'Ana',
  })
  assert.deepEqual(await callMounted<typeof call>(site, mountedCall, { id: 5, name: 'Ana' }), {
    got: { id: 5, count: 7, name: 'Ana' },
  })
  const refusal = await request('/input/x?count=y', createJsonInit({ name: '' }))
  assertRefused(refusal, 422, rule)
  const errors = { id: [rule], count: [rule], name: ['name must have two letters.'] }
  assert.deepEqual(refusal.json()['form-error'], errors)
  const processRefusal = await catchRefusal(
    callMounted<typeof call>(site, mountedCall, { id: 'x', count: 'y', name: '' }),
  )
  assert.deepEqual(processRefusal.extra['form-error'], errors)
  assertRefused(await request('/input/5', { headers: { 'Content-Type': 'application/json' }, body: '{' }), 400)
  assertRefused(await request('/input/5?count=1&count=2', createJsonInit({ name: 'Ana' })), 422, rule)
})

test('reads the fields and files of a form, over HTTP and in the process', async () => {
  const call = declareEndpoint({
    ...callFields,
    path: '/form',
    access: 'public',
    input: { form: z.object({ name: z.string(), files: z.array(z.file()).optional() }) },
    output: z.object({ name: z.string(), sizes: z.array(z.int()) }),
  })
  const mountedCall = mount(call, ({ name, files = [] }) => ({ name, sizes: files.map(({ size }) => size) }))
  const form = new FormData()
  form.append('name', 'Ana')
  for (const text of ['a', 'bcd']) form.append('files', new File([text], `${text}.txt`))
  assert.deepEqual((await serve(mountedCall)('/form', { body: form })).json(), { name: 'Ana', sizes: [1, 3] })
  const files = [new File(['ab'], 'ab.txt')]
  assert.deepEqual(await callMounted<typeof call>(site, mountedCall, { name: 'Ana', files }), {
    name: 'Ana',
    sizes: [2],
  })
  assertRefused(await serve(mountedCall)('/form', { body: 'name=Ana' }), 400)
})

test('reports errors of server-only rules in the same refusal', async () => {
  const call = declareEndpoint({
    ...callFields,
    path: '/names',
    access: 'public',
    input: {
      body: z.object({ name: z.string().min(2, 'Name is too short.'), nick: z.string().max(3, 'Nick is too long.') }),
    },
  })
  const mountedCall = mount(
    call,
    ({ name }) => ({ user: name }),
    async ({ name }, _, fieldErrors) => {
      const newErrors: FieldErrors = {}
      if (fieldErrors.name === undefined && name === 'juan') newErrors.name = ['Name is taken.']
      return newErrors
    },
  )
  const readErrors = async (body: unknown) =>
    (await serve(mountedCall)('/names', createJsonInit(body))).json()['form-error']
  assert.deepEqual(await readErrors({ name: 'juan', nick: 'juancho' }), {
    nick: ['Nick is too long.'],
    name: ['Name is taken.'],
  })
  assert.deepEqual(await readErrors({ name: 'j', nick: 'j' }), { name: ['Name is too short.'] })
  assert.equal(await readErrors({ name: 'ana', nick: 'a' }), undefined)
})

test('a declared refusal has its status and text, and names its field if it has one', async () => {
  const call = declareEndpoint({
    ...callFields,
    path: '/refused',
    access: 'public',
    input: { query: z.object({ why: z.enum(['gone', 'taken']) }) },
    errors: {
      gone: { status: 404, message: 'It was deleted.' },
      taken: { status: 422, message: 'The name is taken.', field: 'name' },
    },
  })
  const mountedCall = mount(call, ({ why }) => {
    throw refuse(call, why)
  })
  const answer = await serve(mountedCall)('/refused?why=gone')
  assertRefused(answer, 404, 'It was deleted.')
  assert.equal(answer.json()['form-error'], undefined)
  const takenAnswer = await serve(mountedCall)('/refused?why=taken')
  assertRefused(takenAnswer, 422, 'The name is taken.')
  assert.deepEqual(takenAnswer.json()['form-error'], { name: ['The name is taken.'] })
  assert.equal((await catchRefusal(callMounted<typeof call>(site, mountedCall, { why: 'gone' }))).id, 'gone')
})

test('sends a file unchanged and uncached, and returns the file itself in the process', async () => {
  const call = declareEndpoint({ ...callFields, path: '/file', access: 'public', output: z.file() })
  const file = new File(['RIFF'], 'T-1.webp', { type: 'image/webp' })
  const mountedCall = mount(call, () => file)
  const answer = await serve(mountedCall)('/file')
  assert.equal(answer.text, 'RIFF')
  assert.equal(answer.headers.get('Content-Type'), 'image/webp')
  assert.equal(answer.headers.get('Content-Disposition'), 'inline; filename="T-1.webp"')
  assert.equal(answer.headers.get('Cache-Control'), 'private, no-store')
  assert.equal(await callMounted(site, mountedCall, {}), file)
})

test('a call returns the same value in the process and over HTTP', async () => {
  async function assertSameValue<E extends Endpoint>(
    endpointToCall: E,
    input: CallInput<E>,
    path: string,
    player?: typeof juan,
  ) {
    const value = await createCall(site, player === undefined ? null : createSession(player))(endpointToCall, input)
    const answer = await site.get(path, player?.headers)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(value, answer.json(), path)
    assert.equal(Object.isFrozen(value), endpointToCall.cache !== undefined, path)
  }
  await assertSameValue(getSite, {}, '/api/site')
  await assertSameValue(getNewsAll, { type: 0, count: 3, paged: 1, latestflag: 0 }, '/api/getnewsall/0/3/1/0')
  await assertSameValue(getSiteBanners, {}, '/api/getSiteBanners')
  await assertSameValue(getDownloadsAll, {}, '/api/getdownloadsall')
  await assertSameValue(getMedia, { kind: 'movie' }, '/api/media/movie')
  await assertSameValue(getTopRankingsList, {}, '/api/get-top-rankings-list')
  await assertSameValue(getItemShop, { category: 0, page: 2 }, '/api/itemshop?category=0&page=2')
  const [item] = (await createCall(site)(getItemShop, {})).itemshopdata
  await assertSameValue(getShopItem, { productnum: item?.ProductNum ?? 0 }, `/api/shopitem/${item?.ProductNum}`)
  await assertSameValue(getSearch, { q: 'Jeepney', kind: 'guides' }, '/api/search?q=jeepney&kind=guides')
  await assertSameValue(getShopCart, {}, '/api/shopcart', juan)
  await assertSameValue(getUser, {}, '/api/user', juan)
  const refusal = await catchRefusal(createCall(site)(getShopItem, { productnum: 999_999 }))
  assert.deepEqual([refusal.status, refusal.message], [404, SHOP_TEXTS.itemNotFound])
})
