/**
 * Measures purchases/s with `buyitem` on PostgreSQL, 32 at once over 1,000 accounts: in the service and over HTTP,
 * against pgbench that runs the same statement on the same throw-away server with 8 clients, once with its default
 * (simple protocol), once prepared like ours; and in the service with a long table of purchases against a short one.
 * Over HTTP, the site runs as a separate process, started as by `npm start`, and so does the client; see
 * `money-client.ts`. Needs Debian's postgresql package (which has pgbench).
 *
 * `node bench/money-buyitem.ts [--rounds 5] [--long 10000000] [--only http]`, where `--long` is the number of purchases
 * in the long table, and `--only` is `service`, `http` or `long`
 */
import { execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import type { Round } from './money-client.ts'
import { openSessions } from './sessions.ts'
import { compare, printRatio } from './side-by-side.ts'

const ACCOUNTS = 1000
const AT_ONCE = 32
const SECONDS = 3
const SHORT = 10_000
const RICH = 1_000_000_000_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    long: { type: 'string', default: '10000000' },
    only: { type: 'string', default: '' },
  },
})
const ROUNDS = Number(options.rounds)
const LONG = Number(options.long)
const wants = (part: string) => options.only === '' || options.only === part

/** Everything that the bench starts and creates; undone in reverse order at the end, after an error and on a signal. */
const cleanup = new AsyncDisposableStack()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)))

/** A database with 1,000 rich accounts, one item and so many purchases already made. */
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
  const category = await db
    .insertInto('shop_categories')
    .values({ category_name: 'Bench', position: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { product_num: item } = await db
    .insertInto('shop_items')
    .values({
      category_id: category.id,
      item_name: 'Hoodie',
      price: 1,
      section: 2,
      position: 1,
      icon: null,
      image_url: null,
      ribbon: null,
    })
    .returning('product_num')
    .executeTakeFirstOrThrow()
  const each = purchases / ACCOUNTS
  await sql`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin, purchase_count)
    select 'buyer_' || n, 'buyer_' || n || '@example.com', '', '', '!', 1, '!', ${RICH}, ${each}
    from generate_series(1, ${ACCOUNTS}::int) n`.execute(db)
  await sql`
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select user_num, o, ${item}, 'Hoodie', 2, 1, 1, now() from generate_series(1, ${each}::int) o, accounts`.execute(
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
async function inService({ db, item, accounts }: Shop): Promise<number> {
  const start = performance.now()
  let bought = 0
  const repeatPurchases = async () => {
    while (performance.now() - start < SECONDS * 1000) {
      const userNum = accounts[Math.floor(Math.random() * accounts.length)] ?? 0
      const outcome = await buyOnce(db, userNum, item, randomUUID())
      if (outcome instanceof Refusal) throw outcome
      bought++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, repeatPurchases))
  return (bought * 1000) / (performance.now() - start)
}

/** The statement that the service sends, as a pgbench script: the buyer and the key differ each time. */
async function writePgbenchScript({ url, item, accounts }: Shop): Promise<string> {
  // A buyer whose number no other parameter of the statement can have.
  const sample = Math.max(...accounts)
  const KEY = 'the-key-of-the-script'
  let sent: { text: string; parameters: readonly unknown[] } | undefined
  const listening = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query }) => {
      const { text } = query.sql as unknown as { text: string }
      sent = { text, parameters: query.parameters }
    },
  })
  await buyOnce(listening, sample, item, KEY)
  await listening.destroy()
  if (sent === undefined) throw new Error('The service sent no statement.')
  const { text, parameters } = sent
  const literal = (value: unknown) => {
    if (value === sample) return ':buyer'
    if (value === String(sample)) return ':buyer::text'
    if (value === KEY) return "md5(:a::text || '-' || :b::text)"
    if (value === null) return 'null'
    if (value instanceof Date) return `'${value.toISOString()}'`
    return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
  }
  const statement = text.replace(/\$(\d+)/g, (_, index) => literal(parameters[Number(index) - 1])).replace(/\s+/g, ' ')
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

async function withPgbench({ postgres, url }: Shop, script: string, protocol: string): Promise<number> {
  const args = ['-n', '-M', protocol, '-c', '8', '-j', '1', '-T', String(SECONDS), '-f', script, url]
  const { stdout } = await promisify(execFile)(join(postgres.bin, 'pgbench'), args)
  if (/number of failed transactions: [1-9]/.test(stdout)) throw new Error(stdout)
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

/** Starts the site and the client over HTTP, each buyer with a session. @returns a function that runs one round */
async function startOverHttp(shop: Shop): Promise<() => Promise<number>> {
  const tokens = await openSessions(shop.db, shop.accounts)
  const site = await startSite({ env: { DATABASE_URL: shop.url, DEMO: '0' }, nodeArgs: process.execArgv })
  cleanup.defer(() => site.stop())
  const client = fork(join(import.meta.dirname, 'money-client.ts'))
  cleanup.defer(() => void client.kill())
  const round: Round = { origin: site.origin, item: shop.item, tokens, atOnce: AT_ONCE, seconds: SECONDS }
  return async () => {
    client.send(round)
    const ended = once(client, 'exit').then(() => {
      throw new Error('The client over HTTP has ended.')
    })
    const [purchases] = await Promise.race([once(client, 'message'), ended])
    return purchases
  }
}

try {
  const postgres = await startThrowawayPostgres(['max_wal_size=8GB'])
  cleanup.defer(() => postgres.stop())
  const shop = await openShop(postgres, 'short', SHORT)
  const script = await writePgbenchScript(shop)
  const pgbench = (protocol: string) => () => withPgbench(shop, script, protocol)
  if (wants('service')) {
    for (const [protocol, atLeast] of [
      ['simple', 2],
      ['prepared', 0.75],
    ] as const) {
      const found = await compare({ ours: () => inService(shop), theirs: pgbench(protocol), rounds: ROUNDS })
      printRatio(`buyitem in the service, pgbench ${protocol}`, 'purchases/s', found, { atLeast })
    }
  }
  if (wants('http')) {
    const found = await compare({ ours: await startOverHttp(shop), theirs: pgbench('simple'), rounds: ROUNDS })
    printRatio('buyitem over HTTP, pgbench simple', 'purchases/s', found, { atLeast: 0.8 })
  }
  if (wants('long')) {
    const long = await openShop(postgres, 'long', LONG)
    const found = await compare({ ours: () => inService(long), theirs: () => inService(shop), rounds: ROUNDS })
    const [many, few] = [LONG, SHORT].map((count) => count.toLocaleString('en'))
    printRatio(`buyitem with ${many} purchases in the table, against ${few}`, 'purchases/s', found, { atLeast: 0.9 })
  }
} finally {
  await cleanup.disposeAsync()
}
