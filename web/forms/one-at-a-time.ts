/**
 * Returns a function that runs one task at a time and drops further tasks. It works even if two start at the same
 * moment, before the page can show that it is busy.
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
