import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { ROOT } from './root.ts'

/**
 * The drills that run without a browser: programs that are started, upgraded and killed as on a real machine, the
 * bridge on real game databases, large worlds, random walks and long searches for gaps in the desk's rules (`npm run
 * test:drills`).
 */
export const DRILL_PATTERNS = [
  'bridge/**/*.test.ts',
  'server/{start,upgrade,full-disk,statements-fail,growth}.test.ts',
  'server/db/outage.test.ts',
  'server/features/backups/whole-site.test.ts',
  'server/features/wallet/{crash,random-walk}.test.ts',
  'scripts/{build-steps,embedded-game,upgrade}.test.ts',
  'test/{deploy,public-site,thief,windows-site}.test.ts',
  'test/thief-drill.test.ts',
]

/** Drills of the embedded database and of other programs, on which PostgreSQL has no effect. */
const EMBEDDED_DRILLS = [
  'server/{upgrade,full-disk}.test.ts',
  'test/{deploy,public-site,windows-site,thief,thief-drill}.test.ts',
]

/**
 * Tests of differences between PostgreSQL and the embedded database: locks, notifications, backups, migrations, types.
 */
const DATABASE_TESTS = [
  'server/db/*.test.ts',
  'server/backup/*.test.ts',
  'server/features/backups/backups.test.ts',
  'server/{commands,data-lock,job-runner,jobs,maintenance,pages,retention,running-sites,settings,warnings}.test.ts',
  'server/http/{answer-cache,idempotency,limits,session}.test.ts',
  'server/features/cart/buy.test.ts',
  'server/features/rankings/{rollover,seasons}.test.ts',
]

/** Files that take half a minute or more. They start first, each in a separate process. */
const LONG_TESTS = ['server/commands.test.ts', 'server/db/postgres.test.ts']

/** Long page tests across several programs, which run only in `npm run test:drills`. */
const PAGE_DRILLS = ['test/e2e/{first-day,game}.e2e.ts']

const findFiles = (patterns: string[]) =>
  globSync(patterns, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
const matchesAny = (patterns: string[]) => (file: string) => patterns.some((pattern) => matchesGlob(file, pattern))

export const isDrill = matchesAny([...DRILL_PATTERNS, ...PAGE_DRILLS])
export const isPageTest = (file: string) => file.endsWith('.e2e.ts')
export const isLongTest = matchesAny(LONG_TESTS)
export const isDatabaseTest = matchesAny(DATABASE_TESTS)

/** Returns the tests of `npm test` without drills and page tests. */
export const listTests = () =>
  findFiles(['{contract,content,art,demo,server,scripts,test,web}/**/*.test.ts']).filter((file) => !isDrill(file))

/** Returns the server's tests and drills that depend on PostgreSQL. */
export const listPostgresTests = () =>
  findFiles(['{server,test}/**/*.test.ts']).filter((file) => !matchesAny(EMBEDDED_DRILLS)(file))

/** Returns the page tests of `npm test`. */
export const listPageTests = () => listAllPageTests().filter((file) => !isDrill(file))

/** Returns all page tests. `npm run test:drills` runs them with `PAGE_DRILL`, so axe examines every screen. */
export const listAllPageTests = () => findFiles(['test/e2e/*.e2e.ts'])
