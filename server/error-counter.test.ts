import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestApp } from '#test/helpers.ts'
import { createErrorCounter } from './error-counter.ts'

const { db } = await createTestApp({ world: 'empty' })
const unavailableDb = db.withPlugin({
  transformQuery: () => {
    throw new Error('unavailable')
  },
  transformResult: async ({ result }) => result,
})

test('writes the original times of errors after a failed write', async () => {
  let now = new Date('2026-03-01T10:10:00Z')
  const counter = createErrorCounter(() => now)
  const log = pino({ hooks: counter.hooks }, { write: () => {} })
  for (let times = 0; times < 5; times++) log.error('mail failed')
  now = new Date('2026-03-01T11:20:00Z')
  await counter.flush(unavailableDb)
  await counter.flush(db)
  const [row] = await db.selectFrom('recent_errors').where('kind', '=', 'mail failed').selectAll().execute()
  assert.deepEqual([row?.count, row?.last_at], [5, new Date('2026-03-01T10:10:00Z')])
})

test('loses no count when a failed write leaves more kinds than allowed', async () => {
  const counter = createErrorCounter()
  const log = pino({ hooks: counter.hooks }, { write: () => {} })
  for (let times = 0; times < 5; times++) log.error('push failed')
  const flushing = counter.flush(unavailableDb)
  for (let kind = 0; kind < 40; kind++) log.error(`kind ${kind}`)
  await flushing
  await counter.flush(db)
  const [row] = await db.selectFrom('recent_errors').where('kind', '=', 'others').selectAll().execute()
  assert.equal(row?.count, 5)
})
