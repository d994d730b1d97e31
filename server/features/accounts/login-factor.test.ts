import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { LOGIN_CHALLENGE_GOOD_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { hashToken } from '#server/http/tokens.ts'
import { assertRefused, linkTokenFor, loginAs, mailsTo, newPlayer, tryLogin } from '#test/account-helpers.ts'
import { addApp, addPasskey, generateCode, tryFactor } from '#test/factor-helpers.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import type { LoginAnswer } from './login.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })

const OVER = { user: null, token: null, message: FACTOR_TEXTS.loginOver, status: 2, challenge: null }
const PASSWORD = 'bayani-7'
const at = (address: string) => ({ 'X-Forwarded-For': address })

/** Creates a player with an authenticator app. */
async function withApp() {
  const player = await newPlayer(site)
  return { ...player, ...(await addApp(site, player)) }
}

/** Makes the first step of a login. */
async function start(id: string, headers: Record<string, string> = {}) {
  const answer = (await tryLogin(site, id, PASSWORD, headers)) as LoginAnswer
  const { challenge } = answer
  assert.ok(typeof challenge === 'string', answer.message)
  return { ...answer, challenge }
}

const readSessions = (userNum: number) =>
  site.db.selectFrom('sessions').where('user_num', '=', userNum).selectAll().orderBy('session_id').execute()

const countFailures = async (key: string) => {
  const row = await site.db.selectFrom('attempts').where('key', '=', key).select('count').executeTakeFirst()
  return row?.count ?? 0
}

test('a correct password returns a challenge with status 2, and a code from the app finishes the login', async () => {
  const { form, nextCode, user } = await withApp()
  const { challenge, ...rest } = await start(form.userId)
  assert.deepEqual(rest, {
    user: null,
    token: null,
    status: 2,
    message: FACTOR_TEXTS.asked,
    factors: ['totp', 'recovery'],
  })
  assert.match(challenge, /^[\w-]{43}$/, '256 bits')
  const done = await tryFactor(site, { challenge, code: nextCode() })
  assert.deepEqual(Object.keys(done).sort(), ['message', 'status', 'token', 'user'])
  assert.equal(done.status, 1)
  assert.equal(done.message, LOGIN_ANSWERS.welcome(form.userId))
  assert.equal(done.user?.UserNum, user.UserNum)
  const me = await site.get('/api/user', { Authorization: `Bearer ${done.token}` })
  assert.equal(me.json().user_type, 1)
  const session = (await readSessions(user.UserNum)).at(-1)
  assert.equal(session?.factor, 'totp')
  assert.deepEqual(session?.confirmed_at, site.clock.now())
})

test('a login without a second factor returns no challenge', async () => {
  const { form } = await newPlayer(site)
  assert.deepEqual(Object.keys(await tryLogin(site, form.userId, PASSWORD)).sort(), [
    'message',
    'status',
    'token',
    'user',
  ])
})

test('stores only the hash of a challenge and nothing of the password', async () => {
  const { form, user } = await withApp()
  const { challenge } = await start(form.userId)
  const row = await site.db
    .selectFrom('login_challenges')
    .where('user_num', '=', user.UserNum)
    .selectAll()
    .executeTakeFirstOrThrow()
  assert.equal(row.challenge_hash, hashToken(challenge))
  assert.doesNotMatch(JSON.stringify(row), new RegExp(`${challenge}|argon2`))
})

