import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { PageCache } from './http/page-cache.ts'

/** What every feature is handed; nothing below reads the environment, the clock or the network by itself. */
export type Deps = {
  db: Db
  now: () => Date
  log: Logger
  config: Config
  cache: PageCache
  /** Where the site is reached, without a slash at the end. */
  publicUrl: string
}
