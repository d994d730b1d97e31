/**
 * p99 of `GET /` in ms while 64 logins at once flood the site, against the same without
 * them. The site, the flood and the asking are processes of their own; the site is started
 * as `npm start` does, with its embedded database and RATE_LIMIT=off.
 *
 * `node bench/accounts-flood.ts`
 */
import { Agent } from 'node:http'
import { join } from 'node:path'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { askOnce } from './load.ts'
import { compare, printRatio } from './side-by-side.ts'

const SECONDS = 3
const ROUNDS = 5

const site = await startSite()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** The 99th of a hundred times that asking for the home page takes, asked one after another. */
async function p99(): Promise<number> {
  const taken: number[] = []
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    const start = performance.now()
    const status = await askOnce(`${site.origin}/`, agent)
    if (status !== 200) throw new Error(`The home page was answered ${status}.`)
    taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN
}

async function p99InFlood(): Promise<number> {
  const flood = await startProgram([join(import.meta.dirname, 'flood-logins.ts'), site.origin])
  const found = await p99()
  await flood.stop()
  return found
}

printRatio(
  'p99 of / in a flood of 64 logins at once',
  'ms',
  await compare({ ours: p99InFlood, theirs: p99, rounds: ROUNDS }),
  {
    atMost: 3,
  },
)
agent.destroy()
await site.stop()
