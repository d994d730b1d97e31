import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { DAY_MS } from '#contract/durations.ts'
import { declareEndpoint } from '#contract/endpoint.ts'
import { OWNER } from '#contract/permissions.ts'
import { CALLS } from '#server/api.ts'
import { runCommand } from '#server/commands.ts'
import { readCell, writeCsv } from '#server/csv.ts'
import { mount } from '#server/http/mount.ts'
import { assertRefused, createPlayer, logInAs, openPlayerSession } from '#test/account-helpers.ts'
import { acceptRoles, createOperator, createRole, STAFF_TEST_PASSWORD, serveCall } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const gm = await openPlayerSession(site, 'gm')
const player = await createPlayer(site)

const selectAuditEntries = (action: string) =>
  db.selectFrom('audit_log').where('action', '=', action).selectAll().execute()
const readRoles = async (userNum: number) => {
  const rows = await db
    .selectFrom('staff_members')
    .where('user_num', '=', userNum)
    .select('role')
    .orderBy('role')
    .execute()
  return rows.map(({ role }) => role)
}
/** Extends the operator's session by a day, and confirms their identity with the password. */
async function confirmIdentity({ user, form, post }: Awaited<ReturnType<typeof createOperator>>) {
  await updateRows(
    db,
    'sessions',
    { user_num: user.UserNum },
    { last_seen_at: site.clock.now(), ends_at: new Date(site.clock.now().getTime() + DAY_MS) },
  )
  assert.equal((await post('/api/confirmidentity', { UserPass: form.userPassword })).status, 200)
}
const readUserType = async (userNum: number) => {
  const row = await db.selectFrom('accounts').where('user_num', '=', userNum).select('user_type').executeTakeFirst()
  return row?.user_type
}

// The order of the tests matters: at first, gm is the only operator.

test('lets the only operator give any role without an approval, which is audited', async () => {
  const { user, form } = await createPlayer(site)
  const answer = await gm.post('/api/admin/staff/invite', { user_id: form.userId.toUpperCase(), role: 'shop' })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([await readRoles(user.UserNum), await readUserType(user.UserNum)], [[], 1])
  const [entry] = await selectAuditEntries('/admin/staff/invite')
  assert.deepEqual(entry?.changes, [
    { field: 'offered', before: [], after: ['shop'] },
    { field: 'approval', after: 'not needed: there is no other operator' },
  ])
  const shopOperator = await acceptRoles(site, form)
  assert.deepEqual([await readRoles(user.UserNum), await readUserType(user.UserNum)], [['shop'], 11])
  assert.equal((await shopOperator.get('/api/admin/me')).json().roles[0], 'shop')
  assertRefused(await shopOperator.get('/api/admin/staff'), 403)
})

test('requires another owner’s approval for a new owner, if there is another owner', async () => {
  const { user, form } = await createPlayer(site)
  assert.equal((await gm.post('/api/admin/staff/invite', { user_id: form.userId, role: 'support' })).status, 200)
  assert.deepEqual((await selectAuditEntries('/admin/staff/invite')).at(-1)?.changes.at(-1), {
    field: 'approval',
    after: 'not needed: there is no other owner',
  })
  const commandDeps = { db, now: site.clock.now(), site: { appName: 'Tambayan', publicUrl: 'https://play.example.ph' } }
  assert.equal((await runCommand(commandDeps, ['staff', 'owner', form.userId])).ok, true)
  assert.equal((await selectAuditEntries('staff owner'))[0]?.actor_kind, 'command')

  const secondOwner = await acceptRoles(site, form)
  assert.deepEqual(await readRoles(user.UserNum), ['owner', 'support'])
  assert.equal((await secondOwner.get('/api/admin/me')).status, 200)
  const thirdPlayer = await createPlayer(site)
  const response = await gm.post('/api/admin/staff/invite', { user_id: thirdPlayer.form.userId, role: OWNER })
  assert.equal(response.status, 202, response.text)
  assert.deepEqual(await readRoles(thirdPlayer.user.UserNum), [])
  const secondOwnerSession = await logInAs(site, form.userId, STAFF_TEST_PASSWORD)
  const [request] = (await secondOwnerSession.get('/api/admin/approvals?state=waiting')).json().rows
  assert.deepEqual([request.approval, request.only_owner], [response.json().approval, true])
  assert.match(request.why_not, /less than a day old/)
  site.clock.advance(DAY_MS + 1)
  const laterSession = await logInAs(site, form.userId, STAFF_TEST_PASSWORD)
  const approvalResponse = await laterSession.post('/api/admin/approvals/decide', {
    approval: request.approval,
    decision: 'approve',
    content_hash: request.content_hash,
  })
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  await acceptRoles(site, thirdPlayer.form)
  assert.deepEqual(await readRoles(thirdPlayer.user.UserNum), ['owner'])
  const entries = await selectAuditEntries('/admin/staff/invite')
  assert.equal(entries.at(-1)?.actor_num, gm.user.UserNum)
})

