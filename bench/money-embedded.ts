/**
 * Purchases/s with `buyitem` in the service on the embedded database, against one such
 * transaction in a loop on PGlite alone: once the same statement, once one written by hand
 * that only writes the rows. Figures per second of processor time.
 *
 * `node bench/money-embedded.ts`
 */
import { randomUUID } from 'node:crypto'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { migrate } from '#server/db/migrate.ts'
import { type Db, openInMemory } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { buyItem } from '#server/features/cart/buy.ts'
import { compare, printRatio, timesPerSecond } from './side-by-side.ts'

const ROUNDS = 5
const RICH = 1_000_000_000

const database = await openInMemory()
const { db, pglite } = database
await migrate(db)
await sql`insert into shop_categories (category_name, position) values ('Bench', 1)`.execute(db)
const { rows: items } = await sql<{ product_num: number }>`
  insert into shop_items (category_id, item_name, price, section, position)
  select id, 'Hoodie', 1, 2, 1 from shop_categories returning product_num`.execute(db)
const { rows: accounts } = await sql<{ user_num: number }>`
  insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, r_coin)
  select 'buyer_' || n, 'buyer_' || n || '@example.com', '', '', '!', 1, '!', ${RICH} from generate_series(1, 1000) n
  returning user_num`.execute(db)
const item = items[0]?.product_num ?? 0
// The first hundred do not buy: a buyer's number must differ from every other parameter of the statement.
let turn = 0
const nextBuyer = () => accounts[100 + (turn++ % (accounts.length - 100))]?.user_num ?? 0

const buyOnce = (on: Db, userNum: number, key: string) =>
  buyItem(
    { db: on, now: () => new Date() },
    { userNum, request: { owner: String(userNum), key, content: `buyitem ${item}` } },
    item,
  )

async function buyInService(): Promise<void> {
  const outcome = await buyOnce(db, nextBuyer(), randomUUID())
  if (!('answer' in outcome)) throw new Error(`A purchase was refused: ${outcome.refused}.`)
}

/** What a purchase writes, in one statement. */
const BARE = `
  with item as (select product_num, item_name, section, price from shop_items where product_num = $2 and visible),
  debit as (
    update accounts a set r_coin = a.r_coin - i.price, purchase_count = a.purchase_count + 1 from item i
    where a.user_num = $1 and a.r_coin >= i.price returning a.user_num, a.r_coin, a.milleage, a.purchase_count as ordinal),
  bought as (
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select d.user_num, d.ordinal, i.product_num, i.item_name, i.section, i.price, 1, $4 from debit d, item i),
  queued as (
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
    select d.user_num, d.ordinal, i.product_num, 1, $4 from debit d, item i),
  booked as (
    insert into ledger (user_num, currency, delta, balance_after, reason, reference, created_at)
    select d.user_num, 'r_coin', -i.price, d.r_coin, 'purchase', d.ordinal::text, $4 from debit d, item i),
  kept as (
    insert into idempotency_keys (owner, key, content, answer, created_at)
    select user_num::text, $3, 'buyitem', jsonb_build_object('userPoints', r_coin, 'userPoints2', milleage), $4 from debit)
  select r_coin, milleage from debit`

async function buyBare(): Promise<void> {
  const { rows } = await pglite.query(BARE, [nextBuyer(), item, randomUUID(), new Date()])
  if (rows.length !== 1) throw new Error('Nothing was bought.')
}

/** The statement that the service sends, as it sends it. */
async function readStatement(): Promise<{ text: string; fill: () => unknown[] }> {
  let text = ''
  let sent: readonly unknown[] = []
  const listening = new Kysely<Schema>({
    dialect: new PGliteDialect({ pglite }),
    log: ({ query }) => {
      text = query.sql
      sent = query.parameters
    },
  })
  const [userNum, key] = [nextBuyer(), randomUUID()]
  await buyOnce(listening, userNum, key)
  const fill = () => {
    const [buyer, newKey] = [nextBuyer(), randomUUID()]
    return sent.map((value) =>
      value === key ? newKey : value === userNum ? buyer : value === String(userNum) ? String(buyer) : value,
    )
  }
  return { text, fill }
}

const { text, fill } = await readStatement()
async function buyInLoop(): Promise<void> {
  const { rows } = await pglite.query<{ refused: string | null }>(text, fill())
  if (rows[0]?.refused !== null) throw new Error('Nothing was bought.')
}

const others = [
  ['the same statement in a loop', buyInLoop],
  ['the rows alone, without receipts and refusals', buyBare],
] as const
for (const [what, work] of others) {
  const found = await compare({
    ours: () => timesPerSecond(buyInService),
    theirs: () => timesPerSecond(work),
    rounds: ROUNDS,
  })
  printRatio(`buyitem on the embedded database, against ${what}`, 'purchases/s', found, { atLeast: 0.7 })
}
await database.close()
