import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECOVERY_TEXTS, REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { RESET_LINK_LIFETIME_MS } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import {
  assertRefused,
  createPlayer,
  findLinkToken,
  logInAs,
  registerPlayer,
  selectMailsTo,
  tryLogin,
} from '#test/account-helpers.ts'
import { insertRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
let addressCount = 0
const createAddressHeaders = () => ({ 'X-Forwarded-For': `10.2.0.${addressCount++}` })

const findUserId = (findIDEmail: unknown) => site.post('/api/findUserID', { findIDEmail }, createAddressHeaders())
const findPassword = (findPWID: unknown, findPWEmail: unknown) =>
  site.post('/api/findPassword', { findPWID, findPWEmail }, createAddressHeaders())
const resetPassword = (token: unknown, NewUserPass: unknown) =>
  site.post('/api/resetpassword', { token, NewUserPass }, createAddressHeaders())

/** Registers a player and requests a reset link. @returns the form and the link's token */
async function registerWithLink() {
  const form = await registerPlayer(site)
  await findPassword(form.userId, form.userEmail)
  return { form, token: await findLinkToken(site, form.userEmail, 'Set a new password') }
}

const countMails = async () =>
  (
    await site.db
      .selectFrom('mail_outbox')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
  ).count

test('find ID answers all alike after the same time, and mails only addresses with an account', async () => {
  const form = await registerPlayer(site, { userEmail: 'Hanap@example.net' })
  site.sleepDurations.length = 0
  const [knownResponse, unknownResponse] = [await findUserId('hANAP@EXAMPLE.net'), await findUserId('wala@example.net')]
  assert.deepEqual([knownResponse.status, knownResponse.json()], [200, { message: RECOVERY_TEXTS.requested }])
  assert.deepEqual([unknownResponse.status, unknownResponse.text], [knownResponse.status, knownResponse.text])
  assert.deepEqual(site.sleepDurations, [300, 300])
  const mails = await selectMailsTo(site, 'Hanap@example.net')
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Verify your email address | Tambayan Online', 'Your user ID | Tambayan Online'],
  )
  assert.match(mails[1]?.body_text ?? '', new RegExp(`address is: ${form.userId}\n`))
  assert.deepEqual(await selectMailsTo(site, 'wala@example.net'), [])
})

test('find password answers all alike after the same time, and mails only a matching pair', async () => {
  const form = await registerPlayer(site)
  const countBefore = await countMails()
  site.sleepDurations.length = 0
  const answers = await Promise.all([
    findPassword('wala_nito', 'wala@example.net'),
    findPassword(form.userId, 'wala@example.net'),
    findPassword('wala_nito', form.userEmail),
    findPassword('juan', form.userEmail),
  ])
  assert.equal(await countMails(), countBefore)
  answers.push(await findPassword(` ${form.userId.toUpperCase()} `, form.userEmail.toUpperCase()))
  for (const answer of answers)
    assert.deepEqual([answer.status, answer.json()], [200, { message: RECOVERY_TEXTS.requested }])
  assert.deepEqual(site.sleepDurations, Array(5).fill(300))
  const mail = (await selectMailsTo(site, form.userEmail)).at(-1)
  assert.match(mail?.body_text ?? '', /^https:\/\/play\.example\.ph\/resetpassword\?token=[\w-]{32}$/m)
})

test('recovery without an ID or an address is refused with the texts of FIND-5', async () => {
  for (const emptyValue of [undefined, null, '', '  ']) {
    assertRefused(await findUserId(emptyValue), 422, RECOVERY_TEXTS.findIdEmailRequired)
    assertRefused(await findPassword('juan', emptyValue), 422, RECOVERY_TEXTS.findPasswordEmailRequired)
    assertRefused(await findPassword(emptyValue, 'juan@example.com'), 422, RECOVERY_TEXTS.findPasswordIdRequired)
  }
  for (const text of ['juan', 'juan@', 'a@b@c', 'juan@example.com\r\nBcc: x@y.z', `${'x'.repeat(300)}@example.com`]) {
    assertRefused(await findUserId(text), 422, RECOVERY_TEXTS.emailInvalid)
    assertRefused(await findPassword('juan', text), 422, RECOVERY_TEXTS.emailInvalid)
  }
})

test('limits mails to an account for each address, and returns the same answer over the limit', async () => {
  const form = await registerPlayer(site)
  const headers = createAddressHeaders()
  const requestMail = () => site.post('/api/findUserID', { findIDEmail: form.userEmail }, headers)
  const answers = await Promise.all(Array.from({ length: 9 }, requestMail))
  for (const answer of answers) assert.deepEqual(answer.json(), { message: RECOVERY_TEXTS.requested })
  const countSent = async () => (await selectMailsTo(site, form.userEmail)).length - 1
  assert.equal(await countSent(), LIMITS.recoveryMails.max + LIMITS.recoveryMailsBeyond.max)
  site.clock.advance(HOUR_MS)
  await requestMail()
  assert.equal(await countSent(), LIMITS.recoveryMails.max + LIMITS.recoveryMailsBeyond.max + 1)
})

