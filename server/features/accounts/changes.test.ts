import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_TEXTS, PASSWORD_TEXTS, REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { SECRET_ANSWER_VALID_MS } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import {
  assertRefused,
  createPlayer,
  findLinkToken,
  logInAs,
  type Player,
  selectMailsTo,
  tryLogin,
} from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

const answerSecret = (player: Player, secretAnswer: unknown) =>
  player.post('/api/validate-secret-answer', { ...player.owner, secretAnswer })
const changePassword = (player: Player, UserPass: unknown, NewUserPass: unknown) =>
  player.post('/api/updatepassword', { ...player.owner, UserPass, NewUserPass })
const changeDetails = (player: Player, values: Record<string, unknown>) =>
  player.post('/api/updateuserdetails', {
    ...player.owner,
    UserPass: 'bayani-7',
    UserPass2: '',
    UserEmail: player.user.UserEmail,
    NameFirst: 'Liwayway',
    NameLast: 'Dela Peña',
    PhoneNumber: '',
    ...values,
  })
const readAccount = (player: Player) =>
  site.db.selectFrom('accounts').where('user_num', '=', player.user.UserNum).selectAll().executeTakeFirstOrThrow()

test('refuses another player’s UserNum in the body or the query, even next to the caller’s own', async () => {
  const player = await createPlayer(site)
  const userNum = player.user.UserNum
  const path = '/api/validate-password'
  const body = { ...player.owner, UserPass: 'bayani-7' }
  assertRefused(await player.post(`${path}?UserNum=${userNum}`, { ...body, UserNum: userNum + 1 }), 403)
  assertRefused(await player.post(`${path}?UserNum=${userNum + 1}`, body), 403)
  assertRefused(await player.post(`${path}?UserNum=${userNum}&UserNum=${userNum + 1}`, body), 403)
  assert.equal((await player.post(`${path}?UserNum=${userNum}`, body)).status, 200)
})

test('accepts the caller’s UserNum as text, and the caller’s UserID in any letter case', async () => {
  const player = await createPlayer(site)
  const owner = { UserNum: String(player.user.UserNum), UserID: player.user.UserID.toUpperCase() }
  const answer = await player.post('/api/validate-password', { ...owner, UserPass: 'bayani-7' })
  assert.equal(answer.json().message, PASSWORD_TEXTS.right)
})

test('validate-password confirms a correct password and returns null for a wrong one', async () => {
  const player = await createPlayer(site)
  for (const path of ['/api/validate-password', '/api/api/validate-password']) {
    const response = await player.post(path, { ...player.owner, UserPass: 'bayani-7' })
    assert.deepEqual([response.status, response.json()], [200, { message: PASSWORD_TEXTS.right }])
    for (const UserPass of ['BAYANI-7', '', 'bayani-7 ']) {
      const response = await player.post(path, { ...player.owner, UserPass })
      assert.deepEqual([response.status, response.json()], [200, { message: null }])
    }
    assertRefused(await player.post(path, player.owner), 422, 'Password is required.')
  }
})

test('limits the password guesses of a stolen session', async () => {
  const player = await createPlayer(site)
  const guessPassword = () => player.post('/api/validate-password', { ...player.owner, UserPass: 'hula' })
  const statuses = (await Promise.all(Array.from({ length: LIMITS.passwordChecks.max + 5 }, guessPassword))).map(
    ({ status }) => status,
  )
  assert.equal(statuses.filter((status) => status === 200).length, LIMITS.passwordChecks.max)
  const response = await changePassword(player, 'bayani-7', 'bago-9876')
  assert.equal(response.status, 409, 'the secret answer comes first')
  assertRefused(await changeDetails(player, {}), 429)
  site.clock.advance(LIMITS.passwordChecks.windowMs)
  assert.equal((await player.post('/api/validate-password', { ...player.owner, UserPass: 'bayani-7' })).status, 200)
})

test('ignores letter case and surrounding spaces of a secret answer', async () => {
  const player = await createPlayer(site, { secretAnswer: '  Piña Colada ' })
  for (const answer of ['piña colada', ' PIÑA COLADA  ', 'Pin\u0303a Colada']) {
    const response = await answerSecret(player, answer)
    assert.deepEqual([response.status, response.json()], [200, { message: PASSWORD_TEXTS.secretAnswerRight }])
  }
  for (const answer of ['pina colada', 'piña  colada', '', ' '])
    assertRefused(await answerSecret(player, answer), 422, PASSWORD_TEXTS.secretAnswerWrong)
})

