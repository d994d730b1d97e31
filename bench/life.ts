/**
 * Measures the life of a site, started as by `npm start`:
 *
 * - `start`: the time of the first and the second start on the embedded database until the home page is served, and their
 *   memory. The first start also builds the site, as after `npm ci` (the bench deletes `build/`), with 1 GB of memory where
 *   the system can limit it (a cgroup; Linux, as root). Also prints processor time, to which other work on the machine adds
 *   little.
 * - `first-visit`: a first visit on a phone's screen: headers and bodies, compressed, until five seconds after the page has
 *   loaded, which includes lazily loaded parts and the rotator's next slide
 * - `lighthouse`: Lighthouse's scores on a phone (its mobile settings: a slow 4G and a processor four times slower) for the
 *   pages that most visits begin on: the median of `--runs`, with the time until the largest element is painted. npm fetches
 *   Lighthouse the first time, it is not a dependency.
 * - `memory`: the memory of the site's process (resident set; Linux only), on each database (or `--database`): 30 seconds
 *   after 10,000 page requests as visitors make them, and 30 seconds after 10,000 requests of different addresses, both over
 *   few connections. Also prints the maximum so far
 * - `soak`: `--minutes` of mixed use with faults (life/soak.ts)
 *
 * `node bench/life.ts [part …] [--runs 5] [--database embedded|postgres] [--minutes 20]`
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { ensureBrowser } from '#scripts/browser.ts'
import { ensureBuilt } from '#scripts/build.ts'
import { makeTemporaryFolder } from '#scripts/clean-up.ts'
import { ROOT } from '#scripts/root.ts'
import { type StartedProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { soak } from './life/soak.ts'
import { median, printFigure, requestOnce } from './side-by-side.ts'

const { values: options, positionals: partNames } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    database: { type: 'string', default: '' },
    minutes: { type: 'string', default: '20' },
  },
})

const MACHINE_BYTES = 1e9

type MemoryLimit = { readPeakMb(): Promise<number>; leave(): Promise<void> }

/** Limits this process and its children to 1 GB of memory without swap. @returns undefined if the system does not allow it */
async function limitMemory(): Promise<MemoryLimit | undefined> {
  const isVersion2 = await readFile('/sys/fs/cgroup/cgroup.controllers', 'utf8').then(
    () => true,
    () => false,
  )
  const root = isVersion2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const group = join(root, `tambayan-${process.pid}`)
  try {
    await mkdir(group)
    await writeFile(join(group, isVersion2 ? 'memory.max' : 'memory.limit_in_bytes'), String(MACHINE_BYTES))
    await writeFile(join(group, 'cgroup.procs'), String(process.pid))
  } catch {
    return undefined
  }
  return {
    readPeakMb: async () =>
      Number(await readFile(join(group, isVersion2 ? 'memory.peak' : 'memory.max_usage_in_bytes'), 'utf8')) / 1e6,
    leave: async () => {
      await writeFile(join(root, 'cgroup.procs'), String(process.pid))
      await rmdir(group)
    },
  }
}

/** Returns the processor seconds of the site and of the programs that it ran; Linux only. */
async function measureProcessorSeconds({ process: { pid } }: StartedProgram): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** Returns the present and the highest memory of a site in megabytes. */
async function measureMemory(site: StartedProgram): Promise<{ currentMb: number; peakMb: number }> {
  const status = await readFile(`/proc/${site.process.pid}/status`, 'utf8')
  const readMegabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6
  return { currentMb: readMegabytes('VmRSS'), peakMb: readMegabytes('VmHWM') }
}

async function measureStart(label: string, dataDir: string, maxSeconds: number): Promise<void> {
  const start = performance.now()
  const site = await startSite({ env: { DATA_DIR: dataDir } })
  const page = await fetch(site.origin)
  await page.text()
  if (!page.ok) throw new Error(`The home page was not rendered (${page.status}).`)
  const openSeconds = (performance.now() - start) / 1000
  const processorSeconds = await measureProcessorSeconds(site)
  const { peakMb } = await measureMemory(site)
  printFigure(
    `${label} until the home page is served (${processorSeconds.toFixed(1)} s of processor time, the site at most ${Math.round(peakMb)} MB)`,
    's',
    openSeconds,
    { atMost: maxSeconds },
  )
  await site.stop()
}