test('repeated requests of a stranger do not block the player’s request', async () => {
  const { form } = await registerWithLink()
  const stranger = createAddressHeaders()
  const requestMail = (headers: Record<string, string>) =>
    site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail }, headers)
  for (let attempt = 0; attempt < 20; attempt++) await requestMail(stranger)
  const mailCountBefore = (await selectMailsTo(site, form.userEmail)).length
  await requestMail(createAddressHeaders())
  assert.equal((await selectMailsTo(site, form.userEmail)).length, mailCountBefore + 1)
})

test('requests from many addresses do not flood the player, who always has a valid link', async () => {
  const home = createAddressHeaders()
  const { form } = await registerWithLink()
  await tryLogin(site, form.userId, form.userPassword, home)
  const readResetMails = async () =>
    (await selectMailsTo(site, form.userEmail)).filter(({ subject }) => subject.startsWith('Set a new password'))
  const mailCountBefore = (await readResetMails()).length
  for (let minute = 0; minute < 60; minute += 2) {
    await findPassword(form.userId, form.userEmail)
    await findPassword(form.userId, form.userEmail)
    site.clock.advance(2 * MINUTE_MS)
    const newestMail = (await readResetMails()).at(-1)
    const age = site.clock.now().getTime() - (newestMail?.created_at.getTime() ?? 0)
    assert.ok(age <= RESET_LINK_LIFETIME_MS / 2 + 2 * MINUTE_MS, `the newest link is ${age} ms old`)
  }
  const mailCount = (await readResetMails()).length - mailCountBefore
  const { max, windowMs } = LIMITS.recoveryMailsBeyond
  const mailsBeyondInAnHour = (HOUR_MS / windowMs) * max
  assert.ok(mailCount <= LIMITS.recoveryMailsInAll.max + mailsBeyondInAnHour, `${mailCount} mails in an hour`)

  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail }, home)
  assert.equal(
    (await readResetMails()).length,
    mailCountBefore + mailCount + 1,
    'a request from an address that the player logged in from always sends a mail',
  )
})

test('limits the requests of an address the same way for existing and unknown accounts', async () => {
  const ends_at = new Date(site.clock.now().getTime() + 60_000)
  await insertRows(site.db, 'attempts', { key: 'recovery:198.51.100.5', count: LIMITS.recovery.max, ends_at })
  const headers = { 'X-Forwarded-For': '198.51.100.5' }
  for (const findIDEmail of ['juan@example.com', 'wala@example.net'])
    assertRefused(await site.post('/api/findUserID', { findIDEmail }, headers), 429)
})

test('a reset ends every session, verifies the address and notifies the player', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, player.form.userPassword)
  await findPassword(player.form.userId, player.form.userEmail)
  const token = await findLinkToken(site, player.form.userEmail, 'Set a new password')
  const answer = await resetPassword(token, 'bago-9876')
  assert.deepEqual([answer.status, answer.json()], [200, { message: RECOVERY_TEXTS.reset }])
  for (const { get } of [player, otherSession]) assertRefused(await get('/api/user'), 401)
  assert.equal((await tryLogin(site, player.form.userId, player.form.userPassword)).status, 2)
  const { user, get } = await logInAs(site, player.form.userId, 'bago-9876')
  assert.equal(user.email_verified_at, site.clock.now().toISOString())
  const kinds = (await get('/api/account-history')).json().data.map((event: { kind: string }) => event.kind)
  assert.deepEqual(kinds.slice(0, 4), ['login', 'login-failed', 'password-reset', 'reset-requested'])
  const mail = (await selectMailsTo(site, player.form.userEmail)).at(-1)
  assert.equal(mail?.subject, 'Your password was changed | Tambayan Online')
})

test('a link works once', async () => {
  const { token } = await registerWithLink()
  assert.equal((await resetPassword(token, 'una-12345')).status, 200)
  assertRefused(await resetPassword(token, 'dalawa-123'), 422, RECOVERY_TEXTS.linkDead)
})

test('one of twenty concurrent uses of a link succeeds', async () => {
  const { form, token } = await registerWithLink()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => resetPassword(token, `sabay-${index}`)))
  const winner = answers.findIndex(({ status }) => status === 200)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    assertRefused(answer, 422, RECOVERY_TEXTS.linkDead)
  await logInAs(site, form.userId, `sabay-${winner}`)
  const changeMails = (await selectMailsTo(site, form.userEmail)).filter(({ subject }) =>
    subject.startsWith('Your password'),
  )
  assert.equal(changeMails.length, 1)
})

