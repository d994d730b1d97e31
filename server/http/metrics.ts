import type { MiddlewareHandler } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PageCache } from './page-cache.ts'

/** The metrics of /metrics and the functions that record them. */
export function createMetrics(cache: PageCache) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let kept = 0
  new Counter({
    name: 'tambayan_kept_answers_total',
    help: 'Requests answered from memory, before the router',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(kept)
    },
  })
  const duration = new Histogram({
    name: 'tambayan_request_seconds',
    help: 'Time to answer requests that reached the router',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  })
  new Gauge({
    name: 'tambayan_page_cache_bytes',
    help: 'Memory held by kept answers',
    registers: [registry],
    collect() {
      this.set(cache.size().bytes)
    },
  })
  const observe: MiddlewareHandler = async (c, next) => {
    const stop = duration.startTimer({ method: c.req.method })
    await next()
    stop({ status: String(c.res.status) })
  }
  return { registry, observe, countKept: () => void kept++ }
}
