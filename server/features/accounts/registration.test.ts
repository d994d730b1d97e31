import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { DAY_MS } from '#contract/durations.ts'
import { LIMITS } from '#contract/request-limits.ts'
import {
  assertRefused,
  createRegistration,
  findLinkToken,
  logInAs,
  registerPlayer,
  selectMailsTo,
  tryLogin,
} from '#test/account-helpers.ts'
import { TEST_PASSWORD_COST } from '#test/databases.ts'
import { createTestApp } from '#test/helpers.ts'
import { PASSWORD_COST } from '../../config.ts'
import { setPasswordCost } from './passwords.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
let addressCount = 0

/** Registers from a separate address, to stay below the limits per address. */
const register = (form: unknown) =>
  site.post('/api/register', form, { 'X-Forwarded-For': `10.1.${addressCount >> 8}.${addressCount++ & 255}` })

/** Returns the form errors of a refused registration. */
async function readErrors(values: Record<string, unknown>): Promise<Record<string, string[]>> {
  const answer = await register(createRegistration(values))
  assertRefused(answer, 422)
  const { 'form-error': errors, message } = answer.json()
  assert.equal(message, Object.values(errors).flat()[0])
  return errors
}

test('a registration creates an unverified account without money or characters', async () => {
  const form = createRegistration({ userId: 'Bagong_Dating' })
  const answer = await register(form)
  assert.deepEqual([answer.status, answer.json()], [200, { status: 1, message: REGISTRATION_TEXTS.success }])
  const { user } = await logInAs(site, 'bagong_dating', form.userPassword)
  const { UserNum: _, ...rest } = user
  assert.deepEqual(rest, {
    UserID: 'Bagong_Dating',
    UserEmail: form.userEmail,
    NameFirst: 'Liwayway',
    NameLast: 'Dela Peña',
    PhoneNumber: '',
    UserPoint: 0,
    UserPoint2: 0,
    UserSQ: 2,
    email_verified_at: null,
    characters: [],
  })
})

