import type { Logger } from 'pino'
import type { PublicQueue } from './concurrency.ts'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { Frontend } from './frontend.ts'
import type { AnswerCache } from './http/answer-cache.ts'
import type { Limits } from './http/limits.ts'
import type { Metrics } from './http/metrics.ts'
import type { PushServices } from './push/services.ts'
import type { SiteKey } from './site-key.ts'

/** The dependencies of every feature; features never read the environment, the clock or the network directly. */
export type Deps = {
  db: Db
  /** For reads that visitors can make expensive (search, sitemaps, statistics): they must not hold up purchases. */
  browseDb: Db
  now: () => Date
  /** Waits, to make an answer take equally long whatever was found. */
  sleep: (ms: number) => Promise<void>
  log: Logger
  config: Config
  /** Where the code and the files of the pages come from. */
  frontend: Frontend
  cache: AnswerCache
  /** The queue of uncached public work, except what the cache computes, which has its own queue. */
  publicQueue: PublicQueue
  limits: Limits
  metrics: Metrics
  /** Seals the secrets that the site needs in the clear later. */
  siteKey: SiteKey
  /** Which services take messages for devices, where they are not those of browsers: in tests. */
  pushServices?: PushServices
  /** Where Discord's API is, where that is not Discord: in tests. */
  discordApi?: string
  /** The addresses of a host, as the resolver has them. @throws where it has none, or does not answer */
  resolveHost: (host: string) => Promise<string[]>
  /** Where the site is reached, without a slash at the end. */
  publicUrl: string
  /** Aborts when the process stops: a waiting call answers then. Missing where nothing ever stops. */
  stopping?: AbortSignal | undefined
}

/** The dependencies of a job that posts to Discord. `signal` aborts at its deadline or when the process stops. */
export type PostingDeps = Pick<Deps, 'db' | 'now' | 'log' | 'config' | 'publicUrl' | 'siteKey'> & {
  signal: AbortSignal
}
