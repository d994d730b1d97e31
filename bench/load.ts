/**
 * Measures the site under load. The site, the server that it is compared with, and the client run in separate processes:
 *
 * - `cached`: compares requests/s of cached pages and calls with bare node:http, which sends the same bytes and headers.
 *   Install Debian's package `wrk` for better figures.
 * - `flood`: measures the p99 of purchases in ms, under a flood from 64 connections and without one, and compares both.
 *   There is one flood for each kind of URL in `FLOODS`. The site runs with the demo world on a throw-away PostgreSQL (needs
 *   Debian's package). RATE_LIMIT is off, as if the flood came from thousands of IP addresses. Then prints the memory of
 *   the site, 30 s after the load ends and at its highest.
 *
 * `node bench/load.ts [cached] [flood] [--rounds 7]`
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { sql } from 'kysely'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { openPostgres } from '#server/db/open.ts'
import { BROWSER_HEADERS, compare, openSessions, printRatio, requestOnce } from './side-by-side.ts'

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
const LOAD_SECONDS = 2
const WARM_UP_SECONDS = 10

const FLOOD_CONNECTIONS = 64
const BUYING_SECONDS = 4
const BUYER_COUNT = 20
const FLOODS: Record<string, () => string> = {
  'made-up parameters': () => `/?q=${randomUUID()}`,
  'search pages': () => `/search?q=${randomWord()}`,
  'search calls': () => `/api/search?q=${randomWord()}`,
  'different pages': () =>
    `/rankings?period=${2000 + randomBelow(100)}-${String(1 + randomBelow(12)).padStart(2, '0')}&x=${randomBelow(9)}`,
  'unknown paths': () => `/${randomUUID()}`,
}

const randomBelow = (end: number) => Math.floor(Math.random() * end)
const randomWord = () =>
  randomBelow(36 ** 4)
    .toString(36)
    .padStart(2, 'a')

/** Compares requests/s of cached pages and calls with bare node:http, which sends the same bytes and headers. */
async function measureCachedPages(rounds: number): Promise<void> {
  const site = await startSite()
  // A site runs its jobs and compiles its code after the start.
  await measureLoad(`${site.origin}/`, WARM_UP_SECONDS)
  for (const address of ADDRESSES) {
    const bareServer = await startProgram([import.meta.filename, 'bare', site.origin + address])
    const result = await compare({
      subject: () => measureLoad(site.origin + address, LOAD_SECONDS),
      reference: () => measureLoad(bareServer.origin + address, LOAD_SECONDS),
      rounds,
    })
    printRatio(`cached ${address}`, 'requests/s', result, { atLeast: 0.65 })
    await bareServer.stop()
  }
  await site.stop()
}

/** Headers that node:http adds to every response. */
const NODE_HEADERS = ['date', 'connection', 'keep-alive']

/** Requests an address once, and serves that response, its bytes and headers, to every request with bare node:http. */
async function serveBare(url: string): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(url, { headers: BROWSER_HEADERS }, resolve).on('error', reject).end(),
  )
  const body = await buffer(answer)
  const headers: string[] = []
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(index, index + 2)
    if (!NODE_HEADERS.includes(name.toLowerCase())) headers.push(name, value)
  }

  const server = createServer((_, res) => {
    res.writeHead(200, headers)
    res.end(body)
  }).listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
  })
  process.once('SIGTERM', () => process.exit(0))
}

const LOAD_CONNECTIONS = 32

const hasWrk = (() => {
  try {
    execFileSync('which', ['wrk'])
    return true
  } catch {
    return false
  }
})()

/**
 * Sends requests to an address over 32 connections for `seconds`, with wrk (Debian's package `wrk`) where it is
 * installed, else with Node's own client, which is slower and takes processor time from the server.
 *
 * @returns responses a second
 * @throws when a response was not a success
 */
function measureLoad(url: string, seconds: number): Promise<number> {
  return hasWrk ? loadWithWrk(url, seconds) : loadWithNode(url, seconds)
}

async function loadWithWrk(url: string, seconds: number): Promise<number> {
  const headers = Object.entries(BROWSER_HEADERS).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${LOAD_CONNECTIONS}`,
    `-d${seconds}s`,
    ...headers,
    url,
  ])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} had failed requests:\n${stdout}`)
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1])
}

