import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { playersFirst } from './players-first.ts'

/** Requests that all come in the same turn of the event loop. @returns in which order they began */
function receive(names: string[], gone: string[] = []) {
  const begun: string[] = []
  const answers = new Map<string, EventEmitter>()
  const listen = playersFirst((req) => void begun.push(req.url ?? ''))
  for (const url of names) {
    const rawHeaders = url.startsWith('player') ? ['Authorization', 'Bearer x'] : []
    const res = Object.assign(new EventEmitter(), { destroyed: gone.includes(url) })
    answers.set(url, res)
    listen({ url, rawHeaders } as IncomingMessage, res as unknown as ServerResponse)
  }
  return { begun, answers }
}

const guests = Array.from({ length: 50 }, (_, n) => `guest ${n}`)

test('a player’s request begins at once, however many of guests came in the same moment before it', async () => {
  const { begun } = receive([...guests, 'player'])
  assert.deepEqual(begun, ['guest 0', 'guest 1', 'guest 2', 'guest 3', 'player'])
  await sleep(100)
  assert.deepEqual(begun, ['guest 0', 'guest 1', 'guest 2', 'guest 3', 'player', ...guests.slice(4)])
})

test('guests alone all begin, in their order; those who have left meanwhile do not', async () => {
  const { begun } = receive(guests, ['guest 7'])
  await sleep(50)
  assert.deepEqual(
    begun,
    guests.filter((name) => name !== 'guest 7'),
  )
})
