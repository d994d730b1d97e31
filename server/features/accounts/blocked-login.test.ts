import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/durations.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { createPlayer, logInAs, tryLogin } from '#test/account-helpers.ts'
import { insertAccount } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { hashPassword } from './passwords.ts'

const site = await createTestApp({ world: 'empty' })
const { db, clock } = site

const block = (user_num: number, ends_at: Date | null, reason = 'Sold R-Coin in the plaza.') =>
  db.insertInto('account_blocks').values({ user_num, reason, starts_at: clock.now(), ends_at }).execute()

test('shows a blocked player the reason and the end, and lets them in again after the end', async () => {
  const player = await createPlayer(site)
  const { UserNum } = player.user
  clock.set('2026-12-05T06:00:00Z')
  const login = await tryLogin(site, player.form.userId, player.form.userPassword)
  const headers = { Authorization: `Bearer ${login.token}` }
  await block(UserNum, new Date(clock.now().getTime() + HOUR_MS))
  assert.equal((await site.get('/api/user-ip', headers)).status, 401)
  const response = await tryLogin(site, player.form.userId, player.form.userPassword)
  assert.equal(response.status, 3)
  assert.equal(
    response.message,
    'This account is blocked until 5 December 2026, 15:00, Manila time. Sold R-Coin in the plaza.',
  )
  clock.advance(HOUR_MS)
  assert.equal((await site.get('/api/user-ip', headers)).status, 200)
  assert.equal((await tryLogin(site, player.form.userId, player.form.userPassword)).status, 1)
})

test('a block without an end lasts until it is lifted, and an account has one at a time', async () => {
  const { user, form } = await createPlayer(site)
  await block(user.UserNum, null, 'Shared the account')
  await assert.rejects(block(user.UserNum, null), /account_blocks_open_key/)
  clock.advance(400 * 24 * HOUR_MS)
  const response = await tryLogin(site, form.userId, form.userPassword)
  assert.deepEqual([response.status, response.message], [3, 'This account is blocked. Shared the account.'])
  await db.updateTable('account_blocks').set({ lifted_at: clock.now() }).where('user_num', '=', user.UserNum).execute()
  assert.equal((await tryLogin(site, form.userId, form.userPassword)).status, 1)
})

test('shows a message for a block without a recorded reason', async () => {
  const { user, form } = await createPlayer(site)
  await db.updateTable('accounts').set({ blocked_at: clock.now() }).where('user_num', '=', user.UserNum).execute()
  const response = await tryLogin(site, form.userId, form.userPassword)
  assert.deepEqual([response.status, response.message], [3, LOGIN_ANSWERS.blocked])
})

test('accounts.blocked_at has the time of the block until it is lifted', async () => {
  const { user } = await createPlayer(site)
  await block(user.UserNum, null)
  const readBlockTime = () =>
    db.selectFrom('accounts').where('user_num', '=', user.UserNum).select(['blocked_at']).executeTakeFirstOrThrow()
  assert.deepEqual((await readBlockTime()).blocked_at, clock.now())
  await sql`update account_blocks set lifted_at = ${clock.now()} where user_num = ${user.UserNum}`.execute(db)
  assert.equal((await readBlockTime()).blocked_at, null)
})

test('never issues a token for a user type of 2 to 10, even without the database’s check', async () => {
  await sql`alter table accounts drop constraint accounts_user_type_check`.execute(site.db)
  const password_hash = await hashPassword('tama-ito')
  for (const user_type of [2, 5, 10]) {
    const user_id = `type_${user_type}`
    await insertAccount(site.db, { user_id, password_hash, user_type })
    const response = { user: null, token: null, message: LOGIN_ANSWERS.blocked, status: 3 }
    assert.deepEqual(await tryLogin(site, user_id, 'tama-ito'), response)
  }
  for (const user_type of [-1, 0, 1, 11, 99]) {
    const user_id = `type_of${user_type}`.replace('-', '_')
    await insertAccount(site.db, { user_id, password_hash, user_type })
    assert.equal((await tryLogin(site, user_id, 'tama-ito')).status, user_type)
    await logInAs(site, user_id, 'tama-ito')
  }
})
