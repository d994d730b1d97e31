import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { type $ZodType, safeParse } from 'zod/v4/core'
import { createSiteCall } from '#bridge/site.ts'
import { MINUTE_MS } from '#contract/durations.ts'
import { type Endpoint, formatCallName, isStaffAccess } from '#contract/endpoint.ts'
import { REQUEST_BODY_MAX_BYTES } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { ALL_PERMISSIONS, OWNER } from '#contract/permissions.ts'
import { SETTINGS } from '#contract/settings.ts'
import { CALLS } from '#server/api.ts'
import { answerError } from '#server/errors.ts'
import { sealTotpSecret } from '#server/features/factors/codes.ts'
import { type Answer, assertRefused, createPlayer } from '#test/account-helpers.ts'
import { listenForBridges, pairKeys } from '#test/bridge-helpers.ts'
import { buildRequest, sendCall } from '#test/calls.ts'
import { TEST_KEY } from '#test/databases.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp, type TestApp } from '#test/helpers.ts'
import { createSampleAnswer, createSampleInput } from '#test/samples.ts'
import { answerRequest } from './answer-calls.ts'
import type { MountedCall } from './mount.ts'

// These tests check over HTTP that every call behaves as it is declared. A failure lists all calls that do not.

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const endpoints = CALLS.map(({ endpoint }) => endpoint)
/** Calls that answer 404, because the site already has an owner (DESK-12). */
const EXPIRED_CALLS = ['POST /first-owner', 'POST /first-owner/app']
const liveCalls = endpoints.filter((call) => !EXPIRED_CALLS.includes(formatCallName(call)))
const playersCalls = endpoints.filter(({ access }) => access === 'player' || access === 'visitor')
const staffCalls = endpoints.filter(({ access }) => isStaffAccess(access))

const player = await createPlayer(site)
const otherPlayer = await createPlayer(site)
const owner = await createOperator(site, OWNER)
const bridge = await pairKeys(site, await listenForBridges(site))
const EXPIRED_TOKEN = { Authorization: 'Bearer 0123456789012345678901234567890' }

/** Asserts that calls follow a rule. The failure lists all calls that break it. */
async function assertHolds<C>(calls: readonly C[], getCallName: (call: C) => string, rule: (call: C) => Promise<void>) {
  const brokenCalls: string[] = []
  for (const call of calls)
    await rule(call).catch(({ message }) => brokenCalls.push(`${getCallName(call)}: ${message}`))
  assert.ok(calls.length > 0)
  assert.deepEqual(brokenCalls, [])
}

/** Asserts that calls are refused before they write an audit entry. */
async function assertRefuses(calls: readonly Endpoint[], rule: (call: Endpoint) => Promise<void>): Promise<void> {
  const countAudited = async () => (await db.selectFrom('audit_log').select('entry').execute()).length
  const countBefore = await countAudited()
  await assertHolds(calls, formatCallName, rule)
  assert.equal(await countAudited(), countBefore)
}

/** Asserts that a refusal names the missing step. */
function assertReason(answer: Answer, reason: string): void {
  assertRefused(answer, 403)
  assert.equal(answer.json().reason, reason)
}

test('every call that needs a session refuses guests and expired tokens', () =>
  assertRefuses(
    endpoints.filter(({ access }) => access !== 'public'),
    async (call) => {
      if (call.access !== 'visitor') assertRefused(await sendCall(site, call), 401)
      assertRefused(await sendCall(site, call, {}, EXPIRED_TOKEN), 401)
    },
  ))

test('every call of the desk refuses players', () =>
  assertRefuses(staffCalls, async (call) => assertRefused(await sendCall(site, call, {}, player.headers), 403)))

