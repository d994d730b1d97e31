import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LOGIN_ANSWERS } from '#contract/account-messages.ts'
import { migrate } from '#server/db/migrate.ts'
import { loginAs, tryLogin } from '#test/account-helpers.ts'
import { openBareDatabase } from '#test/databases.ts'
import { insertAccount } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { hashPassword } from './passwords.ts'

test('a user type of 2 to 10 never yields a token, not even without the database’s check', async () => {
  const site = await createTestApp({ world: 'empty' })
  await sql`alter table accounts drop constraint accounts_user_type_check`.execute(site.db)
  const password_hash = await hashPassword('tama-ito')
  for (const user_type of [2, 5, 10]) {
    const user_id = `type_${user_type}`
    await insertAccount(site.db, { user_id, password_hash, user_type })
    const refused = { user: null, token: null, message: LOGIN_ANSWERS.blocked, status: 3 }
    assert.deepEqual(await tryLogin(site, user_id, 'tama-ito'), refused)
  }
  for (const user_type of [-1, 0, 1, 11, 99]) {
    const user_id = `type_of${user_type}`.replace('-', '_')
    await insertAccount(site.db, { user_id, password_hash, user_type })
    assert.equal((await tryLogin(site, user_id, 'tama-ito')).status, user_type)
    await loginAs(site, user_id, 'tama-ito')
  }
})

test('an upgrade makes an account of such a type a blocked player and writes down what it was', async (t) => {
  const { db, close } = await openBareDatabase('embedded')
  t.after(close)
  await migrate(db, '012-one-idempotency')
  const [odd, player, staff] = [
    await insertAccount(db, { user_type: 5, r_coin: 7 }),
    await insertAccount(db, { user_type: 1 }),
    await insertAccount(db, { user_type: 11 }),
  ]
  await migrate(db)
  const accounts = await db
    .selectFrom('accounts')
    .select(['user_num', 'user_type', 'r_coin', sql<boolean>`blocked_at is not null`.as('blocked')])
    .orderBy('user_num')
    .execute()
  assert.deepEqual(accounts, [
    { user_num: odd, user_type: 1, r_coin: 7, blocked: true },
    { user_num: player, user_type: 1, r_coin: 0, blocked: false },
    { user_num: staff, user_type: 11, r_coin: 0, blocked: false },
  ])
  const events = await db.selectFrom('account_events').select(['user_num', 'kind', 'note']).execute()
  assert.deepEqual(events, [{ user_num: odd, kind: 'type-corrected', note: 'was user type 5' }])
})