test('makes an operator who loses the last role a player again, and logs them out', async () => {
  const operator = await createOperator(site, 'news')
  const owner = await createOperator(site, OWNER)
  const takeInput = { user_num: operator.user.UserNum, role: 'news', reason: 'They moved away.' }
  const response = await owner.post('/api/admin/staff/take', takeInput)
  assert.equal(response.status, 200, response.text)
  assert.deepEqual([await readRoles(operator.user.UserNum), await readUserType(operator.user.UserNum)], [[], 1])
  assertRefused(await operator.get('/api/user'), 401)
  assertRefused(await owner.post('/api/admin/staff/take', takeInput), 404)
})

test('operators cannot change their own roles or permissions; only owners give and take Owner', async () => {
  const owner = await createOperator(site, OWNER)
  const staffManager = await createOperator(site, await createRole(site, 'staff.write', 'staff.read'))
  const { user, form } = await createPlayer(site)
  const [heldRole = ''] = await readRoles(staffManager.user.UserNum)
  for (const role of ['news', heldRole])
    assertRefused(await staffManager.post('/api/admin/staff/invite', { user_id: staffManager.form.userId, role }), 403)
  const ownRoleInput = { user_num: staffManager.user.UserNum, role: heldRole, reason: 'Test' }
  assertRefused(await staffManager.post('/api/admin/staff/take', ownRoleInput), 403)
  const change = { role: heldRole, name: 'Mine', permissions: ['staff.write', 'news.write'], version: 1 }
  assertRefused(await staffManager.post('/api/admin/roles/save', change), 403)
  assertRefused(await staffManager.post('/api/admin/staff/invite', { user_id: form.userId, role: OWNER }), 403)
  const takeInput = { user_num: owner.user.UserNum, role: OWNER, reason: 'Test' }
  assertRefused(await staffManager.post('/api/admin/staff/take', takeInput), 403)
  assertRefused(await owner.post('/api/admin/staff/take', takeInput), 403)
  assert.deepEqual(await readRoles(user.UserNum), [])
})

test('requires a second owner’s approval to remove an owner, or a command in the terminal', async () => {
  const [firstOwner, secondOwner] = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  const takeInput = { user_num: secondOwner.user.UserNum, role: OWNER, reason: 'Test' }
  assert.equal((await firstOwner.post('/api/admin/staff/take', takeInput)).status, 202)
  await db.updateTable('approvals').set({ state: 'withdrawn' }).where('state', '=', 'waiting').execute()
  const owners = await db.selectFrom('staff_members').where('role', '=', OWNER).selectAll().execute()
  const otherOwners = owners.filter(
    ({ user_num }) => ![firstOwner, secondOwner].some(({ user }) => user.UserNum === user_num),
  )
  await db
    .deleteFrom('staff_members')
    .where('role', '=', OWNER)
    .where(
      'user_num',
      'in',
      otherOwners.map(({ user_num }) => user_num),
    )
    .execute()
  const refusedResponse = await firstOwner.post('/api/admin/staff/take', takeInput)
  assertRefused(refusedResponse, 409)
  assert.match(refusedResponse.json().message, new RegExp(`npm run staff -- take ${secondOwner.form.userId} owner`))
  await db.insertInto('staff_members').values(otherOwners).execute()
})

