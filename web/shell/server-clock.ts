import { useSyncExternalStore } from 'react'
import { CLOCK_TICK_MS } from '#contract/limits.ts'
import { getTime } from '#contract/site.ts'
import { call } from '#web/api/call.ts'

const RESYNC_MS = 600_000
const RETRY_MS = 10_000

/**
 * A server time and the browser's monotonic clock at that moment, both in ms. The visitor's clock and time zone are not
 * used, because they may be wrong.
 */
let anchor: { epochMs: number; monotonicMs: number } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let nextSync = 0
const listeners = new Set<() => void>()

/** Returns the server's time in ms, or null before the first response. */
function getServerNow(): number | null {
  return anchor === null ? null : anchor.epochMs + performance.now() - anchor.monotonicMs
}

async function sync(): Promise<void> {
  nextSync = performance.now() + RESYNC_MS
  const requestedAt = performance.now()
  try {
    const { epoch_ms } = await call(getTime, {}, { shellFailures: 'none' })
    const monotonicMs = performance.now()
    // The server read its clock about halfway through the request.
    anchor = { epochMs: epoch_ms + (monotonicMs - requestedAt) / 2, monotonicMs }
  } catch {
    nextSync = performance.now() + RETRY_MS
  }
  tick()
}

/** Runs shortly after each full second of the server's clock. Requests the time again at `nextSync`. */
function tick(): void {
  clearTimeout(timer)
  for (const listener of listeners) listener()
  if (listeners.size === 0) return
  if (performance.now() >= nextSync) {
    void sync()
    return
  }
  timer = setTimeout(tick, CLOCK_TICK_MS - ((getServerNow() ?? 0) % CLOCK_TICK_MS))
}

/** Requests the time when a tab becomes visible, because the monotonic clock may stop while a device sleeps. */
function handleVisibilityChange(): void {
  if (document.visibilityState === 'visible') void sync()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', handleVisibilityChange)
    void sync()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', handleVisibilityChange)
  }
}

/**
 * Returns the server's time in ms, rounded down to `stepMs`, and rerenders at each step. It is null on the server and
 * before the first response, because cached HTML must not contain a time.
 */
export function useServerTime(stepMs: number = CLOCK_TICK_MS): number | null {
  return useSyncExternalStore(
    subscribe,
    () => {
      const now = getServerNow()
      return now === null ? null : Math.floor(now / stepMs) * stepMs
    },
    () => null,
  )
}
