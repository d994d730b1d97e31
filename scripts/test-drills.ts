import { prepareWorlds } from '../test/databases.ts'
import { ensureBuilt } from './build.ts'
import { DRILLS, runNodeTests } from './run-node-tests.ts'
import { ensureMariadb } from './throwaway-mariadb.ts'
import { ensurePostgres } from './throwaway-postgres.ts'
import { ensureWine } from './windows-node.ts'

/**
 * `npm run test:drills`: starts, upgrades, crashes and full disks of the real site, large worlds and random walks, and the bridge
 * on game databases and on Windows under Wine.
 */
await ensureBuilt(console.log)
// One after the other and before the tests: only one program can install packages.
ensureMariadb()
ensureWine()
await ensurePostgres()
await prepareWorlds()
const { passed, failed } = await runNodeTests(DRILLS)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
