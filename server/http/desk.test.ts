import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { z } from 'zod'
import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import { declareEndpoint, isStaffAccess } from '#contract/endpoint.ts'
import { CALLS } from '#server/api.ts'
import { createApp } from '#server/app.ts'
import { Refusal } from '#server/errors.ts'
import { assertRefused, createPlayer, openPlayerSession } from '#test/account-helpers.ts'
import { serveCall } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { mount } from './mount.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
const player = await createPlayer(site)

const selectAudited = () => db.selectFrom('audit_log').selectAll().orderBy('entry').execute()
const countAudited = async () => (await selectAudited()).length

test('all calls below /admin are for staff only, and no others', () => {
  for (const { endpoint } of CALLS) assert.equal(endpoint.path.startsWith('/admin/'), isStaffAccess(endpoint.access))
  const openCall = { method: 'POST', path: '/admin/open', summary: '', area: 'tests', output: z.object({}) } as const
  assert.throws(() => mount(declareEndpoint({ ...openCall, access: 'player' }), () => ({})), /calls of staff/)
  assert.throws(
    () => mount(declareEndpoint({ ...openCall, path: '/open', access: 'staff' }), () => ({})),
    /calls of staff/,
  )
})

test('only calls of bridges, with pairing, can be mounted below /bridge', () => {
  const openCall = { method: 'POST', path: '/bridge/open', summary: '', area: 'tests', output: z.object({}) } as const
  for (const call of [
    { ...openCall, access: 'public' },
    { ...openCall, access: 'player' },
    { ...openCall, path: '/open', access: 'bridge' },
  ] as const)
    assert.throws(() => mount(declareEndpoint(call), () => ({})), /calls of bridges/)
})

test('accepts no free text in fields that the audit log stores as not personal', () => {
  const codeFields = CALLS.flatMap(({ endpoint: { path, notPersonal = [], input = {} } }) =>
    Object.values(input).flatMap(({ shape }) =>
      notPersonal.flatMap((field) => (field in shape ? [{ name: `${path} ${field}`, schema: shape[field] }] : [])),
    ),
  )
  assert.ok(codeFields.length > 10)
  for (const { name, schema } of codeFields)
    for (const text of ['Juan dela Cruz', ['Juan dela Cruz']])
      assert.equal(z.safeParse(schema as z.ZodType, text).success, false, name)
})

test('accepts the query of a call of the desk in a header, which no address shows', async () => {
  const [firstRow] = (await site.get('/api/admin/players?q=juan', gm.headers)).json().rows
  assert.equal(firstRow.user_id, 'juan')
  const requestWithQuery = (query: string, path = '/api/admin/players') =>
    site.get(path, { ...gm.headers, [DESK_QUERY_HEADER]: query })
  assert.deepEqual((await requestWithQuery('q=juan')).json().rows, [firstRow])
  assert.deepEqual((await requestWithQuery('q=juan', '/api/admin/players?q=maria&sort=user_num')).json().rows, [
    firstRow,
  ])
  assert.equal((await requestWithQuery('sort=sideways')).status, 422)
  assert.equal((await requestWithQuery('%E0%A4%A&&&==&q=%')).status, 200)
  assert.equal((await requestWithQuery('q=%00')).status, 422)
  assert.equal((await site.get('/api/admin/players', { ...player.headers, [DESK_QUERY_HEADER]: 'q=juan' })).status, 403)
  const searchAnswer = await site.get('/api/search?q=juan', { [DESK_QUERY_HEADER]: 'q=' })
  assert.deepEqual(searchAnswer.json(), (await site.get('/api/search?q=juan')).json())
})

test('logs a refusal at the desk without the query, and counts it in the metrics', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const app = createApp({ ...site, log })
  const address = '/api/admin/players?q=sikreto'
  const statuses = []
  for (const headers of [{}, player.headers, gm.headers])
    statuses.push((await app.request(address, { headers })).status)
  assert.deepEqual(statuses, [401, 403, 200])
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.equal(entries.length, 2, lines.join(''))
  assert.partialDeepStrictEqual(entries, [
    { path: '/api/admin/players', status: 401, id: 'no-session' },
    { path: '/api/admin/players', status: 403, id: 'no-permission', account: player.user.UserNum },
  ])
  for (const line of entries) assert.equal(typeof line.address, 'string')
  assert.ok(!lines.join('').includes('sikreto') && !lines.join('').includes(player.token))
  const metrics = await site.metrics.read()
  assert.match(metrics, /^tambayan_desk_refusals_total\{status="401",kind="no-session"\} \d+$/m)
  assert.match(metrics, /^tambayan_desk_refusals_total\{status="403",kind="no-permission"\} \d+$/m)
})

