/**
 * Measures purchases with `buyitem` on PostgreSQL (needs Debian's package, which has pgbench). The first three parts
 * measure purchases/s, 32 at a time, by 1,000 accounts. `service` and `http` are compared with pgbench, which runs the
 * same statement with 8 clients on the same throw-away server; `long` is compared with a short table:
 *
 * - `service`: in the service, compared with pgbench's simple protocol (its default) and its prepared statements, which the
 *   site also uses
 * - `http`: over HTTP; the site, started as by `npm start`, and the client run as separate processes
 * - `long`: in the service, with `--long` purchases in the table, compared with 10,000
 * - `failover`: two site processes, a primary with a synchronous standby (streaming replication), and players who buy all
 *   the time and repeat a purchase under its Idempotency-Key until it is answered. The primary is killed with SIGKILL, the
 *   standby is promoted, and both sites find it on their own. Prints purchases that were confirmed and lost (must be 0),
 *   purchases made twice (must be 0), and the seconds without a purchase. With `--asynchronous`, replication may lose the
 *   last moments before the failure.
 *
 * `node bench/money.ts [part …] [--rounds 5] [--long 10000000] [--asynchronous]`
 */
import { execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { startSite } from '#scripts/start-site.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { Refusal } from '#server/errors.ts'
import { buyItem } from '#server/features/cart/buy.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { compare, openSessions, printRatio } from './side-by-side.ts'

const ACCOUNTS = 1000
const CONCURRENT_BUYERS = 32
const ROUND_SECONDS = 3
const SHORT_LEDGER = 10_000
const STARTING_BALANCE = 1_000_000_000_000
const FAILOVER_BUYERS = 20
const BEFORE_FAILURE_MS = 4000
/** The time until a person or a monitoring program promotes the standby. */
const PROMOTED_AFTER_MS = 1000
const AFTER_PROMOTION_MS = 4000
const RETRY_AFTER_MS = 200

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    long: { type: 'string', default: '10000000' },
    asynchronous: { type: 'boolean', default: false },
  },
})
const ROUNDS = Number(options.rounds)
const LONG_LEDGER = Number(options.long)
const isRequested = (partName: string) => positionals.length === 0 || positionals.includes(partName)

/** Undoes what the bench started and created, in reverse order: at the end, after an error and on a signal. */
const cleanup = new AsyncDisposableStack()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)))

