/**
 * Measures the cost of a failover: two site processes, a primary with a synchronous standby (streaming replication),
 * and players who buy all the time and repeat a purchase under its Idempotency-Key until it is answered. The primary is
 * killed with SIGKILL, the standby is promoted, and both sites find it on their own. Prints purchases that were
 * confirmed and lost (must be 0), purchases made twice (must be 0), and the seconds without a purchase. Needs Debian's
 * postgresql.
 *
 * `node bench/failover.ts [--asynchronous]`; asynchronous replication may lose the last moments before the failure.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { openPostgres } from '#server/db/open.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { openSessions } from './sessions.ts'

const BUYERS = 20
const BEFORE_MS = 4000
/** The time until a person or a monitoring program promotes the standby. */
const PROMOTED_AFTER_MS = 1000
const AFTERWARDS_MS = 4000
const RETRY_AFTER_MS = 200

const { values: options } = parseArgs({ options: { asynchronous: { type: 'boolean', default: false } } })

const cleanup = new AsyncDisposableStack()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)))

try {
  const primary = await startThrowawayPostgres()
  cleanup.defer(() => primary.stop())
  const standby = await startThrowawayPostgres([], { primary })
  cleanup.defer(() => standby.stop())
  const DATABASE_URL = primary.url.replace(/@([^/]+)/, `@$1,${new URL(standby.url).host}`)
  const first = await startSite({ env: { DATABASE_URL } })
  cleanup.defer(() => first.stop())
  const second = await startSite({ env: { DATABASE_URL } })
  cleanup.defer(() => second.stop())
  const sites = [first, second]

  const { item, tokens } = await fillPurses(primary.url)
  if (!options.asynchronous) {
    const { db, close } = await openPostgres(primary.url)
    await sql`alter system set synchronous_standby_names = '*'`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await close()
  }

  const confirmed: string[] = []
  const moments: number[] = []
  let retries = 0
  let isOver = false
  const buyers = tokens.map(async (token, index) => {
    for (let purchase = 0; !isOver; purchase++) {
      const key = randomUUID()
      for (let attempt = index + purchase; ; attempt++) {
        const site = sites[attempt % 2] ?? first
        const answer = await fetch(`${site.origin}/api/buyitem?productnum=${item}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': key },
          signal: AbortSignal.timeout(10_000),
        }).catch(() => null)
        await answer?.arrayBuffer().catch(() => {})
        if (answer?.status === 200) break
        if (answer !== null && answer.status !== 503) throw new Error(`A purchase was answered ${answer.status}.`)
        retries++
        await sleep(RETRY_AFTER_MS)
      }
      confirmed.push(key)
      moments.push(performance.now())
    }
  })
  await sleep(BEFORE_MS)
  primary.signal('SIGKILL')
  await sleep(PROMOTED_AFTER_MS)
  await standby.promote()
  const promotedAt = performance.now()
  while ((moments.at(-1) ?? 0) < promotedAt) await sleep(50)
  await sleep(AFTERWARDS_MS)
  isOver = true
  await Promise.all(buyers)

  const { db, close } = await openPostgres(standby.url)
  const { rows } = await sql<{ key: string }>`
    select key from idempotency_keys where refused is null and answer is not null`.execute(db)
  const stored = new Set(rows.map(({ key }) => key))
  const { purchases } = await db
    .selectFrom('purchases')
    .where('product_num', '=', item)
    .select((eb) => eb.fn.countAll<number>().as('purchases'))
    .executeTakeFirstOrThrow()
  const fault = await findLedgerFault(db)
  await close()

  const lost = confirmed.filter((key) => !stored.has(key)).length
  const doubled = Number(purchases) - stored.size
  const gap = Math.max(...moments.map((moment, index) => moment - (moments[index - 1] ?? moment)))
  console.log(
    `${options.asynchronous ? 'Asynchronous' : 'Synchronous'} standby, promoted ${PROMOTED_AFTER_MS / 1000} s after the failure:`,
  )
  console.log(`  purchases confirmed  ${confirmed.length} (${retries} attempts were sent again)`)
  console.log(`  lost                 ${lost}`)
  console.log(`  doubled              ${doubled}`)
  console.log(`  without purchases    ${(gap / 1000).toFixed(1)} s`)
  console.log(`  balances             ${fault === null ? 'equal the ledger' : JSON.stringify(fault)}`)
  if ((lost > 0 && !options.asynchronous) || doubled !== 0 || fault !== null) process.exitCode = 1
} finally {
  await cleanup.disposeAsync()
}

/** Gives twenty players of the demo world money and sessions. @returns their tokens and an item without purchases */
async function fillPurses(url: string) {
  const { db, close } = await openPostgres(url)
  const { product_num: item } = await db
    .selectFrom('shop_items as i')
    .where('visible', '=', true)
    .where('section', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('purchases as p').whereRef('p.product_num', '=', 'i.product_num').select('p.ordinal'))),
    )
    .select('product_num')
    .executeTakeFirstOrThrow()
  await db.updateTable('shop_items').set({ price: 1 }).where('product_num', '=', item).execute()
  const { rows } = await sql<{ user_num: number }>`
    with chosen as (
      select user_num from accounts where user_type = 1 and blocked_at is null order by user_num limit ${BUYERS}),
    paid as (
      update accounts a set milleage = milleage + 1000000 from chosen c where a.user_num = c.user_num returning a.*),
    booked as (
      insert into ledger (user_num, currency, delta, balance_after, reason, created_at)
      select user_num, 'milleage', 1000000, milleage, 'bench', now() from paid)
    select user_num from paid`.execute(db)
  const tokens = await openSessions(
    db,
    rows.map(({ user_num }) => user_num),
  )
  await close()
  return { item, tokens }
}
