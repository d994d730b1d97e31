import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStaffAccess } from '#contract/endpoint.ts'
import { OWNER, type Permission } from '#contract/permissions.ts'
import { CALLS } from '#server/api.ts'
import { createPlayer } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
await changeSettings(site, { require_staff_factor: false })
const owner = await createOperator(site, OWNER)
const player = await createPlayer(site)
const { UserNum: user_num } = player.user
const note = await owner.post('/api/admin/players/note', { user_num, body: 'Shares the account with a cousin.' })
assert.equal(note.status, 200, note.text)
await db
  .insertInto('audit_log')
  .values({
    at: site.clock.now(),
    actor_kind: 'person',
    actor_num: owner.user.UserNum,
    actor_name: '',
    permission: 'players.read',
    action: '/admin/removed-call',
    target_kind: 'player',
    target_id: String(user_num),
    player: user_num,
    changes: JSON.stringify([{ field: 'amount', before: 1, after: 2 }]),
  })
  .execute()

type Row = { action: string; what: string; shown: boolean; reason: string; changes: unknown[] }
const readEntries = async ({ get }: Pick<typeof owner, 'get'>): Promise<Row[]> =>
  (await get(`/api/admin/audit?player=${player.user.UserID}`)).json().rows
const findEntry = async (operator: Pick<typeof owner, 'get'>, action: string) =>
  (await readEntries(operator)).find((row) => row.action === action)

test('gives each audited call a short and unique title, which its entries show', async () => {
  const auditedCalls = CALLS.map(({ endpoint }) => endpoint).filter(
    ({ access, method, audited }) => isStaffAccess(access) && (method === 'POST' || audited !== undefined),
  )
  const titles = auditedCalls.map(({ title }) => title ?? '')
  assert.deepEqual(
    auditedCalls.filter(({ title = '' }) => !/^[A-Z].{4,34}[^.]$/.test(title)).map(({ path }) => path),
    [],
  )
  assert.equal(new Set(titles).size, titles.length)
  assert.equal((await findEntry(owner, '/admin/players/note'))?.what, 'Add player note')
})

test('shows the changes of an entry to operators with the permission of its call', async () => {
  const reader = await createOperator(site, await createRole(site, 'audit.read'))
  const action = '/admin/players/note'
  const hiddenEntry = await findEntry(reader, action)
  assert.deepEqual([hiddenEntry?.shown, hiddenEntry?.reason, hiddenEntry?.changes], [false, '', []])
  const permittedReader = await createOperator(site, await createRole(site, 'audit.read', 'players.note'))
  assert.ok((await findEntry(permittedReader, action))?.shown)
  assert.ok((await findEntry(owner, action))?.shown)
})

test('shows the filters of an export to operators who may read its list', async () => {
  const query = { q: player.form.userEmail }
  assert.equal((await owner.post('/api/admin/export', { list: '/admin/players', query })).status, 200)
  const readExport = async (...permissions: Permission[]): Promise<Row> => {
    const { get } = await createOperator(site, await createRole(site, 'audit.read', ...permissions))
    return (await get('/api/admin/audit?action=/admin/export')).json().rows[0]
  }
  assert.deepEqual((await readExport()).changes, [])
  assert.equal((await readExport('players.read')).shown, true)
})

test('shows the changes of a removed call to owners only', async () => {
  const reader = await createOperator(site, await createRole(site, 'audit.read', 'players.read'))
  assert.deepEqual((await findEntry(reader, '/admin/removed-call'))?.changes, [])
  assert.equal((await findEntry(owner, '/admin/removed-call'))?.changes.length, 1)
})

test('finds emails only by the whole address, and records searches for emails and IP addresses', async () => {
  const { userEmail } = player.form
  const reader = await createOperator(site, await createRole(site, 'players.read'))
  const search = async (q: string) => {
    const answer = await reader.get(`/api/admin/players?q=${encodeURIComponent(q)}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().rows.map((row: { user_num: number }) => row.user_num)
  }
  const listSearches = async () =>
    await db.selectFrom('audit_log').where('action', '=', '/admin/players').select(['actor_num', 'player']).execute()
  const [name = '', host = ''] = userEmail.split('@')
  for (const incompleteEmail of [userEmail.slice(0, -1), `${name}@`, `${name}@${host.slice(0, 4)}`])
    assert.ok(!(await search(incompleteEmail)).includes(user_num), incompleteEmail)
  const searchesBefore = (await listSearches()).length
  assert.deepEqual(await search(userEmail.toUpperCase()), [user_num])
  assert.deepEqual((await listSearches()).slice(searchesBefore), [{ actor_num: reader.user.UserNum, player: user_num }])
  await search('203.0.113.9')
  assert.equal((await listSearches()).length, searchesBefore + 2)
  // A search for a user ID is not recorded.
  await search(player.user.UserID)
  assert.equal((await listSearches()).length, searchesBefore + 2)
})

test('hides entries about opened pages on request', async () => {
  await owner.get(`/api/admin/players/page?user_num=${user_num}`)
  const listActions = async (views: string) =>
    (await owner.get(`/api/admin/audit?player=${player.user.UserID}&views=${views}`))
      .json()
      .rows.map(({ action }: Row) => action) as string[]
  const pageAction = '/admin/players/page'
  assert.ok((await listActions('')).includes(pageAction))
  assert.ok((await listActions('shown')).includes(pageAction))
  const actionsWithoutViews = await listActions('hidden')
  assert.ok(!actionsWithoutViews.includes(pageAction))
  assert.ok(actionsWithoutViews.includes('/admin/players/note'))
})
