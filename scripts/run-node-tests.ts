import { glob, mkdir, writeFile } from 'node:fs/promises'
import { join, matchesGlob, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
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
  'server/features/backups/whole-site.test.ts',
  'server/features/wallet/{crash,random-walk}.test.ts',
  'scripts/upgrade.test.ts',
  'test/{deploy,public-site,windows-site}.test.ts',
  'test/thief-drill.test.ts',
]

/** Drills of the embedded database and of other programs, which PostgreSQL would not change. */
export const DRILLS_WITHOUT_POSTGRES = [
  'server/{upgrade,full-disk}.test.ts',
  'test/{deploy,public-site,windows-site,thief,thief-drill}.test.ts',
]

/** These take half a minute and more, so they start first; started last, they would make the whole run longer. */
const LONG =
  /\/(public-site|whole-site|random-walk|crash|start|upgrade|growth|outage|commands|postgres|windows|windows-site)\.test\.ts$/

/** How many files share a process, which saves each of them two seconds of loading the site. */
const SHARING = 10

/** Whether a file has a process of its own. Drills do: they end processes and look at their own. */
const isAlone = (file: string) => LONG.test(file) || DRILLS.some((drill) => matchesGlob(relative(ROOT, file), drill))

/**
 * Runs the tests in these files with Node's own runner, three processes at a time, and counts the tests. Files that share a
 * process are loaded and run one after the other, each as a test that has the file's tests within.
 */
export async function runNodeTests(patterns: string[], without: string[] = []): Promise<Tally> {
  const files: string[] = []
  for await (const file of glob(patterns, { cwd: ROOT, exclude: ['**/node_modules/**', 'test/e2e/**', ...without] }))
    files.push(join(ROOT, file))
  files.sort((a, b) => Number(LONG.test(b)) - Number(LONG.test(a)) || (a < b ? -1 : 1))
  const alone = files.filter(isAlone)
  const groups = await writeGroups(files.filter((file) => !isAlone(file)))
  const tally: Tally = { passed: 0, failed: 0 }
  const isCounted = ({ file, nesting, details }: { file?: string; nesting: number; details: { type?: string } }) =>
    details.type !== 'suite' && !(nesting === 0 && groups.includes(file ?? ''))
  // Each process imports a thousand modules: compiled once, they cost half a second less.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/node')
  const events = run({ files: [...alone, ...groups], concurrency: 3, timeout: 900_000 })
  events.on('test:pass', (test) => {
    if (isCounted(test) && test.skip === undefined) tally.passed++
  })
  events.on('test:fail', (test) => {
    if (isCounted(test)) tally.failed++
  })
  const report = events.compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  return tally
}

/** Writes a module for each group of files that share a process. Neighbours, which take about as long, go to different groups. */
async function writeGroups(files: string[]): Promise<string[]> {
  const folder = join(ROOT, '.cache/tests')
  await mkdir(folder, { recursive: true })
  const count = Math.ceil(files.length / SHARING)
  return Promise.all(
    Array.from({ length: count }, async (_, group) => {
      const lines = files
        .filter((_, index) => index % count === group)
        .map(
          (file) =>
            `test(${JSON.stringify(relative(ROOT, file))}, () => import(${JSON.stringify(pathToFileURL(file))}))`,
        )
      const path = join(folder, `${group}.js`)
      await writeFile(path, ["import { test } from 'node:test'", ...lines, ''].join('\n'))
      return path
    }),
  )
}
