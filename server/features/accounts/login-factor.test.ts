import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { LOGIN_CHALLENGE_LIFETIME_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { hashToken } from '#server/http/tokens.ts'
import { assertRefused, createPlayer, findLinkToken, logInAs, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { addAuthenticatorApp, addPasskey, generateCode, tryFactor } from '#test/factor-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import type { LoginAnswer } from './login.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })

const LOGIN_EXPIRED = { user: null, token: null, message: FACTOR_TEXTS.loginOver, status: 2, challenge: null }
const PASSWORD = 'bayani-7'
const fromAddress = (address: string) => ({ 'X-Forwarded-For': address })

/** Creates a player with an authenticator app. */
async function createPlayerWithApp() {
  const player = await createPlayer(site)
  return { ...player, ...(await addAuthenticatorApp(site, player)) }
}

/** Completes the first step of a login, the password. */
async function startLogin(id: string, headers: Record<string, string> = {}) {
  const answer = (await tryLogin(site, id, PASSWORD, headers)) as LoginAnswer
  const { challenge } = answer
  assert.ok(typeof challenge === 'string', answer.message)
  return { ...answer, challenge }
}

/** Logs in with a code as the second step. @returns the data of the last response, which may be a refusal */
async function logInWithCode(id: string, code: string) {
  const { challenge } = await startLogin(id)
  return tryFactor(site, { challenge, code })
}

const selectSessions = (userNum: number) =>
  site.db.selectFrom('sessions').where('user_num', '=', userNum).selectAll().orderBy('session_id').execute()

const countFailures = async (key: string) => {
  const row = await site.db.selectFrom('attempts').where('key', '=', key).select('count').executeTakeFirst()
  return row?.count ?? 0
}

test('a correct password returns a challenge with status 2, and the app’s code completes a login', async () => {
  const { form, nextCode, user } = await createPlayerWithApp()
  const { challenge, ...rest } = await startLogin(form.userId)
  assert.deepEqual(rest, {
    user: null,
    token: null,
    status: 2,
    message: FACTOR_TEXTS.asked,
    factors: ['totp', 'recovery'],
  })
  assert.match(challenge, /^[\w-]{43}$/, '256 bits')
  const finishedLogin = await tryFactor(site, { challenge, code: nextCode() })
  assert.deepEqual(Object.keys(finishedLogin).sort(), ['message', 'status', 'token', 'user'])
  assert.equal(finishedLogin.status, 1)
  assert.equal(finishedLogin.message, LOGIN_ANSWERS.welcome(form.userId))
  assert.equal(finishedLogin.user?.UserNum, user.UserNum)
  const response = await site.get('/api/user', { Authorization: `Bearer ${finishedLogin.token}` })
  assert.equal(response.json().user_type, 1)
  const session = (await selectSessions(user.UserNum)).at(-1)
  assert.equal(session?.factor, 'totp')
  assert.deepEqual(session?.confirmed_at, site.clock.now())
})

test('a login without a second factor returns no challenge', async () => {
  const { form } = await createPlayer(site)
  assert.deepEqual(Object.keys(await tryLogin(site, form.userId, PASSWORD)).sort(), [
    'message',
    'status',
    'token',
    'user',
  ])
})

test('stores only the hash of a challenge and nothing of the password', async () => {
  const { form, user } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  const row = await site.db
    .selectFrom('login_challenges')
    .where('user_num', '=', user.UserNum)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.equal(row.challenge_hash, hashToken(challenge))
  assert.doesNotMatch(JSON.stringify(row), new RegExp(`${challenge}|argon2`))
})

test('a wrong code returns status 2 with the same challenge, which stays valid', async () => {
  const { form, nextCode } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  for (const code of ['000000', '', 'hindi', 'AAAA-AAAA-AAAA-AAAA', '٠٠٠٠٠٠']) {
    const answer = await tryFactor(site, { challenge, code })
    assert.deepEqual(answer, {
      user: null,
      token: null,
      status: 2,
      message: FACTOR_TEXTS.wrongCode,
      challenge,
      factors: ['totp', 'recovery'],
    })
  }
  assert.equal((await tryFactor(site, { challenge, code: nextCode() })).status, 1)
})