test('a wrong code returns status 2 with the same challenge, which stays valid', async () => {
  const { form, nextCode } = await withApp()
  const { challenge } = await start(form.userId)
  for (const code of ['000000', '', 'hindi', 'AAAA-AAAA-AAAA-AAAA', '٠٠٠٠٠٠']) {
    const wrong = await tryFactor(site, { challenge, code })
    assert.deepEqual(wrong, {
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

test('a code may be typed with spaces and dashes, and a recovery code in small letters', async () => {
  const { form, nextCode, recoveryCodes } = await withApp()
  const code = nextCode()
  const first = await start(form.userId)
  assert.equal(
    (await tryFactor(site, { challenge: first.challenge, code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status,
    1,
  )
  const second = await start(form.userId)
  const typed = recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  assert.equal((await tryFactor(site, { challenge: second.challenge, code: typed })).status, 1)
})

test('an unknown, used or five minutes old challenge returns status 2 and null', async () => {
  const { form, nextCode } = await withApp()
  const { challenge } = await start(form.userId)
  assert.deepEqual(await tryFactor(site, { challenge: 'x'.repeat(43), code: '123456' }), OVER)
  assert.deepEqual(await tryFactor(site, { challenge: '', assertion: {} }), OVER)
  assert.equal((await tryFactor(site, { challenge, code: nextCode() })).status, 1)
  assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), OVER)
  const late = await start(form.userId)
  site.clock.advance(LOGIN_CHALLENGE_GOOD_MS)
  assert.deepEqual(await tryFactor(site, { challenge: late.challenge, code: nextCode() }), OVER)
})

test('the second step requires either a code or an assertion', async () => {
  const challenge = 'x'.repeat(43)
  for (const body of [{ challenge }, { challenge, code: '1', assertion: {} }, { code: '1' }, { challenge, code: 1 }])
    assertRefused(await site.post('/api/login-factor', body), 422)
})

test('a password change ends open challenges, and a reset does not remove a second factor', async () => {
  const { form, nextCode } = await withApp()
  const { challenge } = await start(form.userId)
  await site.post('/api/findPassword', { findPWID: form.userId, findPWEmail: form.userEmail })
  const token = await linkTokenFor(site, form.userEmail, 'Set a new password')
  assert.equal((await site.post('/api/resetpassword', { token, NewUserPass: 'bagong-7' })).status, 200)
  assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), OVER)
  const answer = (await tryLogin(site, form.userId, 'bagong-7')) as LoginAnswer
  assert.equal(answer.status, 2)
  assert.deepEqual(answer.factors, ['totp', 'recovery'])
})

test('accepts a code once, and afterwards refuses it and earlier codes for every challenge', async () => {
  const { form, secret, nextCode } = await withApp()
  const earlier = generateCode(secret, new Date(site.clock.now().getTime() + 30_000))
  site.clock.advance(30_000)
  const code = nextCode()
  assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code })).status, 1)
  for (const replayed of [code, earlier]) {
    const { challenge } = await start(form.userId)
    assert.equal((await tryFactor(site, { challenge, code: replayed })).message, FACTOR_TEXTS.wrongCode)
  }
})

const pick = ({ challenge }: { challenge: string }) => ({ challenge })

test('refuses the code that set the app up at a login', async () => {
  const player = await newPlayer(site)
  const { secret } = await addApp(site, player)
  const { challenge } = await start(player.form.userId)
  const answer = await tryFactor(site, { challenge, code: generateCode(secret, site.clock.now()) })
  assert.equal(answer.message, FACTOR_TEXTS.wrongCode)
})

test('accepts the codes of the previous and the next half minute, and no others', async () => {
  const { form, secret } = await withApp()
  const shifted = (ms: number) => generateCode(secret, new Date(site.clock.now().getTime() + ms))
  site.clock.advance(300_000)
  for (const ms of [-60_000, 60_000]) {
    const { challenge } = await start(form.userId)
    assert.equal((await tryFactor(site, { challenge, code: shifted(ms) })).status, 2, `${ms} ms`)
  }
  for (const ms of [-30_000, 0, 30_000]) {
    const { challenge } = await start(form.userId)
    assert.equal((await tryFactor(site, { challenge, code: shifted(ms) })).status, 1, `${ms} ms`)
  }
})

