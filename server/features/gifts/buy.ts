import { sql } from 'kysely'
import type { z } from 'zod'
import type { balancesSchema } from '#contract/cart.ts'
import { DAY_MS, formatDays } from '#contract/durations.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { buyGift, type checkGift, GIFT_ACCOUNT_AGE_MS, GIFT_TEXTS, GIFTS_A_DAY } from '#contract/gifts.ts'
import { ADMIN_USER_TYPE, GIFT_LIFETIME_MS, R_COIN_SECTION } from '#contract/limits.ts'
import { STAFF_NAME } from '#contract/messages.ts'
import { isBlocked, isFrozen } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { countRecipients, sendBoughtGift } from '#server/features/mailbox/gifts.ts'
import { isRanked } from '#server/features/rankings/queries.ts'
import { bookPurchase } from '#server/features/wallet/book.ts'
import { assertPurchasesOpen } from '#server/maintenance.ts'

type Balances = z.infer<typeof balancesSchema>
/** The addressed player: a user ID or a character's name; the other field is ''. */
type RecipientFields = { user_id: string; character: string }
type GiftRequest = RecipientFields & { productnum: number; note: string }
type GiftDeps = Pick<Deps, 'db' | 'now' | 'limits'>

/**
 * Buys one unit of an item for another player: charges the buyer and puts the gift into the recipient's mailbox, in the
 * transaction of the call.
 *
 * @returns both balances, or the same refusal for every unsuitable recipient, after counting a failure
 * @throws Refusal 404, 422, 429 after ten failures in 15 minutes, 503 during maintenance or while purchases are closed
 */
export const sendGift = (deps: GiftDeps, userNum: number, giftRequest: GiftRequest): Promise<Balances | Refusal> =>
  checkAndRun(deps, userNum, giftRequest, (parts) =>
    bookGift(deps.db, { ...parts, note: giftRequest.note, now: deps.now() }),
  )

/**
 * Returns the recipient of a gift under the conditions of `sendGift`, without buying it.
 *
 * @returns the recipient by the user ID or character that the buyer entered, never by both; or a refusal like `sendGift`
 * @throws Refusal like `sendGift`
 */
export const previewGift = (
  deps: GiftDeps,
  userNum: number,
  giftRequest: RecipientFields & { productnum: number },
): Promise<CallAnswer<typeof checkGift> | Refusal> =>
  checkAndRun(deps, userNum, giftRequest, async ({ recipient, character }) =>
    character === undefined
      ? { user_id: recipient.user_id, character: null }
      : {
          user_id: null,
          character: {
            ChaName: character.cha_name,
            ChaLevel: character.cha_level,
            ChaClass: character.cha_class,
            ChaSchool: character.cha_school,
          },
        },
  )

/**
 * Checks a gift and passes it to `act`. Counts a recipient who cannot have it as a failure, and refuses all of them with one
 * text (BUY-10).
 */
async function checkAndRun<Result>(
  { db: tx, now, limits }: GiftDeps,
  userNum: number,
  giftRequest: RecipientFields & { productnum: number },
  act: (parts: GiftParts) => Promise<Result>,
): Promise<Result | Refusal> {
  await assertPurchasesOpen({ db: tx, now })
  if ((giftRequest.user_id === '') === (giftRequest.character === '')) throw refuse(buyGift, 'needsOne')
  const isCharacter = giftRequest.character !== ''
  const character = isCharacter ? await findCharacter(tx, giftRequest.character, now()) : undefined
  const { buyer, recipient } = await lockAccounts(
    tx,
    userNum,
    isCharacter ? (character?.user_num ?? 0) : giftRequest.user_id,
  )
  await limits.check('giftFailures', userNum, tx)
  const item = await checkBuyer(tx, { buyer, productNum: giftRequest.productnum, now: now() })
  if (recipient?.user_num === buyer.user_num) throw refuse(buyGift, isCharacter ? 'yourCharacter' : 'yourself')
  // Runs the same statements for unknown players, because the time must not reveal who exists.
  const isEligible = await mayReceive(tx, recipient?.user_num ?? 0, now())
  const hasRecipientRoom = await hasRoom(tx, recipient?.user_num ?? 0, item)
  if (recipient !== undefined && isEligible && hasRecipientRoom) return act({ buyer, recipient, character, item })
  await limits.count('giftFailures', userNum, tx)
  return refuse(buyGift, isCharacter ? 'characterNotFound' : 'recipientNotFound')
}

type Character = {
  cha_num: number
  user_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
}

/**
 * Finds the visible character with a name: not hidden, not left out of the rankings, and not one of staff. If several names
 * differ only in case, the name has to be exact.
 */
async function findCharacter(tx: Db, name: string, now: Date): Promise<Character | undefined> {
  const { rows } = await sql<Character & { exact: boolean }>`
    select c.cha_num, c.user_num, c.cha_name, c.cha_level, c.cha_class, c.cha_school, c.cha_name = ${name} as exact
    from characters c join accounts a on a.user_num = c.user_num
    where lower(c.cha_name) = lower(${name}) and c.user_num is not null and ${isRanked(now)}
    order by exact desc limit 2`.execute(tx)
  const [character, duplicate] = rows
  return character?.exact || duplicate === undefined ? character : undefined
}

