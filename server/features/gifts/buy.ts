import { sql } from 'kysely'
import type { z } from 'zod'
import type { balancesSchema } from '#contract/cart.ts'
import { DAY_MS, inDays } from '#contract/durations.ts'
import { buyGift, GIFT, GIFT_ACCOUNT_AGE_MS, GIFTS_A_DAY } from '#contract/gifts.ts'
import { ADMIN_USER_TYPE, GIFT_WAITS_MS, R_COIN_SECTION } from '#contract/limits.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { isBlocked, isFrozen } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { countReceivers, sendBoughtGift } from '#server/features/mailbox/gifts.ts'
import { bookPurchase } from '#server/features/wallet/book.ts'
import { refusePurchases } from '#server/maintenance.ts'

type Balances = z.infer<typeof balancesSchema>
type Wanted = { productnum: number; user_id: string; note: string }

/**
 * Buys one of an item for another player: the transaction of the call books the buyer's money and puts the gift into the
 * recipient's mail box.
 *
 * @returns the refusal of a recipient who cannot have it, whatever the reason, so that it stays counted as a failure
 * @throws Refusal 404, 422, 429 after ten failures in 15 minutes, 503 during maintenance or while purchases are closed
 */
export async function sendGift(
  { db: tx, now, limits }: Pick<Deps, 'db' | 'now' | 'limits'>,
  userNum: number,
  wanted: Wanted,
): Promise<Balances | Refusal> {
  await refusePurchases({ db: tx, now })
  const { buyer, recipient } = await lockAccounts(tx, userNum, wanted.user_id)
  await limits.check('giftFailures', userNum, tx)
  const moved = await settle(tx, { buyer, recipient, ...wanted, now: now() })
  if (moved !== undefined) return moved
  await limits.count('giftFailures', userNum, tx)
  return refuse(buyGift, 'recipientNotFound')
}

/** Locks both accounts in the order of their numbers: two players who give to each other must not deadlock. */
async function lockAccounts(tx: Db, userNum: number, userId: string) {
  const rows = await tx
    .selectFrom('accounts')
    .where((eb) => eb.or([eb('user_num', '=', userNum), eb(sql`lower(user_id)`, '=', userId.toLowerCase())]))
    .select([
      'user_num',
      'user_id',
      'user_type',
      'staff_name',
      'r_coin',
      'milleage',
      'purchase_count',
      'email_verified_at',
      'created_at',
      'accepts_gifts',
      'wants_receipts',
      'frozen_until',
    ])
    .orderBy('user_num')
    .forNoKeyUpdate()
    .execute()
  const buyer = rows.find((row) => row.user_num === userNum)
  if (buyer === undefined) throw new Error('The buyer has no account.')
  return { buyer, recipient: rows.find((row) => row.user_id.toLowerCase() === userId.toLowerCase()) }
}

type Account = Awaited<ReturnType<typeof lockAccounts>>['buyer']
type Gift = Wanted & { buyer: Account; recipient: Account | undefined; now: Date }

/** @returns undefined when the recipient cannot have it @throws Refusal 404, 422 */
async function settle(tx: Db, gift: Gift): Promise<Balances | undefined> {
  const { buyer, recipient, now } = gift
  if (isFrozen(buyer, now)) throw refuse(buyGift, 'frozen')
  if (buyer.email_verified_at === null) throw refuse(buyGift, 'unverified')
  if (now.getTime() - buyer.created_at.getTime() < GIFT_ACCOUNT_AGE_MS) throw refuse(buyGift, 'tooYoung')
  if (recipient?.user_num === buyer.user_num) throw refuse(buyGift, 'yourself')
  const item = await findItem(tx, gift.productnum, now)
  if (item === undefined) throw refuse(buyGift, 'itemNotFound')
  if ((await countSent(tx, buyer.user_num, now)) >= GIFTS_A_DAY) throw refuse(buyGift, 'tooMany')
  if (!(await hasRoom(tx, buyer.user_num, item))) throw refuse(buyGift, 'overLimit')
  const currency = item.section === R_COIN_SECTION ? 'r_coin' : 'milleage'
  // Before the recipient is looked at: nobody without money may ask who exists.
  if (buyer[currency] < item.price) throw refuse(buyGift, currency === 'r_coin' ? 'shortRCoin' : 'shortMilleage')
  if (recipient === undefined || !(await mayReceive(tx, recipient, now))) return undefined
  if (!(await hasRoom(tx, recipient.user_num, item))) return undefined
  return book(tx, { ...gift, recipient }, item)
}

type Item = { product_num: number; item_name: string; section: number; price: number; account_limit: number | null }

async function findItem(tx: Db, productNum: number, now: Date): Promise<Item | undefined> {
  const { rows } = await sql<Item>`
    select product_num, item_name, section, account_limit,
      price_at(price, sale_price, sale_starts_at, sale_ends_at, ${now}::timestamptz) as price
    from shop_items
    where product_num = ${productNum} and visible and is_within(sold_from, sold_until, ${now}::timestamptz)`.execute(tx)
  return rows[0]
}

async function countSent(tx: Db, userNum: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('letter_gifts')
    .where('buyer', '=', userNum)
    .where('sent_at', '>', new Date(now.getTime() - DAY_MS))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether one more of an item stays within its limit for an account, which is locked. */
async function hasRoom(tx: Db, userNum: number, { product_num, account_limit }: Item): Promise<boolean> {
  if (account_limit === null) return true
  const { rows } = await sql<{ units: number }>`
    select units_of_account(${userNum}::bigint, ${product_num}::bigint, ${account_limit}::int) as units`.execute(tx)
  return Number(rows[0]?.units ?? 0) < account_limit
}

/** Whether an account takes gifts now, is not blocked and would find one of now in its mail box. */
async function mayReceive(tx: Db, { user_num, accepts_gifts }: Account, now: Date): Promise<boolean> {
  if (!accepts_gifts) return false
  return (await countReceivers(tx, now, sql`a.user_num = ${user_num} and not ${isBlocked('a', now)}`)) > 0
}

/** Takes the buyer's money and puts the gift into the recipient's mail box. */
async function book(
  tx: Db,
  { buyer, recipient, note, now }: Gift & { recipient: Account },
  item: Item,
): Promise<Balances> {
  const { ordinal, balances } = await bookPurchase(tx, buyer, item, now)
  await tx
    .updateTable('accounts')
    .set((eb) => ({ gifts_received: eb('gifts_received', '+', 1) }))
    .where('user_num', '=', recipient.user_num)
    .execute()
  // What a recipient reads about staff is their name for players.
  const from = buyer.user_type >= ADMIN_USER_TYPE ? buyer.staff_name || STAFF_NAME : buyer.user_id
  const quote = note === '' ? '' : `“${note}”\n\n`
  await sendBoughtGift(tx, {
    to: recipient.user_num,
    item: item.product_num,
    price: item.price,
    bought: { buyer: buyer.user_num, ordinal },
    subject: `${from} sent you ${item.item_name}`,
    body: `${quote}${from} bought this for you. Claim it within ${inDays(GIFT_WAITS_MS)}, or refuse it: then ${from} gets the money back.`,
    now,
  })
  return { message: GIFT.sent, userPoints: balances.r_coin, userPoints2: balances.milleage }
}