test('requires an approval to give a sensitive permission; its new holder approves after a day', async () => {
  const [owner, otherOwner] = [await createOperator(site, OWNER), await createOperator(site, OWNER)]
  const role = await createRole(site, 'news.read')
  const member = await createOperator(site, role)
  const readRole = async () => (await db.selectFrom('staff_roles').where('role', '=', role).selectAll().execute())[0]
  const form = { role, name: 'Grows', permissions: ['news.read', 'approvals.decide'] }
  const response = await owner.post('/api/admin/roles/save', { ...form, version: (await readRole())?.version })
  assert.equal(response.status, 202, response.text)
  assert.match(response.json().message, /can approve it now/)
  const { approval } = response.json()
  const row = await db.selectFrom('approvals').where('approval', '=', approval).selectAll().executeTakeFirstOrThrow()
  assert.deepEqual(row.effect['people who have it'], [{ account: member.user.UserNum, user_id: member.form.userId }])
  const approvalInput = { approval, decision: 'approve', content_hash: row.content_hash }
  assert.equal((await otherOwner.post('/api/admin/approvals/decide', approvalInput)).status, 200)
  const { giver, decision } = await requestGift(2010)
  assertRefused(await member.post('/api/admin/approvals/decide', decision), 403)
  const { rows } = (await member.get('/api/admin/approvals?state=waiting')).json()
  const requestRow = rows.find((row: { approval: number }) => row.approval === decision.approval)
  assert.match(requestRow.why_not, /less than a day old/)
  assert.equal(requestRow.requested_by, giver.form.userId)
  site.clock.advance(DAY_MS)
  await confirmIdentity(member)
  assert.equal((await member.post('/api/admin/approvals/decide', decision)).status, 200)
  // An unassigned role gives no permissions, so a change of it needs no approval. Assigning it needs one.
  const unassignedRole = await createRole(site, 'news.read')
  const sensitiveRole = { role: unassignedRole, name: 'Unused', permissions: ['money.adjust'], version: 1 }
  await confirmIdentity(owner)
  assert.equal((await owner.post('/api/admin/roles/save', sensitiveRole)).status, 200)
  const { form: invitedForm } = await createPlayer(site)
  const inviteResponse = await owner.post('/api/admin/staff/invite', {
    user_id: invitedForm.userId,
    role: unassignedRole,
  })
  assert.equal(inviteResponse.status, 202, inviteResponse.text)
})

test('shows a request’s content only to its approvers and to operators with the permission', async () => {
  const { giver, decision } = await requestGift(2011)
  const findRequest = async (operator: Pick<typeof giver, 'get'>) => {
    const { rows } = (await operator.get('/api/admin/approvals?state=waiting')).json()
    return rows.find((row: { approval: number }) => row.approval === decision.approval)
  }
  const moderator = await createOperator(site, 'moderator')
  const hiddenRequest = await findRequest(moderator)
  assert.deepEqual(
    [
      hiddenRequest.shown,
      hiddenRequest.summary,
      hiddenRequest.amount,
      hiddenRequest.input,
      hiddenRequest.effect,
      hiddenRequest.content_hash,
    ],
    [false, '', null, {}, {}, ''],
  )
  assert.deepEqual(
    [hiddenRequest.what, hiddenRequest.requested_by, hiddenRequest.state],
    ['Give R-Coin', giver.form.userId, 'waiting'],
  )
  const permittedOperator = await createOperator(site, await createRole(site, 'money.adjust'))
  assert.equal((await findRequest(permittedOperator)).summary, 'Give 2011')
  assert.equal((await permittedOperator.get('/api/admin/me')).json().waiting.approvals ?? 0, 0)
  const approver = await createOperator(site, 'shop')
  const waitingCount = (await approver.get('/api/admin/me')).json().waiting.approvals
  assert.ok(waitingCount > 0)
  assert.equal((await approver.post('/api/admin/approvals/decide', { ...decision, decision: 'reject' })).status, 200)
  assert.equal((await approver.get('/api/admin/me')).json().waiting.approvals ?? 0, waitingCount - 1)
})