test('every call of the desk refuses operators without its permission', async () => {
  const role = await createRole(site)
  const { headers } = await createOperator(site, role)
  for (const permission of new Set(staffCalls.map(({ access }) => access))) {
    if (permission === 'staff') continue
    const permissions = ALL_PERMISSIONS.filter((candidate) => candidate !== permission)
    await db.updateTable('staff_roles').set({ permissions }).where('role', '=', role).execute()
    const calls = staffCalls.filter(({ access }) => access === permission)
    await assertRefuses(calls, async (call) => assertRefused(await sendCall(site, call, {}, headers), 403))
  }
})

test('refuses players’ calls that name another account', () =>
  assertRefuses(playersCalls, async (call) => {
    const { UserNum } = otherPlayer.user
    for (const name of [{ UserID: 'juan' }, { UserNum }, { usernum: String(UserNum) }, { UserNum: 'kahit ano' }])
      assertRefused(await sendCall(site, call, name, player.headers), 403, LOGIN_ANSWERS.notYours)
  }))

test('refuses calls of blocked accounts, and of imported ones except those for the take-over', async () => {
  const updateAccount = (values: { blocked_at?: Date | null; claim_step?: 'email' | null }) =>
    db.updateTable('accounts').set(values).where('user_num', '=', otherPlayer.user.UserNum).execute()
  const calls = [...playersCalls, ...staffCalls]
  await updateAccount({ blocked_at: site.clock.now() })
  await assertRefuses(calls, async (call) => assertRefused(await sendCall(site, call, {}, otherPlayer.headers), 401))
  await updateAccount({ blocked_at: null, claim_step: 'email' })
  await assertRefuses(
    calls.filter(({ duringTakeOver }) => !duringTakeOver),
    async (call) => assertReason(await sendCall(site, call, {}, otherPlayer.headers), 'claim'),
  )
  await updateAccount({ claim_step: null })
})

test('refuses desk calls of owners who are suspended, lack a factor or have a known password', async () => {
  const { UserNum: user_num } = owner.user
  const assertAll = (reason: string) =>
    assertRefuses(staffCalls, async (call) => assertReason(await sendCall(site, call, {}, owner.headers), reason))
  await db.insertInto('staff_suspensions').values({ user_num, suspended_at: site.clock.now() }).execute()
  await assertAll('suspended')
  await db.deleteFrom('staff_suspensions').where('user_num', '=', user_num).execute()

  const setKnowsPassword = (knows_password: boolean) =>
    db
      .insertInto('game_accounts')
      .values({ user_num, state: 'creating', changed_at: site.clock.now(), knows_password })
      .onConflict((row) => row.column('user_num').doUpdateSet({ knows_password }))
      .execute()
  await setKnowsPassword(true)
  await assertAll('password')
  await setKnowsPassword(false)

  await changeSettings(site, { require_staff_factor: true })
  await assertAll('factor')
  await sql`insert into account_factors (user_num, kind, name, created_at, totp_secret, totp_counter)
    values (${user_num}, 'totp', 'phone', now(), ${sealTotpSecret(TEST_KEY, user_num, 'JBSWY3DPEHPK3PXP')}, 0)`.execute(
    db,
  )
  assert.equal((await owner.get('/api/admin/me')).status, 200)
  await changeSettings(site, { require_staff_factor: false })
})

test('requires a confirmation of the last 15 minutes for exactly the calls that declare it', async () => {
  const setConfirmationAge = (ageMs: number) =>
    updateRows(
      db,
      'sessions',
      { user_num: owner.user.UserNum },
      { confirmed_at: new Date(site.clock.now().getTime() - ageMs) },
    )
  const requiresConfirmation = async (call: Endpoint) => {
    const { status, json } = await sendCall(site, call, {}, owner.headers)
    return status === 403 && json().reason === 'sudo'
  }
  await setConfirmationAge(15 * MINUTE_MS + 1)
  for (const call of staffCalls)
    assert.equal(await requiresConfirmation(call), call.sudo === true, formatCallName(call))
  await setConfirmationAge(15 * MINUTE_MS)
  for (const call of staffCalls) if (call.sudo) assert.ok(!(await requiresConfirmation(call)), formatCallName(call))
})