test('two concurrent requests with the same challenge open one session', async () => {
  const { form, nextCode, user, recoveryCodes } = await withApp()
  const before = (await readSessions(user.UserNum)).length
  const { challenge } = await start(form.userId)
  const code = nextCode()
  const answers = await Promise.all([
    tryFactor(site, { challenge, code }),
    tryFactor(site, { challenge, code: recoveryCodes[0] }),
    tryFactor(site, { challenge, code: recoveryCodes[1] }),
  ])
  assert.equal(answers.filter(({ token }) => token !== null).length, 1)
  assert.equal(answers.filter((answer) => answer.challenge === null).length, 2)
  assert.equal((await readSessions(user.UserNum)).length, before + 1)
})

for (const kind of ['code of the app', 'recovery code'] as const)
  test(`two concurrent logins with the same ${kind} open one session`, async () => {
    const { form, nextCode, user, recoveryCodes } = await withApp()
    const before = (await readSessions(user.UserNum)).length
    const steps = [await start(form.userId), await start(form.userId), await start(form.userId)]
    const code = kind === 'recovery code' ? recoveryCodes[0] : nextCode()
    const answers = await Promise.all(steps.map(({ challenge }) => tryFactor(site, { challenge, code })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [1, 2, 2])
    assert.equal((await readSessions(user.UserNum)).length, before + 1)
    const loser = answers.findIndex(({ token }) => token === null)
    assert.equal(answers[loser]?.challenge, steps[loser]?.challenge, 'the other challenge still works')
  })

test('a recovery code works once, and its owner gets an email', async () => {
  const { form, recoveryCodes, get } = await withApp()
  const [code = ''] = recoveryCodes
  assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code })).status, 1)
  assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code })).status, 2)
  const mail = (await mailsTo(site, form.userEmail)).at(-1)
  assert.match(mail?.subject ?? '', /^A recovery code was used/)
  assert.match(mail?.body_text ?? '', /9 recovery codes are left/)
  const history = (await get('/api/account-history')).json().data as { kind: string; note: string }[]
  assert.ok(history.some(({ kind, note }) => kind === 'recovery-code-used' && note === '9 left'))
  assert.ok(history.some(({ kind, note }) => kind === 'login' && note === 'with a recovery code'))
})

test('does not offer recovery codes when all are used', async () => {
  const { form, recoveryCodes } = await withApp()
  for (const code of recoveryCodes)
    assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code })).status, 1)
  assert.deepEqual((await start(form.userId)).factors, ['totp'])
  assert.match((await mailsTo(site, form.userEmail)).at(-1)?.body_text ?? '', /It was the last one/)
})

test('ten failures across challenges lock codes with status 4 for 15 minutes, and the owner is warned once', async () => {
  const { form, nextCode, recoveryCodes } = await withApp()
  for (let tries = 0; tries < LIMITS.factorFailures.max; tries++)
    assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code: '000000' })).status, 2)
  const { challenge } = await start(form.userId)
  for (const code of [nextCode(), recoveryCodes[0], '000000']) {
    const { status, message, challenge: same } = await tryFactor(site, { challenge, code })
    assert.deepEqual([status, message, same], [4, FACTOR_TEXTS.locked, challenge])
  }
  const warnings = (await mailsTo(site, form.userEmail)).filter(({ subject }) => subject.startsWith('Failed logins'))
  assert.equal(warnings.length, 1)
  site.clock.advance(LIMITS.factorFailures.windowMs)
  assert.equal((await tryFactor(site, { ...pick(await start(form.userId)), code: nextCode() })).status, 1)
})

test('checks at most ten of thirty concurrent wrong codes', async () => {
  const { form } = await withApp()
  const { challenge } = await start(form.userId)
  const tries = Array.from({ length: 30 }, () => tryFactor(site, { challenge, code: '000000' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 2).length, LIMITS.factorFailures.max)
})

test('RATE_LIMIT=off lifts the lock of codes', async () => {
  const unlimited = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })
  const { form } = await withApp()
  const { challenge } = await start(form.userId)
  for (let tries = 0; tries <= LIMITS.factorFailures.max; tries++)
    assert.equal((await tryFactor(unlimited, { challenge, code: '000000' })).status, 2)
})

