/**
 * Requests/s of pages and calls that the site keeps in memory, against bare node:http that
 * answers the same bytes with the same headers; each a process of its own, the load from a
 * third one (see load.ts: `apt-get install wrk` gives the better figures).
 *
 * `node bench/cached-pages.ts`
 */
import { join } from 'node:path'
import { loadWith } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'
import { startProgram, startSite } from './start-site.ts'

const ADDRESSES = ['/rankings', '/', '/api/get-top-rankings-list', '/api/getnewsall/0/8/1/0']
const SECONDS = 2
const ROUNDS = 7

const site = await startSite()
for (const address of ADDRESSES) {
  const bare = await startProgram([join(import.meta.dirname, 'bare-server.ts'), site.origin + address])
  const found = await compare({
    ours: () => loadWith(site.origin + address, SECONDS),
    theirs: () => loadWith(bare.origin + address, SECONDS),
    rounds: ROUNDS,
  })
  printRatio(`cached ${address}`, 'requests/s', found, { atLeast: 0.8 })
  await bare.stop()
}
await site.stop()
