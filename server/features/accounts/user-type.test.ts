import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { loginAs, tryLogin } from '#test/account-helpers.ts'
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
