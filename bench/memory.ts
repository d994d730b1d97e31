/**
 * Memory (resident set, after a garbage collection) of the site's process after 50,000 page
 * requests to many different addresses, made-up ones among them, against that after 1,000.
 *
 * `node bench/memory.ts` (takes some minutes: most of these pages have to be rendered)
 */
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSite } from '#scripts/start-site.ts'
import { askOnce } from './load.ts'
import { printRatio } from './side-by-side.ts'

const EARLY = 1_000
const LATE = 50_000
const AT_ONCE = 8

/** Loaded into the site so that this program can ask it for a garbage collection. */
const COLLECT_ON_SIGNAL = 'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc())'

const site = await startSite({ nodeArgs: ['--expose-gc', '--import', COLLECT_ON_SIGNAL] })
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

const below = (end: number) => Math.floor(Math.random() * end)
const pick = <T>(...choices: T[]) => choices[below(choices.length)]

/** Half the requests go where visitors go, the others anywhere. */
function someAddress(): string {
  if (Math.random() < 0.5) return pick('/', '/rankings', '/news', '/downloads', '/rankings?tab=killer') ?? '/'
  const anywhere = [
    () => `/nowhere/${below(1e9).toString(36)}`,
    () => `/news?topic=${below(9)}&page=${below(1e6)}`,
    () => `/rankings?tab=${pick('resu', 'mmr', 'richest')}&school=${below(3)}&made-up=${below(1e9)}`,
    () => `/rankings?period=${2000 + below(100)}-${String(1 + below(12)).padStart(2, '0')}`,
    () => `/topic/${below(1e5)}`,
  ]
  return pick(...anywhere)?.() ?? '/'
}

let sent = 0

async function requestUntil(total: number): Promise<void> {
  const ask = async () => {
    while (sent < total) {
      sent++
      await askOnce(site.origin + someAddress(), agent)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
}

/** @returns megabytes, when all rests and what is not needed any more has been collected */
async function residentMegabytes(): Promise<number> {
  site.process.kill('SIGUSR2')
  await sleep(6000)
  site.process.kill('SIGUSR2')
  await sleep(2000)
  const status = await readFile(`/proc/${site.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000
}

await requestUntil(EARLY)
const early = await residentMegabytes()
for (let step = 1; step <= 5; step++) {
  await requestUntil((LATE / 5) * step)
  console.log(`after ${sent} requests: ${Math.round(await residentMegabytes())} MB`)
}
const late = await residentMegabytes()
printRatio(
  `memory after ${LATE} page requests (ours) and after ${EARLY} (theirs)`,
  'MB',
  { ours: late, theirs: early, ratio: late / early },
  { atMost: 1.2 },
)
agent.destroy()
await site.stop()