test('hashes the account’s secrets with argon2id at the agreed cost', async (t) => {
  setPasswordCost(PASSWORD_COST)
  t.after(() => setPasswordCost(TEST_PASSWORD_COST))
  const form = await registerPlayer(site)
  const row = await site.db
    .selectFrom('accounts')
    .where('user_id', '=', form.userId)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.match(row.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.match(row.secret_answer_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.doesNotMatch(JSON.stringify(row), /bayani-7|vigan/i)
  assert.equal(row.gender, 'Female')
  assert.equal(row.country, 'PH')
})

test('refuses an empty form with the texts of REG-4 and REG-9 for every required field', async () => {
  const answer = await register({})
  assertRefused(answer, 422)
  assert.deepEqual(answer.json()['form-error'], {
    userId: ['Username is required.'],
    userFirstName: ['First Name is required.'],
    userLastName: ['Last Name is required.'],
    userPassword: ['Password is required.'],
    userPasswordConfirm: ['Confirm - Password is required.'],
    userEmail: ['Email is required.'],
    secretQuestion: ['Secret Question is required.'],
    secretAnswer: ['Secret Answer is required.'],
    agreeTerms: [REGISTRATION_TEXTS.termsRequired],
  })
})

test('refuses each field that breaks its rule', async () => {
  const cases: [Record<string, unknown>, Record<string, string[]>][] = [
    [{ userId: 'abc' }, { userId: ['Username must be at least 4 characters long.'] }],
    [{ userId: 'a'.repeat(21) }, { userId: ['Username must be at most 20 characters long.'] }],
    [{ userId: 'may puwang' }, { userId: [REGISTRATION_TEXTS.userIdCharacters] }],
    [{ userId: 'jυan' }, { userId: [REGISTRATION_TEXTS.userIdCharacters] }],
    [{ userFirstName: 'x'.repeat(31) }, { userFirstName: ['First Name must be at most 30 characters long.'] }],
    [{ userLastName: '  ' }, { userLastName: ['Last Name is required.'] }],
    [{ userPassword: 'abcd' }, { userPassword: ['Password must be at least 5 characters long.'] }],
    [{ userPassword: 'x'.repeat(21) }, { userPassword: ['Password must be at most 20 characters long.'] }],
    [{ userPasswordConfirm: 'bayani-8' }, { userPasswordConfirm: [REGISTRATION_TEXTS.passwordsDiffer] }],
    [{ userEmail: 'kahit-ano' }, { userEmail: ['Enter a valid email address.'] }],
    [{ userEmail: `${'x'.repeat(56)}@a.ph` }, { userEmail: ['Email must be at most 60 characters long.'] }],
    [{ secretQuestion: 7 }, { secretQuestion: ['Secret Question is required.'] }],
    [{ secretQuestion: '0' }, { secretQuestion: ['Secret Question is required.'] }],
    [{ secretAnswer: ' ' }, { secretAnswer: ['Secret Answer is required.'] }],
    [{ gender: 'Iba' }, { gender: ['Gender must be Male or Female.'] }],
    [{ country: 'ZZ' }, { country: [REGISTRATION_TEXTS.countryUnknown] }],
    [{ country: 'ph' }, { country: [REGISTRATION_TEXTS.countryUnknown] }],
    [{ country: 'XK' }, { country: [REGISTRATION_TEXTS.countryUnknown] }],
    [{ country: 7 }, { country: [REGISTRATION_TEXTS.countryUnknown] }],
    [{ agreeTerms: false }, { agreeTerms: [REGISTRATION_TEXTS.termsRequired] }],
    [{ agreeTerms: 'true' }, { agreeTerms: [REGISTRATION_TEXTS.termsRequired] }],
  ]
  for (const [values, expected] of cases) assert.deepEqual(await readErrors(values), expected, JSON.stringify(values))
})

test('one response names every wrong field, such as terms, unequal passwords and taken names', async () => {
  const { userId, userEmail } = await registerPlayer(site)
  const values = {
    userId,
    userEmail,
    userFirstName: '',
    userPassword: 'bayani-8',
    secretQuestion: 9,
    country: 'ZZ',
    agreeTerms: false,
  }
  assert.deepEqual(await readErrors(values), {
    userFirstName: ['First Name is required.'],
    secretQuestion: ['Secret Question is required.'],
    agreeTerms: [REGISTRATION_TEXTS.termsRequired],
    userPasswordConfirm: [REGISTRATION_TEXTS.passwordsDiffer],
    country: [REGISTRATION_TEXTS.countryUnknown],
    userId: [REGISTRATION_TEXTS.userIdTaken],
    userEmail: [REGISTRATION_TEXTS.emailTaken],
  })
  const passwordErrors = await readErrors({
    userId: 'pareho_8',
    userPassword: 'Pareho_8',
    userPasswordConfirm: 'x',
    userLastName: '',
  })
  assert.deepEqual(passwordErrors, {
    userLastName: ['Last Name is required.'],
    userPassword: [REGISTRATION_TEXTS.passwordIsUserId],
    userPasswordConfirm: [REGISTRATION_TEXTS.passwordsDiffer],
  })
})

test('rejects user IDs that suggest staff or an empty value (REG-10)', async () => {
  for (const userId of ['admin', 'Moderator', 'GAMEMASTER', 'null', 'undefined'])
    assert.deepEqual(await readErrors({ userId }), { userId: [REGISTRATION_TEXTS.userIdReserved] })
})

test('refuses a password that equals the user ID in any letter case', async () => {
  const errors = await readErrors({ userId: 'pareho_7', userPassword: 'PAREHO_7', userPasswordConfirm: 'PAREHO_7' })
  assert.deepEqual(errors, { userPassword: [REGISTRATION_TEXTS.passwordIsUserId] })
})

test('accepts the shortest and the longest values that the rules allow', async () => {
  await registerPlayer(site, {
    userId: 'aZ_9',
    userPassword: '12345',
    userPasswordConfirm: '12345',
    secretQuestion: '6',
  })
  const longestValues = { userId: 'a'.repeat(20), userPassword: 'p'.repeat(20), userPasswordConfirm: 'p'.repeat(20) }
  await registerPlayer(site, {
    ...longestValues,
    userFirstName: 'ñ'.repeat(30),
    userEmail: `${'m'.repeat(52)}@mail.ph`,
  })
  await logInAs(site, longestValues.userId, longestValues.userPassword)
})

test('accepts a form without gender and country', async () => {
  const { gender: _, country: __, ...form } = createRegistration()
  assert.equal((await register(form)).status, 200)
})

test('refuses an ID and an address that exist in another letter case, both in one response', async () => {
  const form = await registerPlayer(site, { userId: 'Nauna_Na', userEmail: 'Nauna@Example.NET' })
  assert.deepEqual(await readErrors({ userId: 'nAUNA_nA', userEmail: 'nauna@example.net' }), {
    userId: [REGISTRATION_TEXTS.userIdTaken],
    userEmail: [REGISTRATION_TEXTS.emailTaken],
  })
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
})

test('accepts one of fifty concurrent registrations of an ID, and refuses 49 with the form error', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      site.post('/api/register', createRegistration({ userId: 'isa_lang', userEmail: `isa${index}@example.net` })),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const refusals = answers.filter(({ status }) => status === 422).map((answer) => answer.json())
  assert.equal(refusals.length, 49)
  for (const body of refusals) assert.deepEqual(body['form-error'], { userId: [REGISTRATION_TEXTS.userIdTaken] })
  const mails = await site.db.selectFrom('mail_outbox').where('to_address', 'like', 'isa%').select('mail').execute()
  assert.equal(mails.length, 1, 'refused registrations send no email')
})

test('accepts one of several concurrent registrations of an email address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      register(
        createRegistration({
          userId: `sabay_${index}`,
          userEmail: index % 2 ? 'SABAY@example.net' : 'sabay@example.net',
        }),
      ),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, 422, REGISTRATION_TEXTS.emailTaken)
    assert.deepEqual(answer.json()['form-error'], { userEmail: [REGISTRATION_TEXTS.emailTaken] })
  }
})

