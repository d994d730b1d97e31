import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import { ROLE_OFFER_TEXTS } from '#contract/role-offers.ts'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { runCommand } from '#server/commands.ts'
import { assertRefused, createPlayer, logInAs, tryLogin } from '#test/account-helpers.ts'
import { createOperator, createRole, STAFF_TEST_PASSWORD } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db } = site
const owner = await createOperator(site, OWNER)

const invite = async (user_id: string, role: string) => {
  const answer = await owner.post('/api/admin/staff/invite', { user_id, role })
  assert.equal(answer.status, 200, answer.text)
}
const countRows = async (table: 'staff_members' | 'role_offers', userNum: number) =>
  (await db.selectFrom(table).where('user_num', '=', userNum).select('role').execute()).length

test('opens the desk only after the player accepts the role with the password', async () => {
  const player = await createPlayer(site, {
    userPassword: STAFF_TEST_PASSWORD,
    userPasswordConfirm: STAFF_TEST_PASSWORD,
  })
  await invite(player.form.userId, 'news')
  const deniedResponse = await player.get('/api/admin/me')
  assert.deepEqual([deniedResponse.status, deniedResponse.json().reason], [403, 'offer'])
  assert.equal((await player.get('/api/role-offers')).json().offers[0].name, 'News')
  assertRefused(await player.post('/api/role-offers/accept', { role: 'news', UserPass: 'wrong-one' }), 422)
  assertRefused(
    await player.post('/api/role-offers/accept', { role: 'shop', UserPass: STAFF_TEST_PASSWORD }),
    404,
    ROLE_OFFER_TEXTS.noOffer,
  )
  assert.equal(await countRows('staff_members', player.user.UserNum), 0)

  const acceptResponse = await player.post('/api/role-offers/accept', { role: 'news', UserPass: STAFF_TEST_PASSWORD })
  assert.equal(acceptResponse.status, 200, acceptResponse.text)
  const me = await site.send('/api/admin/me', { headers: { Authorization: `Bearer ${acceptResponse.json().token}` } })
  assert.deepEqual(me.json().roles, ['news'])
  assert.notEqual(me.json().confirmed_until, null)
  assert.equal(await countRows('role_offers', player.user.UserNum), 0)
})

test('requires a new password in the same call when the current one is too weak for staff', async () => {
  const { form, user, post } = await createPlayer(site)
  const otherSession = await logInAs(site, form.userId, form.userPassword)
  await invite(form.userId, 'news')
  const accept = (NewUserPass?: string) =>
    post('/api/role-offers/accept', { role: 'news', UserPass: form.userPassword, NewUserPass })
  assertRefused(await accept(), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assertRefused(await accept('bagong-7'), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assertRefused(await accept('password1234'), 422, STAFF_PASSWORD_TEXTS.common)
  assert.equal(await countRows('staff_members', user.UserNum), 0, 'the player does not have the role yet')
  const acceptResponse = await accept(STAFF_TEST_PASSWORD)
  assert.equal(acceptResponse.status, 200, acceptResponse.text)
  assertRefused(await otherSession.get('/api/user'), 401)
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).token, null)
  assert.equal((await (await logInAs(site, form.userId, STAFF_TEST_PASSWORD)).get('/api/admin/me')).status, 200)
})

test('an operator with a short password gets another role only after replacing the password', async () => {
  const operator = await createOperator(site, 'news')
  const secondRole = await createRole(site, 'events.write')
  await invite(operator.form.userId, secondRole)
  const me = await operator.get('/api/admin/me')
  assert.deepEqual([me.json().roles, me.json().offers], [['news'], [secondRole]])
  const accept = { role: secondRole, UserPass: operator.form.userPassword }
  assertRefused(await operator.post('/api/role-offers/accept', accept), 422, STAFF_PASSWORD_TEXTS.tooShort)
  assert.equal(
    (await operator.post('/api/role-offers/accept', { ...accept, NewUserPass: STAFF_TEST_PASSWORD })).status,
    200,
  )
})