test('accepts a code with spaces, and a recovery code in small letters with o for 0 and l for 1', async () => {
  const { form, nextCode, recoveryCodes } = await createPlayerWithApp()
  const code = nextCode()
  assert.equal((await logInWithCode(form.userId, ` ${code.slice(0, 3)} ${code.slice(3)}`)).status, 1)
  const [recoveryCode = ''] = recoveryCodes
  const typedCode = recoveryCode.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  assert.equal((await logInWithCode(form.userId, typedCode)).status, 1)
})

test('answers an unknown, used or expired challenge with status 2 and no challenge', async () => {
  const { form, nextCode } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  assert.deepEqual(await tryFactor(site, { challenge: 'x'.repeat(43), code: '123456' }), LOGIN_EXPIRED)
  assert.deepEqual(await tryFactor(site, { challenge: '', assertion: {} }), LOGIN_EXPIRED)
  assert.equal((await tryFactor(site, { challenge, code: nextCode() })).status, 1)
  assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), LOGIN_EXPIRED)
  const lateLogin = await startLogin(form.userId)
  site.clock.advance(LOGIN_CHALLENGE_LIFETIME_MS)
  assert.deepEqual(await tryFactor(site, { challenge: lateLogin.challenge, code: nextCode() }), LOGIN_EXPIRED)
})

test('the second step requires either a code or an assertion', async () => {
  const challenge = 'x'.repeat(43)
  for (const body of [{ challenge }, { challenge, code: '1', assertion: {} }, { code: '1' }, { challenge, code: 1 }])
    assertRefused(await site.post('/api/login-factor', body), 422)
})

test('a password change ends open challenges, and a reset does not remove a second factor', async () => {
  const { form, nextCode } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
  const token = await findLinkToken(site, form.userEmail, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token, NewUserPass: 'bagong-7' })).status, 200)
  assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), LOGIN_EXPIRED)
  const answer = (await tryLogin(site, form.userId, 'bagong-7')) as LoginAnswer
  assert.equal(answer.status, 2)
  assert.deepEqual(answer.factors, ['totp', 'recovery'])
})

test('accepts a code once, and afterwards refuses it and earlier codes in every login', async () => {
  const { form, secret, nextCode } = await createPlayerWithApp()
  const earlierCode = generateCode(secret, new Date(site.clock.now().getTime() + 30_000))
  site.clock.advance(30_000)
  const code = nextCode()
  assert.equal((await logInWithCode(form.userId, code)).status, 1)
  for (const usedCode of [code, earlierCode])
    assert.equal((await logInWithCode(form.userId, usedCode)).message, FACTOR_TEXTS.wrongCode)
})

test('refuses a login with the code that confirmed the app', async () => {
  const { form, secret } = await createPlayerWithApp()
  const answer = await logInWithCode(form.userId, generateCode(secret, site.clock.now()))
  assert.equal(answer.message, FACTOR_TEXTS.wrongCode)
})

test('accepts the codes of the previous and the next half minute, and no others', async () => {
  const { form, secret } = await createPlayerWithApp()
  const generateShiftedCode = (ms: number) => generateCode(secret, new Date(site.clock.now().getTime() + ms))
  site.clock.advance(300_000)
  for (const ms of [-60_000, 60_000])
    assert.equal((await logInWithCode(form.userId, generateShiftedCode(ms))).status, 2, `${ms} ms`)
  for (const ms of [-30_000, 0, 30_000])
    assert.equal((await logInWithCode(form.userId, generateShiftedCode(ms))).status, 1, `${ms} ms`)
})

test('concurrent requests with the same challenge open one session', async () => {
  const { form, nextCode, user, recoveryCodes } = await createPlayerWithApp()
  const sessionsBefore = (await selectSessions(user.UserNum)).length
  const { challenge } = await startLogin(form.userId)
  const code = nextCode()
  const answers = await Promise.all([
    tryFactor(site, { challenge, code }),
    tryFactor(site, { challenge, code: recoveryCodes[0] }),
    tryFactor(site, { challenge, code: recoveryCodes[1] }),
  ])
  assert.equal(answers.filter(({ token }) => token !== null).length, 1)
  assert.equal(answers.filter((answer) => answer.challenge === null).length, 2)
  assert.equal((await selectSessions(user.UserNum)).length, sessionsBefore + 1)
})

