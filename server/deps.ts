import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { PageCache } from './http/page-cache.ts'

/** What every feature receives. No feature reads the environment or the clock directly. */
export type Deps = {
  db: Db
  now: () => Date
  log: Logger
  config: Config
  cache: PageCache
  /** The site's public address, without a trailing slash. */
  publicUrl: string
}
