import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#contract/accounts.ts'
import { FACTOR } from '#contract/factors.ts'
import { CONFIRMED_MS, SESSION_IDLE_MS } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { removeFactors } from '#server/features/factors/queries.ts'
import { assertRefused, newPlayer } from '#test/account-helpers.ts'
import { hasFactor } from '#test/factor-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()

async function confirmedAt(userNum: number): Promise<Date | null | undefined> {
  const row = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', userNum)
    .select('confirmed_at')
    .executeTakeFirst()
  return row?.confirmed_at
}

test('a login confirms the person, and the password confirms again for fifteen minutes', async () => {
  const player = await newPlayer(site)
  const { UserNum } = player.owner
  assert.deepEqual(await confirmedAt(UserNum), site.clock.now())
  site.clock.advance(CONFIRMED_MS)
  const answer = await player.post('/api/confirmidentity', { UserPass: 'bayani-7' })
  const { token, ...said } = answer.json()
  assert.deepEqual(said, {
    message: FACTOR.confirmed,
    confirmed_until: new Date(site.clock.now().getTime() + CONFIRMED_MS).toISOString(),
  })
  assert.match(token, /^[\w-]{43}$/)
  assert.deepEqual(await confirmedAt(UserNum), site.clock.now())
})

/** Somebody who keeps to one token whatever they are given, and what a token may do. */
const withToken = (token: string) => ({ Authorization: `Bearer ${token}` })
const statusOf = async (token: string) => (await site.get('/api/user', withToken(token))).status
const confirmWith = async (token: string) => {
  const answer = await site.post('/api/confirmidentity', { UserPass: 'bayani-7' }, withToken(token))
  assert.equal(answer.status, 200, answer.text)
  return answer.json().token as string
}

test('a confirmation gives the session a new token; the old one ends with the confirmation', async () => {
  const { token: old } = await newPlayer(site)
  const fresh = await confirmWith(old)
  assert.notEqual(fresh, old)
  assert.deepEqual([await statusOf(old), await statusOf(fresh)], [200, 200])
  site.clock.advance(CONFIRMED_MS)
  assert.equal(await statusOf(old), 200)
  site.clock.advance(1)
  assert.deepEqual([await statusOf(old), await statusOf(fresh)], [401, 200])
})

test('a program that keeps to its token can confirm again with it, and ends nobody else’s', async () => {
  const { token: old } = await newPlayer(site)
  const first = await confirmWith(old)
  site.clock.advance(CONFIRMED_MS - 60_000)
  const second = await confirmWith(old)
  site.clock.advance(CONFIRMED_MS)
  assert.deepEqual([await statusOf(old), await statusOf(first), await statusOf(second)], [200, 200, 200])
  site.clock.advance(1)
  assert.deepEqual([await statusOf(old), await statusOf(first), await statusOf(second)], [401, 401, 200])
})

test('two confirmations at once leave one session, whose tokens all work', async () => {
  const { token: old, user } = await newPlayer(site)
  const fresh = await Promise.all([confirmWith(old), confirmWith(old)])
  for (const token of [old, ...fresh]) assert.equal(await statusOf(token), 200)
  const sessions = await site.db
    .selectFrom('sessions')
    .where('user_num', '=', user.UserNum)
    .select('session_id')
    .execute()
  assert.equal(sessions.length, 1)
})

test('a session ends with all its tokens, by its newest one or an older one', async () => {
  for (const ends of [0, 1]) {
    const { token: old } = await newPlayer(site)
    const tokens = [old, await confirmWith(old)]
    assert.equal((await site.post('/api/logout', {}, withToken(tokens[ends] ?? ''))).status, 200)
    assert.deepEqual(await Promise.all(tokens.map(statusOf)), [401, 401])
  }
  const { token } = await newPlayer(site)
  const fresh = await confirmWith(token)
  site.clock.advance(SESSION_IDLE_MS + 1)
  assert.deepEqual([await statusOf(token), await statusOf(fresh)], [401, 401])
})

test('a wrong password confirms nothing and counts with all other password checks', async () => {
  const player = await newPlayer(site)
  const at = await confirmedAt(player.owner.UserNum)
  site.clock.advance(1000)
  await player.post('/api/validate-password', { ...player.owner, UserPass: 'hindi' })
  for (let tries = 1; tries < LIMITS.passwordChecks.max; tries++)
    assertRefused(await player.post('/api/confirmidentity', { UserPass: 'hindi' }), 422, PASSWORD.incorrect)
  assertRefused(await player.post('/api/confirmidentity', { UserPass: 'bayani-7' }), 429)
  assert.deepEqual(await confirmedAt(player.owner.UserNum), at)
})

test('a confirmation takes a password or a passkey', async () => {
  const player = await newPlayer(site)
  for (const body of [{}, { UserPass: 'bayani-7', assertion: {} }, { assertion: 'x' }, { UserPass: 7 }])
    assertRefused(await player.post('/api/confirmidentity', body), 422)
  assertRefused(await player.post('/api/confirmidentity', { assertion: {} }), 422, FACTOR.passkeyFailed)
  assert.deepEqual((await player.post('/api/confirmidentity/options')).json(), { options: null })
})

test('an account without a factor has none to remove', async () => {
  const player = await newPlayer(site)
  assert.equal(await hasFactor(site.db, player.owner.UserNum), false)
  assert.equal(await removeFactors(site.db, player.owner.UserNum), 0)
})
