import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { runCommand } from '#server/commands.ts'
import { assertRefused, createPlayer, logInAs, selectMailsTo } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { addAuthenticatorApp } from '#test/factor-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const reason = 'Requested in a ticket.'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site

/** Removes the roles of all operators, and creates new owners. */
async function hireOwners(count: number) {
  for (const table of ['staff_suspensions', 'approvals', 'staff_members'] as const) await db.deleteFrom(table).execute()
  await db.updateTable('accounts').set({ user_type: 1 }).where('user_type', '>=', 11).execute()
  await changeSettings(site, { require_staff_factor: false })
  const owners = []
  for (let nth = 0; nth < count; nth++) owners.push(await createOperator(site, OWNER))
  return owners
}
type Operator = Awaited<ReturnType<typeof createOperator>>

const toTarget = ({ user, form }: Operator) => ({ user_num: user.UserNum, email: form.userEmail })

/** Returns the calls that reach into an account, with their input for a target. */
const listAccountCalls = (target: Operator) => {
  const { user_num, email } = toTarget(target)
  return [
    ['change-email', { user_num, from: email, email: `thief${user_num}@example.net`, reason }],
    ['reset', { user_num, reason }],
    ['confirm-email', { user_num, email, reason }],
    ['block', { user_num, block: null, reason, ends_at: null }],
    ['request-export', { user_num, reason }],
  ] as const
}

test('operators who manage staff cannot take over an owner, even with another approver', async () => {
  const [maria, pia] = (await hireOwners(2)) as [Operator, Operator]
  const thief = await createOperator(
    site,
    await createRole(site, 'staff.write', 'players.recover', 'players.block', 'players.personal', 'audit.read'),
  )
  const approver = await createOperator(site, await createRole(site, 'approvals.decide'))
  await addAuthenticatorApp(site, maria)
  const before = await db
    .selectFrom('accounts')
    .where('user_num', '=', maria.user.UserNum)
    .select(['user_email', 'password_hash', 'has_factor', 'blocked_at'])
    .executeTakeFirst()
  const calls = [...listAccountCalls(maria), ['remove-factors', { user_num: maria.user.UserNum, reason }] as const]
  for (const [name, body] of calls) {
    const answer = await thief.post(`/api/admin/players/${name}`, body)
    assert.equal(answer.status, 202, `${name}: ${answer.text}`)
  }
  const revokeInput = { user_num: maria.user.UserNum, role: OWNER, reason }
  assertRefused(await thief.post('/api/admin/staff/take', revokeInput), 403)
  assertRefused(await thief.get(`/api/admin/players/export?user_num=${maria.user.UserNum}`), 403)
  const requests = await db.selectFrom('approvals').where('state', '=', 'waiting').selectAll().execute()
  assert.equal(requests.length, calls.length)
  for (const { approval, content_hash, accounts, only_owner } of requests) {
    assert.deepEqual([accounts, only_owner], [[maria.user.UserNum], true])
    const decision = { approval, decision: 'approve', content_hash }
    for (const operator of [thief, approver, maria])
      assertRefused(await operator.post('/api/admin/approvals/decide', decision), 403)
  }
  const after = await db
    .selectFrom('accounts')
    .where('user_num', '=', maria.user.UserNum)
    .select(['user_email', 'password_hash', 'has_factor', 'blocked_at'])
    .executeTakeFirst()
  assert.deepEqual(after, before)
  const newAddress = `thief${maria.user.UserNum}@example.net`
  assert.deepEqual(await selectMailsTo(site, newAddress), [])

  // The approved change is made, and both addresses are notified.
  const request = requests.find(({ call }) => call.endsWith('change-email'))
  const response = await pia.post('/api/admin/approvals/decide', {
    approval: request?.approval,
    decision: 'approve',
    content_hash: request?.content_hash,
  })
  assert.equal(response.status, 200, response.text)
  const listSubjectsTo = async (address: string) =>
    (await selectMailsTo(site, address)).map(({ subject }) => subject.split(' |')[0])
  assert.ok((await listSubjectsTo(maria.form.userEmail)).includes('Your email address was changed'))
  assert.deepEqual((await listSubjectsTo(newAddress)).toSorted(), ['Verify your email address', 'Your staff account'])
})