test('a passkey finishes a login, also when codes are locked', async () => {
  const { form, post, nextCode } = await withApp()
  const passkey = await addPasskey(site, { post })
  assert.deepEqual(passkey.recoveryCodes, [], 'there are some already')
  for (let tries = 0; tries <= LIMITS.factorFailures.max; tries++)
    await tryFactor(site, { ...pick(await start(form.userId)), code: '000000' })
  const { challenge, factors, options } = await start(form.userId)
  assert.deepEqual(factors, ['totp', 'passkey', 'recovery'])
  assert.partialDeepStrictEqual(options, { rpId: 'play.example.ph', allowCredentials: [{ id: passkey.id }] })
  const locked = await tryFactor(site, { challenge, code: nextCode() })
  assert.deepEqual([locked.status, locked.message], [4, FACTOR_TEXTS.lockedButPasskey])
  assert.equal(locked.options?.challenge, options?.challenge, 'what is to be signed stays')
  const done = await tryFactor(site, { challenge, assertion: passkey.assert(String(options?.challenge)) })
  assert.equal(done.status, 1)
  assert.equal((await readSessions(done.user?.UserNum ?? 0)).at(-1)?.factor, 'passkey')
})

test('a passkey’s answer with a wrong challenge, origin or key returns status 2 with the same challenge', async () => {
  const player = await newPlayer(site)
  const passkey = await addPasskey(site, player)
  const other = await addPasskey(site, await newPlayer(site))
  const { challenge, options } = await start(player.form.userId)
  const signed = String(options?.challenge)
  const wrong = [
    passkey.assert('x'.repeat(43)),
    passkey.assert(signed, { origin: 'https://evil.example.ph' }),
    passkey.assert(signed, { rpId: 'evil.example.ph' }),
    passkey.assert(signed, { key: 'foreign' }),
    passkey.assert(signed, { count: 1 }),
    other.assert(signed),
    { ...passkey.assert(signed), response: {} },
    {},
  ]
  for (const assertion of wrong) {
    const answer = await tryFactor(site, { challenge, assertion })
    assert.deepEqual([answer.status, answer.challenge, answer.message], [2, challenge, FACTOR_TEXTS.wrongPasskey])
  }
  assert.equal(await countFailures(`factorFailures:${player.user.UserNum}`), wrong.length, 'they count as failures')
  const right = passkey.assert(signed)
  assert.equal((await tryFactor(site, { challenge, assertion: right })).status, 1)
  assert.deepEqual(await tryFactor(site, { challenge, assertion: right }), OVER)
})

