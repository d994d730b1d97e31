import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT_TEXTS, PASSWORD_TEXTS } from '#contract/accounts.ts'
import { DAY_MS } from '#contract/durations.ts'
import { FACTOR_TEXTS } from '#contract/factors.ts'
import { CONFIRMATION_VALID_MS, SESSION_IDLE_MAX_MS } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { runCleanUp } from '#server/clean-ups.ts'
import { removeFactors } from '#server/features/factors/queries.ts'
import { sweepSentMails } from '#server/mail/outbox.ts'
import { assertRefused, createPlayer, listKeys, logInAs, selectMailsTo } from '#test/account-helpers.ts'
import { hasFactor } from '#test/factor-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { TRUST_PROXY: '1' } })

const PHONE_HEADERS = { 'User-Agent': 'Telepono/2.0', 'X-Forwarded-For': '203.0.113.20' }

test('returns the session’s account with balances and characters, and without secrets', async () => {
  const juan = await logInAs(site, 'juan', 'juan-demo-1')
  const answer = await juan.get('/api/user')
  assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  const { data, user_type } = answer.json()
  assert.deepEqual(data, juan.user)
  assert.equal(user_type, 1)
  for (const key of listKeys(answer.json())) assert.doesNotMatch(key, /pass|hash|answer/i)
  assert.equal((await (await logInAs(site, 'gm', 'gm-demo-1')).get('/api/user')).json().user_type, 11)
})

test('a logout ends this session and no other', async () => {
  const [session, otherSession] = [
    await logInAs(site, 'maria', 'maria-demo-1'),
    await logInAs(site, 'maria', 'maria-demo-1'),
  ]
  const answer = await session.post('/api/logout')
  assert.deepEqual([answer.status, answer.json()], [200, { message: ACCOUNT_TEXTS.loggedOut }])
  assertRefused(await session.get('/api/user'), 401)
  assertRefused(await session.post('/api/logout'), 401)
  assert.equal((await otherSession.get('/api/user')).status, 200)
})

test('a logout needs no body', async () => {
  const { headers } = await logInAs(site, 'maria', 'maria-demo-1')
  assert.equal((await site.send('/api/logout', { method: 'POST', headers })).status, 200)
})

test('lists sessions with device, address and time of the last use, the latest first', async () => {
  const player = await createPlayer(site)
  site.clock.advance(60_000)
  const phone = await logInAs(site, player.form.userId, player.form.userPassword, PHONE_HEADERS)
  const { data } = (await phone.get('/api/sessions')).json()
  assert.deepEqual(
    data.map(({ id: _, ...session }: { id: number }) => session),
    [
      {
        device: 'Telepono/2.0',
        address: '203.0.113.20',
        last_seen_at: site.clock.now().toISOString(),
        current: true,
        factor: null,
      },
      {
        device: '',
        address: '127.0.0.1',
        last_seen_at: new Date(site.clock.now().getTime() - 60_000).toISOString(),
        current: false,
        factor: null,
      },
    ],
  )
  assert.deepEqual(Object.keys(data[0]), ['id', 'device', 'address', 'last_seen_at', 'current', 'factor'])
})

test('does not list expired sessions, and deletes them', async () => {
  const player = await createPlayer(site)
  site.clock.advance(SESSION_IDLE_MAX_MS + 1)
  const newSession = await logInAs(site, player.form.userId, player.form.userPassword)
  assert.equal((await newSession.get('/api/sessions')).json().data.length, 1)
  await runCleanUp(site.db, 'sessions', site.clock.now())
  const rows = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', player.user.UserNum)
    .select('session_id')
    .execute()
  assert.equal(rows.length, 1)
  assert.equal((await newSession.get('/api/user')).status, 200)
})

