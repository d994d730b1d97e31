import { useSyncExternalStore } from 'react'
import { CLOCK_TICK_MS } from '#contract/limits.ts'
import { getTime } from '#contract/site.ts'
import { call } from '#web/api/call.ts'

const RESYNC_MS = 600_000
const RETRY_MS = 10_000

/** The server's time at a reading of the browser's steady clock; the visitor's own clock and zone are never asked. */
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
  const asked = performance.now()
  try {
    const { epoch_ms } = await call(getTime, {}, { shellShows: 'none' })
    const at = performance.now()
    // The answer was written about half the way back.
    anchor = { epochMs: epoch_ms + (at - asked) / 2, at }
  } catch {
    nextSync = performance.now() + RETRY_MS
  }
  tick()
}

/** Wakes shortly after each full second of the server, and asks anew when it is time. */
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

/** A sleeping tab wakes with a clock that stood still: ask at once. */
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
