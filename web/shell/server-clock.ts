import { useSyncExternalStore } from 'react'
import { CLOCK_TICK_MS } from '#contract/limits.ts'
import { getTime } from '#contract/site.ts'
import { call } from '#web/api/call.ts'

const RESYNC_MS = 600_000
const RETRY_MS = 10_000

/** The server's time at one reading of the browser's monotonic clock. The visitor's own clock and time zone are not used. */
let anchor: { epochMs: number; at: number } | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let nextSync = 0
const listeners = new Set<() => void>()

/** The server's time now in milliseconds, or null before the first answer. */
function serverNow(): number | null {
  return anchor === null ? null : anchor.epochMs + performance.now() - anchor.at
}

async function sync(): Promise<void> {
  nextSync = performance.now() + RESYNC_MS
  const requestedAt = performance.now()
  try {
    const { epoch_ms } = await call(getTime, {}, { shellShows: 'none' })
    const at = performance.now()
    // The server read its clock about halfway through the request.
    anchor = { epochMs: epoch_ms + (at - requestedAt) / 2, at }
  } catch {
    nextSync = performance.now() + RETRY_MS
  }
  tick()
}

/** Runs shortly after each full second of the server's clock, and requests the time again when that is due. */
function tick(): void {
  clearTimeout(timer)
  for (const listener of listeners) listener()
  if (listeners.size === 0) return
  if (performance.now() >= nextSync) {
    void sync()
    return
  }
  timer = setTimeout(tick, CLOCK_TICK_MS - ((serverNow() ?? 0) % CLOCK_TICK_MS))
}

/** The monotonic clock may stop while a device sleeps, so a tab that is shown again requests the time at once. */
function onVisible(): void {
  if (document.visibilityState === 'visible') void sync()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', onVisible)
    void sync()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/**
 * The server's time in whole steps of `stepMs`, renewed as each step begins.
 * Null on the server and until the first answer, since cached HTML must not tell a time.
 */
export function useServerTime(stepMs: number = CLOCK_TICK_MS): number | null {
  return useSyncExternalStore(
    subscribe,
    () => {
      const now = serverNow()
      return now === null ? null : Math.floor(now / stepMs) * stepMs
    },
    () => null,
  )
}