/** Adds an item for 1 R-Coin (section 2) or 1 Milleage to a new category. @returns its number */
async function addItem(db: Db, section: 1 | 2): Promise<number> {
  const category = await db
    .insertInto('shop_categories')
    .values({ category_name: 'Bench', position: 100 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { product_num } = await db
    .insertInto('shop_items')
    .values({
      category_id: category.id,
      item_name: 'Hoodie',
      price: 1,
      section,
      position: 1,
      icon: null,
      image_url: null,
      ribbon: null,
    })
    .returning('product_num')
    .executeTakeFirstOrThrow()
  return product_num
}

/** Creates a database with 1,000 accounts with high balances, one item, and a number of earlier purchases. */
async function openShop(postgres: ThrowawayPostgres, name: string, purchases: number) {
  const admin = await openPostgres(postgres.url)
  await sql`create database ${sql.id(name)}`.execute(admin.db)
  await admin.close()
  const url = postgres.url.replace(/\/postgres$/, `/${name}`)
  const database = await openPostgres(url)
  cleanup.defer(() => database.close())
  const { db, jobsDb } = database
  await migrate(db)
  await sql`insert into settings (name, value, changed_at) values ('purchases_open', 'true', now())`.execute(db)
  const item = await addItem(db, 2)
  const purchasesPerAccount = purchases / ACCOUNTS
  await sql`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin, purchase_count)
    select 'buyer_' || n, 'buyer_' || n || '@example.com', '', '', '!', 1, '!', ${STARTING_BALANCE}, ${purchasesPerAccount}
    from generate_series(1, ${ACCOUNTS}::int) n`.execute(db)
  await sql`
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select user_num, o, ${item}, 'Hoodie', 2, 1, 1, now() from generate_series(1, ${purchasesPerAccount}::int) o, accounts`.execute(
    jobsDb,
  )
  await sql`vacuum analyze`.execute(jobsDb)
  const { rows } = await sql<{ user_num: number }>`select user_num from accounts`.execute(db)
  return { postgres, db, url, item, accounts: rows.map(({ user_num }) => user_num) }
}
type Shop = Awaited<ReturnType<typeof openShop>>

const buyOnce = (db: Db, userNum: number, item: number, key: string) =>
  buyItem(
    { db, now: () => new Date() },
    { userNum, request: { owner: String(userNum), key, content: `buyitem ${item}` } },
    { productNum: item, quantity: 1 },
  )

/** Runs 32 purchases at a time in this process for some seconds. @returns purchases a second */
async function measureInService({ db, item, accounts }: Shop): Promise<number> {
  const start = performance.now()
  let boughtCount = 0
  const repeatPurchases = async () => {
    while (performance.now() - start < ROUND_SECONDS * 1000) {
      const userNum = accounts[Math.floor(Math.random() * accounts.length)] ?? 0
      const outcome = await buyOnce(db, userNum, item, randomUUID())
      if (outcome instanceof Refusal) throw outcome
      boughtCount++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_BUYERS }, repeatPurchases))
  return (boughtCount * 1000) / (performance.now() - start)
}

/** Writes the service's statement as a pgbench script, with another buyer and key in each run. */
async function writePgbenchScript({ url, item, accounts }: Shop): Promise<string> {
  // The number of this buyer occurs in no other parameter of the statement.
  const sampleBuyer = Math.max(...accounts)
  const IDEMPOTENCY_KEY = 'the-key-of-the-script'
  let capturedStatement: { text: string; parameters: readonly unknown[] } | undefined
  const recordingDb = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query }) => {
      capturedStatement = { text: query.sql, parameters: query.parameters }
    },
  })
  await buyOnce(recordingDb, sampleBuyer, item, IDEMPOTENCY_KEY)
  await recordingDb.destroy()
  if (capturedStatement === undefined) throw new Error('The service sent no statement.')
  const { text, parameters } = capturedStatement
  const formatLiteral = (value: unknown) => {
    if (value === sampleBuyer) return ':buyer'
    if (value === String(sampleBuyer)) return ':buyer::text'
    if (value === IDEMPOTENCY_KEY) return "md5(:a::text || '-' || :b::text)"
    if (value === null) return 'null'
    if (value instanceof Date) return `'${value.toISOString()}'`
    return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
  }
  const statement = text
    .replace(/\$(\d+)/g, (_, index) => formatLiteral(parameters[Number(index) - 1]))
    .replace(/\s+/g, ' ')
  const path = join(tmpdir(), `money-${randomUUID()}.sql`)
  const lines = [
    `\\set buyer random(${Math.min(...accounts)}, ${Math.max(...accounts)})`,
    '\\set a random(1, 9223372036854775806)',
    '\\set b random(1, 9223372036854775806)',
    `${statement};`,
  ]
  cleanup.defer(() => rm(path, { force: true }))
  await writeFile(path, `${lines.join('\n')}\n`)
  await chmod(path, 0o644)
  return path
}

