import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { AnswerCache } from './http/answer-cache.ts'
import type { Limits } from './http/limits.ts'

/** What every feature receives. No feature reads the environment or the clock directly. */
export type Deps = {
  db: Db
  now: () => Date
  log: Logger
  config: Config
  cache: AnswerCache
  limits: Limits
  /** Where the site is reached, without a slash at the end. */
  publicUrl: string
}