test('a passkey’s answer that is sent twice at once opens one session', async () => {
  const player = await newPlayer(site)
  const passkey = await addPasskey(site, player)
  const { challenge, options } = await start(player.form.userId)
  const assertion = passkey.assert(String(options?.challenge))
  const answers = await Promise.all([1, 2].map(() => tryFactor(site, { challenge, assertion })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [1, 2])
})

test('resets the count of failed passwords only after both steps of a login', async () => {
  const { form, nextCode } = await withApp()
  const from = at('198.51.100.40')
  const key = `loginFailures:${form.userId.toLowerCase()}`
  for (let tries = 0; tries < 9; tries++) await tryLogin(site, form.userId, 'hindi', from)
  const { challenge } = await start(form.userId, from)
  await start(form.userId, from)
  assert.equal(await countFailures(key), 9, 'a right password is no failure')
  assert.equal((await tryFactor(site, { challenge, code: '000000' }, from)).status, 2)
  assert.equal(await countFailures(key), 9)
  assert.equal((await tryFactor(site, { challenge, code: nextCode() }, from)).status, 1)
  assert.equal(await countFailures(key), 0)
})

test('an address and a device are known only after both steps of a login', async () => {
  const { form, nextCode, user } = await withApp()
  const from = at('198.51.100.41')
  const known = async () => {
    const rows = await site.db.selectFrom('known_places').where('user_num', '=', user.UserNum).select('place').execute()
    return rows.some(({ place }) => place === 'address 198.51.100.41')
  }
  const first = await site.post('/api/processlogin', { UserID: form.userId, UserPass: PASSWORD }, from)
  assert.equal(first.headers.get('Set-Cookie'), null)
  assert.equal(await known(), false)
  const { challenge } = first.json().data
  const second = await site.post('/api/login-factor', { challenge, code: nextCode() }, from)
  assert.match(second.headers.get('Set-Cookie') ?? '', /TAMBAYAN_DEVICE=.*HttpOnly/)
  assert.equal(await known(), true)
})

test('statuses 3, 5 and 6 come before a challenge and are checked again after the code', async () => {
  const { form, nextCode, user } = await withApp()
  const change = (set: object) =>
    site.db.updateTable('accounts').set(set).where('user_num', '=', user.UserNum).execute()
  const maintenance = { until: '', message: 'We are moving.', allowed: [] }
  const cases: [number, () => Promise<unknown>, () => Promise<unknown>][] = [
    [3, () => change({ blocked_at: site.clock.now() }), () => change({ blocked_at: null })],
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
  for (const [status, begin, end] of cases) {
    const { challenge } = await start(form.userId)
    await begin()
    const before = (await tryLogin(site, form.userId, PASSWORD)) as LoginAnswer
    assert.deepEqual([before.status, before.challenge], [status, undefined])
    assert.equal((await tryFactor(site, { challenge, code: '000000' })).status, 2, 'only a correct code reveals it')
    const after = await tryFactor(site, { challenge, code: nextCode() })
    assert.deepEqual([after.status, after.token, after.user], [status, null, null])
    await end()
    assert.deepEqual(await tryFactor(site, { challenge, code: nextCode() }), OVER, 'the challenge is used up')
  }
})

test('maintenance lets staff finish a login with a second factor', async () => {
  const gm = await loginAs(site, 'gm', 'gm-demo-1')
  const { nextCode } = await addApp(site, gm)
  await changeSettings(site, { maintenance: { from: '2020-01-01T00:00:00Z', until: '', message: 'Now.', allowed: [] } })
  const { challenge } = (await tryLogin(site, 'gm', 'gm-demo-1')) as LoginAnswer
  assert.equal((await tryFactor(site, { challenge, code: nextCode() })).status, 11)
  await changeSettings(site, { maintenance: { from: '', until: '', message: 'Now.', allowed: [] } })
})

test('does not offer passkeys at an address where browsers do not support them', async () => {
  const player = await newPlayer(site)
  await addPasskey(site, player)
  for (const publicUrl of [
    'http://play.example.ph',
    'https://203.0.113.7',
    'https://[2001:db8::1]',
    'http://127.0.0.1',
  ]) {
    const elsewhere = await createTestApp({ database: site.database, publicUrl })
    const answer = (await tryLogin(elsewhere, player.form.userId, PASSWORD)) as LoginAnswer
    assert.deepEqual([answer.factors, answer.options], [['recovery'], undefined], publicUrl)
  }
  const local = await createTestApp({ database: site.database, publicUrl: 'http://localhost:3000' })
  const answer = (await tryLogin(local, player.form.userId, PASSWORD)) as LoginAnswer
  assert.deepEqual([answer.factors, answer.options?.rpId], [['passkey', 'recovery'], 'localhost'])
})

test('the history lists a failed second factor and how a login was finished', async () => {
  const { form, nextCode } = await withApp()
  const { challenge } = await start(form.userId)
  await tryFactor(site, { challenge, code: '000000' })
  const done = await tryFactor(site, { challenge, code: nextCode() })
  const history = await site.get('/api/account-history', { Authorization: `Bearer ${done.token}` })
  const [login, failed] = history.json().data
  assert.deepEqual([login.kind, login.note, failed.kind], ['login', 'with a code of the app', 'factor-failed'])
  const sessions = await site.get('/api/sessions', { Authorization: `Bearer ${done.token}` })
  assert.equal(sessions.json().data.find((one: { current: boolean }) => one.current).factor, 'totp')
})
