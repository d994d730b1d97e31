import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { prepareWorlds } from '../test/databases.ts'
import { ensureBrowser } from './browser.ts'
import { ensureBuilt } from './build.ts'
import { createTestJobs, printFailures, runJobs, sumTallies, type Tally } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'
import { DRILL_PATTERNS, isPageTest, listAllPageTests } from './test-files.ts'
import { ensureMariadb } from './throwaway-mariadb.ts'
import { ensurePostgres } from './throwaway-postgres.ts'
import { ensureWine } from './windows-node.ts'

/**
 * `npm run test:drills` runs the drills: starts, upgrades, crashes and full disks of the real site, large worlds and
 * random walks, the bridge on game databases and on Windows under Wine, and all page tests with axe on every screen.
 * With file names, it runs only those. `--changed` runs only the drills that the commits within a day of the newest one can break.
 * `--minutes N` starts no further drill after N minutes and prints the omitted ones.
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean' }, minutes: { type: 'string' } },
})

/** The number of concurrent drills. */
const CONCURRENT_DRILLS = 2

/** The paths whose changes can break a drill, by the drill's name. The quickest come first: drills run in this order, then page tests. */
const DRILL_SOURCES: [drill: RegExp, paths: RegExp][] = [
  [/^server\/features\/wallet\//, /^server\/(db|features\/(wallet|cart|purchases|shop))\//],
  [
    /^server\/start\.test/,
    /^(server\.ts|server\/(start|config|data-lock|jobs|pages|app)|server\/db\/|scripts\/(build|bake))/,
  ],
  [
    /^bridge\/(mariadb|commands|life-mariadb|restore-mariadb|accounts-mariadb|services-mariadb)/,
    /^(bridge|server\/features\/bridge)\/|^contract\/bridge/,
  ],
  [/^server\/(upgrade|statements-fail|full-disk|db\/outage)/, /^server\/db\/|^scripts\/upgrade/],
  [/^scripts\/build-steps/, /^(scripts\/(build|bake)|vite\.config)/],
  [/^scripts\/embedded-game/, /^(bridge\/game\/|scripts\/.*game)/],
  [/^test\/e2e\/game/, /^(bridge|server\/features\/bridge|web\/features\/(account|claim|login))\/|^scripts\/.*game/],
  [/^test\/e2e\/first-day/, /^(web\/admin|server\/features\/(today|staff))\//],
  [/^test\/e2e\/every-page/, /^web\/(?!admin)/],
  [/^test\/e2e\//, /^(test\/e2e|web\/(ui|shell|admin\/kit))\/|^playwright\.config/],
  [/^server\/features\/backups\//, /^server\/(backup|features\/backups|db\/migrations)/],
  [/^test\/thief/, /^(test\/thief|contract\/permissions|server\/approvals\/|server\/features\/)/],
  [/^bridge\//, /^(bridge|server\/features\/bridge)\/|^contract\/bridge/],
  [/^(scripts\/upgrade|test\/deploy|test\/public-site)/, /^(deploy|scripts\/upgrade|server\/start|server\.ts)/],
  [/^server\/growth/, /^server\/(db\/migrations|features\/.*\/queries)/],
  [/windows/, /^(bridge\/|scripts\/.*windows|package-lock\.json)/],
]

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** Returns the files that were changed by the commits within a day of the newest one. */
function listChangedFiles(): string[] {
  const newest = Number(git('log', '-1', '--format=%ct'))
  const baseCommit = git('rev-list', '-1', `--before=${newest - 86_400}`, 'HEAD')
  return baseCommit === '' ? git('ls-files').split('\n') : git('diff', '--name-only', baseCommit, 'HEAD').split('\n')
}

/** Returns all drills, or those that a changed file can break by the first matching line of `DRILL_SOURCES`. */
function listDrills(): string[] {
  if (positionals.length > 0) return positionals
  const files = [...globSync(DRILL_PATTERNS).sort(), ...listAllPageTests()]
  const getDrillIndex = (file: string) => DRILL_SOURCES.findIndex(([drill]) => drill.test(file))
  const ordered = files.sort((a, b) => getDrillIndex(a) - getDrillIndex(b))
  if (!options.changed) return ordered
  const changedFiles = listChangedFiles()
  return ordered.filter(
    (file) =>
      changedFiles.includes(file) || changedFiles.some((path) => DRILL_SOURCES[getDrillIndex(file)]?.[1].test(path)),
  )
}

await ensureBuilt(console.log)
const drillFiles = listDrills()
const drills = drillFiles.filter((file) => !isPageTest(file))
const pageDrills = drillFiles.filter(isPageTest)
// Installed one after the other and before the tests, because only one program can install packages at a time.
if (drills.some((file) => /mariadb|mssql|services|foreign-game|characters/.test(file))) ensureMariadb()
if (drills.some((file) => file.includes('windows'))) ensureWine()
if (pageDrills.length > 0) ensureBrowser('shell')
await ensurePostgres()
await prepareWorlds()

const end = options.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(options.minutes) * 60_000
const tallies: Tally[] = []
const batchSize = options.minutes === undefined ? drills.length : CONCURRENT_DRILLS
for (let next = 0; next < drills.length; next += batchSize) {
  if (Date.now() > end) {
    console.log(`Left out for lack of time:\n${drills.slice(next).join('\n')}`)
    break
  }
  const batch = drills.slice(next, next + batchSize)
  tallies.push(...(await runJobs(await createTestJobs(batch, { processes: batch.length }), CONCURRENT_DRILLS)))
}
if (pageDrills.length > 0 && Date.now() > end) console.log(`Left out for lack of time:\n${pageDrills.join('\n')}`)
else if (pageDrills.length > 0) tallies.push({ ...(await runPageTests(pageDrills, { PAGE_DRILL: '1' })), failures: [] })
const total = sumTallies(tallies)
await printFailures(total.failures)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
