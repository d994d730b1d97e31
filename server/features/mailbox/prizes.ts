import { formatGift } from '#contract/gifts.ts'
import type { Prize, PrizeState } from '#contract/prizes.ts'
import type { Effect, Payout } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import { findWorth, type Gift, sendGiftLetter } from './gifts.ts'

/** The prize of a place: money, or items. */
export type Offer = {
  place: number
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  item_name: string | null
  quantity: number | null
}

/** A prize that an account has won, with its letter. */
export type WonPrize = {
  offer: Offer
  account: number
  /** The name for the approver. */
  player: string
  subject: string
  body: string
  /** A reference is used for one gift only. */
  reference: string
}

type PrizeContext = { contest: Effect; name: string; summary: string; link: string; sentBy: number; now: Date }

const toGift = ({ place, currency, amount, product_num, quantity }: Offer): Gift => {
  if (currency !== null && amount !== null) return { currency: currency === 'r_coin' ? 'R-Coin' : 'Milleage', amount }
  if (product_num === null || quantity === null) throw new Error(`Place ${place} has no prize.`)
  return { item: product_num, quantity }
}

/**
 * Sends prizes as letters with a gift. Call it in the transaction of a call of the desk.
 *
 * @param context.contest the contest in the approval's effect, such as `{ tournament: 3 }`
 * @param consumePayout counts their worth against the operator's limit; items count with their usual price
 * @returns the letters, in the order of the prizes
 */
export async function sendPrizes(
  tx: Db,
  wonPrizes: readonly WonPrize[],
  { contest, name, summary, link, sentBy, now }: PrizeContext,
  consumePayout: (payout: Payout) => Promise<void>,
): Promise<number[]> {
  let amount = 0
  const prizes = []
  for (const { offer, player, account } of wonPrizes) {
    const gift = toGift(offer)
    const worth = await findWorth(tx, gift, now)
    amount += worth
    prizes.push({ place: offer.place, player, account, prize: formatGift(offer), ...gift, worth })
  }
  await consumePayout({
    amount,
    kind: 'prize',
    accounts: [...new Set(wonPrizes.map(({ account }) => account))],
    summary: `Prizes of ${name}: ${summary}`,
    effect: { ...contest, name, prizes },
  })
  const letters = []
  for (const { offer, account, subject, body, reference } of wonPrizes)
    letters.push(
      await sendGiftLetter(tx, {
        account,
        kind: 'prize',
        values: { subject: subject.slice(0, 120), body, link, sentBy: sentBy, now },
        gift: toGift(offer),
        reference,
      }),
    )
  return letters
}

/** Converts the state of a gift by staff. The other states belong to gifts that players buy. */
export const toPrizeState = (state: string | null): PrizeState =>
  state === 'claimed' || state === 'withdrawn' ? state : 'open'

/** Returns prizes as rows of the offers of a tournament or a league. */
export const toOfferRows = (prizes: readonly Prize[]) =>
  prizes.map(({ place, gift, amount, item }) =>
    gift === 'item'
      ? { place, currency: null, amount: null, product_num: item, quantity: amount }
      : { place, currency: gift, amount, product_num: null, quantity: null },
  )

/** Returns whether the shop has all items among the prizes. */
export async function hasPrizeItems(tx: Db, prizes: readonly Prize[]): Promise<boolean> {
  const items = [...new Set(prizes.flatMap(({ gift, item }) => (gift === 'item' ? Number(item) : [])))]
  if (items.length === 0) return true
  const itemRows = await tx.selectFrom('shop_items').where('product_num', 'in', items).select('product_num').execute()
  return itemRows.length === items.length
}

/** Formats prizes for the audit log. */
export const describePrizes = (prizes: readonly Prize[]): string[] =>
  prizes.map(({ place, gift, amount, item }) => `${place}: ${amount} ${gift}${item === null ? '' : ` ${item}`}`)
