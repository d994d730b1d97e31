import { prepareWorlds } from '../test/databases.ts'
import { ensureBuilt } from './build.ts'
import { check } from './check.ts'
import { runNodeTests } from './run-node-tests.ts'
import { runPageTests } from './run-page-tests.ts'

/**
 * `npm test`: check, then server and pure tests and, at the same time because browsers wait a lot, the
 * page tests, whose report comes after the others'. The last line counts them all; check is one of them.
 */
await ensureBuilt(console.log)
const checked = await check()
await prepareWorlds()
const [server, pages] = await Promise.all([runNodeTests(), runPageTests()])
console.log(pages.report)
const passed = server.passed + pages.passed + (checked ? 1 : 0)
const failed = server.failed + pages.failed + (checked ? 0 : 1)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