async function measureWithPgbench({ postgres, url }: Shop, script: string, protocol: string): Promise<number> {
  const args = ['-n', '-M', protocol, '-c', '8', '-j', '1', '-T', String(ROUND_SECONDS), '-f', script, url]
  const { stdout } = await promisify(execFile)(join(postgres.bin, 'pgbench'), args)
  if (/number of failed transactions: [1-9]/.test(stdout)) throw new Error(stdout)
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

/** Starts the site and the client over HTTP, each buyer with a session. @returns a function that runs one round */
async function startOverHttp(shop: Shop): Promise<() => Promise<number>> {
  const tokens = await openSessions(shop.db, shop.accounts)
  const site = await startSite({ env: { DATABASE_URL: shop.url, DEMO: '0' }, nodeArgs: process.execArgv })
  cleanup.defer(() => site.stop())
  const client = fork(import.meta.filename, ['client'])
  cleanup.defer(() => void client.kill())
  const round: Round = {
    origin: site.origin,
    item: shop.item,
    tokens,
    atOnce: CONCURRENT_BUYERS,
    seconds: ROUND_SECONDS,
  }
  return async () => {
    client.send(round)
    const clientExit = once(client, 'exit').then(() => {
      throw new Error('The client over HTTP has ended.')
    })
    const [purchases] = await Promise.race([once(client, 'message'), clientExit])
    return purchases
  }
}

async function measurePurchases(): Promise<void> {
  const postgres = await startThrowawayPostgres(['max_wal_size=8GB'])
  cleanup.defer(() => postgres.stop())
  const shop = await openShop(postgres, 'short', SHORT_LEDGER)
  const script = await writePgbenchScript(shop)
  const pgbench = (protocol: string) => () => measureWithPgbench(shop, script, protocol)
  if (isRequested('service')) {
    for (const [protocol, atLeast] of [
      ['simple', 2],
      ['prepared', 0.75],
    ] as const) {
      const comparison = await compare({
        subject: () => measureInService(shop),
        reference: pgbench(protocol),
        rounds: ROUNDS,
      })
      printRatio(`buyitem in the service, pgbench ${protocol}`, 'purchases/s', comparison, { atLeast })
    }
  }
  if (isRequested('http')) {
    const comparison = await compare({
      subject: await startOverHttp(shop),
      reference: pgbench('simple'),
      rounds: ROUNDS,
    })
    printRatio('buyitem over HTTP, pgbench simple', 'purchases/s', comparison, { atLeast: 0.8 })
  }
  if (isRequested('long')) {
    const longShop = await openShop(postgres, 'long', LONG_LEDGER)
    const comparison = await compare({
      subject: () => measureInService(longShop),
      reference: () => measureInService(shop),
      rounds: ROUNDS,
    })
    const [longCount, shortCount] = [LONG_LEDGER, SHORT_LEDGER].map((count) => count.toLocaleString('en'))
    printRatio(`buyitem with ${longCount} purchases in the table, against ${shortCount}`, 'purchases/s', comparison, {
      atLeast: 0.9,
    })
  }
}

type Round = { origin: string; item: number; tokens: string[]; atOnce: number; seconds: number }

/** Reads one response by its Content-Length. @returns its status */
async function readAnswer(socket: Socket): Promise<number> {
  let answer = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    answer += chunk.toString('latin1')
    const headEnd = answer.indexOf('\r\n\r\n')
    if (headEnd === -1) continue
    const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, headEnd))?.[1])
    if (Number.isNaN(length)) throw new Error(`An answer without its length: ${answer}`)
    if (answer.length >= headEnd + 4 + length) return Number(answer.slice(9, 12))
  }
}

/**
 * Runs one round of purchases over HTTP in a separate process. It competes with the site and the database for the same
 * processors, as pgbench does on the other side of the comparison. A client with `node:http` takes more processor time
 * than the site needs to answer; pgbench, written in C, takes almost none. This client therefore writes the bytes of
 * requests itself and reads only the status and the length of responses. The site receives normal requests on an open
 * connection, one at a time.
 */
async function buyOverSockets({ origin, item, tokens, atOnce, seconds }: Round): Promise<number> {
  const { hostname, port, host } = new URL(origin)
  const start = performance.now()
  let boughtCount = 0
  const repeatPurchases = async () => {
    const socket = connect(Number(port), hostname).setNoDelay()
    await once(socket, 'connect')
    while (performance.now() - start < seconds * 1000) {
      const token = tokens[Math.floor(Math.random() * tokens.length)]
      socket.write(
        `POST /api/buyitem?productnum=${item} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n` +
          `Idempotency-Key: ${randomUUID()}\r\nContent-Length: 0\r\n\r\n`,
      )
      const status = await readAnswer(socket)
      if (status !== 200) throw new Error(`A purchase was answered ${status}.`)
      boughtCount++
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: atOnce }, repeatPurchases))
  return (boughtCount * 1000) / (performance.now() - start)
}

