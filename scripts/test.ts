import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareWorlds } from '../test/databases.ts'
import { ensureBrowser } from './browser.ts'
import { ensureBuilt } from './build.ts'
import { CHECKS } from './check.ts'
import { ROOT } from './root.ts'
import { CORES, createTestJobs, printFailures, runJobs, sumTallies, type Tally } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'
import { isDatabaseTest, isLongTest, listPageTests, listTests } from './test-files.ts'
import { startTestPostgresIfPossible } from './throwaway-postgres.ts'

/**
 * `npm test` runs the checks and all tests except the drills, one process per core, and the page tests as soon as a core is
 * free (START-2). With filters, such as `npm test -- rankings`, it runs only tests whose path contains a filter, without
 * checks. The last line counts all tests, with each check as one. With `--embedded`, no test runs on PostgreSQL.
 */
const { values: options, positionals: pathParts } = parseArgs({
  allowPositionals: true,
  options: { embedded: { type: 'boolean' } },
})
const isWanted = (file: string) => pathParts.length === 0 || pathParts.some((part) => file.includes(part))
const tests = listTests().filter(isWanted)
const pageTests = listPageTests().filter(isWanted)

// Some tests need generated files, such as the fonts. With filters, those of an earlier build are recent enough.
if (pathParts.length === 0 || !existsSync(join(ROOT, 'build/sources.json'))) await ensureBuilt(console.log)
// Installed one after the other and before the tests, because only one program can install packages at a time.
if (pageTests.length > 0) ensureBrowser('shell')
const postgres = tests.length === 0 || options.embedded ? undefined : await startTestPostgresIfPossible()
if (tests.length > 0) await prepareWorlds(postgres?.url)

const env = { TEST_DATABASE_URL: postgres?.url }
const longTests = tests.filter(isLongTest)
const shortTests = tests.filter((file) => !isLongTest(file))
const embeddedTests = postgres === undefined ? [] : tests.filter(isDatabaseTest)
const groupCount = Math.min(CORES * 2, Math.ceil(shortTests.length / 4))

const checks =
  pathParts.length > 0
    ? []
    : CHECKS.map((runCheck) => async (): Promise<Tally> => {
        const isPassed = await runCheck()
        return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, failures: [] }
      })
const pages =
  pageTests.length === 0 ? [] : [async (): Promise<Tally> => ({ ...(await runPageTests(pageTests)), failures: [] })]
const { passed, failed, failures } = sumTallies(
  await runJobs([
    ...(await createTestJobs(longTests, { processes: longTests.length, env })),
    ...checks,
    ...(await createTestJobs(shortTests, { processes: groupCount, env })),
    ...(await createTestJobs(embeddedTests, {
      processes: Math.min(CORES, embeddedTests.length),
      env: { TEST_DATABASE_URL: undefined },
    })),
    // The page tests start while the last tests run, and use two cores.
    ...pages,
  ]),
)
await postgres?.stop()
await printFailures(failures)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