test('deletes finished mails after 30 days, and the history of an account after a year', async () => {
  const player = await createPlayer(site)
  const user_num = player.user.UserNum
  const subtractDays = (days: number) => new Date(site.clock.now().getTime() - days * DAY_MS)
  const events = [364, 366].map((days) => ({ user_num, kind: `${days}`, created_at: subtractDays(days) }))
  await site.db.insertInto('account_events').values(events).execute()
  const mailEnds = [null, subtractDays(29), subtractDays(31)].flatMap((end) => [
    { subject: `sent ${end}`, sent_at: end, given_up_at: null },
    { subject: `given up ${end}`, sent_at: null, given_up_at: end },
  ])
  const mail = { to_address: 'walis@example.net', body_text: '', body_html: '' }
  const rows = mailEnds.map((end) => ({
    ...mail,
    ...end,
    created_at: subtractDays(40),
    next_attempt_at: subtractDays(-1),
  }))
  await site.db.insertInto('mail_outbox').values(rows).execute()
  await sweepSentMails(site.db, site.clock.now())
  await runCleanUp(site.db, 'account history', site.clock.now())
  const kinds = (await player.get('/api/account-history')).json().data.map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('364') && !kinds.includes('366'))
  const remainingSubjects = (await selectMailsTo(site, 'walis@example.net')).map(({ subject }) => subject)
  assert.deepEqual(remainingSubjects, [
    'sent null',
    'given up null',
    `sent ${subtractDays(29)}`,
    `given up ${subtractDays(29)}`,
  ])
})

test('logging out other devices leaves this session and the sessions of other players', async () => {
  const [juan, player] = [await logInAs(site, 'juan', 'juan-demo-1'), await createPlayer(site)]
  const phone = await logInAs(site, player.form.userId, player.form.userPassword, PHONE_HEADERS)
  const answer = await phone.post('/api/sessions/end-others')
  assert.deepEqual([answer.status, answer.json()], [200, { message: ACCOUNT_TEXTS.otherSessionsEnded }])
  assertRefused(await player.get('/api/user'), 401)
  for (const { get } of [phone, juan]) assert.equal((await get('/api/user')).status, 200)
  assert.equal((await phone.get('/api/account-history')).json().data[0].kind, 'others-logged-out')
})

test('the history shows the latest fifty events of this account only', async () => {
  const player = await createPlayer(site)
  const created_at = site.clock.now()
  const rows = Array.from({ length: 60 }, (_, index) => ({
    user_num: player.user.UserNum,
    kind: 'login',
    note: `#${index}`,
    created_at,
  }))
  await site.db.insertInto('account_events').values(rows).execute()
  const { data } = (await player.get('/api/account-history')).json()
  assert.deepEqual([data.length, data[0].note, data[49].note], [50, '#59', '#10'])
  const maria = await logInAs(site, 'maria', 'maria-demo-1')
  const otherEvents = (await maria.get('/api/account-history')).json().data
  assert.ok(otherEvents.every(({ note }: { note: string }) => note === ''))
})

test('shortens a device name to 200 characters, and removes its control characters', async () => {
  const device = `Bot/1.0 ${'x'.repeat(7000)}`
  const player = await logInAs(site, 'maria', 'maria-demo-1', { 'User-Agent': `${device}\t\u0085` })
  const [session] = (await player.get('/api/sessions')).json().data
  assert.equal(session.current, true)
  assert.equal(session.device, device.slice(0, 200))
})

async function readConfirmedAt(userNum: number): Promise<Date | null | undefined> {
  const row = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', userNum)
    .select('confirmed_at')
    .executeTakeFirst()
  return row?.confirmed_at
}

test('a login confirms the identity for fifteen minutes, and the password for fifteen more', async () => {
  const player = await createPlayer(site)
  const { UserNum } = player.owner
  assert.deepEqual(await readConfirmedAt(UserNum), site.clock.now())
  site.clock.advance(CONFIRMATION_VALID_MS)
  const answer = await player.post('/api/confirmidentity', { UserPass: 'bayani-7' })
  const { token, ...body } = answer.json()
  assert.deepEqual(body, {
    message: FACTOR_TEXTS.confirmed,
    confirmed_until: new Date(site.clock.now().getTime() + CONFIRMATION_VALID_MS).toISOString(),
    password_advice: null,
  })
  assert.match(token, /^[\w-]{43}$/)
  assert.deepEqual(await readConfirmedAt(UserNum), site.clock.now())
})

/** Returns the headers of a client that continues to send this token after a confirmation has issued a new one. */
const createTokenHeaders = (token: string) => ({ Authorization: `Bearer ${token}` })
const readStatus = async (token: string) => (await site.get('/api/user', createTokenHeaders(token))).status
const confirmWith = async (token: string) => {
  const answer = await site.post('/api/confirmidentity', { UserPass: 'bayani-7' }, createTokenHeaders(token))
  assert.equal(answer.status, 200, answer.text)
  return answer.json().token as string
}