async function measureStarts(): Promise<void> {
  const dataDir = join(makeTemporaryFolder(), 'data')
  await rm(join(ROOT, 'build'), { recursive: true, force: true })
  const limit = await limitMemory()
  await measureStart('first start', dataDir, 25)
  if (limit !== undefined) {
    printFigure('memory of all programs of the first start, files in memory included', 'MB', await limit.readPeakMb(), {
      atMost: MACHINE_BYTES / 1e6,
    })
    await sleep(200)
    await limit.leave()
  }
  await measureStart('second start', dataDir, 2)
}

const PAGE_STAY_MS = 5000

type LoadedFile = { url: string; type: string; bytes: number }

/** Opens an address with an empty cache and lists the downloaded files, the largest first. */
async function loadPage(browser: Browser, origin: string, path: string): Promise<LoadedFile[]> {
  const phone = { viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
  const page = await browser.newPage(phone)
  const devtools = await page.context().newCDPSession(page)
  const requests = new Map<string, LoadedFile>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.url.startsWith(origin))
      requests.set(requestId, { url: request.url.replace(origin, ''), type: type ?? 'Other', bytes: 0 })
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = requests.get(requestId)
    if (file !== undefined) file.bytes = encodedDataLength
  })
  await devtools.send('Network.enable')
  await page.goto(origin + path, { waitUntil: 'load' })
  await page.waitForTimeout(PAGE_STAY_MS)
  await page.context().close()
  return [...requests.values()].sort((a, b) => b.bytes - a.bytes)
}

async function measureFirstVisit(): Promise<void> {
  // A site that opens during its build sends scripts that are not compressed yet.
  await ensureBuilt(console.log)
  const site = await startSite()
  const browser = await chromium.launch({ executablePath: ensureBrowser() })
  const home = await loadPage(browser, site.origin, '/')
  await browser.close()
  await site.stop()

  for (const { url, type, bytes } of home) console.log(`${String(bytes).padStart(8)} ${type.padEnd(12)} ${url}`)

  const bytes = home.reduce((sum, file) => sum + file.bytes, 0)
  printFigure('first visit to /', 'kB', bytes / 1000, { atMost: 225 })
  printFigure('first visit to /', 'requests', home.length, { atMost: 26 })
}

const LIGHTHOUSE = 'lighthouse@13.5.0'
const PAGES = ['/', '/news', '/rankings', '/itemshop', '/register', '/story']
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

type Report = {
  categories: Record<(typeof CATEGORIES)[number], { score: number | null }>
  audits: Record<string, { score: number | null; title: string; scoreDisplayMode: string; numericValue?: number }>
}

async function runLighthouse(url: string): Promise<Report> {
  const flags = ['--quiet', '--output=json', `--only-categories=${CATEGORIES.join(',')}`]
  const chrome = '--chrome-flags=--headless=new --no-sandbox'
  const { stdout } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', '--package', LIGHTHOUSE, '--', 'lighthouse', url, ...flags, chrome],
    {
      env: { ...process.env, CHROME_PATH: ensureBrowser() },
      maxBuffer: 2 ** 27,
    },
  )
  return JSON.parse(stdout) as Report
}

/** Runs Lighthouse, and once again if Chromium loses a trace. */
const runLighthouseWithRetry = (url: string) => runLighthouse(url).catch(() => runLighthouse(url))

async function measureLighthouse(): Promise<void> {
  const site = await startSite()
  try {
    console.log(`${'page'.padEnd(12)} ${CATEGORIES.map((name) => name.padStart(14)).join(' ')}   largest paint, s`)
    for (const page of PAGES) {
      const reports: Report[] = []
      for (let nth = 0; nth < Number(options.runs); nth++)
        reports.push(await runLighthouseWithRetry(site.origin + page))
      const scores = CATEGORIES.map((name) =>
        median(reports.map(({ categories }) => (categories[name].score ?? 0) * 100)),
      )
      const paintSeconds =
        median(reports.map(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? 0)) / 1000
      console.log(
        `${page.padEnd(12)} ${scores.map((score) => score.toFixed(0).padStart(14)).join(' ')}   ${paintSeconds.toFixed(2)}`,
      )
      const failedAudits = Object.values(reports[0]?.audits ?? {}).filter(
        ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode === 'binary',
      )
      for (const { title } of failedAudits) console.log(`  ${title}`)
    }
  } finally {
    await site.stop()
  }
}

