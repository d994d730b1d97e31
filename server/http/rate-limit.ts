import type { MiddlewareHandler } from 'hono'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Deps } from '../deps.ts'
import { tooMany } from '../errors.ts'
import { clientAddress } from './client-address.ts'

/** Calls that one address may make a minute; answers kept in memory do not count. */
const CALLS_PER_MINUTE = 1200

/** Refuses a flood of calls from one address with 429 and Retry-After. RATE_LIMIT=off lifts it. */
export function limitRequests({ config }: Pick<Deps, 'config'>): MiddlewareHandler {
  const limiter = new RateLimiterMemory({ points: CALLS_PER_MINUTE, duration: 60 })
  return async (c, next) => {
    if (config.rateLimit && c.req.header('x-in-process') !== IN_PROCESS) {
      try {
        await limiter.consume(clientAddress(c, config.trustedProxies))
      } catch (refused) {
        throw tooMany(Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000))
      }
    }
    await next()
  }
}

/** Known to this process only: the pages' own calls are not a visitor's. */
export const IN_PROCESS = crypto.randomUUID()
