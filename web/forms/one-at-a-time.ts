/**
 * Runs one task at a time: further tasks are dropped, even if two start in the same instant, before a page can show
 * that it is busy.
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