for (const kind of ['code of the app', 'recovery code'] as const)
  test(`concurrent logins with the same ${kind} open one session`, async () => {
    const { form, nextCode, user, recoveryCodes } = await createPlayerWithApp()
    const sessionsBefore = (await selectSessions(user.UserNum)).length
    const logins = [await startLogin(form.userId), await startLogin(form.userId), await startLogin(form.userId)]
    const code = kind === 'recovery code' ? recoveryCodes[0] : nextCode()
    const answers = await Promise.all(logins.map(({ challenge }) => tryFactor(site, { challenge, code })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [1, 2, 2])
    assert.equal((await selectSessions(user.UserNum)).length, sessionsBefore + 1)
    const refusedIndex = answers.findIndex(({ token }) => token === null)
    assert.equal(answers[refusedIndex]?.challenge, logins[refusedIndex]?.challenge, 'the other challenge still works')
  })

test('a recovery code works once, and its use is mailed to the player', async () => {
  const { form, recoveryCodes, get } = await createPlayerWithApp()
  const [code = ''] = recoveryCodes
  assert.equal((await logInWithCode(form.userId, code)).status, 1)
  assert.equal((await logInWithCode(form.userId, code)).status, 2)
  const mail = (await selectMailsTo(site, form.userEmail)).at(-1)
  assert.match(mail?.subject ?? '', /^A recovery code was used/)
  assert.match(mail?.body_text ?? '', /9 recovery codes are left/)
  const history = (await get('/api/account-history')).json().data as { kind: string; note: string }[]
  assert.ok(history.some(({ kind, note }) => kind === 'recovery-code-used' && note === '9 left'))
  assert.ok(history.some(({ kind, note }) => kind === 'login' && note === 'with a recovery code'))
})

test('does not offer recovery codes when all are used', async () => {
  const { form, recoveryCodes } = await createPlayerWithApp()
  for (const code of recoveryCodes) assert.equal((await logInWithCode(form.userId, code)).status, 1)
  assert.deepEqual((await startLogin(form.userId)).factors, ['totp'])
  assert.match((await selectMailsTo(site, form.userEmail)).at(-1)?.body_text ?? '', /It was the last one/)
})

test('ten wrong codes lock codes for 15 minutes with status 4, and send the player one warning', async () => {
  const { form, nextCode, recoveryCodes } = await createPlayerWithApp()
  for (let tries = 0; tries < LIMITS.factorFailures.max; tries++)
    assert.equal((await logInWithCode(form.userId, '000000')).status, 2)
  const { challenge } = await startLogin(form.userId)
  for (const code of [nextCode(), recoveryCodes[0], '000000']) {
    const { status, message, challenge: repeatedChallenge } = await tryFactor(site, { challenge, code })
    assert.deepEqual([status, message, repeatedChallenge], [4, FACTOR_TEXTS.locked, challenge])
  }
  const warnings = (await selectMailsTo(site, form.userEmail)).filter(({ subject }) =>
    subject.startsWith('Failed logins'),
  )
  assert.equal(warnings.length, 1)
  site.clock.advance(LIMITS.factorFailures.windowMs)
  assert.equal((await logInWithCode(form.userId, nextCode())).status, 1)
})

test('checks at most ten of thirty concurrent wrong codes', async () => {
  const { form } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  const tries = Array.from({ length: 30 }, () => tryFactor(site, { challenge, code: '000000' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 2).length, LIMITS.factorFailures.max)
})

test('RATE_LIMIT=off lifts the lock of codes', async () => {
  const unlimitedSite = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })
  const { form } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  for (let tries = 0; tries <= LIMITS.factorFailures.max; tries++)
    assert.equal((await tryFactor(unlimitedSite, { challenge, code: '000000' })).status, 2)
})

