import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSync, verifySync } from '@node-rs/argon2'
import { HOUR_MS } from '#contract/durations.ts'
import { LOGIN_ANSWERS, LOGIN_TEXTS } from '#contract/messages.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { assertRefused, createPlayer, listKeys, logInAs, selectMailsTo, tryLogin } from '#test/account-helpers.ts'
import { insertAccount, insertRows } from '#test/factories.ts'
import { GATE_INDEX } from '#test/held-thread.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { hashPassword, passwordThreads } from './passwords.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })
const unlimitedSite = await createTestApp({ database: site.database, env: { RATE_LIMIT: 'off' } })

const WRONG_ANSWER = { user: null, token: null, message: LOGIN_ANSWERS.wrong, status: 2 }
const LOCKED_ANSWER = { user: null, token: null, message: LOGIN_ANSWERS.locked, status: 4 }

/** Creates an account with a password. */
async function createAccount(user_id: string, values: Parameters<typeof insertAccount>[1] = {}) {
  const user_num = await insertAccount(site.db, { user_id, password_hash: await hashPassword('tama-ito'), ...values })
  return {
    user_num,
    change: (values: object) => site.db.updateTable('accounts').set(values).where('user_num', '=', user_num).execute(),
  }
}

test('a login returns the account (LOGIN-5), a token, and the UserType as its status (LOGIN-3)', async () => {
  const answer = await site.post('/api/processlogin', { UserID: 'juan', UserPass: 'juan-demo-1' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  const { user, token, message, status } = answer.json().data
  assert.equal(status, 1)
  assert.equal(message, 'Welcome back, juan!')
  assert.match(token, /^[\w-]{43}$/, '256 bits')
  const { characters, UserNum, email_verified_at, ...rest } = user
  assert.deepEqual(rest, {
    UserID: 'juan',
    UserEmail: 'juan@example.com',
    NameFirst: 'Juan',
    NameLast: 'Dela Cruz',
    PhoneNumber: '',
    UserPoint: 50_000,
    UserPoint2: 20_000,
    UserSQ: 3,
  })
  assert.ok(Number.isInteger(UserNum) && Number.isFinite(Date.parse(email_verified_at)))
  assert.equal(characters.length, 3)
  assert.deepEqual(Object.keys(characters[0]), ['ChaNum', 'ChaName', 'ChaLevel', 'ChaClass', 'ChaSchool'])
})

test('the response to a login contains no password, hash or secret answer', async () => {
  const { text } = await site.post('/api/processlogin', { UserID: 'juan', UserPass: 'juan-demo-1' })
  assert.doesNotMatch(text, /juan-demo-1|argon2|adobo/)
  for (const key of listKeys(JSON.parse(text))) assert.doesNotMatch(key, /pass|hash|answer/i)
})

test('an operator logs in with status 11', async () => {
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1')).status, 11)
})

test('ignores letter case and surrounding spaces of a user ID', async () => {
  for (const id of ['JUAN', 'Juan', ' juan '])
    assert.equal((await tryLogin(site, id, 'juan-demo-1')).user?.UserID, 'juan')
})

test('compares passwords exactly', async () => {
  await createAccount('exacting')
  for (const password of ['TAMA-ITO', ' tama-ito', 'tama-ito ', 'tama-it', 'tama-itoo'])
    assert.deepEqual(await tryLogin(site, 'exacting', password), WRONG_ANSWER)
})

test('accepts ñ composed and decomposed as one password, and stores the composed form (PASS-8)', async () => {
  const composed = 'ni\u00f1o-2026'
  const decomposed = 'nin\u0303o-2026'
  const { user_num, change } = await createAccount('enye')
  await change({ password_hash: hashSync(decomposed) })
  for (const password of [composed, decomposed]) {
    assert.equal((await tryLogin(site, 'enye', password)).status, 1)
  }
  const { password_hash } = await site.db
    .selectFrom('accounts')
    .where('user_num', '=', user_num)
    .select('password_hash')
    .executeTakeFirstOrThrow()
  assert.equal(verifySync(password_hash, composed), true)
  assert.deepEqual(await tryLogin(site, 'enye', 'nino-2026'), WRONG_ANSWER)
})

test('an unknown ID and a wrong password get the same answer', async () => {
  await createAccount('known_one')
  const answers = await Promise.all(
    ['known_one', 'unknown_one'].map((UserID) => site.post('/api/processlogin', { UserID, UserPass: 'hindi' })),
  )
  const [knownAnswer, unknownAnswer] = answers.map(({ status, text, headers }) => ({
    status,
    text,
    headers: [...headers.keys()],
  }))
  assert.deepEqual(knownAnswer, unknownAnswer)
  assert.deepEqual(answers[0]?.json(), { data: WRONG_ANSWER })
})

test('refuses every login to an account without a usable password', async () => {
  await insertAccount(site.db, { user_id: 'scenery' })
  for (const password of ['!', 'x', 'scenery'])
    assert.deepEqual(await tryLogin(site, 'scenery', password), WRONG_ANSWER)
})

test('a login without an ID or a password is refused with the text of LOGIN-2', async () => {
  for (const UserID of [undefined, null, '', '   ']) {
    assertRefused(await site.post('/api/processlogin', { UserID, UserPass: 'x' }), 422, LOGIN_TEXTS.userIdRequired)
  }
  for (const UserPass of [undefined, null, '', '   ']) {
    assertRefused(await site.post('/api/processlogin', { UserID: 'juan', UserPass }), 422, LOGIN_TEXTS.passwordRequired)
  }
})

test('ten failures in 15 minutes lock an ID, existing or not, even for the correct password', async () => {
  await createAccount('lock_me')
  for (const id of ['lock_me', 'lock_nobody']) {
    for (let tries = 0; tries < LIMITS.loginFailures.max; tries++)
      assert.deepEqual(await tryLogin(site, id, 'hindi'), WRONG_ANSWER)
    assert.deepEqual(await tryLogin(site, id, 'hindi'), LOCKED_ANSWER)
    assert.deepEqual(await tryLogin(site, id.toUpperCase(), 'tama-ito'), LOCKED_ANSWER, 'in any letter case')
  }
  assert.equal((await tryLogin(unlimitedSite, 'lock_me', 'tama-ito')).status, 1, 'RATE_LIMIT=off lifts the lock')
  site.clock.advance(LIMITS.loginFailures.windowMs)
  assert.equal((await tryLogin(site, 'lock_me', 'tama-ito')).status, 1)
  assert.deepEqual(await tryLogin(site, 'lock_nobody', 'tama-ito'), WRONG_ANSWER)
})

test('a lock applies in all processes of a site', async () => {
  await createAccount('lock_shared')
  const otherSite = await createTestApp({ database: site.database })
  for (let tries = 0; tries < LIMITS.loginFailures.max; tries++)
    await tryLogin(tries % 2 === 0 ? site : otherSite, 'lock_shared', 'hindi')
  assert.deepEqual(await tryLogin(site, 'lock_shared', 'tama-ito'), LOCKED_ANSWER)
  assert.deepEqual(await tryLogin(otherSite, 'lock_shared', 'tama-ito'), LOCKED_ANSWER)
})

test('a successful login resets the count of failures', async () => {
  await createAccount('forgetful')
  for (let round = 0; round < 2; round++) {
    for (let tries = 0; tries < LIMITS.loginFailures.max - 1; tries++) await tryLogin(site, 'forgetful', 'hindi')
    assert.equal((await tryLogin(site, 'forgetful', 'tama-ito')).status, 1)
  }
})

test('checks at most ten passwords of thirty concurrent wrong logins', async () => {
  await createAccount('stormed')
  for (const id of ['stormed', 'stormed_nobody']) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => tryLogin(site, id, 'hindi')))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 2).length, LIMITS.loginFailures.max, id)
    assert.equal(statuses.filter((status) => status === 4).length, 20, id)
  }
})