test('one of two owners cannot take over the other, but the staff command can remove a role', async () => {
  const [maria, pia] = (await hireOwners(2)) as [Operator, Operator]
  await addAuthenticatorApp(site, pia)
  for (const [name, body] of listAccountCalls(pia)) {
    const answer = await maria.post(`/api/admin/players/${name}`, body)
    assertRefused(answer, 409)
    assert.match(answer.json().message, /npm run staff -- take \w+ owner\.$/, name)
  }
  const revokeInput = { user_num: pia.user.UserNum, role: OWNER, reason }
  assertRefused(await maria.post('/api/admin/staff/take', revokeInput), 409)
  assertRefused(await maria.get(`/api/admin/players/export?user_num=${pia.user.UserNum}`), 409)

  // A suspension before the call does not help either.
  assert.equal((await maria.post('/api/admin/staff/suspend', { user_num: pia.user.UserNum, reason })).status, 200)
  assertRefused(await maria.post('/api/admin/players/reset', { user_num: pia.user.UserNum, reason }), 409)
  assertRefused(await maria.post('/api/admin/staff/take', revokeInput), 409)

  const commandContext = { db, now: site.now(), site: { appName: 'Tambayan', publicUrl: site.publicUrl } }
  const runStaffCommand = (...args: string[]) => runCommand(commandContext, ['staff', ...args])
  assert.deepEqual(await runStaffCommand('take', pia.form.userId, 'shop'), {
    ok: false,
    lines: [`${pia.form.userId} does not have the role shop. Their roles: owner.`],
  })
  const player = await createPlayer(site)
  assert.deepEqual(await runStaffCommand('take', player.form.userId, 'shop'), {
    ok: false,
    lines: [`${player.form.userId} has no role at the desk.`],
  })
  assert.equal((await runStaffCommand('owner', player.form.userId)).ok, true)
  assert.deepEqual(await runStaffCommand('take', player.form.userId, 'shop'), {
    ok: false,
    lines: [`${player.form.userId} does not have the role shop. Their roles: owner (not accepted).`],
  })
  assert.equal((await runStaffCommand('take', player.form.userId, OWNER)).ok, true)
  // Uses the name of the role as the desk writes it.
  assert.equal((await runStaffCommand('take', pia.form.userId, 'Owner')).ok, true)
  const terminalResult = await runStaffCommand('take', maria.form.userId, OWNER)
  assert.match(terminalResult.lines.join(), /last owner/)
  const roles = await db.selectFrom('staff_members').select(['user_num', 'role']).execute()
  assert.deepEqual(roles, [{ user_num: maria.user.UserNum, role: OWNER }])
  const [entry] = await db
    .selectFrom('audit_log')
    .where('action', '=', 'staff take')
    .where('player', '=', pia.user.UserNum)
    .selectAll()
    .execute()
  assert.deepEqual(entry?.changes, [
    { field: 'roles', before: [OWNER], after: [] },
    { field: 'suspended', before: true, after: false },
  ])
  for (const { form } of [maria, pia]) {
    const mails = (await selectMailsTo(site, form.userEmail)).map(({ body_text }) => body_text).join()
    assert.match(mails, new RegExp(`${pia.form.userId} no longer has the role owner\\.`), form.userId)
    assert.match(mails, /A command on the site’s server did this/)
  }
})

test('lets the only owner help the other operators without approval', async () => {
  const [maria] = (await hireOwners(1)) as [Operator]
  const supportOperator = await createOperator(site, 'support')
  const answer = await maria.post('/api/admin/players/reset', { user_num: supportOperator.user.UserNum, reason })
  assert.equal(answer.status, 200, answer.text)
  assert.ok(
    (await selectMailsTo(site, supportOperator.form.userEmail)).some(({ subject }) =>
      subject.startsWith('Your staff account'),
    ),
  )
})