/** Values that no real caller would send. In an address and in a form they are sent as text. */
const JUNK_VALUES = {
  nothing: undefined,
  null: null,
  'a list': [[['x']]],
  'an object': { $ne: null },
  'a boolean': true,
  'a number': -1.5,
  'a NUL byte': 'ju\0an',
  'an expression': "1e9' or '1'='1' --",
}

type InputPart = 'params' | 'query' | 'body' | 'form'

const toText = (part: InputPart, value: unknown) =>
  part === 'query' && typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Returns whether the contract accepts a value in a field. */
function isAccepted({ input, inputParts }: Endpoint, field: string, value: unknown): boolean {
  const part = inputParts[field] as InputPart
  const sentValue = part === 'body' ? value : value === null || value === undefined ? undefined : toText(part, value)
  return input?.[part]?.shape[field]?.safeParse(sentValue).success === true
}

/** Makes a call as the owner, or as the bridge if it is a call of the bridge. */
async function sendAllowed(
  call: Endpoint,
  input: Record<string, unknown>,
  { target = site, headers = {} }: { target?: Pick<TestApp, 'send'>; headers?: Record<string, string> } = {},
): Promise<Answer> {
  if (call.access !== 'bridge')
    return sendCall(target, call, input, call.access === 'public' ? headers : { ...owner.headers, ...headers })
  let answer: Answer | undefined
  const callSigned = createSiteCall({
    site: site.publicUrl,
    bridge: bridge.bridge,
    signKey: bridge.sign,
    instance: 'every-call-instance',
    now: site.clock.now,
    fetch: async (url, init) => {
      answer = await target.send(String(url).slice(site.publicUrl.length), init)
      return new Response(answer.text, { status: answer.status })
    },
  })
  await callSigned(call, input as never).catch(() => {})
  assert.ok(answer !== undefined)
  return answer
}

for (const [valueName, value] of Object.entries(JUNK_VALUES)) {
  test(`${valueName} in every field is refused with 422 and a message for each wrong field`, async () => {
    await assertRefuses(liveCalls, async (call) => {
      const fields = Object.keys(call.inputParts).filter(
        (field) => call.inputParts[field] !== 'params' || Boolean(value),
      )
      // A value that could name another account is refused before all other rules.
      const namesAccount = (field: string) =>
        /^(UserID|usernum)$/i.test(field) &&
        (['string', 'number'].includes(typeof value) || call.inputParts[field] === 'query')
      const refusedFields = fields.filter((field) => !namesAccount(field) && !isAccepted(call, field, value))
      if (refusedFields.length === 0) return
      const answer = await sendAllowed(
        call,
        Object.fromEntries(fields.filter((field) => !namesAccount(field)).map((field) => [field, value])),
      )
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.json().message, /[.!]$/)
      const namedFields = Object.keys(answer.json()['form-error']).map((path) => path.split('.')[0] ?? '')
      assert.deepEqual(
        refusedFields.filter((field) => !namedFields.includes(field)),
        [],
      )
      assert.deepEqual(
        namedFields.filter((field) => !(field in call.inputParts)),
        [],
      )
    })
  })
}

test('a path of the desk that contains no id is refused with a sentence, without the name of the field', () =>
  assertRefuses(
    staffCalls.filter(({ method, input }) => method === 'GET' && input?.params !== undefined),
    async (call) => {
      const params = Object.keys(call.inputParts).filter((field) => call.inputParts[field] === 'params')
      for (const value of ['abc', '-1', '1.5', '9'.repeat(20)]) {
        const answer = await sendAllowed(call, Object.fromEntries(params.map((field) => [field, value])))
        assert.ok([404, 422].includes(answer.status), `${value}: ${answer.status}`)
        assert.doesNotMatch(answer.json().message, /is not valid|_/)
      }
    },
  ))