/**
 * Locks both accounts in the order of their numbers, because two players who give to each other must not deadlock.
 *
 * @param recipientKey the recipient's number or user ID
 */
async function lockAccounts(tx: Db, userNum: number, recipientKey: number | string) {
  const rows = await tx
    .selectFrom('accounts')
    .where((eb) =>
      eb.or([
        eb('user_num', '=', userNum),
        typeof recipientKey === 'number'
          ? eb('user_num', '=', recipientKey)
          : eb(sql`lower(user_id)`, '=', recipientKey.toLowerCase()),
      ]),
    )
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
  const isRecipient = ({ user_num, user_id }: typeof buyer) =>
    typeof recipientKey === 'number' ? user_num === recipientKey : user_id.toLowerCase() === recipientKey.toLowerCase()
  return { buyer, recipient: rows.find(isRecipient) }
}

type Account = Awaited<ReturnType<typeof lockAccounts>>['buyer']
type GiftParts = { buyer: Account; recipient: Account; character: Character | undefined; item: Item }

/**
 * Returns the item if the buyer can send it as a gift now. This check comes before that of the recipient, because a buyer
 * without money must not learn who exists.
 *
 * @throws Refusal 404, 422
 */
async function checkBuyer(
  tx: Db,
  { buyer, productNum, now }: { buyer: Account; productNum: number; now: Date },
): Promise<Item> {
  if (isFrozen(buyer, now)) throw refuse(buyGift, 'frozen')
  if (buyer.email_verified_at === null) throw refuse(buyGift, 'unverified')
  if (now.getTime() - buyer.created_at.getTime() < GIFT_ACCOUNT_AGE_MS) throw refuse(buyGift, 'tooYoung')
  const item = await findItem(tx, productNum, now)
  if (item === undefined) throw refuse(buyGift, 'itemNotFound')
  if ((await countSentGifts(tx, buyer.user_num, now)) >= GIFTS_A_DAY) throw refuse(buyGift, 'tooMany')
  if (!(await hasRoom(tx, buyer.user_num, item))) throw refuse(buyGift, 'overLimit')
  const currency = item.section === R_COIN_SECTION ? 'r_coin' : 'milleage'
  if (buyer[currency] < item.price) throw refuse(buyGift, currency === 'r_coin' ? 'shortRCoin' : 'shortMilleage')
  return item
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

async function countSentGifts(tx: Db, userNum: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('letter_gifts')
    .where('buyer', '=', userNum)
    .where('sent_at', '>', new Date(now.getTime() - DAY_MS))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns whether another unit of an item is within its limit for a locked account. */
async function hasRoom(tx: Db, userNum: number, { product_num, account_limit }: Item): Promise<boolean> {
  if (account_limit === null) return true
  const { rows } = await sql<{ units: number }>`
    select units_of_account(${userNum}::bigint, ${product_num}::bigint, ${account_limit}::int) as units`.execute(tx)
  return Number(rows[0]?.units ?? 0) < account_limit
}

/** Returns whether an account accepts gifts, is not blocked, and would see a gift that is sent now in its mailbox. */
async function mayReceive(tx: Db, userNum: number, now: Date): Promise<boolean> {
  const condition = sql`a.user_num = ${userNum} and a.accepts_gifts and not ${isBlocked('a', now)}`
  return (await countRecipients(tx, now, condition)) > 0
}

/** Charges the buyer and puts the gift into the recipient's mailbox. */
async function bookGift(
  tx: Db,
  { buyer, recipient, character, item, note, now }: GiftParts & { note: string; now: Date },
): Promise<Balances> {
  const { ordinal, balances } = await bookPurchase(tx, buyer, item, now)
  await tx
    .updateTable('accounts')
    .set((eb) => ({ gifts_received: eb('gifts_received', '+', 1) }))
    .where('user_num', '=', recipient.user_num)
    .execute()
  // Recipients of a gift from an operator see the operator's name for players.
  const senderName = buyer.user_type >= ADMIN_USER_TYPE ? buyer.staff_name || STAFF_NAME : buyer.user_id
  const quote = note === '' ? '' : `“${note}”\n\n`
  await sendBoughtGift(tx, {
    to: recipient.user_num,
    character: character?.cha_num ?? null,
    item: item.product_num,
    price: item.price,
    bought: { buyer: buyer.user_num, ordinal },
    subject: `${senderName} sent you ${item.item_name}`,
    body: `${quote}${senderName} bought this for you. Claim it within ${formatDays(GIFT_LIFETIME_MS)}, or refuse it: then ${senderName} gets the money back.`,
    now,
  })
  return { message: GIFT_TEXTS.sent, userPoints: balances.r_coin, userPoints2: balances.milleage }
}
