import type { MiddlewareHandler } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnswerCache } from './answer-cache.ts'

/** The numbers of /metrics, in Prometheus text. */
export function createMetrics(cache: AnswerCache) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let cached = 0
  new Counter({
    name: 'tambayan_cached_answers_total',
    help: 'Requests answered from the cache, before the router',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(cached)
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
    name: 'tambayan_answer_cache_bytes',
    help: 'Memory held by the answer cache',
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
  return { registry, observe, countCached: () => void cached++ }
}
