import { prepareWorlds } from '../test/databases.ts'
import { ensureBrowser } from './browser.ts'
import { ensureBuilt } from './build.ts'
import { check } from './check.ts'
import { runNodeTests } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'
import { ensureMariadb } from './throwaway-mariadb.ts'
import { ensurePostgres } from './throwaway-postgres.ts'

/**
 * `npm test`: the checks, then the server's tests and, at the same time, the page tests, which wait for the browser
 * most of the time and print their report last. The last line counts all of them; the checks count as one test.
 */
await ensureBuilt(console.log)
const checked = await check()
// One after the other and before the tests, which run at the same time: only one program can install packages.
ensureBrowser()
ensureMariadb()
await ensurePostgres()
await prepareWorlds()
const [server, pages] = await Promise.all([runNodeTests(), runPageTests()])
console.log(pages.report)
const passed = server.passed + pages.passed + (checked ? 1 : 0)
const failed = server.failed + pages.failed + (checked ? 0 : 1)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
