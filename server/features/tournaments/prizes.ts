import { formatGift } from '#contract/gifts.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Payout } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import { sendPrizes, toPrizeState } from '#server/features/mailbox/prizes.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import type { selectEntries, selectOffers } from './queries.ts'

type Entry = Pick<
  Awaited<ReturnType<typeof selectEntries>>[number],
  'entry' | 'user_num' | 'user_type' | 'erased_at' | 'name' | 'club'
>
type Offer = Awaited<ReturnType<typeof selectOffers>>[number]

/**
 * Finds the winner of each prize: an entry that holds the prize's rank alone and is neither staff nor erased. A prize
 * without a winner has a `blockReason`.
 *
 * @param places the rank of each entry
 */
export function findHolders(offers: readonly Offer[], entries: readonly Entry[], places: ReadonlyMap<number, number>) {
  return offers.map((offer) => {
    const entriesAtPlace = entries.filter(({ entry }) => places.get(entry) === offer.place)
    const [holder] = entriesAtPlace
    const blockReason =
      holder === undefined
        ? 'No player holds this place.'
        : entriesAtPlace.length > 1
          ? 'Several entries share this place.'
          : holder.user_type >= ADMIN_USER_TYPE
            ? 'Staff can play but cannot win prizes.'
            : holder.erased_at !== null
              ? 'The account is erased.'
              : null
    return { offer, holder: entriesAtPlace.length === 1 ? holder : undefined, blockReason }
  })
}

type Payment = { tournament: number; name: string; by: number; now: Date }
type Holder = ReturnType<typeof findHolders>[number]

/**
 * Sends prizes as letters with a gift, within the transaction of a desk call. The database allows one valid prize for a rank
 * and one gift for each reference, so no prize is sent twice.
 *
 * @param consumePayout counts the prizes' worth against the operator's limit; items count with their usual price
 * @returns the number of prizes that were sent; prizes with a `blockReason` are not
 */
export async function payPrizes(
  tx: Db,
  holders: readonly Holder[],
  { tournament, name, by, now }: Payment,
  consumePayout: (payout: Payout) => Promise<void>,
): Promise<number> {
  const payablePrizes = holders.flatMap(({ offer, holder, blockReason }) =>
    holder === undefined || blockReason !== null ? [] : [{ offer, holder }],
  )
  if (payablePrizes.length === 0) return 0
  const earlierPrizes = await tx
    .selectFrom('tournament_prizes')
    .where('tournament', '=', tournament)
    .select('place')
    .execute()
  const currencies = await selectCurrencyNames(tx)
  const prizes = payablePrizes.map(({ offer, holder }) => {
    const nth = earlierPrizes.filter(({ place }) => place === offer.place).length + 1
    return {
      offer,
      account: holder.user_num,
      player: holder.name,
      subject: `Place ${offer.place} in ${name}`,
      body: `${holder.club === null ? 'You' : holder.club} finished on place ${offer.place} of ${name}. The prize is ${formatGift(offer, currencies)}. Congratulations!`,
      reference: `tournament ${tournament} place ${offer.place}${nth === 1 ? '' : ` corrected ${nth}`}`,
    }
  })
  const summary = payablePrizes
    .map(({ offer, holder }) => `place ${offer.place}, ${holder.name}: ${formatGift(offer)}`)
    .join('; ')
  const link = `/rankings/tournament/${tournament}`
  const letters = await sendPrizes(
    tx,
    prizes,
    { contest: { tournament }, name, summary, link, sentBy: by, now },
    consumePayout,
  )
  for (const [index, letter] of letters.entries()) {
    const { offer, holder } = payablePrizes[index] as (typeof payablePrizes)[number]
    await tx
      .insertInto('tournament_prizes')
      .values({
        tournament,
        place: offer.place,
        entry: holder.entry,
        user_num: holder.user_num,
        letter,
        made_at: now,
        made_by: by,
      })
      .execute()
  }
  return payablePrizes.length
}

/** Selects the prizes of a tournament by rank, newest first, with their states. */
export const selectPrizes = (db: Db, tournament: number) =>
  db
    .selectFrom('tournament_prizes as p')
    .innerJoin('tournament_entries as e', 'e.entry', 'p.entry')
    .innerJoin('accounts as a', 'a.user_num', 'p.user_num')
    .leftJoin('letter_gifts as g', 'g.letter', 'p.letter')
    .where('p.tournament', '=', tournament)
    .select((eb) => [
      'p.prize',
      'p.place',
      'p.entry',
      'p.user_num',
      'p.letter',
      'p.made_at',
      'p.replaced_at',
      'a.user_id',
      'g.state',
      eb.fn.coalesce('e.club', 'e.cha_name').as('name'),
    ])
    .orderBy('p.place')
    .orderBy('p.prize', 'desc')
    .execute()
    .then((rows) => rows.map(({ state, ...row }) => ({ ...row, state: toPrizeState(state) })))
