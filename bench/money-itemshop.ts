/**
 * Requests/s of the item shop, its call and its page, against bare node:http that answers the
 * same bytes with the same headers; see cached-pages.ts for how.
 *
 * `node bench/money-itemshop.ts`
 */
import { join } from 'node:path'
import { loadWith } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'
import { startProgram, startSite } from './start-site.ts'

const ADDRESSES = ['/api/itemshop', '/api/itemshop?category=2&page=2', '/itemshop', '/itemshop?category=2&page=2']
const SECONDS = 2
const ROUNDS = 5

const site = await startSite()
for (const address of ADDRESSES) {
  const bare = await startProgram([join(import.meta.dirname, 'bare-server.ts'), site.origin + address])
  const found = await compare({
    ours: () => loadWith(site.origin + address, SECONDS),
    theirs: () => loadWith(bare.origin + address, SECONDS),
    rounds: ROUNDS,
  })
  printRatio(`cached ${address}`, 'requests/s', found, { atLeast: 0.7 })
  await bare.stop()
}
await site.stop()
