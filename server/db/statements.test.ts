import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestDatabase, TEST_NOW } from '#test/databases.ts'
import { loadStatement, numberParameters } from './statements.ts'

const database = await openTestDatabase('empty')
after(() => database.close())

test('replaces a named parameter with the same number wherever it occurs', () => {
  const source = 'select :b::text, :a, :b from t where x = any(:list::bigint[]);\n'
  assert.deepEqual(numberParameters(source), {
    text: 'select $1::text, $2, $1 from t where x = any($3::bigint[])',
    names: ['b', 'a', 'list'],
  })
})

test('leaves colons in strings, quoted names, function bodies and casts unchanged', () => {
  const source = `select ':a', 'it''s :b', "c:d", $$:e$$, $x$ :f $$ $x$, now()::date, :g`
  assert.deepEqual(numberParameters(source), { text: source.replace(':g', '$1'), names: ['g'] })
})

test('removes comments, including the names and quotes in them', () => {
  const source = "-- it's :a\nselect 1 /* :b\n 'still */, '-- no comment', :c -- the last :d"
  assert.deepEqual(numberParameters(source), { text: "select 1  , '-- no comment', $1", names: ['c'] })
})

test('runs a statement file with its parameters by name, and refuses unknown ones', async () => {
  const findSession = loadStatement<Record<string, unknown>, { sessionId: number }>('find-session')
  const parameters = { token_hash: 'none', now: TEST_NOW, idle_since: TEST_NOW }
  assert.throws(() => loadStatement('no-such-statement'), /ENOENT/)
  await assert.rejects(findSession(database.db, { ...parameters, user_num: 1 }), /user_num is unknown/)
  await assert.rejects(findSession(database.db, { token_hash: 'x' }), /now is missing, idle_since is missing/)
  assert.deepEqual(await findSession(database.db, parameters), [])
})
