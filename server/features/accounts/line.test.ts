import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLine } from './line.ts'

function createWork() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, finish: resolve }
}

const full = () => new Error('full')
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('no more than allowed runs at once, and the rest follows in order', async () => {
  const inLine = createLine({ atOnce: 2, waitingMax: 10, full })
  const started: number[] = []
  const works = Array.from({ length: 5 }, createWork)
  const all = works.map(({ work }, index) =>
    inLine(() => {
      started.push(index)
      return work()
    }),
  )
  assert.deepEqual(started, [0, 1])
  works[1]?.finish('b')
  await turn()
  assert.deepEqual(started, [0, 1, 2])
  for (const { finish } of works) finish('done')
  await Promise.all(all)
  assert.deepEqual(started, [0, 1, 2, 3, 4])
})

test('who finds the line full is turned away, and a place that becomes free is given again', async () => {
  const inLine = createLine({ atOnce: 1, waitingMax: 1, full })
  const { work, finish } = createWork()
  const [running, waiting] = [inLine(work), inLine(async () => 'second')]
  await assert.rejects(
    inLine(async () => 'third'),
    { message: 'full' },
  )
  finish('first')
  assert.deepEqual(await Promise.all([running, waiting]), ['first', 'second'])
  assert.equal(await inLine(async () => 'fourth'), 'fourth')
})

test('work that fails frees its place', async () => {
  const inLine = createLine({ atOnce: 1, waitingMax: 0, full })
  await assert.rejects(
    inLine(() => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  )
  assert.equal(await inLine(async () => 'next'), 'next')
})