test('does not remove the role, access or second factor of the last owner who can open the desk', async () => {
  const [maria, pia] = (await hireOwners(2)) as [Operator, Operator]
  const manager = await createOperator(site, await createRole(site, 'staff.write', 'players.block', 'players.recover'))
  assert.equal((await maria.post('/api/admin/staff/suspend', { user_num: pia.user.UserNum, reason })).status, 200)
  const { user_num } = toTarget(maria)
  const block = { user_num, block: null, reason, ends_at: null }
  const assertLastOwner = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.equal(status, 409, text)
    assert.match(text, /last owner who can open the desk/)
  }
  await assertLastOwner(manager.post('/api/admin/players/block', block))
  const endsAt = new Date(site.now().getTime() + DAY_MS).toISOString()
  await assertLastOwner(manager.post('/api/admin/players/block', { ...block, ends_at: endsAt }))
  assertRefused(await manager.post('/api/admin/staff/take', { user_num, role: OWNER, reason }), 403)

  // A desk that requires a second factor needs an owner who has one.
  const factorSetting = await db
    .selectFrom('settings')
    .where('name', '=', 'require_staff_factor')
    .selectAll()
    .executeTakeFirst()
  const turnOn = () =>
    maria.post('/api/admin/settings/staff/save', {
      changes: [{ name: 'require_staff_factor', version: factorSetting?.version ?? 0, value: true }],
    })
  assertRefused(await turnOn(), 409, 'No owner has set up a second factor yet, so no one could open the desk.')
  await addAuthenticatorApp(site, maria)
  const answers = await Promise.all([turnOn(), maria.get('/api/factors')])
  assert.equal(answers[0].status, 200, answers[0].text)
  const [ownFactor] = answers[1].json().factors
  assertRefused(await maria.post('/api/factors/remove', { id: ownFactor.id }), 409)
  await addAuthenticatorApp(site, manager)
  await assertLastOwner(manager.post('/api/admin/players/remove-factors', { user_num, reason }))
})

test('only one of two owners succeeds if they suspend each other at once', async () => {
  const [maria, pia] = (await hireOwners(2)) as [Operator, Operator]
  const suspend = (operator: Operator, colleague: Operator) =>
    operator.post('/api/admin/staff/suspend', { user_num: colleague.user.UserNum, reason })
  const answers = await Promise.all([suspend(maria, pia), suspend(pia, maria)])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join())
  assert.equal((await db.selectFrom('staff_suspensions').selectAll().execute()).length, 1)
})

test('a third owner who approves that two owners block each other can still open the desk', async () => {
  const [ana, ben, carla] = (await hireOwners(3)) as [Operator, Operator, Operator]
  await db.deleteFrom('staff_suspensions').execute()
  const block = (operator: Operator, colleague: Operator) =>
    operator.post('/api/admin/players/block', { user_num: colleague.user.UserNum, block: null, reason, ends_at: null })
  const blocks = await Promise.all([block(ana, ben), block(ben, ana)])
  assert.deepEqual(
    blocks.map(({ status }) => status),
    [202, 202],
  )
  const requests = await db.selectFrom('approvals').selectAll().execute()
  const decisions = await Promise.all(
    requests.map(({ approval, content_hash }) =>
      carla.post('/api/admin/approvals/decide', { approval, content_hash, decision: 'approve' }),
    ),
  )
  assert.ok(decisions.some(({ status }) => status === 200))
  assert.equal((await carla.get('/api/admin/me')).status, 200)
})

