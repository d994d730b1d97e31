/**
 * Measures the p99 of purchases in ms while 64 connections flood the site, against the same without them: with made-up
 * parameters, with different searches (pages and calls), and with different pages. The buyers, the flood and the site
 * are separate processes, on a throw-away PostgreSQL with the demo world. RATE_LIMIT is off, as if the flood came from
 * thousands of addresses. Then prints the memory of the site, 30 s after the load ends and at its highest.
 *
 * `node bench/flood.ts [--rounds 3]` (needs Debian's postgresql package)
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { startProgram, startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { openPostgres } from '#server/db/open.ts'
import { requestOnce } from './load.ts'
import { openSessions } from './sessions.ts'
import { compare, printRatio } from './side-by-side.ts'

const AT_ONCE = 64
const SECONDS = 4
const BUYERS = 20
const FLOODS: Record<string, () => string> = {
  'made-up parameters': () => `/?q=${randomUUID()}`,
  searches: () => `/search?q=${word()}`,
  'calls of searches': () => `/api/search?q=${word()}`,
  'different pages': () =>
    `/rankings?period=${2000 + below(100)}-${String(1 + below(12)).padStart(2, '0')}&x=${below(9)}`,
  'unknown paths': () => `/${randomUUID()}`,
}

const below = (end: number) => Math.floor(Math.random() * end)
const word = () =>
  below(36 ** 4)
    .toString(36)
    .padStart(2, 'a')

const { values: options, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const [origin, kind] = positionals
if (origin !== undefined && kind !== undefined) await flood(origin, FLOODS[kind] ?? (() => '/'))
else await measure()

/** Sends requests over 64 connections until it is stopped. */
async function flood(origin: string, address: () => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const repeatRequests = async () => {
    for (;;) await requestOnce(origin + address(), agent).catch(() => sleep(10))
  }
  console.log(`flooding ${origin}`)
  process.once('SIGTERM', () => process.exit(0))
  await Promise.all(Array.from({ length: AT_ONCE }, repeatRequests))
}

async function measure(): Promise<void> {
  const postgres = await startThrowawayPostgres()
  const site = await startSite({ env: { DATABASE_URL: postgres.url } })
  const database = await openPostgres(postgres.url)
  const { rows: buyers } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin)
    select 'buyer_' || n, 'buyer_' || n || '@example.com', '', '', '!', 1, '!', 1000000000
    from generate_series(1, ${BUYERS}::int) n returning user_num`.execute(database.db)
  const tokens = await openSessions(
    database.db,
    buyers.map(({ user_num }) => user_num),
  )
  const { rows } = await sql<{
    item: number
  }>`select product_num as item from shop_items where section = 2 order by price limit 1`.execute(database.db)
  await database.close()
  const item = rows[0]?.item ?? 1
  const agent = new Agent({ keepAlive: true, maxSockets: BUYERS })

  const buy = (token: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID(), 'Content-Length': 0 }
      request(`${site.origin}/api/buyitem?productnum=${item}`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
        .once('error', reject)
        .end()
    })

  /** Four buyers, one purchase after another. @returns the 99th of a hundred times that a purchase takes, in ms */
  async function p99(): Promise<number> {
    const taken: number[] = []
    const end = performance.now() + SECONDS * 1000
    const repeatPurchases = async (nth: number) => {
      while (performance.now() < end) {
        const start = performance.now()
        const status = await buy(tokens[(nth + 4 * below(BUYERS / 4)) % BUYERS] ?? '')
        if (status !== 200) throw new Error(`A purchase was answered ${status}.`)
        taken.push(performance.now() - start)
        await sleep(10)
      }
    }
    await Promise.all([0, 1, 2, 3].map(repeatPurchases))
    return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN
  }

  for (const kind of Object.keys(FLOODS)) {
    const inFlood = async () => {
      const attacker = await startProgram([import.meta.filename, site.origin, kind])
      await sleep(500)
      const found = await p99()
      await attacker.stop()
      return found
    }
    const found = await compare({ ours: inFlood, theirs: p99, rounds: Number(options.rounds) })
    printRatio(`p99 of purchases in a flood of ${kind}`, 'ms', found, { atMost: 3 })
  }
  await sleep(30_000)
  const status = await readFile(`/proc/${site.process.pid}/status`, 'utf8')
  const megabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000)
  console.log(`memory of the site: ${megabytes('VmRSS')} MB 30 s later, ${megabytes('VmHWM')} MB at its highest`)
  agent.destroy()
  await site.stop()
  await postgres.stop()
}