async function measureFailover(): Promise<void> {
  const primary = await startThrowawayPostgres()
  cleanup.defer(() => primary.stop())
  const standby = await startThrowawayPostgres([], { primary })
  cleanup.defer(() => standby.stop())
  const DATABASE_URL = primary.url.replace(/@([^/]+)/, `@$1,${new URL(standby.url).host}`)
  const firstSite = await startSite({ env: { DATABASE_URL } })
  cleanup.defer(() => firstSite.stop())
  const secondSite = await startSite({ env: { DATABASE_URL } })
  cleanup.defer(() => secondSite.stop())
  const sites = [firstSite, secondSite]

  const { item, tokens } = await createRichPlayers(primary.url)
  if (!options.asynchronous) {
    const { db, close } = await openPostgres(primary.url)
    await sql`alter system set synchronous_standby_names = '*'`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
    await close()
  }

  const confirmedKeys: string[] = []
  const purchaseTimes: number[] = []
  let retries = 0
  let isOver = false
  const buyers = tokens.map(async (token, index) => {
    for (let purchase = 0; !isOver; purchase++) {
      const key = randomUUID()
      for (let attempt = index + purchase; ; attempt++) {
        const site = sites[attempt % 2] ?? firstSite
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
      confirmedKeys.push(key)
      purchaseTimes.push(performance.now())
    }
  })
  await sleep(BEFORE_FAILURE_MS)
  primary.signal('SIGKILL')
  await sleep(PROMOTED_AFTER_MS)
  await standby.promote()
  const promotionTime = performance.now()
  while ((purchaseTimes.at(-1) ?? 0) < promotionTime) await sleep(50)
  await sleep(AFTER_PROMOTION_MS)
  isOver = true
  await Promise.all(buyers)

  const { db, close } = await openPostgres(standby.url)
  const { rows } = await sql<{ key: string }>`
    select key from idempotency_keys where refused is null and answer is not null`.execute(db)
  const storedKeys = new Set(rows.map(({ key }) => key))
  const { purchases } = await db
    .selectFrom('purchases')
    .where('product_num', '=', item)
    .select((eb) => eb.fn.countAll<number>().as('purchases'))
    .executeTakeFirstOrThrow()
  const fault = await findLedgerFault(db)
  await close()

  const lostCount = confirmedKeys.filter((key) => !storedKeys.has(key)).length
  const duplicateCount = Number(purchases) - storedKeys.size
  const longestGapMs = Math.max(...purchaseTimes.map((time, index) => time - (purchaseTimes[index - 1] ?? time)))
  console.log(
    `${options.asynchronous ? 'Asynchronous' : 'Synchronous'} standby, promoted ${PROMOTED_AFTER_MS / 1000} s after the failure:`,
  )
  console.log(`  purchases confirmed  ${confirmedKeys.length} (${retries} attempts were sent again)`)
  console.log(`  lost                 ${lostCount}`)
  console.log(`  doubled              ${duplicateCount}`)
  console.log(`  without purchases    ${(longestGapMs / 1000).toFixed(1)} s`)
  console.log(`  balances             ${fault === null ? 'equal the ledger' : JSON.stringify(fault)}`)
  if ((lostCount > 0 && !options.asynchronous) || duplicateCount !== 0 || fault !== null) process.exitCode = 1
}

/** Gives twenty players of the demo world money and sessions. @returns their tokens and an item */
async function createRichPlayers(url: string) {
  const { db, close } = await openPostgres(url)
  const item = await addItem(db, 1)
  const { rows } = await sql<{ user_num: number }>`
    with chosen as (
      select user_num from accounts where user_type = 1 and blocked_at is null order by user_num limit ${FAILOVER_BUYERS}),
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

if (positionals[0] === 'client')
  process.on('message', async (round: Round) => process.send?.(await buyOverSockets(round)))
else
  try {
    if (isRequested('service') || isRequested('http') || isRequested('long')) await measurePurchases()
    if (isRequested('failover')) await measureFailover()
  } finally {
    await cleanup.disposeAsync()
  }
