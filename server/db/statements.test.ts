import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { insertAccount } from '#test/factories.ts'
import type { Db } from './open.ts'
import { loadRead, loadStatement, numberParameters } from './statements.ts'

const database = await openTestDatabase('empty')
after(() => database.close())

test('a named parameter gets the same number wherever it occurs', () => {
  const source = 'select :b::text, :a, :b from t where x = any(:list::bigint[]);\n'
  assert.deepEqual(numberParameters(source), {
    text: 'select $1::text, $2, $1 from t where x = any($3::bigint[])',
    names: ['b', 'a', 'list'],
  })
})

test('strings, quoted names, function bodies and casts keep their colons', () => {
  const source = `select ':a', 'it''s :b', "c:d", $$:e$$, $x$ :f $$ $x$, now()::date, :g`
  assert.deepEqual(numberParameters(source), { text: source.replace(':g', '$1'), names: ['g'] })
})

test('comments are left out, with the names and quotes in them', () => {
  const source = "-- it's :a\nselect 1 /* :b\n 'still */, '-- no comment', :c -- the last :d"
  assert.deepEqual(numberParameters(source), { text: "select 1  , '-- no comment', $1", names: ['c'] })
})

test('a statement file runs with its parameters by name, and refuses others', async () => {
  const findSession = loadStatement<Record<string, unknown>, { sessionId: number }>('find-session')
  const parameters = { token_hash: 'none', now: TEST_NOW, idle_since: TEST_NOW }
  assert.throws(() => loadStatement('no-such-statement'), /ENOENT/)
  await assert.rejects(findSession(database.db, { ...parameters, user_num: 1 }), /user_num is unknown/)
  await assert.rejects(findSession(database.db, { token_hash: 'x' }), /now is missing, idle_since is missing/)
  assert.deepEqual(await findSession(database.db, parameters), [])
})

test('a read beside and within transactions finds what each of them may see', async () => {
  const findSession = loadRead<Record<string, unknown>, { userId: string }>('find-session')
  const parameters = { token_hash: 'shared', now: TEST_NOW, idle_since: new Date(0) }
  const find = (db: Db) => findSession(db, parameters)
  await database.db.transaction().execute(async (tx) => {
    const user_num = await insertAccount(tx, { user_id: 'Mayumi' })
    const moments = { created_at: TEST_NOW, last_seen_at: TEST_NOW, ends_at: new Date('2100-01-01') }
    await tx
      .insertInto('sessions')
      .values({ token_hash: 'shared', user_num, address: '127.0.0.1', device: '', ...moments })
      .execute()
    assert.equal((await find(tx))[0]?.userId, 'Mayumi')
    if (database.url !== undefined) assert.deepEqual(await find(database.db), [])
  })
  const found = await Promise.all(Array.from({ length: 50 }, () => find(database.db)))
  assert.ok(found.every(([session]) => session?.userId === 'Mayumi'))
})
