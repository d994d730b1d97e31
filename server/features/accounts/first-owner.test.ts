import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { DAY_MS } from '#contract/durations.ts'
import { FIRST_OWNER_TEXTS } from '#contract/first-owner.ts'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { runCommand } from '#server/commands.ts'
import { assertRefused, registerPlayer, selectMailsTo } from '#test/account-helpers.ts'
import { generateCode, tryFactor } from '#test/factor-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { createFirstOwnerToken } from './first-owner.ts'

const site = await createTestApp({ world: 'empty', env: { DEMO: '0' } })

let testCount = 0

// Each test begins with a site that has no owner.
beforeEach(async () => {
  testCount++
  for (const table of ['staff_members', 'first_owner'] as const) await site.db.deleteFrom(table).execute()
})

/** Returns the token of the link that a start prints. */
async function createLinkToken(): Promise<string> {
  const token = await createFirstOwnerToken(site.db, site.clock.now())
  assert.ok(token !== null)
  return token
}

async function createForm(token: string, values: Record<string, unknown> = {}) {
  const { secret } = (await site.post('/api/first-owner/app', { word: token })).json()
  return {
    word: token,
    userId: `may_ari_${testCount}`,
    userEmail: `may${testCount}@example.ph`,
    userPassword: 'bahay-kubo-munti',
    userPasswordConfirm: 'bahay-kubo-munti',
    secretQuestion: 1,
    secretAnswer: 'asul',
    secret,
    code: generateCode(secret, site.clock.now()),
    ...values,
  }
}

const createOwner = (form: unknown) => site.post('/api/first-owner', form)
const assertLinkInvalid = async (token: unknown) => {
  for (const path of ['/api/first-owner', '/api/first-owner/app'])
    assertRefused(await site.post(path, { word: token }), 404, FIRST_OWNER_TEXTS.linkInvalid)
}

test('the link creates an owner with a session, a second factor and the desk (DESK-12)', async () => {
  const token = await createLinkToken()
  const form = await createForm(token)
  const response = await createOwner(form)
  assert.equal(response.status, 200, response.text)
  const { data, recovery_codes } = response.json()
  assert.deepEqual([data.status, data.user.UserID], [11, form.userId])
  assert.equal(data.user.email_verified_at, site.clock.now().toISOString())
  assert.equal(new Set(recovery_codes).size, 10)
  assert.equal(response.headers.get('Cache-Control'), 'no-store')
  const me = await site.get('/api/admin/me', { Authorization: `Bearer ${data.token}` })
  assert.deepEqual([me.status, me.json().roles], [200, ['owner']])
  assert.equal((await selectMailsTo(site, form.userEmail)).length, 0, 'there is no mail server yet')

  const loginAnswer = (
    await site.post('/api/processlogin', { UserID: form.userId, UserPass: 'bahay-kubo-munti' })
  ).json().data
  assert.deepEqual(loginAnswer.factors, ['totp', 'recovery'])
  const replayAnswer = await tryFactor(site, { challenge: loginAnswer.challenge, code: form.code })
  assert.equal(replayAnswer.token, null, 'the code of the form is used up')
  assert.equal((await tryFactor(site, { challenge: loginAnswer.challenge, code: recovery_codes[3] })).status, 11)

  const entry = await site.db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([entry.action, entry.actor_num], ['first owner', data.user.UserNum])
})

test('after the site has had an owner, both calls answer 404 and a start prints no link', async () => {
  const token = await createLinkToken()
  const form = await createForm(token)
  assert.equal((await createOwner(form)).status, 200)
  assertRefused(await createOwner(form), 404, FIRST_OWNER_TEXTS.linkInvalid)
  for (const wrongToken of [token, 'x', undefined, null, 7, ['x']]) await assertLinkInvalid(wrongToken)
  // The link does not come back when the owner loses the role.
  await site.db.deleteFrom('staff_members').execute()
  assert.equal(await createFirstOwnerToken(site.db, site.clock.now()), null)
  await assertLinkInvalid(token)
})

