/**
 * Requests/s of pages and calls that the site keeps in memory, against bare node:http that
 * answers the same bytes with the same headers; each a process of its own, the load from a
 * third one (see load.ts: `apt-get install wrk` gives the better figures).
 *
 * `node bench/cached-pages.ts`
 */
import { join } from 'node:path'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { loadWith } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'

/** What is asked for, and the least ratio it shall reach. */
const ADDRESSES: [address: string, atLeast: number][] = [
  ['/rankings', 0.8],
  ['/', 0.8],
  ['/api/get-top-rankings-list', 0.8],
  ['/api/getnewsall/0/8/1/0', 0.8],
  ['/api/itemshop', 0.7],
  ['/api/itemshop?category=2&page=2', 0.7],
  ['/itemshop', 0.7],
  ['/itemshop?category=2&page=2', 0.7],
]
const SECONDS = 2
const ROUNDS = 7

const site = await startSite()
for (const [address, atLeast] of ADDRESSES) {
  const bare = await startProgram([join(import.meta.dirname, 'bare-server.ts'), site.origin + address])
  const found = await compare({
    ours: () => loadWith(site.origin + address, SECONDS),
    theirs: () => loadWith(bare.origin + address, SECONDS),
    rounds: ROUNDS,
  })
  printRatio(`cached ${address}`, 'requests/s', found, { atLeast })
  await bare.stop()
}
await site.stop()
