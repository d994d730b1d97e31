import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { ROOT } from './root.ts'

export type Tally = { passed: number; failed: number }

/**
 * Programs that are started, upgraded and killed as on a real machine, the bridge on real game databases, large worlds, random walks
 * and a long search for holes in the desk's rules. They take a third of all processor time and seldom fail, so they have a command of
 * their own: `npm run test:drills`.
 */
export const DRILLS = [
  'bridge/**/*.test.ts',
  'server/{start,upgrade,full-disk,statements-fail,growth}.test.ts',
  'server/features/wallet/{crash,random-walk}.test.ts',
  'scripts/upgrade.test.ts',
  'test/{deploy,public-site}.test.ts',
  'test/thief-drill.test.ts',
]

/** Drills of the embedded database and of other programs, which PostgreSQL would not change. */
export const DRILLS_WITHOUT_POSTGRES = [
  'server/{upgrade,full-disk}.test.ts',
  'test/{deploy,public-site,thief,thief-drill}.test.ts',
]

/** These take half a minute and more, so they start first; started last, they would make the whole run longer. */
const LONG = /\/(public-site|random-walk|crash|start|upgrade|growth|outage|commands|postgres|windows)\.test\.ts$/

/** Runs the tests in these files with Node's own runner, three files at a time, and counts the tests. */
export async function runNodeTests(patterns: string[], without: string[] = []): Promise<Tally> {
  const files: string[] = []
  for await (const file of glob(patterns, { cwd: ROOT, exclude: ['**/node_modules/**', 'test/e2e/**', ...without] }))
    files.push(join(ROOT, file))
  files.sort((a, b) => Number(LONG.test(b)) - Number(LONG.test(a)) || (a < b ? -1 : 1))
  const tally: Tally = { passed: 0, failed: 0 }
  // Each file is a process that imports a thousand modules: compiled once, they cost half a second less.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/node')
  const events = run({ files, concurrency: 3, timeout: 900_000 })
  events.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) tally.passed++
  })
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') tally.failed++
  })
  const report = events.compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  return tally
}
