import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { loadWith } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'

/** The share of what node:http answers alone. */
const AT_LEAST = 0.8
const SECONDS = 2
const WARM_SECONDS = 10

/**
 * Compares requests/s of addresses that a demo site keeps in memory with bare node:http that answers the same bytes with
 * the same headers; each a process of its own, the load from a third one (see load.ts: `apt-get install wrk` gives the
 * better figures). Takes `--rounds` from the command line.
 */
export async function compareWithBare(addresses: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    options: { rounds: { type: 'string', default: '7' } },
    allowPositionals: true,
  })
  const site = await startSite()
  // A site that has just started runs its jobs and compiles its code.
  await loadWith(site.origin + addresses[0], WARM_SECONDS)
  for (const address of addresses) {
    const bare = await startProgram([join(import.meta.dirname, 'bare-server.ts'), site.origin + address])
    const found = await compare({
      ours: () => loadWith(site.origin + address, SECONDS),
      theirs: () => loadWith(bare.origin + address, SECONDS),
      rounds: Number(options.rounds),
    })
    printRatio(`cached ${address}`, 'requests/s', found, { atLeast: AT_LEAST })
    await bare.stop()
  }
  await site.stop()
}
