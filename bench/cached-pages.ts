/**
 * Measures requests/s of cached pages and calls against bare node:http that answers the same bytes with the same
 * headers. Each is a process of its own, with the load from a third one (see load.ts: `apt-get install wrk` gives the
 * better figures).
 *
 * `node bench/cached-pages.ts [--rounds 7]`
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { loadWith } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'

const ADDRESSES = [
  '/rankings',
  '/',
  '/api/get-top-rankings-list',
  '/api/getnewsall/0/8/1/0',
  '/api/itemshop',
  '/api/itemshop?category=2&page=2',
  '/itemshop',
  '/itemshop?category=2&page=2',
]
const SECONDS = 2
const WARM_SECONDS = 10

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const site = await startSite()
// A site that has just started runs its jobs and compiles its code.
await loadWith(`${site.origin}/`, WARM_SECONDS)
for (const address of ADDRESSES) {
  const bare = await startProgram([join(import.meta.dirname, 'bare-server.ts'), site.origin + address])
  const found = await compare({
    ours: () => loadWith(site.origin + address, SECONDS),
    theirs: () => loadWith(bare.origin + address, SECONDS),
    rounds: Number(options.rounds),
  })
  printRatio(`cached ${address}`, 'requests/s', found, { atLeast: 0.65 })
  await bare.stop()
}
await site.stop()