test('a passkey finishes a login, also when codes are locked', async () => {
  const { form, post, nextCode } = await createPlayerWithApp()
  const passkey = await addPasskey(site, { post })
  assert.deepEqual(passkey.recoveryCodes, [], 'the account already has recovery codes')
  for (let tries = 0; tries <= LIMITS.factorFailures.max; tries++) await logInWithCode(form.userId, '000000')
  const { challenge, factors, options } = await startLogin(form.userId)
  assert.deepEqual(factors, ['totp', 'passkey', 'recovery'])
  assert.partialDeepStrictEqual(options, { rpId: 'play.example.ph', allowCredentials: [{ id: passkey.id }] })
  const lockedAnswer = await tryFactor(site, { challenge, code: nextCode() })
  assert.deepEqual([lockedAnswer.status, lockedAnswer.message], [4, FACTOR_TEXTS.lockedButPasskey])
  assert.equal(lockedAnswer.options?.challenge, options?.challenge, 'the passkey’s challenge stays the same')
  const finishedLogin = await tryFactor(site, { challenge, assertion: passkey.assert(String(options?.challenge)) })
  assert.equal(finishedLogin.status, 1)
  assert.equal((await selectSessions(finishedLogin.user?.UserNum ?? 0)).at(-1)?.factor, 'passkey')
})

test('refuses a passkey’s answer with a wrong challenge, origin, key or count with status 2', async () => {
  const player = await createPlayer(site)
  const passkey = await addPasskey(site, player)
  const otherPasskey = await addPasskey(site, await createPlayer(site))
  const { challenge, options } = await startLogin(player.form.userId)
  const passkeyChallenge = String(options?.challenge)
  const wrongAssertions = [
    passkey.assert('x'.repeat(43)),
    passkey.assert(passkeyChallenge, { origin: 'https://evil.example.ph' }),
    passkey.assert(passkeyChallenge, { rpId: 'evil.example.ph' }),
    passkey.assert(passkeyChallenge, { key: 'foreign' }),
    passkey.assert(passkeyChallenge, { count: 1 }),
    otherPasskey.assert(passkeyChallenge),
    { ...passkey.assert(passkeyChallenge), response: {} },
    {},
  ]
  for (const assertion of wrongAssertions) {
    const answer = await tryFactor(site, { challenge, assertion })
    assert.deepEqual([answer.status, answer.challenge, answer.message], [2, challenge, FACTOR_TEXTS.wrongPasskey])
  }
  assert.equal(
    await countFailures(`factorFailures:${player.user.UserNum}`),
    wrongAssertions.length,
    'each counts as a failure',
  )
  const rightAssertion = passkey.assert(passkeyChallenge)
  assert.equal((await tryFactor(site, { challenge, assertion: rightAssertion })).status, 1)
  assert.deepEqual(await tryFactor(site, { challenge, assertion: rightAssertion }), LOGIN_EXPIRED)
})

test('a passkey’s answer that is sent twice at once opens one session', async () => {
  const player = await createPlayer(site)
  const passkey = await addPasskey(site, player)
  const { challenge, options } = await startLogin(player.form.userId)
  const assertion = passkey.assert(String(options?.challenge))
  const answers = await Promise.all([1, 2].map(() => tryFactor(site, { challenge, assertion })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [1, 2])
})

test('resets the count of failed passwords only after both steps of a login', async () => {
  const { form, nextCode } = await createPlayerWithApp()
  const from = fromAddress('198.51.100.40')
  const key = `loginFailures:${form.userId.toLowerCase()}`
  const failures = LIMITS.loginFailures.max - 1
  for (let tries = 0; tries < failures; tries++) await tryLogin(site, form.userId, 'hindi', from)
  const { challenge } = await startLogin(form.userId, from)
  await startLogin(form.userId, from)
  assert.equal(await countFailures(key), failures, 'a correct password is no failure')
  assert.equal((await tryFactor(site, { challenge, code: '000000' }, from)).status, 2)
  assert.equal(await countFailures(key), failures)
  assert.equal((await tryFactor(site, { challenge, code: nextCode() }, from)).status, 1)
  assert.equal(await countFailures(key), 0)
})

test('remembers an address and a device only after both steps of a login', async () => {
  const { form, nextCode, user } = await createPlayerWithApp()
  const from = fromAddress('198.51.100.41')
  const isKnownAddress = async () => {
    const rows = await site.db.selectFrom('known_places').where('user_num', '=', user.UserNum).select('place').execute()
    return rows.some(({ place }) => place === 'address 198.51.100.41')
  }
  const firstResponse = await site.post('/api/processlogin', { UserID: form.userId, UserPass: PASSWORD }, from)
  assert.equal(firstResponse.headers.get('Set-Cookie'), null)
  assert.equal(await isKnownAddress(), false)
  const { challenge } = firstResponse.json().data
  const secondResponse = await site.post('/api/login-factor', { challenge, code: nextCode() }, from)
  assert.match(secondResponse.headers.get('Set-Cookie') ?? '', /TAMBAYAN_DEVICE=.*HttpOnly/)
  assert.equal(await isKnownAddress(), true)
})

test('checks blocks, verified emails and maintenance after the password and after the code', async () => {
  const { form, nextCode, user } = await createPlayerWithApp()
  const updateAccount = (values: object) =>
    site.db.updateTable('accounts').set(values).where('user_num', '=', user.UserNum).execute()
  const maintenance = { until: '', message: 'We are moving.', allowed: [] }
  const cases: [status: number, startRefusal: () => Promise<unknown>, endRefusal: () => Promise<unknown>][] = [
    [3, () => updateAccount({ blocked_at: site.clock.now() }), () => updateAccount({ blocked_at: null })],
    [
      5,
      () => changeSettings(site, { require_verified_email: true }),
      () => changeSettings(site, { require_verified_email: false }),
    ],
    [
      6,
      () => changeSettings(site, { maintenance: { ...maintenance, from: '2020-01-01T00:00:00Z' } }),
      () => changeSettings(site, { maintenance: { ...maintenance, from: '' } }),
    ],
  ]
  for (const [status, startRefusal, endRefusal] of cases) {
    const { challenge } = await startLogin(form.userId)
    await startRefusal()
    const loginAnswer = (await tryLogin(site, form.userId, PASSWORD)) as LoginAnswer
    assert.deepEqual([loginAnswer.status, loginAnswer.challenge], [status, undefined])
    assert.equal((await tryFactor(site, { challenge, code: '000000' })).status, 2, 'only a correct code reveals it')
    const factorAnswer = await tryFactor(site, { challenge, code: nextCode() })
    assert.deepEqual([factorAnswer.status, factorAnswer.token, factorAnswer.user], [status, null, null])
    await endRefusal()
    assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), LOGIN_EXPIRED, 'the challenge is used up')
  }
})