/** Days and months that look right but do not exist. */
const IMPOSSIBLE_DATES = ['2026-13-01', '2026-02-30', '2026-13', '0000-00-00', '2026-11-20T25:61:00Z']

test('no read fails at a day or month that does not exist', () =>
  assertRefuses(
    liveCalls.filter(({ method, access }) => method === 'GET' && access !== 'bridge'),
    async (call) => {
      for (const value of IMPOSSIBLE_DATES)
        for (const field of Object.keys(call.inputParts).filter((name) => isAccepted(call, name, value))) {
          const { status, text } = await sendAllowed(call, { [field]: value })
          assert.ok(status < 500, `${field}=${value}: ${status} ${text}`)
        }
    },
  ))

test('refuses an unreadable body with 400, one that is not an object with 422, a large one with 413', () =>
  assertRefuses(
    liveCalls.filter(({ input, access }) => input?.body !== undefined && access !== 'bridge'),
    async (call) => {
      const { path } = buildRequest(call, {})
      const headers = call.access === 'public' ? {} : owner.headers
      const send = (body: string) => site.post(path, body, headers)
      for (const body of ['', '{', '\0']) assertRefused(await send(body), 400)
      const acceptsEmpty = call.input?.body?.safeParse({}).success
      for (const body of acceptsEmpty ? [] : ['null', '7']) assert.equal((await send(body)).status, 422)
      assertRefused(await send(JSON.stringify({ more: 'x'.repeat(REQUEST_BODY_MAX_BYTES) })), 413)
    },
  ))

test('refuses JSON for an upload with 422 and the missing fields', () =>
  assertRefuses(
    liveCalls.filter(({ input }) => input?.form !== undefined),
    async (call) => {
      const answer = await site.post(buildRequest(call, {}).path, {}, owner.headers)
      assert.equal(answer.status, 422, answer.text)
      assert.ok(Object.keys(answer.json()['form-error']).every((field) => call.inputParts[field] === 'form'))
    },
  ))

test('declared refusals name only fields of their call', () => {
  for (const call of endpoints)
    for (const [code, { field }] of Object.entries(call.errors ?? {})) {
      // This refusal is about an item's picture, even if another field changes.
      if (code === 'oldPicture') continue
      // The fields of a form of settings are their names.
      const fields = 'changes' in call.inputParts ? SETTINGS : call.inputParts
      assert.ok(field === undefined || field in fields, `${formatCallName(call)}: ${field}`)
    }
})

/** Replaces the handler of a call: it counts its runs, changes nothing and returns the given answer. */
function serveInstead(mountedCall: MountedCall, answer: () => unknown) {
  let runs = 0
  const { endpoint } = mountedCall
  const handler: MountedCall['handler'] = async (_, { record, consumeIrreversible }) => {
    runs++
    // Use the same target each time, which never needs an approval.
    if (endpoint.irreversible !== undefined)
      await consumeIrreversible?.({ target: ['item', 1], accounts: [], summary: 'Tries a call', effect: {} })
    if (isStaffAccess(endpoint.access)) record?.({ target: ['item', runs] })
    return answer()
  }
  const replacement = {
    endpoint,
    handler,
    serverCheck: undefined,
    nearest: undefined,
    prepare: undefined,
    finish: undefined,
  }
  const app = new Hono()
  app.onError((error, c) => answerError(error, c, { log: site.log }))
  app.on(endpoint.method, `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`, (c) =>
    answerRequest(site, { ...replacement, isStatement: false }, c),
  )
  return {
    runs: () => runs,
    send: async (path: string, init?: RequestInit) => {
      const response = await app.request(`http://test.local${path}`, init)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
    },
  }
}

/** Creates an input that a call's rules accept, about the caller’s own account. */
function createValidInput(call: Endpoint): Record<string, unknown> {
  const callerFields = { ...owner.owner, usernum: owner.user.UserNum }
  const names = Object.entries(callerFields).filter(
    ([field]) => field in call.inputParts && !isStaffAccess(call.access),
  )
  return { ...createSampleInput(call), ...Object.fromEntries(names) }
}

