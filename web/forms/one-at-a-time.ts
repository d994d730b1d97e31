/**
 * Returns a function that runs one task at a time and drops further tasks. It works even if two tasks start at
 * the same moment, before the page can show that the first one runs.
 */
export function createOneAtATime() {
  let isRunning = false
  return async <Value>(act: () => Promise<Value>): Promise<Value | undefined> => {
    if (isRunning) return undefined
    isRunning = true
    try {
      return await act()
    } finally {
      isRunning = false
    }
  }
}
