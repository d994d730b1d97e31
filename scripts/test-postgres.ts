import { prepareWorlds } from '../test/databases.ts'
import { createTestJobs, printFailures, runJobs, sumTallies } from './run-node-tests.ts'
import { listPostgresTests } from './test-files.ts'
import { startTestPostgres } from './throwaway-postgres.ts'

/**
 * `npm run test:postgres` runs the server's tests and drills on a temporary PostgreSQL cluster. With file names, such
 * as `npm run test:postgres -- server/growth.test.ts`, it runs only those.
 */
const postgres = await startTestPostgres()
await prepareWorlds(postgres.url)
const names = process.argv.slice(2)
const files = names.length > 0 ? names : listPostgresTests()
const jobs = await createTestJobs(files, { processes: files.length, env: { TEST_DATABASE_URL: postgres.url } })
const { passed, failed, failures } = sumTallies(await runJobs(jobs))
await postgres.stop()
await printFailures(failures)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