test('creates a custom role, changes it by version, and deletes it once unassigned', async () => {
  const owner = await createOperator(site, OWNER)
  const form = { role: 'writers', name: 'Writers', permissions: ['news.write', 'news.read'], version: null }
  const saveResponse = await owner.post('/api/admin/roles/save', form)
  assert.equal(saveResponse.status, 200, saveResponse.text)
  assert.deepEqual(saveResponse.json().role.permissions, ['news.read', 'news.write'])
  assertRefused(await owner.post('/api/admin/roles/save', form), 422)
  assertRefused(await owner.post('/api/admin/roles/save', { ...form, role: 'shop' }), 422)
  const renamedRole = { ...form, name: 'Reporters', version: 1 }
  const responses = await Promise.all(
    [owner, owner].map((session) => session.post('/api/admin/roles/save', renamedRole)),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409])
  const member = await createOperator(site, 'writers')
  assertRefused(await owner.post('/api/admin/roles/delete', { role: 'writers' }), 409)
  await owner.post('/api/admin/staff/take', { user_num: member.user.UserNum, role: 'writers', reason: 'Done' })
  assert.equal((await owner.post('/api/admin/roles/delete', { role: 'writers' })).status, 200)
})

// Approvals of amounts. Each test gives other amounts, by which it finds its gifts.

const gift = mount(
  declareEndpoint({
    method: 'POST',
    path: '/admin/test-gift',
    approvable: true,
    summary: 'Give R-Coin',
    area: 'tests',
    access: 'money.adjust',
    idempotent: true,
    input: { body: z.object({ userNum: z.number(), amount: z.number(), fails: z.boolean().default(false) }) },
    output: z.object({ given: z.number() }),
  }),
  async ({ userNum, amount, fails }, { deps, record, consumePayout }) => {
    await consumePayout({
      amount,
      kind: 'gift',
      accounts: [userNum],
      summary: `Give ${amount}`,
      effect: { account: userNum, given: amount },
    })
    const key = `given ${userNum}`
    await deps.db
      .insertInto('attempts')
      .values({ key: `${key} ${amount}`, count: 1, ends_at: deps.now() })
      .execute()
    if (fails) throw new Error('The game is offline.')
    record({ target: ['player', userNum], player: userNum, after: { given: amount } })
    return { given: amount }
  },
)
const giveCoins = serveCall(site, gift)
const listGivenAmounts = async () => {
  const rows = await db.selectFrom('attempts').where('key', 'like', 'given %').select('key').execute()
  return rows.map(({ key }) => Number(key.split(' ').at(-1)))
}
const userNum = player.user.UserNum

test('requires an approval when the amounts given in 24 hours exceed the limit', async () => {
  await changeSettings(site, { approval_limit: 1000 })
  const giver = await createOperator(site, 'shop')
  assertRefused(await giveCoins(giver, { userNum: giver.user.UserNum, amount: 1 }), 403)
  assert.equal((await giveCoins(giver, { userNum, amount: 600 })).status, 200)
  const response = await giveCoins(giver, { userNum, amount: 401 })
  assert.equal(response.status, 202, response.text)
  assert.equal((await giveCoins(giver, { userNum, amount: 401 })).json().approval, response.json().approval)
  const responses = await Promise.all([201, 202].map((amount) => giveCoins(giver, { userNum, amount })))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 202])
  assert.ok(!(await listGivenAmounts()).includes(401))
  site.clock.advance(DAY_MS + 1)
  const laterSession = await logInAs(site, giver.form.userId, giver.form.userPassword)
  assert.equal((await giveCoins(laterSession, { userNum, amount: 999 })).status, 200)
  await changeSettings(site, { approvals_on: false })
  assert.equal((await giveCoins(laterSession, { userNum, amount: 5000 })).status, 200)
  await changeSettings(site, { approvals_on: true })
})

