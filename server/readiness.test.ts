import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { createClock } from '#test/helpers.ts'
import type { Schema } from './db/schema.ts'
import { createReadiness, FILL_TEMPORARY_FILE } from './readiness.ts'

const engine = new PGlite()
const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: engine }) })
await engine.waitReady
after(() => db.destroy())
const clock = createClock()
const checkReadiness = createReadiness({ db, now: clock.now })
const setReadOnly = (mode: 'on' | 'off') => engine.exec(`set default_transaction_read_only = ${mode}`)

const isReady = async () => {
  try {
    await checkReadiness()
    return true
  } catch (error) {
    assert.equal((error as { status?: number }).status, 503)
    return false
  }
}

test('is ready if a write succeeded in the last 30 seconds, and writes at most every 10 seconds', async () => {
  assert.equal(await isReady(), true)
  clock.advance(60_000)
  assert.equal(await isReady(), true, 'a new write succeeds')
  await setReadOnly('on')
  clock.advance(29_000)
  assert.equal(await isReady(), true)
  clock.advance(1_000)
  assert.equal(await isReady(), false)
  await setReadOnly('off')
  clock.advance(8_000)
  assert.equal(await isReady(), false, 'the next write is not due yet')
  clock.advance(1_000)
  assert.equal(await isReady(), true)
})

test('the test write needs free disk space', async () => {
  await engine.exec("set work_mem = '64kB'")
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, buffers, costs off) ${FILL_TEMPORARY_FILE}`.execute(db)
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /temp read=\d+ written=\d{2}/)
})