const REQUESTS = 10_000
const SETTLE_MS = 30_000

/** The maximum of megabytes that leaves room for other programs on a machine with 1 GB. */
const MEMORY_LIMITS_MB = { embedded: 450, postgres: 320 }

const randomBelow = (end: number) => Math.floor(Math.random() * end)
const pickRandom = <T>(...choices: [T, ...T[]]): T => choices[randomBelow(choices.length)] ?? choices[0]

/** Returns a random address: in half of the visits one of a few pages, otherwise any page. */
function createVisitAddress(): string {
  if (Math.random() < 0.5) return pickRandom('/', '/rankings', '/news', '/downloads', '/rankings?tab=killer')
  return pickRandom(
    () => `/topic/${1 + randomBelow(40)}`,
    () => `/news?board=${pickRandom('all', 'events', 'guides')}&page=${1 + randomBelow(5)}`,
    () => `/rankings?tab=${pickRandom('resu', 'mmr', 'richest')}&school=${randomBelow(3)}`,
    () => `/itemshop?category=${randomBelow(6)}&page=${1 + randomBelow(4)}`,
    () => `/search?q=${pickRandom('brawler', 'sword', 'potion', 'manila', 'event')}`,
    () => pickRandom('/characters', '/instructions', '/story', '/register', '/login', '/gallery', '/serverinfo'),
  )()
}

/** Returns an address that no other request has. */
function createAttackAddress(nth: number): string {
  return pickRandom(
    `/?q=${nth}`,
    `/nowhere/${nth}`,
    `/search?q=word${nth}`,
    `/news?page=${nth}`,
    `/rankings?made-up=${nth}`,
    `/topic/${nth}`,
  )
}

async function sendRequests(
  site: StartedProgram,
  connections: number,
  toAddress: (nth: number) => string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sentRequests = 0
  const repeatRequests = async () => {
    while (sentRequests < REQUESTS) await requestOnce(site.origin + toAddress(sentRequests++), agent)
  }
  await Promise.all(Array.from({ length: connections }, repeatRequests))
  agent.destroy()
}

async function measureMemoryOn(kind: 'embedded' | 'postgres', env: Record<string, string>): Promise<void> {
  const site = await startSite({ env })
  const print = async (when: string, limit: number) => {
    const { currentMb, peakMb } = await measureMemory(site)
    printFigure(`${kind}, ${when} (at most ${Math.round(peakMb)} MB so far)`, 'MB', currentMb, { atMost: limit })
  }
  await print('started', MEMORY_LIMITS_MB[kind])
  for (const [label, connections, toAddress] of [
    ['page requests', 8, createVisitAddress],
    ['different addresses', 6, createAttackAddress],
  ] as const) {
    const start = performance.now()
    await sendRequests(site, connections, toAddress)
    const requestsPerSecond = Math.round((REQUESTS * 1000) / (performance.now() - start))
    await sleep(SETTLE_MS)
    await print(`after ${REQUESTS} ${label} (${requestsPerSecond}/s)`, MEMORY_LIMITS_MB[kind])
  }
  await site.stop()
}

async function measureMemories(): Promise<void> {
  if (options.database !== 'postgres') await measureMemoryOn('embedded', {})
  if (options.database !== 'embedded') {
    const postgres = await startThrowawayPostgres()
    await measureMemoryOn('postgres', { DATABASE_URL: postgres.url })
    await postgres.stop()
  }
}

const PARTS: Record<string, () => Promise<void>> = {
  start: measureStarts,
  'first-visit': measureFirstVisit,
  lighthouse: measureLighthouse,
  memory: measureMemories,
  soak: () => soak(Number(options.minutes)),
}
for (const partName of partNames.length === 0 ? Object.keys(PARTS) : partNames) {
  const run = PARTS[partName]
  if (run === undefined) throw new Error(`There is no part ${partName}.`)
  console.log(`${partName}:`)
  await run()
}
process.exit()