test('a mailed link verifies an address, and a second use has the same result', async () => {
  const form = await registerPlayer(site)
  const token = await findLinkToken(site, form.userEmail, 'Verify your email address')
  for (let times = 0; times < 2; times++) {
    const response = await site.post(`/verifyemail?token=${token}`, {})
    assert.deepEqual([response.status, response.headers.get('Location')], [303, '/login?verified=1'])
    assert.equal(response.headers.get('Cache-Control'), 'no-store')
  }
  const { user, get } = await logInAs(site, form.userId, form.userPassword)
  assert.equal(user.email_verified_at, site.clock.now().toISOString())
  const kinds = (await get('/api/account-history')).json().data.map((event: { kind: string }) => event.kind)
  assert.deepEqual(kinds, ['login', 'email-verified', 'registered'])
})

test('refuses a verification link that is unknown, incomplete or expired', async () => {
  const form = await registerPlayer(site)
  const token = await findLinkToken(site, form.userEmail, 'Verify your email address')
  for (const badToken of [
    '',
    'x',
    token.slice(1),
    `${token}x`,
    encodeURIComponent('\0'),
    encodeURIComponent("' or 1=1 --"),
  ]) {
    assert.equal(
      (await site.post(`/verifyemail?token=${badToken}`, {})).headers.get('Location'),
      '/login?verified=0',
      badToken,
    )
  }
  assert.equal((await site.post('/verifyemail', {})).headers.get('Location'), '/login?verified=0')
  site.clock.advance(7 * DAY_MS)
  assert.equal((await site.post(`/verifyemail?token=${token}`, {})).headers.get('Location'), '/login?verified=0')
  assert.equal((await logInAs(site, form.userId, form.userPassword)).user.email_verified_at, null)
})

test('the verification mail greets the player, and the database stores no link token', async () => {
  const form = await registerPlayer(site)
  const [mail] = await selectMailsTo(site, form.userEmail)
  assert.equal(mail?.subject, 'Verify your email address | Tambayan Online')
  assert.match(mail?.body_text ?? '', new RegExp(`^Hello ${form.userId},\n`))
  const token = await findLinkToken(site, form.userEmail, 'Verify')
  const links = await site.db.selectFrom('mailed_links').selectAll().execute()
  assert.ok(!JSON.stringify(links).includes(token))
})

test('limits the registrations and the submitted forms of each IP address', async () => {
  const fromAddress = (address: string) => ({ 'X-Forwarded-For': address })
  const [registeringAddress, tryingAddress] = ['198.51.100.60', '198.51.100.61']
  const ends_at = new Date(site.clock.now().getTime() + 60_000)
  for (const [key, count] of [
    [`registrations:${registeringAddress}`, LIMITS.registrations.max],
    [`registrationForms:${tryingAddress}`, LIMITS.registrationForms.max],
  ] as const)
    await site.db.insertInto('attempts').values({ key, count, ends_at }).execute()
  for (const address of [registeringAddress, tryingAddress]) {
    const answer = await site.post('/api/register', createRegistration(), fromAddress(address))
    assertRefused(answer, 429)
    assert.equal(answer.headers.get('Retry-After'), '60')
  }
  // A refused form does not count as a registration, so its errors are still reported.
  const takenForm = createRegistration({ userId: 'juan' })
  const response = await site.post('/api/register', takenForm, fromAddress(registeringAddress))
  assertRefused(response, 422, REGISTRATION_TEXTS.userIdTaken)
})