test('limits the logins of an address across user IDs', async () => {
  const headers = { 'X-Forwarded-For': '198.51.100.77' }
  await insertRows(site.db, 'attempts', {
    key: 'login:198.51.100.77',
    count: LIMITS.login.max,
    ends_at: new Date(site.clock.now().getTime() + 60_000),
  })
  const answer = await site.post('/api/processlogin', { UserID: 'juan', UserPass: 'juan-demo-1' }, headers)
  assertRefused(answer, 429, 'Too many Requests! try again later')
  assert.equal(answer.headers.get('Retry-After'), '60')
  assert.equal((await tryLogin(site, 'juan', 'juan-demo-1', { 'X-Forwarded-For': '198.51.100.78' })).status, 1)
})

test('reports a blocked account only after the correct password', async () => {
  await createAccount('blocked_one', { blocked_at: site.clock.now() })
  assert.deepEqual(await tryLogin(site, 'blocked_one', 'tama-ito'), {
    user: null,
    token: null,
    message: LOGIN_ANSWERS.blocked,
    status: 3,
  })
  assert.deepEqual(await tryLogin(site, 'blocked_one', 'hindi'), WRONG_ANSWER)
})

const MAINTENANCE = { from: '', until: '', message: 'We are moving to a larger disk.', allowed: [] }

