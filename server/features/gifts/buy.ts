import { sql } from 'kysely'
import type { z } from 'zod'
import type { movedSchema } from '#contract/cart.ts'
import { DAY_MS } from '#contract/durations.ts'
import { GIFT, GIFT_ACCOUNT_AGE_MS, GIFTS_A_DAY } from '#contract/gift-messages.ts'
import type { buyGift } from '#contract/gifts.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { countReceivers, sendBoughtGift } from '#server/features/mailbox/gifts.ts'
import { bookPurchase } from '#server/features/wallet/book.ts'
import { inOneTransaction, type OnceRequest, type Outcome } from '#server/http/idempotency.ts'
import { refuseInMaintenance } from '#server/maintenance.ts'

type Moved = z.infer<typeof movedSchema>
type Refused = Exclude<keyof (typeof buyGift)['errors'], 'maintenance'>
type Wanted = { productnum: number; user_id: string; note: string }
/** Who buys, and the request to remember with its outcome. */
type Buyer = { userNum: number; request: OnceRequest }

/**
 * Buys one of an item for another player: one transaction books the buyer's money and puts the gift into the recipient's
 * mail box. To be called within `runOnce`.
 *
 * A recipient who cannot have it counts as a failure, whatever the reason.
 *
 * @throws Refusal 429 after ten failures in 15 minutes, 503 during maintenance
 */
export function sendGift(
  deps: Pick<Deps, 'db' | 'now' | 'limits'>,
  { userNum, request }: Buyer,
  wanted: Wanted,
): Promise<Outcome<Moved>> {
  return inOneTransaction<Moved>(deps, request, async (tx) => {
    await refuseInMaintenance({ db: tx, now: deps.now }, 'purchases')
    const { buyer, recipient } = await lockAccounts(tx, userNum, wanted.user_id)
    await deps.limits.check('giftFailures', userNum, tx)
    const outcome = await settle(tx, { buyer, recipient, ...wanted, now: deps.now() })
    if ('refused' in outcome && outcome.refused === ('noRecipient' satisfies Refused))
      await deps.limits.count('giftFailures', userNum, tx)
    return outcome
  })
}

/** Locks both accounts in the order of their numbers, so that two who give to each other do not deadlock. */
async function lockAccounts(tx: Db, userNum: number, userId: string) {
  const rows = await tx
    .selectFrom('accounts')
    .where((eb) => eb.or([eb('user_num', '=', userNum), eb(sql`lower(user_id)`, '=', userId.toLowerCase())]))
    .select([
      'user_num',
      'user_id',
      'r_coin',
      'milleage',
      'purchase_count',
      'email_verified_at',
      'created_at',
      'accepts_gifts',
      'wants_receipts',
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

const refused = (code: Refused) => ({ refused: code })

async function settle(tx: Db, gift: Gift): Promise<Outcome<Moved>> {
  const { buyer, recipient, now } = gift
  if (buyer.email_verified_at === null) return refused('unverified')
  if (now.getTime() - buyer.created_at.getTime() < GIFT_ACCOUNT_AGE_MS) return refused('tooYoung')
  if (recipient?.user_num === buyer.user_num) return refused('yourself')
  const item = await findItem(tx, gift.productnum, now)
  if (item === undefined) return refused('noItem')
  if ((await countSent(tx, buyer.user_num, now)) >= GIFTS_A_DAY) return refused('tooMany')
  if (!(await hasRoom(tx, buyer.user_num, item))) return refused('overLimit')
  const currency = item.section === R_COIN_SECTION ? 'r_coin' : 'milleage'
  // Before the recipient is looked at, so that nobody without money asks who exists.
  if (buyer[currency] < item.price) return refused(currency === 'r_coin' ? 'shortRCoin' : 'shortMilleage')
  if (
    recipient === undefined ||
    !(await mayReceive(tx, recipient, now)) ||
    !(await hasRoom(tx, recipient.user_num, item))
  )
    return refused('noRecipient')
  return { answer: await book(tx, { ...gift, recipient }, item) }
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
): Promise<Moved> {
  const { ordinal, balances } = await bookPurchase(tx, buyer, item, now)
  await tx
    .updateTable('accounts')
    .set((eb) => ({ gifts_received: eb('gifts_received', '+', 1) }))
    .where('user_num', '=', recipient.user_num)
    .execute()
  const words = note === '' ? '' : `“${note}”\n\n`
  await sendBoughtGift(tx, {
    to: recipient.user_num,
    item: item.product_num,
    price: item.price,
    bought: { buyer: buyer.user_num, ordinal },
    subject: `${buyer.user_id} sent you ${item.item_name}`,
    body: `${words}${buyer.user_id} bought this for you. Claim it within 30 days, or refuse it: then ${buyer.user_id} gets the money back.`,
    now,
  })
  return { message: GIFT.sent, userPoints: balances.r_coin, userPoints2: balances.milleage }
}
