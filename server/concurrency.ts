import { createSiteBusy } from './errors.ts'

type QueueOptions = {
  concurrency: number
  /** How many tasks may wait; further ones are rejected. */
  maxWaiting: number
  /** How long a task may wait before it is rejected; no limit by default. */
  maxWaitMs?: number
  /** Makes the error a rejected task fails with. */
  createFullError: () => Error
}

/**
 * Creates a bounded queue: it runs at most `concurrency` tasks at a time, holds up to `maxWaiting` more in order of
 * arrival, and rejects the rest.
 *
 * @returns a function that queues a task and settles as the task does; its `getLoad` counts running and waiting tasks
 */
export function createQueue({ concurrency, maxWaiting, maxWaitMs, createFullError }: QueueOptions) {
  let runningCount = 0
  const waitingTasks = new Set<() => void>()

  function waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waitingTasks.delete(start)
        reject(createFullError())
      }
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      const start = () => {
        clearTimeout(timer)
        waitingTasks.delete(start)
        resolve()
      }
      waitingTasks.add(start)
    })
  }

  async function runQueued<Result>(task: () => Promise<Result>): Promise<Result> {
    if (runningCount < concurrency) runningCount++
    else if (waitingTasks.size < maxWaiting) await waitForTurn()
    else throw createFullError()
    try {
      return await task()
    } finally {
      freeSlot()
    }
  }

  /** The next task takes over the slot, so `runningCount` only drops when nothing waits. */
  function freeSlot(): void {
    const [next] = waitingTasks
    if (next === undefined) runningCount--
    else next()
  }
  return Object.assign(runQueued, { getLoad: () => ({ running: runningCount, waiting: waitingTasks.size }) })
}

/** Queues a task and settles with its result. */
export type RunQueued = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * Creates the queue for uncached public work: pages, lists, feeds and searches. Few tasks run at the same time, because they
 * share the processor and the database with players' calls, which never wait in this queue.
 */
export const createPublicQueue = () =>
  createQueue({ concurrency: 2, maxWaiting: 60, maxWaitMs: 5000, createFullError: createSiteBusy })
export type PublicQueue = ReturnType<typeof createPublicQueue>

/** Creates a queue for each key, such as an account; a queue exists while it has tasks. */
export function createQueues(options: QueueOptions) {
  const queues = new Map<string, { run: ReturnType<typeof createQueue>; tasks: number }>()
  return async function runQueued<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const queue = queues.get(key) ?? { run: createQueue(options), tasks: 0 }
    queues.set(key, queue)
    queue.tasks++
    try {
      return await queue.run(task)
    } finally {
      if (--queue.tasks === 0) queues.delete(key)
    }
  }
}
