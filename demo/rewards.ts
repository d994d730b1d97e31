import { HOUR_MS } from '#contract/durations.ts'
import { toManilaDay } from '#contract/manila.ts'
import { VOTE_LISTS, type VoteList } from '#contract/vote-lists.ts'
import type { Db } from '#server/db/open.ts'
import { createLinkToken, hashToken } from '#server/http/tokens.ts'
import type { World } from './world.ts'

/** Inserts the rewards. juan has played for 95 minutes today. */
export async function insertRewards(tx: Db, { now, juan, players }: World): Promise<void> {
  await tx.updateTable('reward_sources').set({ budget: 20_000 }).execute()
  const item = await tx
    .selectFrom('shop_items')
    .where('section', '=', 1)
    .select('product_num')
    .orderBy('price')
    .orderBy('product_num')
    .executeTakeFirstOrThrow()
  const dailyOffer = { source: 'daily' as const, milleage: null, product_num: null, quantity: null }
  await tx
    .insertInto('reward_offers')
    .values([
      { ...dailyOffer, slot: 0, milleage: 20 },
      ...[7, 14, 21].map((day) => ({ ...dailyOffer, slot: day, milleage: 100 })),
      { ...dailyOffer, source: 'friend' as const, slot: 0, milleage: 500 },
      { ...dailyOffer, source: 'playtime' as const, slot: 0, milleage: 15 },
      { ...dailyOffer, slot: 28, product_num: item.product_num, quantity: 2 },
    ])
    .execute()
  await insertVotes(tx, { now, players })
  await tx
    .insertInto('last_played')
    .values({ user_num: juan, played_on: toManilaDay(now) })
    .execute()
  await tx
    .insertInto('play_days')
    .values({ user_num: juan, day: toManilaDay(now), minutes: 95, seen_at: now })
    .execute()
}

const SITES: [list: VoteList, name: string, pause_hours: number, milleage: number][] = [
  ['xtremetop100', 'Barkada Top 100', 12, 25],
  ['topg', 'Pinoy Server List', 24, 40],
  ['xtremetop100', 'Top of the Jeepney', 12, 25],
]

/** Inserts vote lists at example.com with secret addresses, and the votes of some players. */
async function insertVotes(tx: Db, { now, players }: Pick<World, 'now' | 'players'>): Promise<void> {
  for (const [nth, [list, name, pause_hours, milleage]] of SITES.entries()) {
    const { check, name: defaultName, ...fields } = VOTE_LISTS[list]
    const { site } = await tx
      .insertInto('vote_sites')
      .values({
        ...fields,
        list,
        name,
        pause_hours,
        link: `https://example.com/vote/${nth + 1}?who={account}`,
        address_hash: hashToken(createLinkToken()),
      })
      .returning('site')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('reward_offers')
      .values({ source: 'vote', slot: site, milleage, product_num: null, quantity: null })
      .execute()
    const votes = players.slice(0, 12).flatMap((user_num, voter) =>
      Array.from({ length: 1 + ((voter * 5) % 7) }, (_, day) => ({
        site,
        user_num,
        voted_at: new Date(now.getTime() - (day * 25 + voter) * HOUR_MS),
        reward: null,
      })),
    )
    await tx.insertInto('votes').values(votes).execute()
  }
}