test('a list with a wrong cursor is refused or starts at its first page, and never fails', async () => {
  const lists = CALLS.map(({ endpoint }) => endpoint).filter(
    ({ method, inputParts }) => method === 'GET' && inputParts.after !== undefined,
  )
  assert.ok(lists.length > 1)
  for (const { path } of lists)
    for (const after of ['nowhere', '-1', '1e9', '99999999999999999999', "';--", '2026-01-01|x'])
      assert.ok(
        [200, 404, 422].includes(
          (await site.get(`/api${path.replace(/\{\w+\}/g, '1')}?after=${encodeURIComponent(after)}`, gm.headers))
            .status,
        ),
        `${path} ${after}`,
      )
})

// The following tests are about the steps that `mount` adds to a call of the desk.

const callFields = { method: 'POST', summary: 'A call of the tests', area: 'tests' } as const
const countOutput = z.object({ made: z.number() })

let runCount = 0
const wordInput = { body: z.object({ word: z.string().default('') }) }
const writeCall = {
  ...callFields,
  access: 'news.write',
  idempotent: true,
  input: wordInput,
  output: countOutput,
} as const

const readRows = (key: string) => db.selectFrom('attempts').where('key', '=', key).selectAll().execute()

test('a write and its audit entry commit or roll back together', async () => {
  const key = 'desk test'
  const mountedCall = mount(
    declareEndpoint({ ...writeCall, path: '/admin/test-write' }),
    async ({ word }, { deps, record }) => {
      await deps.db.insertInto('attempts').values({ key, count: 1, ends_at: deps.now() }).execute()
      if (word === 'refuse') throw new Refusal(409, 'no', 'No, not this.')
      if (word !== 'forget')
        record({
          target: ['item', 17],
          player: player.user.UserNum,
          before: { price: 10, user_email: 'old@example.net', same: [1] },
          after: { price: 12, user_email: 'new@example.net', state: 'sold', same: [1] },
          reason: 'They asked.',
        })
      if (word === 'twice') record({ target: ['item', 18] })
      return { made: ++runCount }
    },
  )
  const call = serveCall(site, mountedCall)
  const countBefore = await countAudited()
  assertRefused(await call(gm, { word: 'refuse' }), 409)
  assert.equal((await call(gm, { word: 'forget' })).status, 500)
  assert.equal((await call(gm, { word: 'twice' })).status, 500)
  assert.deepEqual([await readRows(key), await countAudited()], [[], countBefore])
  assert.equal((await call(gm)).status, 200)
  const entry = (await selectAudited()).at(-1)
  assert.deepEqual(
    { ...entry, entry: 0, at: null },
    {
      entry: 0,
      at: null,
      actor_kind: 'person',
      actor_num: gm.user.UserNum,
      actor_name: '',
      permission: 'news.write',
      action: '/admin/test-write',
      target_kind: 'item',
      target_id: '17',
      player: player.user.UserNum,
      changes: [{ field: 'price', before: 10, after: 12 }, { field: 'user_email' }, { field: 'state' }],
    },
  )
  assert.equal(await countAudited(), countBefore + 1)
  const personalRow = await db
    .selectFrom('audit_personal')
    .where('entry', '=', entry?.entry ?? 0)
    .select(['reason', 'address', 'changes'])
    .executeTakeFirst()
  assert.deepEqual(personalRow, {
    reason: 'They asked.',
    address: '127.0.0.1',
    changes: [
      { field: 'user_email', before: 'old@example.net', after: 'new@example.net' },
      { field: 'state', after: 'sold' },
    ],
  })
})

test('the database refuses changes of the audit log, except to erase personal values', async () => {
  for (const statement of [
    sql`update audit_log set action = 'x'`,
    sql`delete from audit_log`,
    sql`truncate audit_log cascade`,
    sql`truncate audit_personal`,
  ])
    await assert.rejects(statement.execute(db), /cannot be changed or deleted/)
  await sql`delete from audit_personal`.execute(db)
  assert.deepEqual(await db.selectFrom('audit_personal').selectAll().execute(), [])
})
