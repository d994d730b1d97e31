let leaving = 0

/** Whether a login, a logout or an expiry is on its way to another page; until it is there, guarded pages keep still. */
export function isLeaving(): boolean {
  return leaving > 0
}

/**
 * Changes the session and goes elsewhere, in that order, without a guarded page sending
 * the visitor somewhere else in between. @param go resolves when the other page stands
 */
export async function leave(go: () => Promise<void>): Promise<void> {
  leaving++
  try {
    await go()
  } finally {
    leaving--
  }
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
