/**
 * Measures the memory of the site's process (resident set), on each database: 30 seconds after 10,000 page requests as
 * visitors make them, and 30 seconds after a flood of 10,000 different addresses, slow enough that none is refused.
 * Also prints the maximum so far.
 *
 * `node bench/memory.ts [embedded|postgres]` (takes some minutes, because most of these pages have to be rendered;
 * Linux only)
 */
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Started, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { requestOnce } from './load.ts'
import { printFigure } from './side-by-side.ts'

const REQUESTS = 10_000
const REST_MS = 30_000

/** The most megabytes that leave room for the rest of a machine with 1 GB. */
const LIMITS = { embedded: 450, postgres: 320 }

const below = (end: number) => Math.floor(Math.random() * end)
const pick = <T>(...choices: [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0]

/** Half the visits go to a few pages, the others anywhere. */
function someVisit(): string {
  if (Math.random() < 0.5) return pick('/', '/rankings', '/news', '/downloads', '/rankings?tab=killer')
  return pick(
    () => `/topic/${1 + below(40)}`,
    () => `/news?board=${pick('all', 'events', 'guides')}&page=${1 + below(5)}`,
    () => `/rankings?tab=${pick('resu', 'mmr', 'richest')}&school=${below(3)}`,
    () => `/itemshop?category=${below(6)}&page=${1 + below(4)}`,
    () => `/search?q=${pick('brawler', 'sword', 'potion', 'manila', 'event')}`,
    () => pick('/characters', '/instructions', '/story', '/register', '/login', '/gallery', '/serverinfo'),
  )()
}

/** Never the same address twice. */
function someAttack(nth: number): string {
  return pick(
    `/?q=${nth}`,
    `/nowhere/${nth}`,
    `/search?q=word${nth}`,
    `/news?page=${nth}`,
    `/rankings?made-up=${nth}`,
    `/topic/${nth}`,
  )
}

async function request(site: Started, connections: number, toAddress: (nth: number) => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  const ask = async () => {
    while (sent < REQUESTS) await requestOnce(site.origin + toAddress(sent++), agent)
  }
  await Promise.all(Array.from({ length: connections }, ask))
  agent.destroy()
}

/** @returns megabytes: now and the most so far */
async function measureMemory(site: Started): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${site.process.pid}/status`, 'utf8')
  const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

async function measure(kind: 'embedded' | 'postgres', env: Record<string, string>): Promise<void> {
  const site = await startSite({ env })
  const print = async (when: string, limit: number) => {
    const { now, most } = await measureMemory(site)
    printFigure(`${kind}, ${when} (at most ${Math.round(most)} MB so far)`, 'MB', now, { atMost: limit })
  }
  await print('started', LIMITS[kind])
  for (const [what, connections, toAddress] of [
    ['page requests', 8, someVisit],
    ['different addresses', 6, someAttack],
  ] as const) {
    const start = performance.now()
    await request(site, connections, toAddress)
    const perSecond = Math.round((REQUESTS * 1000) / (performance.now() - start))
    await sleep(REST_MS)
    await print(`after ${REQUESTS} ${what} (${perSecond}/s)`, LIMITS[kind])
  }
  await site.stop()
}

const wanted = process.argv[2]
if (wanted !== 'postgres') await measure('embedded', {})
if (wanted !== 'embedded') {
  const postgres = await startThrowawayPostgres()
  await measure('postgres', { DATABASE_URL: postgres.url })
  await postgres.stop()
}