/** Requests a gift as a new operator. @returns the operator, and a decision that approves the request */
async function requestGift(amount: number, fields: object = {}) {
  await changeSettings(site, { approval_limit: 1000 })
  const giver = await createOperator(site, 'shop')
  const { approval } = (await giveCoins(giver, { userNum, amount, ...fields })).json()
  const row = await db.selectFrom('approvals').where('approval', '=', approval).selectAll().executeTakeFirstOrThrow()
  return { giver, decision: { approval, decision: 'approve', content_hash: row.content_hash } }
}
const readState = async (approval: number) =>
  (await db.selectFrom('approvals').where('approval', '=', approval).select('state').executeTakeFirst())?.state

test('runs an approved call once, as its requester, even when two approve at once', async () => {
  const { giver, decision } = await requestGift(2001)
  const approvers = [await createOperator(site, 'shop'), await createOperator(site, OWNER)]
  const answers = await Promise.all(approvers.map((approver) => approver.post('/api/admin/approvals/decide', decision)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await listGivenAmounts()).filter((amount) => amount === 2001).length, 1)
  assert.equal((await selectAuditEntries('/admin/test-gift')).at(-1)?.actor_num, giver.user.UserNum)
  assert.equal(await readState(decision.approval), 'done')
})

test('refuses approval by requester, affected account or new operator, or of changed content', async () => {
  const { giver, decision } = await requestGift(2002)
  assertRefused(await giver.post('/api/admin/approvals/decide', decision), 403)
  const youngApprover = await createOperator(site, 'shop', DAY_MS - 60_000)
  assertRefused(await youngApprover.post('/api/admin/approvals/decide', decision), 403)
  const approver = await createOperator(site, 'shop')
  const otherContent = { ...decision, content_hash: 'a'.repeat(64) }
  assertRefused(await approver.post('/api/admin/approvals/decide', otherContent), 409)
  await updateRows(db, 'approvals', { approval: decision.approval }, { accounts: [approver.user.UserNum] })
  assertRefused(await approver.post('/api/admin/approvals/decide', decision), 403)
  await db.updateTable('approvals').set({ accounts: [] }).where('approval', '=', decision.approval).execute()
  await updateRows(
    db,
    'approvals',
    { approval: decision.approval },
    { input: JSON.stringify({ userNum, amount: 9_999_999, fails: false }) },
  )
  assertRefused(await approver.post('/api/admin/approvals/decide', decision), 409)
  assert.ok(!(await listGivenAmounts()).some((amount) => amount === 2002 || amount === 9_999_999))
  assert.equal(await readState(decision.approval), 'waiting')
})

test('ends a request when it is rejected, withdrawn or 7 days old, or its requester loses the role', async () => {
  const approver = await createOperator(site, OWNER)
  const rejectedGift = await requestGift(2003)
  const rejection = { ...rejectedGift.decision, decision: 'reject', note: 'Too much.' }
  assert.equal(
    (await approver.post('/api/admin/approvals/decide', rejection)).json().message,
    'Rejected. Nothing was done.',
  )
  assertRefused(await approver.post('/api/admin/approvals/decide', rejectedGift.decision), 409)

  const withdrawnGift = await requestGift(2004)
  const { approval } = withdrawnGift.decision
  assertRefused(await approver.post('/api/admin/approvals/withdraw', { approval }), 404)
  assert.equal((await withdrawnGift.giver.post('/api/admin/approvals/withdraw', { approval })).status, 200)
  assertRefused(await approver.post('/api/admin/approvals/decide', withdrawnGift.decision), 409)

  const dismissedGift = await requestGift(2005)
  const takeInput = { user_num: dismissedGift.giver.user.UserNum, role: 'shop', reason: 'Left us' }
  // The shop's role may approve, so another owner has to agree.
  const response = await approver.post('/api/admin/staff/take', takeInput)
  assert.equal(response.status, 202, response.text)
  const { approval: takeApproval } = response.json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', takeApproval)
    .select('content_hash')
    .executeTakeFirstOrThrow()
  const otherOwner = await createOperator(site, OWNER)
  const approvalInput = { approval: takeApproval, decision: 'approve', content_hash }
  assert.equal((await otherOwner.post('/api/admin/approvals/decide', approvalInput)).status, 200)
  assertRefused(await approver.post('/api/admin/approvals/decide', dismissedGift.decision), 409)

  const lateGift = await requestGift(2006)
  site.clock.advance(7 * DAY_MS + 1)
  const laterSession = await logInAs(site, approver.form.userId, approver.form.userPassword)
  assertRefused(await laterSession.post('/api/admin/approvals/decide', lateGift.decision), 409)
  assert.ok(!(await listGivenAmounts()).some((amount) => amount >= 2003 && amount <= 2006))
})