async function loadWithNode(url: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD_CONNECTIONS })
  const end = performance.now() + seconds * 1000
  let answeredCount = 0
  const repeatRequests = async () => {
    while (performance.now() < end) {
      const status = await requestOnce(url, agent)
      if (status !== 200) throw new Error(`${url} answered ${status}.`)
      answeredCount++
    }
  }
  await Promise.all(Array.from({ length: LOAD_CONNECTIONS }, repeatRequests))
  agent.destroy()
  return answeredCount / seconds
}

/** Sends requests over 64 connections until the process is stopped. */
async function flood(origin: string, address: () => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD_CONNECTIONS })
  const repeatRequests = async () => {
    for (;;) await requestOnce(origin + address(), agent).catch(() => sleep(10))
  }
  console.log(`flooding ${origin}`)
  process.once('SIGTERM', () => process.exit(0))
  await Promise.all(Array.from({ length: FLOOD_CONNECTIONS }, repeatRequests))
}

/** Measures purchases with and without a flood, and then the memory of the site. */
async function measureFlood(rounds: number): Promise<void> {
  const postgres = await startThrowawayPostgres()
  const site = await startSite({ env: { DATABASE_URL: postgres.url } })
  const database = await openPostgres(postgres.url)
  const { rows: buyers } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin)
    select 'buyer_' || n, 'buyer_' || n || '@example.com', '', '', '!', 1, '!', 1000000000
    from generate_series(1, ${BUYER_COUNT}::int) n returning user_num`.execute(database.db)
  const tokens = await openSessions(
    database.db,
    buyers.map(({ user_num }) => user_num),
  )
  const { rows } = await sql<{
    item: number
  }>`select product_num as item from shop_items
      where section = 2 and kind = 'item' and account_limit is null order by price limit 1`.execute(database.db)
  await database.close()
  const item = rows[0]?.item ?? 1
  const agent = new Agent({ keepAlive: true, maxSockets: BUYER_COUNT })

  const buy = (token: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID(), 'Content-Length': 0 }
      request(`${site.origin}/api/buyitem?productnum=${item}`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
        .once('error', reject)
        .end()
    })

  /** Makes purchases with four buyers at once. @returns the 99th percentile of their durations, in ms */
  async function measureP99(): Promise<number> {
    const durations: number[] = []
    const end = performance.now() + BUYING_SECONDS * 1000
    const repeatPurchases = async (buyerGroup: number) => {
      while (performance.now() < end) {
        const start = performance.now()
        const status = await buy(tokens[(buyerGroup + 4 * randomBelow(BUYER_COUNT / 4)) % BUYER_COUNT] ?? '')
        if (status !== 200) throw new Error(`A purchase was answered ${status}.`)
        durations.push(performance.now() - start)
        await sleep(10)
      }
    }
    await Promise.all([0, 1, 2, 3].map(repeatPurchases))
    return durations.sort((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? Number.NaN
  }

  for (const kind of Object.keys(FLOODS)) {
    const measureInFlood = async () => {
      const attackerProcess = await startProgram([import.meta.filename, 'attack', site.origin, kind])
      await sleep(500)
      const duration = await measureP99()
      await attackerProcess.stop()
      return duration
    }
    const result = await compare({ subject: measureInFlood, reference: measureP99, rounds })
    printRatio(`p99 of purchases in a flood of ${kind}`, 'ms', result, { atMost: 3 })
  }
  await sleep(30_000)
  const status = await readFile(`/proc/${site.process.pid}/status`, 'utf8')
  const readMegabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000)
  console.log(
    `memory of the site: ${readMegabytes('VmRSS')} MB 30 s later, ${readMegabytes('VmHWM')} MB at its highest`,
  )
  agent.destroy()
  await site.stop()
  await postgres.stop()
}

const { values: options, positionals } = parseArgs({
  options: { rounds: { type: 'string' } },
  allowPositionals: true,
})
const [mode = '', url = '', kind = ''] = positionals
if (mode === 'bare') await serveBare(url)
else if (mode === 'attack') await flood(url, FLOODS[kind] ?? (() => '/'))
else {
  const isRequested = (name: string) => positionals.length === 0 || positionals.includes(name)
  if (isRequested('cached')) await measureCachedPages(Number(options.rounds ?? 7))
  if (isRequested('flood')) await measureFlood(Number(options.rounds ?? 3))
}