test('answers 429 to every session of an account after five wrong secret answers in 15 minutes', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, player.form.userPassword)
  const answers = await Promise.all(
    Array.from({ length: LIMITS.secretAnswers.max + 3 }, () => answerSecret(player, 'mali')),
  )
  assert.equal(answers.filter(({ status }) => status === 422).length, LIMITS.secretAnswers.max)
  for (const session of [player, otherSession]) {
    const response = await answerSecret(session, 'vigan')
    assertRefused(response, 429)
    assert.equal(response.headers.get('Retry-After'), String(LIMITS.secretAnswers.windowMs / 1000))
  }
  site.clock.advance(LIMITS.secretAnswers.windowMs)
  assert.equal((await answerSecret(player, 'vigan')).status, 200)
})

test('a password is changed only after the secret answer', async () => {
  const player = await createPlayer(site)
  assertRefused(await changePassword(player, 'bayani-7', 'bago-9876'), 409, PASSWORD_TEXTS.secretAnswerFirst)
  await answerSecret(player, 'mali')
  assertRefused(await changePassword(player, 'bayani-7', 'bago-9876'), 409)
})

test('accepts a confirmed secret answer for five minutes of its session', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, player.form.userPassword)
  await answerSecret(player, 'vigan')
  assertRefused(await changePassword(otherSession, 'bayani-7', 'bago-9876'), 409, PASSWORD_TEXTS.secretAnswerFirst)
  site.clock.advance(SECRET_ANSWER_VALID_MS)
  assertRefused(await changePassword(player, 'bayani-7', 'bago-9876'), 409, PASSWORD_TEXTS.secretAnswerFirst)
  await answerSecret(player, 'vigan')
  site.clock.advance(SECRET_ANSWER_VALID_MS - 1)
  assert.equal((await changePassword(player, 'bayani-7', 'bago-9876')).status, 200)
})

test('a changed password ends every session, sends an email and is in the history', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, player.form.userPassword)
  await answerSecret(player, 'vigan')
  const answer = await changePassword(player, 'bayani-7', 'bago-9876')
  assert.deepEqual([answer.status, answer.json()], [200, { message: PASSWORD_TEXTS.changed }])
  for (const { get } of [player, otherSession]) assertRefused(await get('/api/user'), 401)
  assert.equal((await tryLogin(site, player.form.userId, 'bayani-7')).status, 2)
  const newSession = await logInAs(site, player.form.userId, 'bago-9876')
  assert.equal((await newSession.get('/api/account-history')).json().data[2].kind, 'password-changed')
  const mail = (await selectMailsTo(site, player.form.userEmail)).at(-1)
  assert.equal(mail?.subject, 'Your password was changed | Tambayan Online')
  assert.doesNotMatch(`${mail?.body_text}${mail?.body_html}`, /bago-9876|bayani-7/)
})

test('a refused password change explains the reason and leaves the session open', async () => {
  const player = await createPlayer(site)
  await answerSecret(player, 'vigan')
  const cases: [unknown, unknown, string][] = [
    ['mali-ito', 'bago-9876', PASSWORD_TEXTS.incorrect],
    ['', 'bago-9876', 'Current Password is required.'],
    ['bayani-7', undefined, 'New Password is required.'],
    ['bayani-7', 'abcd', 'New Password must be at least 5 characters long.'],
    ['bayani-7', 'x'.repeat(21), 'New Password must be at most 20 characters long.'],
    ['bayani-7', player.form.userId.toUpperCase(), REGISTRATION_TEXTS.passwordIsUserId],
  ]
  for (const [current, next, message] of cases) assertRefused(await changePassword(player, current, next), 422, message)
  assert.equal((await changePassword(player, 'bayani-7', 'bago-9876')).status, 200)
})

test('one of several concurrent password changes succeeds', async () => {
  const player = await createPlayer(site)
  await answerSecret(player, 'vigan')
  const answers = await Promise.all([1, 2, 3, 4].map((n) => changePassword(player, 'bayani-7', `sabay-${n}`)))
  const winner = answers.findIndex(({ status }) => status === 200) + 1
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  await logInAs(site, player.form.userId, `sabay-${winner}`)
})

