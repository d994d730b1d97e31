import { parseArgs } from 'node:util'
import { prepareWorlds } from '../test/databases.ts'
import { ensureBrowser } from './browser.ts'
import { ensureBuilt } from './build.ts'
import { CHECKS } from './check.ts'
import { CORES, createTestJobs, printFailures, runJobs, sumTallies, type Tally } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'
import { isDiffering, isLong, listPageTests, listTests } from './test-files.ts'
import { startTestPostgresIfPossible } from './throwaway-postgres.ts'

/**
 * `npm test`: the checks and all tests but the drills, one process for each core, and the page tests as soon as a core is
 * free. With filters, as in `npm test -- rankings`, only the tests and page tests whose path contains one of them, and no
 * checks. The last line counts all of them; each check counts as one test. With `--embedded`, no test runs on PostgreSQL.
 */
const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { embedded: { type: 'boolean' } },
})
const isWanted = (file: string) => filters.length === 0 || filters.some((filter) => file.includes(filter))
const tests = listTests().filter(isWanted)
const pageTests = listPageTests().filter(isWanted)

// A few tests build the site themselves, if they need it.
if (filters.length === 0) await ensureBuilt(console.log)
// One after the other and before the tests: only one program can install packages.
if (pageTests.length > 0) ensureBrowser('shell')
const postgres = tests.length === 0 || options.embedded ? undefined : await startTestPostgresIfPossible()
await prepareWorlds(postgres?.url)

const env = { TEST_DATABASE_URL: postgres?.url }
const long = tests.filter(isLong)
const short = tests.filter((file) => !isLong(file))
const embedded = postgres === undefined ? [] : tests.filter(isDiffering)
const few = Math.min(CORES * 2, Math.ceil(short.length / 4))

const checks =
  filters.length > 0
    ? []
    : CHECKS.map((runCheck) => async (): Promise<Tally> => {
        const passed = await runCheck()
        return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, failures: [] }
      })
const pages =
  pageTests.length === 0 ? [] : [async (): Promise<Tally> => ({ ...(await runPageTests(pageTests)), failures: [] })]
const { passed, failed, failures } = sumTallies(
  await runJobs([
    ...(await createTestJobs(long, { processes: long.length, env })),
    ...checks,
    ...(await createTestJobs(short, { processes: few, env })),
    ...(await createTestJobs(embedded, {
      processes: Math.min(CORES, embedded.length),
      env: { TEST_DATABASE_URL: undefined },
    })),
    // They start when the last tests are still running, and use two cores.
    ...pages,
  ]),
)
await postgres?.stop()
await printFailures(failures)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
