import { performance } from 'node:perf_hooks'

const LOOK_EVERY_MS = 10_000
/** The part of the time that an idle site is at work at most. */
const IDLE_UTILIZATION = 0.05
/** Less than this is not worth the tenth of a second that a full collection takes. */
const WORTH_BYTES = 10e6

/**
 * Returns memory to the system whenever the site is idle and holds more than after the last time. V8 collects garbage by
 * itself only while memory grows, so what a crowd leaves behind would stay until the next one (docs/decisions/034). Does
 * nothing where Node runs without `--expose-gc`.
 *
 * @returns stops it
 */
export function returnMemoryWhenIdle(everyMs = LOOK_EVERY_MS): () => void {
  let last = performance.eventLoopUtilization()
  let heldAfterwards = 0
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last)
    last = performance.eventLoopUtilization()
    if (utilization > IDLE_UTILIZATION || process.memoryUsage.rss() < heldAfterwards + WORTH_BYTES) return
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
    heldAfterwards = process.memoryUsage.rss()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
