/**
 * The time of shoppurchases page 1 against page 10,000 of one account with 100,000 purchases,
 * in the service, on PostgreSQL and on the embedded database.
 *
 * `node bench/money-history.ts`
 */
import { sql } from 'kysely'
import { getShopPurchases } from '#contract/cart.ts'
import { startThrowawayPostgres } from '#scripts/throwaway-postgres.ts'
import { createCall } from '#server/api.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openInMemory, openPostgres } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { compare, millisecondsOf, printRatio } from './side-by-side.ts'

const PURCHASES = 100_000
const TIMES = 30
const ROUNDS = 9

async function fill({ db }: Database): Promise<number> {
  await migrate(db)
  await sql`insert into shop_categories (category_name, position) values ('Bench', 1)`.execute(db)
  await sql`insert into shop_items (category_id, item_name, price, section, position) select id, 'Hoodie', 1, 2, 1 from shop_categories`.execute(
    db,
  )
  const { rows } = await sql<{ user_num: number }>`
    insert into accounts (user_id, user_email, first_name, last_name, password_hash, secret_question, secret_answer_hash, purchase_count)
    values ('buyer', 'buyer@example.com', '', '', '!', 1, '!', ${PURCHASES}) returning user_num`.execute(db)
  await sql`
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at)
    select a.user_num, o, i.product_num, 'Hoodie', 2, 1, 1, now()
    from generate_series(1, ${PURCHASES}::int) o, accounts a, shop_items i`.execute(db)
  await sql`
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
    select user_num, ordinal, product_num, 1, created_at from purchases order by ordinal`.execute(db)
  await sql`analyze`.execute(db)
  return rows[0]?.user_num ?? 0
}

async function measure(name: string, database: Database): Promise<void> {
  try {
    const userNum = await fill(database)
    const session = {
      sessionId: 1,
      userNum,
      userId: 'buyer',
      userType: 1,
      secretAnswerUntil: null,
      claimStep: null,
      confirmedAt: null,
    }
    const call = createCall({ db: database.db } as Deps, session)
    const page = (number: number) => () => millisecondsOf(() => call(getShopPurchases, { page: number }), TIMES)
    const found = await compare({ ours: page(PURCHASES / 10), theirs: page(1), rounds: ROUNDS })
    printRatio(`shoppurchases page 10,000 against page 1, ${name}`, 'ms', found, { atMost: 1.5 })
  } finally {
    await database.close()
  }
}

const postgres = await startThrowawayPostgres()
try {
  await measure('PostgreSQL', await openPostgres(postgres.url))
} finally {
  await postgres.stop()
}
await measure('embedded', await openInMemory())