test('saves changed details and ends every session', async () => {
  const player = await createPlayer(site)
  const otherSession = await logInAs(site, player.form.userId, player.form.userPassword)
  const answer = await changeDetails(player, {
    UserPass2: 'laro-123',
    NameFirst: ' José ',
    NameLast: "O'Brien-Ñ",
    PhoneNumber: '+63 (917) 555-0142',
  })
  assert.deepEqual([answer.status, answer.json()], [200, { message: ACCOUNT_TEXTS.detailsChanged }])
  for (const { get } of [player, otherSession]) assertRefused(await get('/api/user'), 401)
  const { user } = await logInAs(site, player.form.userId, 'bayani-7')
  assert.deepEqual(
    [user.NameFirst, user.NameLast, user.PhoneNumber, user.UserEmail],
    ['José', "O'Brien-Ñ", '+63 (917) 555-0142', player.form.userEmail],
  )
  const { second_password_hash } = await readAccount(player)
  assert.match(second_password_hash ?? '', /^\$argon2id\$/)
  const mails = await selectMailsTo(site, player.form.userEmail)
  assert.equal(mails.length, 1, 'the address did not change, so no verification email was sent')
})

test('an empty second password leaves the existing one unchanged', async () => {
  const player = await createPlayer(site)
  await changeDetails(player, { UserPass2: 'laro-123' })
  const hashBefore = (await readAccount(player)).second_password_hash
  await changeDetails(await logInAs(site, player.form.userId, 'bayani-7'), { UserPass2: '' })
  assert.equal((await readAccount(player)).second_password_hash, hashBefore)
})

test('a new address is unverified until its link is used; the old address’s link is void', async () => {
  const player = await createPlayer(site)
  const oldToken = await findLinkToken(site, player.form.userEmail, 'Verify')
  await site.post(`/verifyemail?token=${oldToken}`, {})
  assert.equal((await changeDetails(player, { UserEmail: 'bagong.tira@example.net' })).status, 200)
  assert.equal((await readAccount(player)).email_verified_at, null)
  assert.equal((await site.post(`/verifyemail?token=${oldToken}`, {})).headers.get('Location'), '/login?verified=0')
  const token = await findLinkToken(site, 'bagong.tira@example.net', 'Verify your email address')
  assert.equal((await site.post(`/verifyemail?token=${token}`, {})).headers.get('Location'), '/login?verified=1')
  const { user } = await logInAs(site, player.form.userId, 'bayani-7')
  assert.deepEqual(
    [user.UserEmail, user.email_verified_at],
    ['bagong.tira@example.net', site.clock.now().toISOString()],
  )
})

test('an address stays verified when only its letter case changes', async () => {
  const player = await createPlayer(site)
  await site.post(`/verifyemail?token=${await findLinkToken(site, player.form.userEmail, 'Verify')}`, {})
  const UserEmail = player.form.userEmail.toUpperCase()
  assert.equal((await changeDetails(player, { UserEmail })).status, 200)
  const account = await readAccount(player)
  assert.deepEqual([account.user_email, account.email_verified_at === null], [UserEmail, false])
})

test('refuses invalid details with a clear text and saves none of them', async () => {
  const player = await createPlayer(site)
  const accountBefore = await readAccount(player)
  const cases: [Record<string, unknown>, string][] = [
    [{ UserPass: 'mali-ito' }, PASSWORD_TEXTS.incorrect],
    [{ UserPass: '' }, PASSWORD_TEXTS.incorrect],
    [{ UserPass2: 'abc' }, 'Second Password must be at least 4 characters long.'],
    [{ UserPass2: 'x'.repeat(21) }, 'Second Password must be at most 20 characters long.'],
    [{ UserPass2: 'may\nputol' }, 'Second Password must not contain control characters.'],
    [{ UserEmail: 'JUAN@example.com' }, REGISTRATION_TEXTS.emailTaken],
    [{ UserEmail: '' }, 'Email is required.'],
    [{ UserEmail: 'wala' }, 'Enter a valid email address.'],
    [{ NameFirst: '' }, 'First Name is required.'],
    [{ NameLast: 'x'.repeat(31) }, 'Last Name must be at most 30 characters long.'],
    [{ PhoneNumber: 'tawagan mo' }, 'Phone Number may have digits, spaces and + ( ) - . / only.'],
    [{ PhoneNumber: '1'.repeat(31) }, 'Phone Number must be at most 30 characters long.'],
  ]
  for (const [values, message] of cases) assertRefused(await changeDetails(player, values), 422, message)
  assert.deepEqual(await readAccount(player), accountBefore)
  assert.equal((await player.get('/api/user')).status, 200)
})

test('gives an address to one of several players who change to it at the same time', async () => {
  const players = [await createPlayer(site), await createPlayer(site), await createPlayer(site)]
  const answers = await Promise.all(players.map((player) => changeDetails(player, { UserEmail: 'iisa@example.net' })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    assertRefused(answer, 422, REGISTRATION_TEXTS.emailTaken)
  assert.equal((await selectMailsTo(site, 'iisa@example.net')).length, 1)
})
