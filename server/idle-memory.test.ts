import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { returnMemoryWhenIdle } from './idle-memory.ts'

setFlagsFromString('--expose-gc')
const collect: NodeJS.GCFunction = runInNewContext('gc')
const LOOK_EVERY_MS = 50

let stop = () => {}
afterEach(() => stop())

/** Counts the collections from here on, which really happen. */
function countCollections() {
  const count = { collections: 0 }
  globalThis.gc = ((options: NodeJS.GCOptions) => {
    count.collections++
    collect(options)
  }) as NodeJS.GCFunction
  return count
}

/** A list that takes 80 MB and is garbage from here on. */
function leaveGarbage(): WeakRef<object> {
  const list = Array.from({ length: 1_000_000 }, (_, n) => ({ n, text: `row ${n}` }))
  return new WeakRef(list)
}

async function waitFor(happened: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !happened(); tries++) await sleep(LOOK_EVERY_MS)
  assert.ok(happened())
}

test('an idle site returns the memory of what it no longer needs, once', async () => {
  const garbage = leaveGarbage()
  const before = process.memoryUsage.rss()
  const count = countCollections()
  stop = returnMemoryWhenIdle(LOOK_EVERY_MS)
  await waitFor(() => garbage.deref() === undefined)
  assert.ok(process.memoryUsage.rss() < before - 20e6)
  const { collections } = count
  await sleep(5 * LOOK_EVERY_MS)
  assert.equal(count.collections, collections)
})

test('a site at work is not interrupted', async () => {
  leaveGarbage()
  const count = countCollections()
  stop = returnMemoryWhenIdle(LOOK_EVERY_MS)
  const end = performance.now() + 6 * LOOK_EVERY_MS
  while (performance.now() < end) await nextTurn()
  assert.equal(count.collections, 0)
})

test('a site without the option goes without', async () => {
  globalThis.gc = undefined
  stop = returnMemoryWhenIdle(LOOK_EVERY_MS)
  await sleep(3 * LOOK_EVERY_MS)
})
