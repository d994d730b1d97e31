/**
 * Purchases/s with `buyitem` on PostgreSQL, 32 at once over 1,000 accounts: in the service and
 * over HTTP, against pgbench that runs the same statement on the same throw-away server with
 * 8 clients, once as pgbench is by itself (simple protocol), once prepared as ours is; and in the service with a long
 * table of purchases against a short one. Needs Debian's postgresql package (which has pgbench).
 *
 * `node bench/money-buyitem.ts [purchases in the long table, default 10000000]`
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { startProgram } from '#scripts/start-site.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { readConfig } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openPostgres } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { buyItem } from '#server/features/cart/service.ts'
import { createPageCache } from '#server/http/page-cache.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import { compare, printRatio } from './side-by-side.ts'

const ACCOUNTS = 1000
const AT_ONCE = 32
const SECONDS = 3
const ROUNDS = 5
const LONG = Number(process.argv[2] ?? 10_000_000)
const SHORT = 10_000
const RICH = 1_000_000_000_000

const postgres = await startThrowawayPostgres(['max_wal_size=8GB'])

function depsOn(db: Db) {
  return {
    db,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    config: readConfig({}),
    cache: createPageCache({ now: () => 0, lifetimeMs: 0, maxBytes: 0, seal: () => {} }),
    publicUrl: '',
  }
}

/** A database with 1,000 rich accounts, one item and so many purchases already made. */
async function openShop(name: string, purchases: number) {
  const admin = await openPostgres(postgres.url)
  await sql`create database ${sql.id(name)}`.execute(admin.db)
  await admin.close()
  const url = postgres.url.replace(/\/postgres$/, `/${name}`)
  const database = await openPostgres(url)
  const { db } = database
  await migrate(db)
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
    select user_num, o, ${item}, 'Hoodie', 2, 1, 1, now() from generate_series(1, ${each}::int) o, accounts`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<{ user_num: number }>`select user_num from accounts`.execute(db)
  return { database, db, url, item, accounts: rows.map(({ user_num }) => user_num) }
}
type Shop = Awaited<ReturnType<typeof openShop>>

/** Keeps 32 purchases running for some seconds. @returns how many a second */
async function purchasesPerSecond(accounts: number[], buy: (userNum: number) => Promise<number>): Promise<number> {
  const start = performance.now()
  let bought = 0
  const keepBuying = async () => {
    while (performance.now() - start < SECONDS * 1000) {
      const status = await buy(accounts[Math.floor(Math.random() * accounts.length)] ?? 0)
      if (status !== 200) throw new Error(`A purchase was answered ${status}.`)
      bought++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepBuying))
  return (bought * 1000) / (performance.now() - start)
}

function inService({ db, item, accounts }: Shop): Promise<number> {
  const deps = depsOn(db)
  return purchasesPerSecond(
    accounts,
    async (userNum) => (await buyItem(deps, { userNum, key: randomUUID() }, item)).status,
  )
}

/** The statement that the service sends, as a pgbench script: the buyer and the key differ each time. */
async function writePgbenchScript({ url, item, accounts }: Shop): Promise<string> {
  const [first = 0] = accounts
  const KEY = 'the-key-of-the-script'
  let sent: { text: string; parameters: readonly unknown[] } | undefined
  const listening = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query }) => {
      const { text } = query.sql as unknown as { text: string }
      sent = { text, parameters: query.parameters }
    },
  })
  await buyItem(depsOn(listening), { userNum: first, key: KEY }, item)
  await listening.destroy()
  if (sent === undefined) throw new Error('The service sent no statement.')
  const { text, parameters } = sent
  const literal = (value: unknown) => {
    if (value === first) return ':buyer'
    if (value === KEY) return "md5(:a::text || '-' || :b::text)"
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
  await writeFile(path, `${lines.join('\n')}\n`)
  await chmod(path, 0o644)
  return path
}

async function withPgbench({ url }: Shop, script: string, protocol: string): Promise<number> {
  const args = ['-n', '-M', protocol, '-c', '8', '-j', '1', '-T', String(SECONDS), '-f', script, url]
  const { stdout } = await promisify(execFile)(join(postgres.bin, 'pgbench'), args)
  if (/number of failed transactions: [1-9]/.test(stdout)) throw new Error(stdout)
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

/** The same over HTTP: the site as a process of its own, each buyer with a session. */
async function overHttp(shop: Shop) {
  const tokens = new Map(shop.accounts.map((userNum) => [userNum, createToken()]))
  const now = new Date()
  await shop.db
    .insertInto('sessions')
    .values(
      [...tokens].map(([user_num, token]) => ({
        user_num,
        token_hash: hashToken(token),
        address: '127.0.0.1',
        device: '',
        created_at: now,
        last_seen_at: now,
        ends_at: new Date(now.getTime() + 86_400_000),
      })),
    )
    .execute()
  const site = await startProgram(['server.ts'], {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: shop.url,
    DEMO: '0',
    PUBLIC_URL: '',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  })
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const post = (userNum: number) =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${tokens.get(userNum)}`, 'Idempotency-Key': randomUUID() }
      const path = `${site.origin}/api/buyitem?productnum=${shop.item}`
      request(path, { agent, method: 'POST', headers }, (answer) =>
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
      )
        .once('error', reject)
        .end()
    })
  return {
    measure: () => purchasesPerSecond(shop.accounts, post),
    stop: async () => {
      agent.destroy()
      await site.stop()
    },
  }
}

const shop = await openShop('short', SHORT)
const script = await writePgbenchScript(shop)
for (const protocol of ['simple', 'prepared']) {
  const theirs = () => withPgbench(shop, script, protocol)
  printRatio(
    `buyitem in the service, pgbench ${protocol}`,
    'purchases/s',
    await compare({ ours: () => inService(shop), theirs, rounds: ROUNDS }),
    { atLeast: 0.75 },
  )
}
const site = await overHttp(shop)
printRatio(
  'buyitem over HTTP, pgbench simple',
  'purchases/s',
  await compare({ ours: site.measure, theirs: () => withPgbench(shop, script, 'simple'), rounds: ROUNDS }),
  { atLeast: 0.4 },
)
await site.stop()
const long = await openShop('long', LONG)
printRatio(
  `buyitem with ${LONG.toLocaleString('en')} purchases in the table, against ${SHORT.toLocaleString('en')}`,
  'purchases/s',
  await compare({ ours: () => inService(long), theirs: () => inService(shop), rounds: ROUNDS }),
  { atLeast: 0.9 },
)
await rm(script)
await long.database.close()
await shop.database.close()
await postgres.stop()
