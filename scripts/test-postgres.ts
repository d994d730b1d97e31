import { DRILLS_WITHOUT_POSTGRES, runNodeTests } from './run-node-tests.ts'
import { startThrowawayPostgres } from './throwaway-postgres.ts'

/**
 * `npm run test:postgres`: runs the server's tests on a temporary PostgreSQL cluster. With the names of files,
 * `npm run test:postgres -- server/growth.test.ts`, only those.
 */
const postgres = await startThrowawayPostgres()
process.env.TEST_DATABASE_URL = postgres.url
const { prepareWorlds } = await import('../test/databases.ts')
await prepareWorlds()
const files = process.argv.slice(2)
const { passed, failed } = await (files.length > 0
  ? runNodeTests(files)
  : runNodeTests(['{server,test}/**/*.test.ts'], DRILLS_WITHOUT_POSTGRES))
await postgres.stop()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