test('lets an owner suspend another owner once a day without approval, and a third owner undo it', async () => {
  const [maria, pia, nina] = (await hireOwners(3)) as [Operator, Operator, Operator]
  const newsOperator = await createOperator(site, 'news')
  const suspend = (operator: Operator, colleague: Operator) =>
    operator.post('/api/admin/staff/suspend', { user_num: colleague.user.UserNum, reason })
  const restore = (operator: Operator, colleague: Operator) =>
    operator.post('/api/admin/staff/restore', { user_num: colleague.user.UserNum, reason })
  const manager = await createOperator(site, await createRole(site, 'staff.write'))
  assertRefused(await suspend(manager, newsOperator), 403, 'Only an owner can do this.')
  assertRefused(await suspend(maria, maria), 403, 'You cannot suspend yourself.')
  assert.equal((await suspend(maria, pia)).status, 200)
  assertRefused(await suspend(nina, pia), 409, 'Their access is already suspended.')
  assertRefused(await pia.get('/api/admin/me'), 401)
  const suspendedOperator = await logInAs(site, pia.form.userId, pia.form.userPassword)
  assertRefused(await suspendedOperator.get('/api/admin/me'), 403, 'An owner has suspended your access to the desk.')
  assertRefused(await suspendedOperator.post('/api/admin/staff/restore', { user_num: pia.user.UserNum, reason }), 403)
  for (const owner of [maria, pia, nina])
    assert.ok(
      (await selectMailsTo(site, owner.form.userEmail)).some(({ subject }) => /can no longer open/.test(subject)),
    )
  const rows = (await nina.get('/api/admin/staff')).json().rows
  const row = rows.find((owner: { user_num: number }) => owner.user_num === pia.user.UserNum)
  assert.deepEqual([row.suspended_by, row.suspended_at], [maria.form.userId, site.now().toISOString()])

  assert.equal((await restore(nina, pia)).status, 200)
  assertRefused(await restore(nina, pia), 409, 'Their access is not suspended.')
  assert.equal((await suspendedOperator.get('/api/admin/me')).status, 200)
  assertRefused(await suspend(maria, pia), 409)
  assert.equal((await suspend(maria, newsOperator)).status, 200)
  const actions = await db
    .selectFrom('audit_log')
    .where('player', 'in', [pia.user.UserNum, newsOperator.user.UserNum])
    .where('target_kind', '=', 'staff')
    .select('action')
    .execute()
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['/admin/staff/suspend', '/admin/staff/restore', '/admin/staff/suspend'],
  )
  const commandContext = { db, now: site.now(), site: { appName: 'Tambayan', publicUrl: site.publicUrl } }
  assert.equal((await runCommand(commandContext, ['staff', 'restore', newsOperator.form.userId])).ok, true)
  assert.equal((await runCommand(commandContext, ['staff', 'restore', newsOperator.form.userId])).ok, false)

  // The same rule applies to logging a colleague out.
  const logout = () => maria.post('/api/admin/players/logout', { user_num: nina.user.UserNum, reason })
  assert.equal((await logout()).status, 200)
  assert.ok((await selectMailsTo(site, pia.form.userEmail)).some(({ subject }) => /was logged out/.test(subject)))
  assertRefused(await logout(), 409)
})

test('an owner’s approval allows the export of a colleague’s data for a day', async () => {
  const [maria, pia] = (await hireOwners(2)) as [Operator, Operator]
  const supportOperator = await createOperator(site, 'support')
  const { user_num } = toTarget(supportOperator)
  const exportData = () => maria.get(`/api/admin/players/export?user_num=${user_num}`)
  assertRefused(await exportData(), 403)
  const response = await maria.post('/api/admin/players/request-export', { user_num, reason })
  assert.equal(response.status, 202, response.text)
  const request = await db.selectFrom('approvals').selectAll().executeTakeFirstOrThrow()
  const decision = { approval: request.approval, content_hash: request.content_hash, decision: 'approve' }
  assert.equal((await pia.post('/api/admin/approvals/decide', decision)).status, 200)
  assert.equal((await exportData()).status, 200)
  assertRefused(await pia.get(`/api/admin/players/export?user_num=${user_num}`), 403)
  assert.ok((await selectMailsTo(site, supportOperator.form.userEmail)).length > 0)
  site.clock.advance(DAY_MS + 1000)
  const laterSession = await logInAs(site, maria.form.userId, maria.form.userPassword)
  assertRefused(await laterSession.get(`/api/admin/players/export?user_num=${user_num}`), 403)
})