const formatMountedName = ({ endpoint }: MountedCall) => formatCallName(endpoint)

test('runs a call once for each Idempotency-Key, and answers a retry with the first response', () =>
  assertHolds(
    CALLS.filter(({ endpoint }) => endpoint.idempotent),
    formatMountedName,
    async (mountedCall) => {
      const { endpoint } = mountedCall
      const target = serveInstead(mountedCall, () => createSampleAnswer(endpoint))
      const input = createValidInput(endpoint)
      const send = (key: string) =>
        sendAllowed(endpoint, input, {
          target,
          headers: { 'Idempotency-Key': `${key} ${formatCallName(endpoint)}` },
        })
      const response = await send('one')
      assert.equal(response.status, 200, response.text)
      const retry = await send('one')
      if (endpoint.shownOnce === undefined) assert.deepEqual([retry.status, retry.text], [200, response.text])
      else assert.equal(retry.status, 409)
      assert.equal(target.runs(), 1)
      assert.equal((await send('two')).status, 200)
      assert.equal(target.runs(), 2)
    },
  ))

test('a response has the declared fields and no others', () =>
  assertHolds(CALLS, formatMountedName, async (mountedCall) => {
    const { endpoint } = mountedCall
    const answer = createSampleAnswer(endpoint)
    const isList = Array.isArray(answer)
    const answerWithSecret = isList || endpoint.isFile ? answer : { ...(answer as object), password_hash: '$argon2id$' }
    const validAnswer = await sendAllowed(endpoint, createValidInput(endpoint), {
      target: serveInstead(mountedCall, () => answerWithSecret),
    })
    assert.equal(validAnswer.status, 200, validAnswer.text)
    if (!endpoint.isFile) assert.deepEqual(validAnswer.json(), answer)
    site.cache.clear()
    const invalidAnswer = await sendAllowed(endpoint, createValidInput(endpoint), {
      target: serveInstead(mountedCall, () => 'wrong'),
    })
    assert.equal(invalidAnswer.status, 500, invalidAnswer.text)
  }))

const ALLOW_ORIGIN = 'access-control-allow-origin'

test('lets other sites read exactly the marked public reads, and nothing with a token', () =>
  assertHolds(CALLS, formatMountedName, async (mountedCall) => {
    const { endpoint } = mountedCall
    const target = serveInstead(mountedCall, () => createSampleAnswer(endpoint))
    const send = async (headers: Record<string, string>) =>
      endpoint.access === 'public'
        ? sendCall(target, endpoint, createValidInput(endpoint), { Origin: 'https://fans.example', ...headers })
        : sendAllowed(endpoint, createValidInput(endpoint), {
            target,
            headers: { Origin: 'https://fans.example', ...headers },
          })
    const listHeaders = ({ headers }: Pick<Answer, 'headers'>) =>
      [...headers].filter(([name]) => name.startsWith('access-control-'))
    const expectedHeaders = endpoint.cors ? [[ALLOW_ORIGIN, '*']] : []
    if (endpoint.cors) assert.deepEqual([endpoint.method, endpoint.access, !endpoint.cache], ['GET', 'public', false])
    assert.deepEqual(listHeaders(await send({})), expectedHeaders)
    assert.deepEqual(listHeaders(await send({ Authorization: player.headers.Authorization ?? '' })), [])
    const preflight = await site.send(buildRequest(endpoint, {}).path, { method: 'OPTIONS' })
    assert.deepEqual(listHeaders(preflight), [])
  }))

