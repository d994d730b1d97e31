import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { hashVoucher } from '#server/features/vouchers/codes.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import { createToken, hashToken } from '#server/http/tokens.ts'
import type { Answer } from './account-helpers.ts'
import { TEST_NOW } from './databases.ts'
import { insertAccount, insertRows } from './factories.ts'
import type { TestApp } from './helpers.ts'

export const R_COIN = R_COIN_SECTION
export const MILLEAGE = 1

type Purse = { rCoin?: number; milleage?: number }

/** Inserts an account with these balances and the ledger entries for them. @returns its UserNum */
export async function insertPurse(db: Db, { rCoin = 0, milleage = 0 }: Purse = {}): Promise<number> {
  const user_num = await insertAccount(db, {
    user_id: `p_${randomUUID().replaceAll('-', '').slice(0, 14)}`,
    r_coin: rCoin,
    milleage,
  })
  for (const [currency, delta] of [['r_coin', rCoin] as const, ['milleage', milleage] as const]) {
    if (delta === 0) continue
    await insertRows(db, 'ledger', {
      user_num,
      currency,
      delta,
      balance_after: delta,
      reason: 'opening balance',
      created_at: TEST_NOW,
    })
  }
  return user_num
}

/** Creates a logged-in player with these balances. No password is hashed, which saves time. */
export async function createBuyer(site: TestApp, purse: Purse = {}) {
  const userNum = await insertPurse(site.db, purse)
  const token = createToken()
  await insertRows(site.db, 'sessions', {
    token_hash: hashToken(token),
    user_num: userNum,
    address: '127.0.0.1',
    device: '',
    created_at: TEST_NOW,
    last_seen_at: TEST_NOW,
    ends_at: new Date(TEST_NOW.getTime() + 20 * DAY_MS),
  })
  const authHeaders = { Authorization: `Bearer ${token}` }
  const post = (path: string, body: unknown = {}, extraHeaders: Record<string, string> = {}) =>
    site.post(path, body, { ...authHeaders, ...extraHeaders })
  const withKey = (key?: string): Record<string, string> => (key === undefined ? {} : { 'Idempotency-Key': key })
  return {
    userNum,
    get: (path: string) => site.get(path, authHeaders),
    post,
    cart: async () => (await site.get('/api/shopcart', authHeaders)).json() as CartLine[],
    add: (productNum: number) => post(`/api/addtocart?productnum=${productNum}`),
    step: (seq: number, quantityChange: 1 | -1) => post('/api/updateQuantity', { seq, quantityChange }),
    toggle: (seq: number) => post('/api/updateCheck', { seq }),
    buy: (productNum: number, key?: string, quantity?: number | string) =>
      post(
        `/api/buyitem?productnum=${productNum}${quantity === undefined ? '' : `&quantity=${quantity}`}`,
        {},
        withKey(key),
      ),
    buyCart: (items?: unknown, key?: string) =>
      post(
        `/api/buycartitem${items === undefined ? '' : `?items=${encodeURIComponent(typeof items === 'string' ? items : JSON.stringify(items))}`}`,
        {},
        withKey(key),
      ),
    redeem: (CouponCode: string, ReferralCode?: string, key?: string) =>
      post('/api/processCoupon', { CouponCode, ReferralCode }, withKey(key)),
    readBalance: () => readBalance(site.db, userNum),
  }
}

export type Buyer = Awaited<ReturnType<typeof createBuyer>>
type CartLine = {
  seq: number
  productnum: number
  quantity: number
  isChecked: 0 | 1
  shopitem: { price: number; section: number; ItemName: string }
}

/** Returns the balances of an account. */
export async function readBalance(db: Db, userNum: number): Promise<{ rCoin: number; milleage: number }> {
  const { r_coin, milleage } = await db
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['r_coin', 'milleage'])
    .executeTakeFirstOrThrow()
  return { rCoin: r_coin, milleage }
}

let itemCount = 0

/** Inserts a visible item, by default of 100 R-Coin and in a new category. @returns its ProductNum */
export async function insertItem(db: Db, values: Partial<Insertable<Schema['shop_items']>> = {}): Promise<number> {
  const category_id =
    values.category_id ??
    (
      await db
        .insertInto('shop_categories')
        .values({ category_name: `Shelf ${randomUUID()}`, position: 100 + ++itemCount })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const { product_num } = await db
    .insertInto('shop_items')
    .values({
      category_id,
      item_name: `Bagay ${++itemCount}`,
      price: 100,
      section: R_COIN,
      position: itemCount,
      icon: null,
      image_url: null,
      ribbon: null,
      ...values,
    })
    .returning('product_num')
    .executeTakeFirstOrThrow()
  return product_num
}

type VoucherValues = { r_coin?: number; milleage?: number; expires_at?: Date; per_account?: number; in_total?: number }

/** Inserts a campaign of vouchers, of 1,000 R-Coin by default. @returns their codes */
export async function insertVouchers(db: Db, count: number, values: VoucherValues = {}): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomUUID().toUpperCase())
  const { id } = await db
    .insertInto('voucher_campaigns')
    .values({ name: `Campaign ${++itemCount}`, created_at: TEST_NOW, codes: count, r_coin: 1000, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('vouchers')
    .values(codes.map((code) => ({ code_hash: hashVoucher(code), campaign: id })))
    .execute()
  return codes
}

/** Returns all rows about the money and cart of an account, to compare them before and after. */
export async function readMoneyRows(db: Db, userNum: number) {
  const { rows } = await sql`
    select (select row_to_json(a) from accounts a where user_num = ${userNum}) as account,
      (select json_agg(l order by entry) from ledger l where user_num = ${userNum}) as ledger,
      (select json_agg(p order by ordinal) from purchases p where user_num = ${userNum}) as purchases,
      (select json_agg(d order by delivery) from deliveries d where user_num = ${userNum}) as deliveries,
      (select json_agg(c order by seq) from cart_lines c where user_num = ${userNum}) as cart,
      (select json_agg(t order by ordinal) from topups t where user_num = ${userNum}) as topups`.execute(db)
  return rows[0]
}

/** Returns the number of an account's units that are queued for delivery. */
export async function countUnits(db: Db, userNum: number): Promise<number> {
  const { units } = await db
    .selectFrom('deliveries')
    .where('user_num', '=', userNum)
    .where('state', '=', 'queued')
    .select((eb) => eb.fn.countAll<number>().as('units'))
    .executeTakeFirstOrThrow()
  return Number(units)
}

/** Asserts that every balance is the sum of its ledger entries, and that each entry has the balance after it. */
export async function assertBooksAgree(db: Db): Promise<void> {
  assert.equal(await findLedgerFault(db), null)
  const { rows } = await sql`
    select * from (
      select entry, balance_after, sum(delta) over (partition by user_num, currency order by entry) as running from ledger) l
    where balance_after <> running limit 1`.execute(db)
  assert.deepEqual(rows, [])
}

/** Returns the number of responses by status. */
export function countStatuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Runs `work` several times concurrently. */
export const runConcurrently = <Result>(times: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))