test('an account stays a player when its offer is withdrawn or declined', async () => {
  const player = await createPlayer(site, {
    userPassword: STAFF_TEST_PASSWORD,
    userPasswordConfirm: STAFF_TEST_PASSWORD,
  })
  for (const endOffer of [
    () => owner.post('/api/admin/staff/take', { user_num: player.user.UserNum, role: 'news', reason: 'Mistake' }),
    () => player.post('/api/role-offers/decline', { role: 'news' }),
  ]) {
    await invite(player.form.userId, 'news')
    assert.equal((await endOffer()).status, 200)
    assert.equal(await countRows('role_offers', player.user.UserNum), 0)
    assert.equal((await player.get('/api/user')).status, 200, 'the player stays logged in')
    assertRefused(
      await player.post('/api/role-offers/accept', { role: 'news', UserPass: STAFF_TEST_PASSWORD }),
      404,
      ROLE_OFFER_TEXTS.noOffer,
    )
  }
})

test('protects an account with an offer in the same way as an operator’s account', async () => {
  const player = await createPlayer(site)
  await invite(player.form.userId, 'news')
  const helper = await createOperator(
    site,
    await createRole(site, 'players.recover', 'players.personal', 'players.read'),
  )
  const { UserNum: user_num, UserID: user_id } = player.user
  const reason = 'They asked.'
  const email = { user_num, from: player.form.userEmail, email: 'thief@ring.example', reason }
  const erasure = { user_num, user_id, rename_characters: false, reason }
  for (const [path, body] of [
    ['change-email', email],
    ['erase', erasure],
  ] as const)
    assertRefused(await helper.post(`/api/admin/players/${path}`, body), 403)
})

test('requires an approval to give a sensitive permission to a role with an open offer', async () => {
  const role = await createRole(site, 'news.write')
  const { form } = await createPlayer(site)
  await invite(form.userId, role)
  await createOperator(site, OWNER)
  const change = { role, name: 'Helpers', permissions: ['news.write', 'money.adjust'], version: 1 }
  assert.equal((await owner.post('/api/admin/roles/save', change)).status, 202)
  assertRefused(await owner.post('/api/admin/roles/delete', { role }), 409)
})

test('an owner appointed at the terminal must accept too, even when no other owner is left', async () => {
  const { form, user, post } = await createPlayer(site)
  const context = { db, now: site.clock.now(), site: { appName: 'Tambayan', publicUrl: 'https://play.example.ph' } }
  assert.equal((await runCommand(context, ['staff', 'owner', form.userId])).ok, true)
  assert.equal(await countRows('staff_members', user.UserNum), 0)
  const owners = await db
    .selectFrom('staff_members')
    .innerJoin('accounts', 'accounts.user_num', 'staff_members.user_num')
    .where('role', '=', OWNER)
    .select('user_id')
    .execute()
  for (const { user_id } of owners)
    assert.equal((await runCommand(context, ['staff', 'take', user_id, OWNER])).ok, true, user_id)
  const accept = { role: OWNER, UserPass: form.userPassword, NewUserPass: STAFF_TEST_PASSWORD }
  assert.equal((await post('/api/role-offers/accept', accept)).status, 200)
  assert.equal(await countRows('staff_members', user.UserNum), 1)
})

test('concurrent acceptances of an offer give the role once', async () => {
  const player = await createPlayer(site, {
    userPassword: STAFF_TEST_PASSWORD,
    userPasswordConfirm: STAFF_TEST_PASSWORD,
  })
  await db
    .insertInto('role_offers')
    .values({ user_num: player.user.UserNum, role: 'news', offered_by: null, offered_at: site.clock.now() })
    .execute()
  const accept = () => player.post('/api/role-offers/accept', { role: 'news', UserPass: STAFF_TEST_PASSWORD })
  const answers = await Promise.all([accept(), accept(), accept()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
})
