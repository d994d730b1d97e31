import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '#test/databases.ts'
import { insertPurse } from '#test/money-helpers.ts'
import { findLedgerFault } from './ledger.ts'

const database = await openTestDatabase('demo')
test.after(() => database.close())
const { db } = database

test('every balance of the demo world equals the sum of its ledger', async () => {
  assert.equal(await findLedgerFault(db), null)
})

test('returns the first account whose balance differs from its ledger, with both values', async () => {
  const [lowerAccount, higherAccount] = [
    await insertPurse(db, { rCoin: 5, milleage: 7 }),
    await insertPurse(db, { rCoin: 9 }),
  ]
  await db.updateTable('accounts').set({ r_coin: 10 }).where('user_num', '=', higherAccount).execute()
  assert.deepEqual(await findLedgerFault(db), { userNum: higherAccount, currency: 'r_coin', balance: 10, booked: 9 })
  await db.updateTable('accounts').set({ milleage: 6 }).where('user_num', '=', lowerAccount).execute()
  assert.deepEqual(await findLedgerFault(db), { userNum: lowerAccount, currency: 'milleage', balance: 6, booked: 7 })
  await sql`alter table ledger disable trigger ledger_append_only`.execute(db)
  await db.deleteFrom('ledger').where('user_num', '=', lowerAccount).execute()
  await sql`alter table ledger enable trigger ledger_append_only`.execute(db)
  assert.deepEqual(await findLedgerFault(db), { userNum: lowerAccount, currency: 'milleage', balance: 6, booked: 0 })
})

test('ledger entries cannot be changed, deleted or truncated', async () => {
  await insertPurse(db, { rCoin: 5 })
  const entriesBefore = await sql`select * from ledger order by entry`.execute(db)
  const attempts = [
    () => db.updateTable('ledger').set({ delta: 1 }).execute(),
    () => db.updateTable('ledger').set({ reason: 'other' }).where('entry', '=', 1).execute(),
    () => db.deleteFrom('ledger').where('delta', '>', 0).execute(),
    () => sql`truncate ledger cascade`.execute(db),
  ]
  for (const attempt of attempts)
    await assert.rejects(attempt(), { code: '23001', message: 'Ledger entries cannot be changed or deleted.' })
  // PostgreSQL decides which of the tables that refer to accounts refuses first.
  await assert.rejects(sql`truncate accounts cascade`.execute(db), { code: '23001' })
  assert.deepEqual(await sql`select * from ledger order by entry`.execute(db), entriesBefore)
})
