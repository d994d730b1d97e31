/**
 * Returns a function that runs a task, unless an earlier task still runs. It drops the second of two simultaneous
 * clicks, even before the page can show that the first task runs.
 */
export function createExclusiveRunner() {
  let isRunning = false
  return async <Value>(task: () => Promise<Value>): Promise<Value | undefined> => {
    if (isRunning) return undefined
    isRunning = true
    try {
      return await task()
    } finally {
      isRunning = false
    }
  }
}