test('accepts a link for exactly 30 minutes', async () => {
  const { token } = await registerWithLink()
  site.clock.advance(RESET_LINK_LIFETIME_MS - 1)
  assertRefused(await resetPassword(token, 'abc'), 422, 'New Password must be at least 5 characters long.')
  site.clock.advance(1)
  assertRefused(await resetPassword(token, 'bago-9876'), 422, RECOVERY_TEXTS.linkDead)
})

test('a link stays valid when the new password is refused', async () => {
  const { form, token } = await registerWithLink()
  const cases: [unknown, string][] = [
    ['', 'New Password is required.'],
    ['abcd', 'New Password must be at least 5 characters long.'],
    ['x'.repeat(21), 'New Password must be at most 20 characters long.'],
    ['may\0butas', 'New Password must not contain control characters.'],
    [form.userId.toUpperCase(), REGISTRATION_TEXTS.passwordIsUserId],
  ]
  for (const [password, message] of cases) assertRefused(await resetPassword(token, password), 422, message)
  assert.equal((await resetPassword(token, 'ayos-na-1')).status, 200)
})

test('a new link leaves earlier ones valid, and the use of one ends all of them', async () => {
  const { form, token: firstToken } = await registerWithLink()
  await Promise.all([1, 2, 3].map(() => findPassword(form.userId, form.userEmail)))
  const mails = (await selectMailsTo(site, form.userEmail)).filter(({ subject }) => subject.startsWith('Set a new'))
  const tokens = mails.map(({ body_text }) => /token=([\w-]+)/.exec(body_text)?.[1])
  assert.equal(new Set(tokens).size, 4)
  assert.equal((await resetPassword(firstToken, 'ayos-na-1')).status, 200)
  for (const token of tokens) assertRefused(await resetPassword(token, 'hindi-na-1'), 422, RECOVERY_TEXTS.linkDead)
})

test('a change of the password or the address ends a link', async () => {
  const player = await createPlayer(site)
  const requestMail = async () => {
    await findPassword(player.form.userId, player.form.userEmail)
    return findLinkToken(site, player.form.userEmail, 'Set a new password')
  }
  const firstToken = await requestMail()
  await player.post('/api/validate-secret-answer', { ...player.owner, secretAnswer: 'vigan' })
  const change = { ...player.owner, UserPass: player.form.userPassword, NewUserPass: 'sarili-123' }
  assert.equal((await player.post('/api/updatepassword', change)).status, 200)
  assertRefused(await resetPassword(firstToken, 'magnanakaw'), 422, RECOVERY_TEXTS.linkDead)

  const newSession = await logInAs(site, player.form.userId, 'sarili-123')
  const oldToken = await requestMail()
  const details = { UserPass: 'sarili-123', UserEmail: 'lumipat@example.net', NameFirst: 'A', NameLast: 'B' }
  assert.equal((await newSession.post('/api/updateuserdetails', { ...newSession.owner, ...details })).status, 200)
  assertRefused(await resetPassword(oldToken, 'magnanakaw'), 422, RECOVERY_TEXTS.linkDead)
})

test('a link of another kind, an unknown link and an incomplete link set no password', async () => {
  const { form, token } = await registerWithLink()
  const verifyToken = await findLinkToken(site, form.userEmail, 'Verify')
  for (const badToken of [
    verifyToken,
    'x',
    token.slice(1),
    token.toLowerCase(),
    '\0',
    "' or '1'='1",
    'x'.repeat(201),
    '',
    null,
    7,
  ])
    assertRefused(await resetPassword(badToken, 'bago-9876'), 422, RECOVERY_TEXTS.linkDead)
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
})

test('a reset ends the lock after too many failures', async () => {
  const { form, token } = await registerWithLink()
  for (let tries = 0; tries <= LIMITS.loginFailures.max; tries++) await tryLogin(site, form.userId, 'hindi')
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 4)
  await resetPassword(token, 'bago-9876')
  assert.equal((await tryLogin(site, form.userId, 'bago-9876')).status, 1)
  site.clock.advance(LIMITS.loginFailures.windowMs)
})

test('a hundred concurrent recovery requests with a player’s ID do not block the player', async () => {
  const player = await createPlayer(site)
  const { userId, userPassword } = player.form
  const body = { findIDEmail: 'nobody@example.com', UserID: userId }
  const strangers = Array.from({ length: 100 }, () => site.post('/api/findUserID', body, createAddressHeaders()))
  const [sessions, login] = await Promise.all([player.get('/api/sessions'), tryLogin(site, userId, userPassword)])
  assert.equal(sessions.status, 200)
  assert.equal(login.status, 1)
  assert.ok((await Promise.all(strangers)).every(({ status }) => status === 200))
})