test('maintenance lets staff finish a login with a second factor', async () => {
  const gm = await logInAs(site, 'gm', 'gm-demo-1')
  const { nextCode } = await addAuthenticatorApp(site, gm)
  await changeSettings(site, { maintenance: { from: '2020-01-01T00:00:00Z', until: '', message: 'Now.', allowed: [] } })
  const { challenge } = (await tryLogin(site, 'gm', 'gm-demo-1')) as LoginAnswer
  assert.equal((await tryFactor(site, { challenge, code: nextCode() })).status, 11)
  await changeSettings(site, { maintenance: { from: '', until: '', message: 'Now.', allowed: [] } })
})

test('does not offer passkeys at an address where browsers do not support them', async () => {
  const player = await createPlayer(site)
  await addPasskey(site, player)
  for (const publicUrl of [
    'http://play.example.ph',
    'https://203.0.113.7',
    'https://[2001:db8::1]',
    'http://127.0.0.1',
  ]) {
    const otherSite = await createTestApp({ database: site.database, publicUrl })
    const answer = (await tryLogin(otherSite, player.form.userId, PASSWORD)) as LoginAnswer
    assert.deepEqual([answer.factors, answer.options], [['recovery'], undefined], publicUrl)
  }
  const localSite = await createTestApp({ database: site.database, publicUrl: 'http://localhost:3000' })
  const answer = (await tryLogin(localSite, player.form.userId, PASSWORD)) as LoginAnswer
  assert.deepEqual([answer.factors, answer.options?.rpId], [['passkey', 'recovery'], 'localhost'])
})

test('the history lists a failed second factor and how a login was finished', async () => {
  const { form, nextCode } = await createPlayerWithApp()
  const { challenge } = await startLogin(form.userId)
  await tryFactor(site, { challenge, code: '000000' })
  const finishedLogin = await tryFactor(site, { challenge, code: nextCode() })
  const history = await site.get('/api/account-history', { Authorization: `Bearer ${finishedLogin.token}` })
  const [login, failedFactor] = history.json().data
  assert.deepEqual([login.kind, login.note, failedFactor.kind], ['login', 'with a code of the app', 'factor-failed'])
  const sessions = await site.get('/api/sessions', { Authorization: `Bearer ${finishedLogin.token}` })
  assert.equal(sessions.json().data.find((session: { current: boolean }) => session.current).factor, 'totp')
})
