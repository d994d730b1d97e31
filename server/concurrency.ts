type Options = {
  concurrency: number
  /** How many tasks may wait; one more is rejected. */
  maxWaiting: number
  /** Makes the error a rejected task fails with. */
  createFullError: () => Error
}

/**
 * A bounded queue: runs at most `concurrency` tasks at a time, keeps up to `maxWaiting` more in
 * order of arrival, and rejects the rest.
 *
 * @returns a function that runs a task in its turn and settles as the task does; its `load` tells what runs and waits
 */
export function createQueue({ concurrency, maxWaiting, createFullError }: Options) {
  let running = 0
  const waiting: (() => void)[] = []
  async function runQueued<Result>(task: () => Promise<Result>): Promise<Result> {
    if (running < concurrency) running++
    else if (waiting.length < maxWaiting) await new Promise<void>((start) => waiting.push(start))
    else throw createFullError()
    try {
      return await task()
    } finally {
      // The next task takes over this one's slot, so `running` only drops when nothing waits.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
  return Object.assign(runQueued, { load: () => ({ running, waiting: waiting.length }) })
}
