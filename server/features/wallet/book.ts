import { type RawBuilder, sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'

export type Currency = 'r_coin' | 'milleage'

type Booking = {
  currency: Currency
  /** The change; negative decreases the balance. Whole units, not 0. */
  delta: number
  /** A fixed word for the reason, such as `gift`. */
  reason: string
  /** The record that caused the change, such as `letter 12`. */
  reference: string
  /** The operator who made the change. */
  actor?: number | null
  /** The entry that this entry reverses. */
  reverses?: number
  now: Date
}

/**
 * Changes a balance by whole units of its currency and writes the ledger entry with the reason (MONEY-2). Call this in
 * a transaction. Locks the account if the transaction has not locked it.
 *
 * @returns the number of the entry, and the balance after it
 * @throws a check violation when the balance would fall below zero or `reverses` names an entry that cannot be reversed; an
 *   Error for an unknown account
 */
export async function bookMoney(
  tx: Db,
  userNum: number,
  { currency, delta, ...booking }: Booking,
): Promise<{ entry: number; balance: number }> {
  const { balance } = await tx
    .updateTable('accounts')
    .set((eb) => ({ [currency]: eb(currency, '+', delta) }))
    .where('user_num', '=', userNum)
    .returning(`${currency} as balance`)
    .executeTakeFirstOrThrow()
  const entry = await insertEntry(tx, userNum, { currency, delta, ...booking }, balance)
  return { entry, balance }
}

async function insertEntry(tx: Db, userNum: number, booking: Booking, balance: number): Promise<number> {
  const { entry } = await tx
    .insertInto('ledger')
    .values({
      user_num: userNum,
      currency: booking.currency,
      delta: booking.delta,
      balance_after: balance,
      reason: booking.reason,
      reference: booking.reference,
      created_at: booking.now,
      actor: booking.actor ?? null,
      reverses: booking.reverses ?? null,
    })
    .returning('entry')
    .executeTakeFirstOrThrow()
  return entry
}

/** The columns of an account that the transaction has locked. */
type Buyer = { user_num: number; r_coin: number; milleage: number; purchase_count: number; wants_receipts: boolean }
type PricedItem = { product_num: number; item_name: string; section: number; price: number }

/**
 * Buys one unit of an item for a locked account: subtracts the price from the balance of the section's currency, inserts the
 * purchase and its ledger entry, and schedules a receipt if the account wants receipts (MONEY-2, MONEY-3). The caller queues
 * the unit for delivery or puts it into a gift. Purchases from the shop and the cart use the single statements in
 * server/db/statements instead.
 *
 * @returns the purchase's number within the account, and both balances after it
 * @throws a check violation when the balance would fall below zero
 */
export async function bookPurchase(
  tx: Db,
  { user_num, r_coin, milleage, purchase_count, wants_receipts }: Buyer,
  { product_num, item_name, section, price }: PricedItem,
  now: Date,
): Promise<{ ordinal: number; balances: Record<Currency, number> }> {
  const currency = section === R_COIN_SECTION ? 'r_coin' : 'milleage'
  const ordinal = purchase_count + 1
  const balances = { r_coin, milleage }
  balances[currency] -= price
  await tx
    .updateTable('accounts')
    .set({ ...balances, purchase_count: ordinal })
    .where('user_num', '=', user_num)
    .execute()
  await tx
    .insertInto('purchases')
    .values({ user_num, ordinal, product_num, item_name, section, price, quantity: 1, created_at: now })
    .execute()
  const reference = formatPurchaseReference(ordinal, ordinal)
  await insertEntry(tx, user_num, { currency, delta: -price, reason: 'purchase', reference, now }, balances[currency])
  if (wants_receipts)
    await tx
      .insertInto('receipts_due')
      .values({ user_num, first_ordinal: ordinal, last_ordinal: ordinal, created_at: now })
      .execute()
  return { ordinal, balances }
}

type FreeItem = { item: number; quantity: number } & ({ gift: number } | { reward: number })

/**
 * Books an item from a letter or a reward as a purchase without a price, for a locked account, and queues its units for
 * delivery.
 *
 * @returns the purchase's number within the account
 */
export async function bookFreeItem(
  tx: Db,
  { user_num, purchase_count }: { user_num: number; purchase_count: number },
  { item, quantity, ...source }: FreeItem,
  now: Date,
): Promise<number> {
  const ordinal = purchase_count + 1
  const [gift, reward] = 'gift' in source ? [source.gift, null] : [null, source.reward]
  await tx.updateTable('accounts').set({ purchase_count: ordinal }).where('user_num', '=', user_num).execute()
  await sql`
    insert into purchases (user_num, ordinal, product_num, item_name, section, price, quantity, created_at, gift, reward)
    select ${user_num}, ${ordinal}, product_num, item_name, section, 0, ${quantity}::int, ${now}::timestamptz, ${gift}::bigint,
      ${reward}::bigint
    from shop_items where product_num = ${item}`.execute(tx)
  await sql`
    insert into deliveries (user_num, ordinal, product_num, unit, queued_at)
    select ${user_num}, ${ordinal}, ${item}, unit, ${now}::timestamptz from generate_series(1, ${quantity}::int) as unit`.execute(
    tx,
  )
  return ordinal
}

/**
 * Formats the reference of a ledger entry that paid for an account's purchases, from the first to the last number, such as
 * `purchases 7-9`. A refund uses it to find the payment. The statements `buy-item.sql` and `buy-cart.sql` write the same
 * format.
 */
export const formatPurchaseReference = (first: number, last: number) => `purchases ${first}-${last}`

const PURCHASE_REFERENCE = /^purchases (\d+)-(\d+)$/

/** Parses the numbers of the first and the last purchase. Returns undefined for the reference of another reason. */
export function parsePurchaseReference(reference: string): { first: number; last: number } | undefined {
  const [, first, last] = PURCHASE_REFERENCE.exec(reference) ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last) }
}

/**
 * Builds `from … where …` for the ledger entries `l` that paid for a purchase: one for each currency, because a cart can have
 * both.
 */
export const buildPaymentsFrom = (userNum: RawBuilder<unknown>, ordinal: RawBuilder<unknown>) => sql`
  from ledger l, regexp_match(l.reference, ${sql.lit(PURCHASE_REFERENCE.source)}) as bought
  where l.user_num = ${userNum} and l.reason = 'purchase' and ${ordinal} between bought[1]::bigint and bought[2]::bigint`
