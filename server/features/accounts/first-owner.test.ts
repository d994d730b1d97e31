import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { FIRST_OWNER_TEXTS } from '#contract/first-owner.ts'
import { STAFF_PASSWORD_TEXTS } from '#contract/staff-passwords.ts'
import { runCommand } from '#server/commands.ts'
import { assertRefused, mailsTo, registerPlayer } from '#test/account-helpers.ts'
import { generateCode, tryFactor } from '#test/factor-helpers.ts'
import { createTestApp } from '#test/helpers.ts'
import { offerFirstOwner } from './first-owner.ts'

const site = await createTestApp({ world: 'empty', env: { DEMO: '0' } })

let turn = 0

// Each test begins with a site that has no owner.
beforeEach(async () => {
  turn++
  for (const table of ['staff_members', 'first_owner'] as const) await site.db.deleteFrom(table).execute()
})

/** Returns the token of the link that a start prints. */
async function printedWord(): Promise<string> {
  const word = await offerFirstOwner(site.db, site.clock.now())
  assert.ok(word !== null)
  return word
}

async function formFor(word: string, values: Record<string, unknown> = {}) {
  const { secret } = (await site.post('/api/first-owner/app', { word })).json()
  return {
    word,
    userId: `may_ari_${turn}`,
    userEmail: `may${turn}@example.ph`,
    userPassword: 'bahay-kubo-munti',
    userPasswordConfirm: 'bahay-kubo-munti',
    secretQuestion: 1,
    secretAnswer: 'asul',
    secret,
    code: generateCode(secret, site.clock.now()),
    ...values,
  }
}

const make = (form: unknown) => site.post('/api/first-owner', form)
const assertGone = async (word: unknown) => {
  for (const path of ['/api/first-owner', '/api/first-owner/app'])
    assertRefused(await site.post(path, { word }), 404, FIRST_OWNER_TEXTS.linkInvalid)
}

test('the link makes an owner who is logged in, has a second factor and can open the desk (DESK-12)', async () => {
  const word = await printedWord()
  const form = await formFor(word)
  const made = await make(form)
  assert.equal(made.status, 200, made.text)
  const { data, recovery_codes } = made.json()
  assert.deepEqual([data.status, data.user.UserID], [11, form.userId])
  assert.equal(data.user.email_verified_at, site.clock.now().toISOString())
  assert.equal(new Set(recovery_codes).size, 10)
  assert.equal(made.headers.get('Cache-Control'), 'no-store')
  const me = await site.get('/api/admin/me', { Authorization: `Bearer ${data.token}` })
  assert.deepEqual([me.status, me.json().roles], [200, ['owner']])
  assert.equal((await mailsTo(site, form.userEmail)).length, 0, 'there is no mail server yet')

  const again = (await site.post('/api/processlogin', { UserID: form.userId, UserPass: 'bahay-kubo-munti' })).json()
    .data
  assert.deepEqual(again.factors, ['totp', 'recovery'])
  const replayed = await tryFactor(site, { challenge: again.challenge, code: form.code })
  assert.equal(replayed.token, null, 'the code that made the owner is used up')
  assert.equal((await tryFactor(site, { challenge: again.challenge, code: recovery_codes[3] })).status, 11)

  const entry = await site.db.selectFrom('audit_log').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([entry.action, entry.actor_num], ['first owner', data.user.UserNum])
})

test('once the site has had an owner, both calls answer 404 and a start prints no link', async () => {
  const word = await printedWord()
  const form = await formFor(word)
  assert.equal((await make(form)).status, 200)
  assertRefused(await make(form), 404, FIRST_OWNER_TEXTS.linkInvalid)
  for (const given of [word, 'x', undefined, null, 7, ['x']]) await assertGone(given)
  // The link does not come back when the owner loses the role.
  await site.db.deleteFrom('staff_members').execute()
  assert.equal(await offerFirstOwner(site.db, site.clock.now()), null)
  await assertGone(word)
})

test('an owner made in the terminal ends the link', async () => {
  const word = await printedWord()
  const form = await formFor(word)
  await registerPlayer(site, { userId: 'bantay' })
  const place = { db: site.db, now: site.clock.now(), site: { appName: 'x', publicUrl: 'x' } }
  assert.equal((await runCommand(place, ['staff', 'owner', 'bantay'])).ok, true)
  assertRefused(await make(form), 404, FIRST_OWNER_TEXTS.linkInvalid)
  assert.equal(await offerFirstOwner(site.db, site.clock.now()), null)
})

test('makes one of two concurrent users of the link the owner', async () => {
  const word = await printedWord()
  const forms = await Promise.all([formFor(word), formFor(word, { userId: 'iba_pa', userEmail: 'iba@example.ph' })])
  const answers = await Promise.all(forms.map((form) => make(form)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  const ids = forms.map(({ userId }) => userId)
  const made = await site.db.selectFrom('accounts').where('user_id', 'in', ids).select('has_factor').execute()
  assert.deepEqual(made, [{ has_factor: true }])
  assert.equal((await site.db.selectFrom('staff_members').selectAll().execute()).length, 1)
})

test('the link ends after 24 hours, and with the next start', async () => {
  const first = await printedWord()
  const second = await printedWord()
  await assertGone(first)
  site.clock.advance(24 * 3_600_000 - 1000)
  const form = await formFor(second)
  site.clock.advance(1000)
  assertRefused(
    await make({ ...form, code: generateCode(form.secret, site.clock.now()) }),
    404,
    FIRST_OWNER_TEXTS.linkInvalid,
  )
  await assertGone(second)
  assert.equal((await make(await formFor(await printedWord()))).status, 200)
})

test('the database stores only the hash of the token', async () => {
  const word = await printedWord()
  assert.equal(Buffer.from(word, 'base64url').length, 32)
  const rows = await site.db.selectFrom('first_owner').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(word))
})

test('reports each mistake at its field and leaves the link valid', async () => {
  await registerPlayer(site, { userId: 'nauna', userEmail: 'nauna@example.ph' })
  const word = await printedWord()
  const form = await formFor(word)
  const readErrors = async (values: object) => (await make({ ...form, ...values })).json()['form-error']
  assert.deepEqual(Object.keys(await readErrors({ userId: '', userPassword: 'x', code: ' ' })), [
    'userId',
    'userPassword',
    'code',
  ])
  const own = { userId: 'unang_may_ari', userPassword: 'UNANG_MAY_ARI', userPasswordConfirm: 'x' }
  assert.deepEqual(Object.keys(await readErrors(own)), ['userPassword', 'userPasswordConfirm'])
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
  assert.equal((await make(form)).status, 200)
})