test('leaves an approved request waiting if its call fails', async () => {
  const { decision } = await requestGift(2007, { fails: true })
  const approver = await createOperator(site, OWNER)
  assert.equal((await approver.post('/api/admin/approvals/decide', decision)).status, 500)
  assert.deepEqual([await readState(decision.approval), (await listGivenAmounts()).includes(2007)], ['waiting', false])
})

const mint = mount(
  declareEndpoint({
    method: 'POST',
    path: '/admin/test-mint',
    approvable: true,
    summary: 'Make a code',
    area: 'tests',
    access: 'vouchers.mint',
    idempotent: { shownOnce: 'id' },
    input: { body: z.object({ value: z.number() }) },
    output: z.object({ id: z.number(), code: z.string() }),
  }),
  async ({ value }, { record, consumePayout }) => {
    await consumePayout({
      amount: value,
      kind: 'voucher',
      accounts: [],
      summary: `A code of ${value}`,
      effect: { codes: 1, 'R-Coin each': value },
    })
    record({ target: ['campaign', 7] })
    return { id: 7, code: 'SHOWN-ONCE' }
  },
)

test('lets only the requester run an approved call that shows a secret, once', async () => {
  const maker = await createOperator(site, 'shop')
  const { approval } = (await serveCall(site, mint)(maker, { value: 4000 })).json()
  const { content_hash } = await db
    .selectFrom('approvals')
    .where('approval', '=', approval)
    .selectAll()
    .executeTakeFirstOrThrow()
  const approver = await createOperator(site, OWNER)
  const approvalResponse = await approver.post('/api/admin/approvals/decide', {
    approval,
    decision: 'approve',
    content_hash,
  })
  assert.deepEqual([approvalResponse.status, approvalResponse.text.includes('SHOWN-ONCE')], [200, false])
  assertRefused(await approver.post('/api/admin/approvals/run', { approval }), 404)
  const key = { 'Idempotency-Key': 'run-once' }
  assert.deepEqual((await maker.post('/api/admin/approvals/run', { approval }, key)).json(), {
    approval,
    answer: { id: 7, code: 'SHOWN-ONCE' },
  })
  assertRefused(await maker.post('/api/admin/approvals/run', { approval }, key), 409)
  assertRefused(await maker.post('/api/admin/approvals/run', { approval }), 409)
})

// Exports, the audit log and saved filters.

