import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { SESSION_IDLE_MAX_MS, SESSION_MAX_MS } from '#contract/limits.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { assertRefused, createPlayer, logInAs } from '#test/account-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

const requestWith = (Authorization: string) => site.get('/api/user', { Authorization })

test('accepts only a complete bearer token', async () => {
  const { token } = await logInAs(site, 'juan', 'juan-demo-1')
  assert.equal((await requestWith(`Bearer ${token}`)).status, 200)
  assert.equal((await requestWith(`bearer ${token}`)).status, 200, 'the scheme is not case-sensitive')
  const invalidHeaders = [
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token}x`,
    `Bearer ${token} ${token}`,
    `Bearer ${'x'.repeat(5000)}`,
    `Bearer ${token.toLowerCase()}`,
    "Bearer ' or 1=1--",
  ]
  for (const Authorization of invalidHeaders) {
    const answer = await requestWith(Authorization)
    assertRefused(answer, 401, LOGIN_ANSWERS.tokenMissing)
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  }
})

test('stores only the hash of a token', async () => {
  const { token } = await logInAs(site, 'juan', 'juan-demo-1')
  const rows = await site.db.selectFrom('sessions').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(token))
  for (const { token_hash } of rows) assertRefused(await requestWith(`Bearer ${token_hash}`), 401)
})

test('ends a session that was idle for twelve hours', async () => {
  const { get } = await logInAs(site, 'juan', 'juan-demo-1')
  for (let attempt = 0; attempt < 3; attempt++) {
    site.clock.advance(SESSION_IDLE_MAX_MS - 1)
    assert.equal((await get('/api/user')).status, 200, 'each use restarts the twelve hours')
  }
  site.clock.advance(SESSION_IDLE_MAX_MS)
  assertRefused(await get('/api/user'), 401)
})

test('ends a session after thirty days of use', async () => {
  const { get } = await logInAs(site, 'juan', 'juan-demo-1')
  for (let elapsedMs = HOUR_MS * 10; elapsedMs < SESSION_MAX_MS; elapsedMs += HOUR_MS * 10) {
    site.clock.advance(HOUR_MS * 10)
    assert.equal((await get('/api/user')).status, 200, `${elapsedMs / HOUR_MS} hours`)
  }
  site.clock.advance(HOUR_MS * 10)
  assertRefused(await get('/api/user'), 401)
})

test('writes the last use of a session at most once a minute', async () => {
  const player = await createPlayer(site)
  const readLastUse = async () =>
    (
      await site.db
        .selectFrom('sessions')
        .where('user_num', '=', player.user.UserNum)
        .select('last_seen_at')
        .executeTakeFirstOrThrow()
    ).last_seen_at.getTime()
  const start = site.clock.now().getTime()
  site.clock.advance(MINUTE_MS)
  await player.get('/api/user')
  assert.equal(await readLastUse(), start)
  site.clock.advance(1)
  await player.get('/api/user')
  assert.equal(await readLastUse(), start + MINUTE_MS + 1)
})