test('only operators can log in during maintenance', async () => {
  await changeSettings(site, { maintenance: { ...MAINTENANCE, from: '2026-11-01T00:00:00Z' } })
  assert.deepEqual(await tryLogin(site, 'juan', 'juan-demo-1'), {
    user: null,
    token: null,
    message: MAINTENANCE.message,
    status: 6,
  })
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1')).status, 11)
  assert.deepEqual(await tryLogin(site, 'juan', 'hindi'), WRONG_ANSWER)
  await changeSettings(site, { maintenance: MAINTENANCE })
  assert.equal((await tryLogin(site, 'juan', 'juan-demo-1')).status, 1)
})

test('requires a verified email address if the setting is on, and mails a link at most hourly', async () => {
  await createAccount('unverified', { user_email: 'unverified@example.net' })
  assert.equal((await tryLogin(site, 'unverified', 'tama-ito')).status, 1, 'the setting is off')
  await changeSettings(site, { require_verified_email: true })
  const refusal = { user: null, token: null, message: LOGIN_ANSWERS.unverified, status: 5 }
  for (let tries = 0; tries < 3; tries++) assert.deepEqual(await tryLogin(site, 'unverified', 'tama-ito'), refusal)
  assert.equal((await selectMailsTo(site, 'unverified@example.net')).length, 1)
  site.clock.advance(HOUR_MS + 1)
  assert.deepEqual(await tryLogin(site, 'unverified', 'tama-ito'), refusal)
  assert.equal((await selectMailsTo(site, 'unverified@example.net')).length, 2)
  assert.deepEqual(await tryLogin(site, 'unverified', 'hindi'), WRONG_ANSWER)
  assert.equal((await tryLogin(site, 'gm', 'gm-demo-1')).status, 11)
  await changeSettings(site, { require_verified_email: false })
})

test('the history lists logins and failed logins, with address and device', async () => {
  const player = await createPlayer(site)
  const headers = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': 'Lakbay/1.0' }
  await tryLogin(site, player.form.userId, 'hindi', headers)
  const [newestEvent] = (await player.get('/api/account-history')).json().data
  const { id: _, created_at, ...event } = newestEvent
  assert.deepEqual(event, { kind: 'login-failed', address: '203.0.113.9', device: 'Lakbay/1.0', note: '' })
  assert.equal(created_at, site.clock.now().toISOString())
})

test('a login opens no session when the password changes while it is checked', async () => {
  const { user_num, change } = await createAccount('late_login')
  const releaseThreads = await holdPasswordThreads()
  const login = tryLogin(site, 'late_login', 'tama-ito')
  await waitForAttempt('loginFailures:late_login')
  await change({ password_hash: '!' })
  await releaseThreads()
  assert.deepEqual(await login, WRONG_ANSWER)
  const sessions = await site.db.selectFrom('sessions').where('user_num', '=', user_num).selectAll().execute()
  assert.deepEqual(sessions, [])
})

/** Occupies every password thread and adds `waiting` tasks to the queue. @returns a function that releases them */
async function holdPasswordThreads({ waiting = 0 } = {}): Promise<() => Promise<void>> {
  const gate = new Int32Array(new SharedArrayBuffer(4 * GATE_INDEX.size))
  const { maxThreads } = passwordThreads
  const tasks = Array.from({ length: maxThreads + waiting }, () =>
    passwordThreads.run(gate, { filename: import.meta.resolve('#test/held-thread.ts'), name: 'hold' }),
  )
  while (Atomics.load(gate, GATE_INDEX.held) < maxThreads) await sleep(5)
  return async () => {
    Atomics.store(gate, GATE_INDEX.open, 1)
    Atomics.notify(gate, GATE_INDEX.open)
    await Promise.all(tasks)
  }
}

/** Waits until a login was counted and, after 50 queries more, has read the account and entered the queue. */
async function waitForAttempt(key: string): Promise<void> {
  for (;;) {
    const attemptRow = await site.db.selectFrom('attempts').where('key', '=', key).select('key').executeTakeFirst()
    if (attemptRow !== undefined) break
  }
  for (let query = 0; query < 50; query++) await site.db.selectFrom('attempts').select('key').limit(1).execute()
}

test('answers 503 with Retry-After while too many passwords wait to be checked', async () => {
  const releaseThreads = await holdPasswordThreads({ waiting: passwordThreads.options.maxQueue })
  for (let tries = 0; tries <= LIMITS.loginFailures.max; tries++) {
    const response = await site.post('/api/processlogin', { UserID: 'juan', UserPass: 'juan-demo-1' })
    assertRefused(response, 503)
    assert.equal(response.headers.get('Retry-After'), '5')
  }
  assert.equal((await site.get('/api/getSiteBanners')).status, 200, 'other calls still work')
  await releaseThreads()
  await logInAs(site, 'juan', 'juan-demo-1')
})