test('appointing an owner at the terminal ends the link', async () => {
  const token = await createLinkToken()
  const form = await createForm(token)
  await registerPlayer(site, { userId: 'bantay' })
  const context = { db: site.db, now: site.clock.now(), site: { appName: 'x', publicUrl: 'x' } }
  assert.equal((await runCommand(context, ['staff', 'owner', 'bantay'])).ok, true)
  assertRefused(await createOwner(form), 404, FIRST_OWNER_TEXTS.linkInvalid)
  assert.equal(await createFirstOwnerToken(site.db, site.clock.now()), null)
})

test('only one of two concurrent uses of the link creates an owner', async () => {
  const token = await createLinkToken()
  const forms = await Promise.all([
    createForm(token),
    createForm(token, { userId: 'iba_pa', userEmail: 'iba@example.ph' }),
  ])
  const answers = await Promise.all(forms.map((form) => createOwner(form)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  const ids = forms.map(({ userId }) => userId)
  const accounts = await site.db.selectFrom('accounts').where('user_id', 'in', ids).select('has_factor').execute()
  assert.deepEqual(accounts, [{ has_factor: true }])
  assert.equal((await site.db.selectFrom('staff_members').selectAll().execute()).length, 1)
})

test('the link expires after 24 hours or when the next start prints another', async () => {
  const firstToken = await createLinkToken()
  const secondToken = await createLinkToken()
  await assertLinkInvalid(firstToken)
  site.clock.advance(DAY_MS - 1000)
  const form = await createForm(secondToken)
  site.clock.advance(1000)
  assertRefused(
    await createOwner({ ...form, code: generateCode(form.secret, site.clock.now()) }),
    404,
    FIRST_OWNER_TEXTS.linkInvalid,
  )
  await assertLinkInvalid(secondToken)
  assert.equal((await createOwner(await createForm(await createLinkToken()))).status, 200)
})

test('the database stores only the hash of the token', async () => {
  const token = await createLinkToken()
  assert.equal(Buffer.from(token, 'base64url').length, 32)
  const rows = await site.db.selectFrom('first_owner').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(token))
})

test('reports each mistake at its field and leaves the link valid', async () => {
  await registerPlayer(site, { userId: 'nauna', userEmail: 'nauna@example.ph' })
  const token = await createLinkToken()
  const form = await createForm(token)
  const readErrors = async (values: object) => (await createOwner({ ...form, ...values })).json()['form-error']
  assert.deepEqual(Object.keys(await readErrors({ userId: '', userPassword: 'x', code: ' ' })), [
    'userId',
    'userPassword',
    'code',
  ])
  const values = { userId: 'unang_may_ari', userPassword: 'UNANG_MAY_ARI', userPasswordConfirm: 'x' }
  assert.deepEqual(Object.keys(await readErrors(values)), ['userPassword', 'userPasswordConfirm'])
  for (const [userPassword, text] of [
    ['12345', STAFF_PASSWORD_TEXTS.tooShort],
    ['elevenchars', STAFF_PASSWORD_TEXTS.tooShort],
    ['password1234', STAFF_PASSWORD_TEXTS.common],
  ] as const)
    assert.equal((await readErrors({ userPassword, userPasswordConfirm: userPassword })).userPassword[0], text)
  assert.deepEqual(Object.keys(await readErrors({ userId: 'NAUNA' })), ['userId'])
  assert.deepEqual(Object.keys(await readErrors({ userEmail: 'Nauna@example.ph' })), ['userEmail'])
  assert.deepEqual(Object.keys(await readErrors({ code: '000000' })), ['code'])
  assert.deepEqual(Object.keys(await readErrors({ secret: 'JBSWY3DPEHPK3PXP' })), ['secret'])
  assert.equal((await createOwner(form)).status, 200)
})