test('exports a filtered list as CSV, requires the list’s permission, and audits the export', async () => {
  const reader = await createOperator(site, await createRole(site, 'audit.read'))
  const answer = await reader.post('/api/admin/export', { list: '/admin/audit', query: { actor: 'gm' } })
  assert.equal(answer.status, 200, answer.text)
  const lines = answer.text.trim().split('\r\n')
  const { count } = await db
    .selectFrom('audit_log')
    .where('actor_num', '=', gm.user.UserNum)
    .select((log) => log.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(lines.length, Number(count) + 1)
  assert.match(lines[0] ?? '', /^\uFEFF?entry,at,actor_kind/)
  assert.match(answer.headers.get('Content-Type') ?? '', /text\/csv/)
  assert.equal((await selectAuditEntries('/admin/export')).at(-1)?.target_id, '/admin/audit')
  assertRefused(await reader.post('/api/admin/export', { list: '/admin/staff' }), 403)
  assertRefused(await reader.post('/api/admin/export', { list: '/user' }), 422)
})

test('exports only lists, and refuses other calls with a message', async () => {
  const owner = await createOperator(site, OWNER)
  for (const { endpoint } of CALLS.filter(
    ({ endpoint: { method, path } }) => method === 'GET' && path.startsWith('/admin/'),
  )) {
    const { status, text } = await owner.post('/api/admin/export', { list: endpoint.path })
    assert.ok([200, 404, 422].includes(status), `${endpoint.path}: ${text}`)
  }
  assertRefused(await owner.post('/api/admin/export', { list: '/admin/me' }), 422, 'There is no such list.')
})

test('escapes cells that a spreadsheet would run, also with full-width or invisible characters', async () => {
  const names = ['=1+1', '＝1+1', '\u200B=1+1', ' @a', '＠a', '＋1', '－1', '\u00ADa']
  const cells = writeCsv(
    ['name'],
    names.map((name) => [name]),
  )
    .split('\r\n')
    .slice(1)
  assert.deepEqual(
    cells.map((cell) => cell.replaceAll('"', '').startsWith("'")),
    [true, true, true, true, true, true, true, false],
  )
  assert.deepEqual(
    cells.map((cell) => readCell(cell.replace(/^"(.*)"$/, '$1'))),
    names,
  )
})

test('lists each action of the audit log once', async () => {
  const { actions } = (await (await createOperator(site, OWNER)).get('/api/admin/audit/actions')).json()
  const { rows } = await sql<{ action: string }>`select distinct action from audit_log`.execute(db)
  assert.deepEqual(
    actions.map(({ action }: { action: string }) => action).toSorted(),
    rows.map(({ action }) => action).toSorted(),
  )
  assert.ok(actions.length > 3)
  const labels = Object.fromEntries(actions.map(({ action, what }: Record<string, string>) => [action, what]))
  assert.equal(labels['/admin/staff/take'], 'Remove role')
  assert.ok(actions.every(({ what }: { what: string }) => !what.startsWith('/')))
})

test('filters the audit log by actor, target, action and day', async () => {
  const reader = await createOperator(site, await createRole(site, 'audit.read'))
  const readEntries = async (query: string) => (await reader.get(`/api/admin/audit?${query}`)).json()
  const allEntries = await readEntries('')
  assert.ok(allEntries.rows.length <= 50)
  const gmEntries = await readEntries('actor=GM&action=/admin/staff')
  assert.ok(gmEntries.rows.length > 0)
  for (const row of gmEntries.rows) assert.deepEqual([row.actor, row.action.startsWith('/admin/staff')], ['gm', true])
  const [{ target_kind, target_id, player_id }] = gmEntries.rows
  assert.ok((await readEntries(`target_kind=${target_kind}&target_id=${target_id}`)).rows.length > 0)
  assert.ok((await readEntries(`player=${player_id}`)).rows.length > 0)
  assert.deepEqual((await readEntries('actor=nobody-like-that')).rows, [])
  assert.deepEqual((await readEntries('until=2020-01-01')).rows, [])
  for (const noDay of ['from=2026-13-01', 'until=2026-02-30', 'until=2026-13-01'])
    assert.deepEqual((await readEntries(noDay)).rows, [], noDay)
  assert.ok(
    (await readEntries('actor=staff')).rows.every((row: { actor_kind: string }) => row.actor_kind === 'command'),
  )
})

test('saved filters belong to a list and are shared', async () => {
  const [newsOperator, supportOperator] = [await createOperator(site, 'news'), await createOperator(site, 'support')]
  const view = { list: '/admin/tickets', name: 'Waiting for long', query: 'state=open&sort=oldest' }
  assert.equal((await newsOperator.post('/api/admin/views/save', view)).status, 200)
  assert.equal((await supportOperator.post('/api/admin/views/save', { ...view, query: 'state=open' })).status, 200)
  const { rows } = (await newsOperator.get('/api/admin/views?list=/admin/tickets')).json()
  assert.deepEqual(
    rows.map(({ name, query }: { name: string; query: string }) => [name, query]),
    [['Waiting for long', 'state=open']],
  )
  assert.equal((await newsOperator.post('/api/admin/views/delete', { view: rows[0].view })).status, 200)
  assertRefused(await supportOperator.post('/api/admin/views/delete', { view: rows[0].view }), 404)
})
