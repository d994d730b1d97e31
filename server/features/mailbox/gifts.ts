import { type RawBuilder, sql } from 'kysely'
import { formatDays } from '#contract/durations.ts'
import { GIFT_LIFETIME_MS } from '#contract/limits.ts'
import { claimLetterGift, type LetterKind, MAILBOX_TEXTS, refuseLetterGift } from '#contract/mailbox.ts'
import { isBlockedByStaff } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { bookFreeItem, bookMoney, formatPurchaseReference } from '#server/features/wallet/book.ts'
import { refuseInMaintenance } from '#server/maintenance.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { formatAmounts, getLetterExpiry, markLetter, mayHaveGift, selectLetter, sendLetter } from './letters.ts'

/** The content of a gift: an amount of money, or 1 to 99 units of an item by its number. */
export type Gift = { currency: 'R-Coin' | 'Milleage'; amount: number } | { item: number; quantity: number }

type GiftLetter = {
  /** The recipient. */
  account: number
  kind: LetterKind
  /** The letter. `sentBy` is the operator who sends it; absent for automatic letters. */
  values: { subject: string; body: string; link?: string; sentBy?: number; now: Date }
  gift: Gift
  /** The reason for the gift, such as `tournament 3 place 1`. A reference is used for one gift only. */
  reference: string
}

/** The expiry of a letter with an open gift for one player. When the gift ends, `setLetterExpiry` sets the usual expiry. */
export const OPEN_GIFT_EXPIRY = new Date('9999-01-01T00:00:00Z')

/**
 * Puts a letter with a gift into the mailbox of one player, in the caller's transaction. The player sees it only if they
 * have confirmed their email and had a character before the letter was sent.
 *
 * @returns the letter's number
 * @throws a unique violation of `letter_gifts_reference_key` for a reference that was used before
 */
export async function sendGiftLetter(tx: Db, { account, kind, values, gift, reference }: GiftLetter): Promise<number> {
  const letter = await sendLetter(tx, { kind, to: account, ...values, until: OPEN_GIFT_EXPIRY })
  const value = await findWorth(tx, gift, values.now)
  await putGift(tx, {
    letter,
    recipient: account,
    gift,
    value,
    budget: value,
    reference,
    givenBy: values.sentBy ?? null,
    now: values.now,
  })
  return letter
}

/**
 * Withdraws a gift by staff from all players who have not claimed it; the letter stays. Call this in a transaction.
 *
 * @returns false if the only recipient of the gift has claimed it, or if it was withdrawn before
 */
export async function withdrawGift(tx: Db, letter: number, now = new Date()): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('letter_gifts')
    .set({ state: 'withdrawn', ended_at: now })
    .where('letter', '=', letter)
    .where('state', '=', 'open')
    .where('buyer', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await setLetterExpiry(tx, letter, now)
  return numUpdatedRows > 0n
}

/**
 * Returns the worth of a gift, which counts against the limits of operators: the amount of money, or the usual price of
 * the units of an item, so a price cut does not let operators give more. @throws if there is no such item
 */
