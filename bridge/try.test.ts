import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GameConnection } from './game/driver.ts'
import { ServiceRefusal } from './services.ts'
import { runTrial } from './try.ts'

const connection = { transaction: (work: () => Promise<unknown>) => work() } as GameConnection
const runFailingTrial = (error: Error) => runTrial(connection, 'the service name', () => Promise.reject(error))

test('reports the refusal code when a refused service has no message', async () => {
  const { level, what } = await runFailingTrial(new ServiceRefusal('name-taken'))
  assert.deepEqual([level, what], ['note', 'Trial: the service name was not tried: name-taken'])
})

test('reports any other error as a problem, in one line', async () => {
  const { level, what } = await runFailingTrial(new Error('Table\n is full'))
  assert.deepEqual([level, what], ['problem', 'Trial: the service name failed: Table is full'])
})
