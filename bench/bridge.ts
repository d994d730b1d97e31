/**
 * Measures the bridge between a site on PostgreSQL and a real game database with its usual durability, each part alone
 * or all of them:
 *
 * - `rate`: units delivered a second, divided by the rate at which the bare driver inserts a unit's two rows, with one
 *   commit a unit
 * - `latency`: the time from a purchase to its row in the game
 * - `sync`: three measures. The first is the time of the first sync of all characters and clubs. The second is the time
 *   of a sync without changes, divided by that of a plain read with the same driver. The third is the time of a write of
 *   the game during a sync, divided by its time during plain reads
 * - `import`: importing accounts, with the memory of agent and site
 * - `faults`: kills the agent `--kills` times, and the site and the game database a fifth as often each, while units are
 *   delivered, refunded and picked up. Prints units that are lost, doubled, or refunded and delivered (all must be
 *   0). Then restores each database alone, and both together, during such work, `--restores` times each. In every other
 *   restore, the operator confirms that the characters were restored too. Prints losses and doubles that the desk does
 *   not list (all must be 0). If there are kills, the agent is also killed after each restore
 * - `services`: the same with services for characters, which are delivered and refunded while players log in and out
 *
 * `node bench/bridge.ts [part …] [--game mariadb|postgres] [--units 20000] [--kills 50] [--restores 2] [--characters
 * 100000] [--accounts 50000]`
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { GameKind } from '#scripts/game-tables.ts'
import { createFaultRun } from './bridge/faults.ts'
import { killDuringServices, restoreDuringServices } from './bridge/services.ts'
import { measureImport, measureLatency, measureRate, measureSync } from './bridge/speed.ts'
import { killDuringDeliveries, restoreDuringDeliveries } from './bridge/units.ts'
import { type Amounts, DURABLE_SETTINGS, startWorld, type World } from './bridge/world.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    game: { type: 'string' },
    units: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '50' },
    restores: { type: 'string', default: '2' },
    characters: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '50000' },
  },
})
const worldAmounts: Amounts = {
  units: Number(options.units),
  kills: Number(options.kills),
  restores: Number(options.restores),
  characters: Number(options.characters),
  accounts: Number(options.accounts),
}

const PARTS: Record<string, (world: World, worldAmounts: Amounts) => Promise<void>> = {
  rate: measureRate,
  latency: measureLatency,
  sync: measureSync,
  import: measureImport,
  faults: createFaultRun(killDuringDeliveries, restoreDuringDeliveries),
  services: createFaultRun(killDuringServices, restoreDuringServices),
}
const partNames = positionals.length === 0 ? Object.keys(PARTS) : positionals
const gameKinds: GameKind[] = options.game === undefined ? ['mariadb', 'postgres'] : [options.game as GameKind]
for (const kind of gameKinds)
  for (const partName of partNames) {
    const run = PARTS[partName]
    if (run === undefined || !(kind in DURABLE_SETTINGS)) throw new Error(`There is no part ${partName} with ${kind}.`)
    const world = await startWorld(kind)
    console.log(`${kind}, ${partName} (load ${loadavg()[0]?.toFixed(1)}):`)
    await run(world, worldAmounts).finally(world.stop)
  }
process.exit(0)
