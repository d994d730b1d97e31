import { type RawBuilder, sql } from 'kysely'
import { R_COIN_SECTION } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'

export type Currency = 'r_coin' | 'milleage'

type Booking = {
  currency: Currency
  /** The change; negative decreases the balance. Whole units, not 0. */
  delta: number
  /** Why, as a fixed word such as `gift`. */
  reason: string
  /** Its cause, such as `letter 12`. */
  reference: string
  /** The member of the staff who gave or took it. */
  actor?: number | null
  /** The entry that this one takes back. */
  reverses?: number
  now: Date
}

/**
 * Changes a balance by whole units of its currency and writes the ledger entry with the reason (MONEY-2). Call this in
 * a transaction, which should have locked the account; otherwise this locks it.
 *
 * @returns the number of the entry, and the balance after it
 * @throws a check violation when the balance would fall below zero, or when `reverses` does not allow it; an Error when
 *   there is no such account
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

/** An account as its transaction has locked it. */
type Buyer = { user_num: number; r_coin: number; milleage: number; purchase_count: number; wants_receipts: boolean }
type Bought = { product_num: number; item_name: string; section: number; price: number }

/**
 * Buys one of an item for an account that the transaction has locked and that has the money: takes its price in whole units
 * of the section's currency, numbers the purchase, writes the entry in the ledger, and puts down the receipt if the account
 * wants one (MONEY-2, MONEY-3). The caller queues the unit for delivery, or makes a gift of it. Purchases from the shop
 * and the cart are single statements instead: server/db/statements.
 *
 * @returns the purchase's number within the account, and both balances after it
 * @throws a check violation when the balance would fall below zero
 */
export async function bookPurchase(
  tx: Db,
  { user_num, r_coin, milleage, purchase_count, wants_receipts }: Buyer,
  { product_num, item_name, section, price }: Bought,
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
  const reference = purchaseReference(ordinal, ordinal)
  await insertEntry(tx, user_num, { currency, delta: -price, reason: 'purchase', reference, now }, balances[currency])
  if (wants_receipts)
    await tx
      .insertInto('receipts_due')
      .values({ user_num, first_ordinal: ordinal, last_ordinal: ordinal, created_at: now })
      .execute()
  return { ordinal, balances }
}

type GivenItem = { item: number; quantity: number } & ({ gift: number } | { reward: number })

/**
 * Queues units of an item for delivery that a letter or a reward gives, as a purchase at no price of a locked account.
 *
 * @returns the purchase's number within the account
 */
export async function bookGivenItem(
  tx: Db,
  { user_num, purchase_count }: { user_num: number; purchase_count: number },
  { item, quantity, ...from }: GivenItem,
  now: Date,
): Promise<number> {
  const ordinal = purchase_count + 1
  const [gift, reward] = 'gift' in from ? [from.gift, null] : [null, from.reward]
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
 * Returns the reference of a ledger entry with the reason `purchase`: the purchases of its account with these numbers,
 * which were paid for together, such as `purchases 7-9`. A refund uses it to find the payment. The statements
 * `buy-item.sql` and `buy-cart.sql` write the same.
 */
export const purchaseReference = (first: number, last: number) => `purchases ${first}-${last}`

const PURCHASE_REFERENCE = /^purchases (\d+)-(\d+)$/

/** The first and the last purchase of a `purchaseReference`; undefined for any other reference. */
export function readPurchaseReference(reference: string): { first: number; last: number } | undefined {
  const [, first, last] = PURCHASE_REFERENCE.exec(reference) ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last) }
}

/**
 * `from … where …` for the entries `l` of the ledger that paid for a purchase: one for each currency, since a cart can be paid
 * in both.
 */
export const fromPaymentsFor = (userNum: RawBuilder<unknown>, ordinal: RawBuilder<unknown>) => sql`
  from ledger l, regexp_match(l.reference, ${sql.lit(PURCHASE_REFERENCE.source)}) as bought
  where l.user_num = ${userNum} and l.reason = 'purchase' and ${ordinal} between bought[1]::bigint and bought[2]::bigint`
