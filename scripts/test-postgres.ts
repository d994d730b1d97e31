import { DRILLS_WITHOUT_POSTGRES, runNodeTests } from './run-node-tests.ts'
import { startThrowawayPostgres } from './throwaway-postgres.ts'

/** `npm run test:postgres`: runs the server's tests on a temporary PostgreSQL cluster. */
const postgres = await startThrowawayPostgres()
process.env.TEST_DATABASE_URL = postgres.url
const { prepareWorlds } = await import('../test/databases.ts')
await prepareWorlds()
const { passed, failed } = await runNodeTests(['{server,test}/**/*.test.ts'], DRILLS_WITHOUT_POSTGRES)
await postgres.stop()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
