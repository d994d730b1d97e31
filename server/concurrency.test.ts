import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQueue, createQueues } from './concurrency.ts'

function createTask() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { task: () => promise, finish: resolve }
}

const createFullError = () => new Error('full')
const waitForTurn = () => new Promise((resolve) => setImmediate(resolve))

test('runs at most the allowed number of tasks at the same time, and the others in order', async () => {
  const runQueued = createQueue({ concurrency: 2, maxWaiting: 10, createFullError })
  const startedTasks: number[] = []
  const tasks = Array.from({ length: 5 }, createTask)
  const results = tasks.map(({ task }, index) =>
    runQueued(() => {
      startedTasks.push(index)
      return task()
    }),
  )
  assert.deepEqual(startedTasks, [0, 1])
  tasks[1]?.finish('b')
  await waitForTurn()
  assert.deepEqual(startedTasks, [0, 1, 2])
  for (const { finish } of tasks) finish('done')
  await Promise.all(results)
  assert.deepEqual(startedTasks, [0, 1, 2, 3, 4])
})

test('refuses tasks when the queue is full, and accepts them when there is space again', async () => {
  const runQueued = createQueue({ concurrency: 1, maxWaiting: 1, createFullError })
  const { task, finish } = createTask()
  const [runningTask, waitingTask] = [runQueued(task), runQueued(async () => 'second')]
  await assert.rejects(
    runQueued(async () => 'third'),
    { message: 'full' },
  )
  finish('first')
  assert.deepEqual(await Promise.all([runningTask, waitingTask]), ['first', 'second'])
  assert.equal(await runQueued(async () => 'fourth'), 'fourth')
})

test('starts the next task after a failed one', async () => {
  const runQueued = createQueue({ concurrency: 1, maxWaiting: 0, createFullError })
  await assert.rejects(
    runQueued(() => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  )
  assert.equal(await runQueued(async () => 'next'), 'next')
})

test('refuses a task that waits too long, and never runs it', async () => {
  const runQueued = createQueue({ concurrency: 1, maxWaiting: 5, maxWaitMs: 1, createFullError })
  const { task, finish } = createTask()
  const runningTask = runQueued(task)
  let hasRun = false
  const lateTask = runQueued(async () => {
    hasRun = true
  })
  await assert.rejects(lateTask, { message: 'full' })
  finish('first')
  assert.equal(await runningTask, 'first')
  assert.equal(await runQueued(async () => 'next'), 'next')
  assert.equal(hasRun, false)
})

test('runs the tasks of different keys in separate queues', async () => {
  const runQueued = createQueues({ concurrency: 1, maxWaiting: 0, createFullError })
  const { task, finish } = createTask()
  const runningTask = runQueued('a', task)
  await assert.rejects(
    runQueued('a', async () => 'second'),
    { message: 'full' },
  )
  assert.equal(await runQueued('b', async () => 'other'), 'other')
  finish('first')
  assert.equal(await runningTask, 'first')
  assert.equal(await runQueued('a', async () => 'third'), 'third')
})
