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

/** What every feature is handed; nothing below reads the environment, the clock or the network by itself. */
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
  /** Work of visitors that no memory holds waits here, apart from what the cache makes, which waits by itself. */
  publicQueue: PublicQueue
  limits: Limits
  metrics: Metrics
  /** Seals the secrets that the site needs in the clear later. */
  siteKey: SiteKey
  /** Which services take messages for devices, where they are not those of browsers: in tests. */
  pushServices?: PushServices
  /** The addresses of a host, as the resolver has them. @throws where it has none, or does not answer */
  resolveHost: (host: string) => Promise<string[]>
  /** Where the site is reached, without a slash at the end. */
  publicUrl: string
  /** Says that the process stops: a call that waits for something answers then. Missing where nothing ever stops. */
  stopping?: AbortSignal | undefined
}

/** What a job that posts to Discord is handed. `signal` says that its time is up or the process stops. */
export type PostingDeps = Pick<Deps, 'db' | 'now' | 'log' | 'config' | 'publicUrl'> & { signal: AbortSignal }