test('marks the reads of rankings, clubs, wars, characters, status and events for other sites', () => {
  assert.deepEqual(
    endpoints
      .filter(({ cors }) => cors)
      .map(({ path }) => path)
      .sort(),
    [
      '/character/{cha_num}',
      '/club-areas',
      '/club-ranking',
      '/club/{club}',
      '/events',
      '/events/{id}',
      '/get-top-rankings-list',
      '/happenings',
      '/players-online',
      '/ranking-periods',
      '/season-rankings',
      '/seasons',
      '/server-status',
      '/titles',
      '/total-rankings',
      '/wars',
      '/wars/league/{league}',
    ],
  )
})

test('lets other sites read refusals and 304 too, but no response to a request with a token', async () => {
  const readHeader = async (path: string, headers: Record<string, string>) => {
    const answer = await site.send(path, { headers })
    return [answer.status, answer.headers.get(ALLOW_ORIGIN)]
  }
  const { Authorization = '' } = player.headers
  assert.deepEqual(await readHeader('/api/club/999999', {}), [404, '*'])
  assert.deepEqual(await readHeader('/api/club/999999', { Authorization }), [404, null])
  const response = await site.get('/api/seasons')
  const etag = response.headers.get('etag') ?? ''
  assert.equal(response.headers.get('vary'), 'Accept-Encoding, Authorization')
  assert.deepEqual(await readHeader('/api/seasons', { 'If-None-Match': etag }), [304, '*'])
  assert.deepEqual(await readHeader('/api/seasons', { 'If-None-Match': etag, Authorization }), [304, null])
})

test('refuses numbers that are too large for the database', () =>
  assertHolds(
    liveCalls.filter(({ access }) => access !== 'bridge'),
    formatCallName,
    async (call) => {
      const input = createValidInput(call)
      for (const [field, value] of Object.entries(input)) {
        if (/^usernum$/i.test(field) || !/^\d+$/.test(String(value))) continue
        const largeValue = typeof value === 'number' ? 2 ** 31 : String(2 ** 31)
        const { status, text } = await sendAllowed(call, { ...input, [field]: largeValue })
        assert.ok(status < 500, `${field}: ${text}`)
      }
    },
  ))

/** Fields with a secret, with a value to compare, or with another rule, such as HTML and settings. */
const OTHER_RULE_FIELDS =
  /\.(.*(pass|secret|token|code|key|challenge|answer|assertion|user_?id|find|email).*|word|invite|cha_name|endpoint|role|list|query|from|checked|template|streamer|content|value|screenshots|file|html)$/i

/** Yields the fields of an object's rules, nested objects and lists included, that accept a short plain text. */
function* listTextFields(rule: $ZodType, path: string): Generator<[path: string, rule: $ZodType]> {
  const {
    type,
    shape,
    element,
    innerType,
    out,
    in: inputType,
  } = rule._zod.def as {
    type: string
    shape?: Record<string, $ZodType>
    element?: $ZodType
    innerType?: $ZodType
    in?: $ZodType
    out?: $ZodType
  }
  if (type === 'object')
    for (const [name, field] of Object.entries(shape ?? {})) yield* listTextFields(field, `${path}.${name}`)
  else if (type === 'array' && element) yield* listTextFields(element, path)
  else if (safeParse(rule, 'Hello there').success) yield [path, rule]
  else for (const inner of [innerType, out, inputType]) if (inner && type !== 'pipe') yield* listTextFields(inner, path)
}

test('refuses texts that are invisible, or that have reversing or NUL characters (TEXT-1)', () => {
  const brokenCalls: string[] = []
  for (const call of endpoints) {
    const rules = call.input?.body ?? call.input?.form
    if (!rules || call.method === 'GET' || call.access === 'bridge') continue
    for (const [path, rule] of listTextFields(rules, formatCallName(call))) {
      if (OTHER_RULE_FIELDS.test(path)) continue
      for (const text of ['\u200b\u200b\u200b', 'Refund \u202egnp.tnuocca', 'nul\0 here'])
        if (safeParse(rule, text).success) brokenCalls.push(`${path}: ${JSON.stringify(text)}`)
    }
  }
  assert.deepEqual(brokenCalls, [])
})
