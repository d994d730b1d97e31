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
  /** For reads that visitors can make expensive (search, sitemaps, statistics), so they do not delay purchases. */
  browseDb: Db
  now: () => Date
  /** Waits. Answers use it to take the same time for every outcome. */
  sleep: (ms: number) => Promise<void>
  log: Logger
  config: Config
  /** The source of the pages' code and files. */
  frontend: Frontend
  cache: AnswerCache
  /** The queue of uncached public work. The cache computes its responses in a separate queue. */
  publicQueue: PublicQueue
  limits: Limits
  metrics: Metrics
  /** The key that seals secrets which the site needs in plain text later. */
  siteKey: SiteKey
  /** The push services, in tests; by default those of browsers. */
  pushServices?: PushServices
  /** The address of Discord's API, in tests. */
  discordApi?: string
  /** Resolves the addresses of a host. @throws when it has none, or the resolver does not answer */
  resolveHost: (host: string) => Promise<string[]>
  /** The site's public address, without a slash at the end. */
  publicUrl: string
  /** Aborts when the process stops, so waiting calls can answer. Undefined if the process never stops them. */
  stopping?: AbortSignal | undefined
}

/** The dependencies of a job that posts to Discord. `signal` aborts at its deadline or when the process stops. */
export type PostingDeps = Pick<Deps, 'db' | 'now' | 'log' | 'config' | 'publicUrl' | 'siteKey'> & {
  signal: AbortSignal
}