export async function findWorth(tx: Db, gift: Gift, now: Date): Promise<number> {
  if ('amount' in gift) return gift.amount
  const { rows } = await sql<{ value: number }>`
    select greatest(i.price, u.usual) * ${gift.quantity}::int as value
    from shop_items i cross join lateral usual_price(coalesce(i.game_product_num, i.product_num), ${now}::timestamptz) u
    where i.product_num = ${gift.item}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error(`There is no item ${gift.item} to give.`)
  return row.value
}

type NewGift = {
  letter: number
  /** Null for a letter to many players. */
  recipient: number | null
  /** The recipient's character, if the buyer chose one. */
  toCharacter?: number | null
  gift: Gift
  value: number
  /** The maximum worth of all claims together. */
  budget: number
  reference?: string
  givenBy: number | null
  /** The player who bought the gift, and the number of the purchase. */
  bought?: { buyer: number; ordinal: number }
  now: Date
}

/** Puts a gift into a letter. */
export async function putGift(tx: Db, { letter, recipient, gift, value, budget, ...details }: NewGift): Promise<void> {
  const isMoney = 'amount' in gift
  await tx
    .insertInto('letter_gifts')
    .values({
      letter,
      recipient,
      to_character: details.toCharacter ?? null,
      currency: isMoney ? (gift.currency === 'R-Coin' ? 'r_coin' : 'milleage') : null,
      amount: isMoney ? gift.amount : null,
      product_num: isMoney ? null : gift.item,
      quantity: isMoney ? null : gift.quantity,
      value,
      budget,
      reference: details.reference ?? null,
      given_by: details.givenBy,
      buyer: details.bought?.buyer ?? null,
      bought_ordinal: details.bought?.ordinal ?? null,
      sent_at: details.now,
    })
    .execute()
}

/** Sends a bought gift in a letter, in the transaction of the purchase. @returns the letter's number */
export async function sendBoughtGift(
  tx: Db,
  {
    item,
    ...gift
  }: { to: number; character: number | null; item: number; subject: string; body: string; price: number; now: Date } & {
    bought: { buyer: number; ordinal: number }
  },
): Promise<number> {
  const { to, character, subject, body, price, now, bought } = gift
  const letter = await sendLetter(tx, { kind: 'gift', to, subject, body, now, until: OPEN_GIFT_EXPIRY })
  await putGift(tx, {
    letter,
    recipient: to,
    toCharacter: character,
    gift: { item, quantity: 1 },
    value: price,
    budget: price,
    givenBy: null,
    bought,
    now,
  })
  return letter
}

/** Sets the usual expiry of a letter whose gift has ended. */
async function setLetterExpiry(tx: Db, letter: number, now: Date): Promise<void> {
  await tx
    .updateTable('letters')
    .set({ expires_at: getLetterExpiry(now) })
    .where('letter', '=', letter)
    .where('to_num', 'is not', null)
    .execute()
}

type ClaimResult = { message: string; userPoints: number; userPoints2: number }

/**
 * Claims the gift of a letter in the account's mailbox: books money in the ledger, or queues an item for delivery. Checks
 * in the call's transaction that the account may have it. Locks the account, then the gift.
 *
 * @returns both balances
 * @throws Refusal 404, 409, 503 during maintenance
 */
export async function claimGift(deps: Pick<Deps, 'db' | 'now'>, userNum: number, letter: number): Promise<ClaimResult> {
  const { db: tx } = deps
  const now = deps.now()
  await refuseInMaintenance(deps, 'purchases')
  const account = await lockAccount(tx, userNum)
  const gift = await lockGift(tx, letter)
  // Read after the locks, because another transaction may have claimed, used up or withdrawn the gift.
  const letterRow = await selectLetter(tx, userNum, letter, now)
  if (letterRow === undefined) throw refuse(claimLetterGift, 'letterNotFound')
  if (gift === undefined || letterRow.gift === null) throw refuse(claimLetterGift, 'giftNotFound')
  if (letterRow.gift.state === 'claimed') throw refuse(claimLetterGift, 'claimedBefore')
  if (gift.state !== 'open') throw refuse(claimLetterGift, 'giftGone')
  if (gift.claimed + gift.value > gift.budget) throw refuse(claimLetterGift, 'giftUsedUp')
  const { product_num: item, quantity } = gift
  const bookedGift =
    item === null || quantity === null
      ? await bookAmount(tx, userNum, gift, now)
      : { ledger_entry: null, ordinal: await bookFreeItem(tx, account, { gift: letter, item, quantity }, now) }
  await tx
    .insertInto('gift_claims')
    .values({ letter, user_num: userNum, value: gift.value, claimed_at: now, ...bookedGift })
    .execute()
  await setLetterExpiry(tx, letter, now)
  await markLetter(tx, { userNum, letter, column: 'read_at', now })
  const { r_coin, milleage } = await lockAccount(tx, userNum)
  const message = item === null ? MAILBOX_TEXTS.claimed : MAILBOX_TEXTS.claimedItem
  return { message, userPoints: r_coin, userPoints2: milleage }
}

const lockAccount = (tx: Db, userNum: number) =>
  tx
    .selectFrom('accounts')
    .where('user_num', '=', userNum)
    .select(['user_num', 'r_coin', 'milleage', 'purchase_count'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

const lockGift = (tx: Db, letter: number) =>
  tx.selectFrom('letter_gifts').where('letter', '=', letter).selectAll().forUpdate().executeTakeFirst()

type GiftRow = NonNullable<Awaited<ReturnType<typeof lockGift>>>

/** Adds the money of a gift to a locked account, with its entry in the ledger. */
async function bookAmount(tx: Db, userNum: number, { letter, currency, amount, given_by }: GiftRow, now: Date) {
  if (currency === null || amount === null) throw new Error(`The gift of letter ${letter} has no amount.`)
  const { entry } = await bookMoney(tx, userNum, {
    currency,
    delta: amount,
    reason: 'gift',
    reference: `letter ${letter}`,
    actor: given_by,
    now,
  })
  return { ledger_entry: entry, ordinal: null }
}

/**
 * Refuses a gift that another player bought, and refunds the buyer, in the transaction of the call.
 *
 * @throws Refusal 404, 409, 503 during maintenance
 */
export async function refuseGift(
  deps: Pick<Deps, 'db' | 'now'>,
  userNum: number,
  letter: number,
): Promise<{ message: string }> {
  const { db: tx } = deps
  const now = deps.now()
  await refuseInMaintenance(deps, 'purchases')
  const letterRow = await selectLetter(tx, userNum, letter, now)
  if (letterRow === undefined) throw refuse(refuseLetterGift, 'letterNotFound')
  if (letterRow.gift === null || !letterRow.gift.bought) throw refuse(refuseLetterGift, 'giftNotFound')
  if (letterRow.gift.state === 'claimed') throw refuse(refuseLetterGift, 'claimedBefore')
  if (!(await returnGift(tx, letter, 'refused', now))) throw refuse(refuseLetterGift, 'giftGone')
  return { message: MAILBOX_TEXTS.refused }
}

/** Selects bought gifts that the recipient can no longer claim or has not claimed in time. */
const selectOverdueGifts = (db: Db, now: Date) =>
  db
    .selectFrom('letter_gifts as g')
    .innerJoin('accounts as a', 'a.user_num', 'g.recipient')
    .where('g.state', '=', 'open')
    .where('g.buyer', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('g.sent_at', '<=', new Date(now.getTime() - GIFT_LIFETIME_MS)),
        eb('a.erased_at', 'is not', null),
        isBlockedByStaff('a', now),
      ]),
    )
    .select(['g.letter', 'g.sent_at'])
    .orderBy('g.sent_at')
    .limit(200)
    .execute()

/** Refunds bought gifts whose recipient is blocked or erased or did not claim them in time, each in a separate transaction. */
export async function returnOverdueGifts(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  let returnedCount = 0
  for (const { letter, sent_at } of await selectOverdueGifts(db, now)) {
    signal?.throwIfAborted()
    const reason = sent_at.getTime() <= now.getTime() - GIFT_LIFETIME_MS ? 'unclaimed' : 'blocked'
    if (await db.transaction().execute((tx) => returnGift(tx, letter, reason, now))) returnedCount++
  }
  return returnedCount
}

const RETURN_REASONS = {
  refused: 'They did not want it',
  unclaimed: `They did not claim it within ${formatDays(GIFT_LIFETIME_MS)}`,
  blocked: 'They can no longer claim it',
} as const

/**
 * Refunds an unclaimed gift to its buyer, with a ledger entry that reverses the payment. Locks the buyer's account, then the
 * gift.
 *
 * @returns false if it was claimed or returned before
 */
async function returnGift(tx: Db, letter: number, reason: keyof typeof RETURN_REASONS, now: Date): Promise<boolean> {
  const giftRow = await tx.selectFrom('letter_gifts').where('letter', '=', letter).select('buyer').executeTakeFirst()
  if (giftRow?.buyer == null) return false
  const account = await lockAccount(tx, giftRow.buyer)
  const gift = await lockGift(tx, letter)
  if (gift?.state !== 'open' || gift.bought_ordinal === null) return false
  const ordinal = gift.bought_ordinal
  const payment = await tx
    .selectFrom('ledger')
    .where('user_num', '=', account.user_num)
    .where('reason', '=', 'purchase')
    .where('reference', '=', formatPurchaseReference(ordinal, ordinal))
    .select(['entry', 'currency', 'delta'])
    .executeTakeFirstOrThrow()
  const refundAmount = -payment.delta
  const { entry } = await bookMoney(tx, account.user_num, {
    currency: payment.currency,
    delta: refundAmount,
    reason: 'refund',
    reference: `gift ${letter}`,
    reverses: payment.entry,
    now,
  })
  await tx
    .updateTable('letter_gifts')
    .set({ state: reason, refund_entry: entry, ended_at: now })
    .where('letter', '=', letter)
    .execute()
  await setLetterExpiry(tx, letter, now)
  const { item_name, addressee } = await tx
    .selectFrom('letter_gifts as g')
    .innerJoin('shop_items as i', 'i.product_num', 'g.product_num')
    .where('g.letter', '=', letter)
    .select(['i.item_name', sql<string>`gift_addressee(g)`.as('addressee')])
    .executeTakeFirstOrThrow()
  const money = { r_coin: 0, milleage: 0, [payment.currency]: refundAmount }
  await sendLetter(tx, {
    kind: 'refund',
    to: account.user_num,
    subject: `You got ${formatAmounts(money, await selectCurrencyNames(tx))} back`,
    body: `Your gift to ${addressee} came back: ${item_name}. ${RETURN_REASONS[reason]}.`,
    link: '/shoppurchases',
    now,
  })
  return true
}

/**
 * Counts the accounts that could receive a gift now.
 *
 * @param condition SQL that limits the recipients; `a` is their account and `ch` is one of its characters
 */
export async function countRecipients(db: Db, now: Date, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from accounts a
    where ${mayHaveGift(sql`${now}::timestamptz`)} and exists (
      select from characters ch where ch.user_num = a.user_num and ch.known_since <= ${now}::timestamptz and ${condition})`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
