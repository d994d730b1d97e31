import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#contract/account-messages.ts'
import { FACTOR } from '#contract/factor-messages.ts'
import { CONFIRMED_MS } from '#contract/limits.ts'
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
  assert.deepEqual(answer.json(), {
    message: FACTOR.confirmed,
    confirmed_until: new Date(site.clock.now().getTime() + CONFIRMED_MS).toISOString(),
  })
  assert.deepEqual(await confirmedAt(UserNum), site.clock.now())
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

test('a confirmation takes a password or a passkey, and a session', async () => {
  const player = await newPlayer(site)
  for (const body of [{}, { UserPass: 'bayani-7', assertion: {} }, { assertion: 'x' }, { UserPass: 7 }])
    assertRefused(await player.post('/api/confirmidentity', body), 422)
  assertRefused(await player.post('/api/confirmidentity', { assertion: {} }), 422, FACTOR.passkeyFailed)
  assertRefused(await site.post('/api/confirmidentity', { UserPass: 'bayani-7' }), 401)
  assert.deepEqual((await player.post('/api/confirmidentity/options')).json(), { options: null })
})

test('an account without a factor has none to remove', async () => {
  const player = await newPlayer(site)
  assert.equal(await hasFactor(site.db, player.owner.UserNum), false)
  assert.equal(await removeFactors(site.db, player.owner.UserNum), 0)
})
