import { prepareWorlds } from '../test/databases.ts'
import { ensureBrowser } from './browser.ts'
import { ensureBuilt } from './build.ts'
import { check } from './check.ts'
import { DRILLS, runNodeTests } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'
import { ensurePostgres } from './throwaway-postgres.ts'

const EVERYWHERE = ['{contract,content,art,demo,server,scripts,test,web}/**/*.test.ts']

/**
 * `npm test`: the checks, then all tests but the drills and, at the same time, the page tests, which wait for the browser
 * most of the time and print their report last. The last line counts all of them; the checks count as one test.
 */
await ensureBuilt(console.log)
const checked = await check()
// One after the other and before the tests, which run at the same time: only one program can install packages.
ensureBrowser('shell')
await ensurePostgres()
await prepareWorlds()
const [server, pages] = await Promise.all([runNodeTests(EVERYWHERE, DRILLS), runPageTests()])
console.log(pages.report)
const passed = server.passed + pages.passed + (checked ? 1 : 0)
const failed = server.failed + pages.failed + (checked ? 0 : 1)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
