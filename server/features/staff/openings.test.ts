import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { OWNER } from '#contract/permissions.ts'
import { backdateRights, createOperator, createRole } from '#test/desk-helpers.ts'
import { updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
const { db } = site
await changeSettings(site, { require_staff_factor: false })
const firstOwner = await createOperator(site, OWNER)

let downloadCount = 0
/** Adds a download of the game, which another owner has to approve if there is one. @returns the status of the response */
const addDownload = async () => {
  const form = {
    id: null,
    version: 0,
    position: ++downloadCount,
    link_name: `Client ${downloadCount}`,
    link_address: 'https://files.example/client.zip',
    link_type: 'zip',
    link_description: 'The game',
    link_date: '2026-11-20T00:00:00.000Z',
    link_icon: 'download',
    link_version: '',
    link_size: '',
    link_changes: '',
    visible: true,
  }
  return (await firstOwner.post('/api/admin/downloads/save', form)).status
}

test('a second owner counts after opening the desk, with a second factor if it is required', async () => {
  const secondOwner = await createOperator(site, OWNER, undefined, { hasOpenedDesk: false })
  assert.equal(await addDownload(), 200)
  await changeSettings(site, { require_staff_factor: true })
  assert.equal((await secondOwner.get('/api/admin/me')).json().reason, 'factor')
  await changeSettings(site, { require_staff_factor: false })
  assert.equal(await addDownload(), 200)
  assert.equal((await secondOwner.get('/api/admin/today')).status, 200)
  assert.equal(await addDownload(), 202)
  await db.deleteFrom('staff_openings').where('user_num', '=', secondOwner.user.UserNum).execute()
  await db.deleteFrom('staff_members').where('user_num', '=', secondOwner.user.UserNum).execute()
})

test('an owner who has opened the desk counts in every state until the role is removed', async () => {
  const secondOwner = await createOperator(site, OWNER)
  await backdateRights(db)
  const { UserNum: user_num } = secondOwner.user
  const stateChanges = [
    async () => {
      await db.insertInto('staff_suspensions').values({ user_num, suspended_at: site.clock.now() }).execute()
      return () => db.deleteFrom('staff_suspensions').where('user_num', '=', user_num).execute()
    },
    async () => {
      await updateRows(db, 'accounts', { user_num }, { blocked_at: site.clock.now() })
      return () => updateRows(db, 'accounts', { user_num }, { blocked_at: null })
    },
    async () => {
      await changeSettings(site, { require_staff_factor: true })
      await changeSettings(site, { require_staff_factor: false })
      return async () => {}
    },
    async () => {
      await db.deleteFrom('sessions').where('user_num', '=', user_num).execute()
      return async () => {}
    },
  ]
  for (const changeState of stateChanges) {
    const restoreState = await changeState()
    assert.ok([202, 409].includes(await addDownload()))
    await restoreState()
  }
  const response = await firstOwner.post('/api/admin/staff/take', { user_num, role: OWNER, reason: 'Left.' })
  assert.equal(response.status, 409, response.text)
})

test('an approver counts until another owner agrees to remove the role or its permission', async () => {
  const otherSite = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
  await changeSettings(otherSite, { require_staff_factor: false })
  const owner = await createOperator(otherSite, OWNER)
  const role = await createRole(otherSite, 'approvals.decide', 'orders.read')
  const approver = await createOperator(otherSite, role)
  await backdateRights(otherSite.db)
  const takeRole = () =>
    owner.post('/api/admin/staff/take', { user_num: approver.user.UserNum, role, reason: 'They left the team.' })
  const removePermission = async () => {
    const { version } = await otherSite.db
      .selectFrom('staff_roles')
      .where('role', '=', role)
      .select('version')
      .executeTakeFirstOrThrow()
    return owner.post('/api/admin/roles/save', { role, name: 'Approvers', permissions: ['orders.read'], version })
  }
  for (const change of [takeRole, removePermission]) {
    const response = await change()
    assert.equal(response.status, 409, response.text)
    assert.match(response.json().message, new RegExp(`npm run staff -- take ${approver.user.UserID} ${role}`))
  }
  await createOperator(otherSite, OWNER)
  for (const change of [takeRole, removePermission]) assert.equal((await change()).status, 202)
})

test('an owner can withdraw Owner without approval until the invited owner has opened the desk', async () => {
  const otherSite = await createTestApp({ world: 'empty', env: { RATE_LIMIT: 'off' } })
  await changeSettings(otherSite, { require_staff_factor: false })
  const soleOwner = await createOperator(otherSite, OWNER)
  const invitedOwner = await createOperator(otherSite, OWNER, DAY_MS, { hasOpenedDesk: false })
  const { UserNum: user_num } = invitedOwner.user
  const response = await soleOwner.post('/api/admin/staff/take', {
    user_num,
    role: OWNER,
    reason: 'The wrong account.',
  })
  assert.equal(response.status, 200, response.text)
  const openings = await otherSite.db.selectFrom('staff_openings').select('user_num').execute()
  assert.deepEqual(openings, [{ user_num: soleOwner.user.UserNum }])
})