test('a confirmation issues a new token; the old token expires when the confirmation does', async () => {
  const { token: firstToken } = await createPlayer(site)
  const newToken = await confirmWith(firstToken)
  assert.notEqual(newToken, firstToken)
  assert.deepEqual([await readStatus(firstToken), await readStatus(newToken)], [200, 200])
  site.clock.advance(CONFIRMATION_VALID_MS)
  assert.equal(await readStatus(firstToken), 200)
  site.clock.advance(1)
  assert.deepEqual([await readStatus(firstToken), await readStatus(newToken)], [401, 200])
})

test('confirming again with an old token keeps all old tokens until the new confirmation expires', async () => {
  const { token: firstToken } = await createPlayer(site)
  const secondToken = await confirmWith(firstToken)
  site.clock.advance(CONFIRMATION_VALID_MS - 60_000)
  const thirdToken = await confirmWith(firstToken)
  site.clock.advance(CONFIRMATION_VALID_MS)
  assert.deepEqual(
    [await readStatus(firstToken), await readStatus(secondToken), await readStatus(thirdToken)],
    [200, 200, 200],
  )
  site.clock.advance(1)
  assert.deepEqual(
    [await readStatus(firstToken), await readStatus(secondToken), await readStatus(thirdToken)],
    [401, 401, 200],
  )
})

test('two concurrent confirmations leave one session, and all its tokens work', async () => {
  const { token: firstToken, user } = await createPlayer(site)
  const newTokens = await Promise.all([confirmWith(firstToken), confirmWith(firstToken)])
  for (const token of [firstToken, ...newTokens]) assert.equal(await readStatus(token), 200)
  const sessions = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', user.UserNum)
    .select('session_id')
    .execute()
  assert.equal(sessions.length, 1)
})

test('a logout with any of its tokens, or the end of a session, ends all tokens of the session', async () => {
  for (const tokenIndex of [0, 1]) {
    const { token: firstToken } = await createPlayer(site)
    const tokens = [firstToken, await confirmWith(firstToken)]
    assert.equal((await site.post('/api/logout', {}, createTokenHeaders(tokens[tokenIndex] ?? ''))).status, 200)
    assert.deepEqual(await Promise.all(tokens.map(readStatus)), [401, 401])
  }
  const { token } = await createPlayer(site)
  const newToken = await confirmWith(token)
  site.clock.advance(SESSION_IDLE_MAX_MS + 1)
  assert.deepEqual([await readStatus(token), await readStatus(newToken)], [401, 401])
})

test('a wrong password confirms nothing and counts toward the limit of password checks', async () => {
  const player = await createPlayer(site)
  const confirmedAt = await readConfirmedAt(player.owner.UserNum)
  site.clock.advance(1000)
  await player.post('/api/validate-password', { ...player.owner, UserPass: 'hindi' })
  for (let tries = 1; tries < LIMITS.passwordChecks.max; tries++)
    assertRefused(await player.post('/api/confirmidentity', { UserPass: 'hindi' }), 422, PASSWORD_TEXTS.incorrect)
  assertRefused(await player.post('/api/confirmidentity', { UserPass: 'bayani-7' }), 429)
  assert.deepEqual(await readConfirmedAt(player.owner.UserNum), confirmedAt)
})

test('a confirmation requires either a password or a passkey', async () => {
  const player = await createPlayer(site)
  for (const body of [{}, { UserPass: 'bayani-7', assertion: {} }, { assertion: 'x' }, { UserPass: 7 }])
    assertRefused(await player.post('/api/confirmidentity', body), 422)
  assertRefused(await player.post('/api/confirmidentity', { assertion: {} }), 422, FACTOR_TEXTS.passkeyFailed)
  assert.deepEqual((await player.post('/api/confirmidentity/options')).json(), { options: null })
})

test('removes nothing from an account without a second factor', async () => {
  const player = await createPlayer(site)
  assert.equal(await hasFactor(site.db, player.owner.UserNum), false)
  assert.equal(await removeFactors(site.db, player.owner.UserNum), 0)
})
