import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { formatGift } from '#contract/gifts.ts'
import { PRIZE_MEMBERS_MAX } from '#contract/leagues.ts'
import { formatPlural } from '#contract/numbers.ts'
import type { Payout } from '#server/approvals/approvals.ts'
import type { Db } from '#server/db/open.ts'
import { type Offer, sendPrizes, toPrizeState } from '#server/features/mailbox/prizes.ts'
import { isRanked, isSameCharacter } from '#server/features/rankings/queries.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { type LeagueRow, type LeagueStanding, selectLeagueOffers } from './leagues.ts'

type Player = { user_num: number; user_id: string }

/** A prize with a club on its place, and the players who get the prize, or the reason why none do. */
export type LeaguePrize = { offer: Offer; club: string | null; players: Player[]; blockReason: string | null }

/**
 * Finds the players who get the prizes of a league, in the clubs that its table ranks. A player needs a ranked character in
 * the club, which the site knew before the league ended. `prizes_to` can limit the players to the club's leader.
 */
export async function findLeaguePrizes(
  db: Db,
  leagueRow: LeagueRow,
  table: readonly LeagueStanding[],
  now: Date,
): Promise<LeaguePrize[]> {
  const leaguePrizes: LeaguePrize[] = []
  for (const offer of await selectLeagueOffers(db, leagueRow.league)) {
    const [club, otherClub] = table.filter(({ rank }) => rank === offer.place)
    const block = (blockReason: string) =>
      leaguePrizes.push({ offer, club: club?.name ?? null, players: [], blockReason })
    if (club === undefined) block('No club holds this place.')
    else if (otherClub !== undefined) block('Several clubs share this place.')
    else if (club.club === null) block('The game has no club of this name.')
    else {
      const players = await selectPlayers(db, leagueRow, club.club, now)
      if (players.length === 0) block('No player of this club can get it.')
      else leaguePrizes.push({ offer, club: club.name, players, blockReason: null })
    }
  }
  return leaguePrizes
}

/** Selects the players of a club who get its prize, those of the highest level first. */
async function selectPlayers(db: Db, { prizes_to, ends_at }: LeagueRow, club: number, now: Date): Promise<Player[]> {
  const { rows } = await sql<Player>`
    select user_num, user_id from (
      select distinct on (a.user_num) a.user_num, a.user_id, c.cha_level
      from clubs g join characters c on c.club = g.club join accounts a on a.user_num = c.user_num
      where g.club = ${club} and a.erased_at is null and ${isRanked(now)} and ${isSameCharacter(sql`${ends_at}::timestamptz`)}
        and (${prizes_to === 'members'} or c.cha_num = g.leader)
      order by a.user_num, c.cha_level desc) p
    order by cha_level desc, user_num limit ${PRIZE_MEMBERS_MAX}`.execute(db)
  return rows
}

type Payment = { row: LeagueRow; by: number; now: Date }

/**
 * Sends the prizes of a final league as letters with a gift, within the transaction of the call.
 *
 * @returns the number of letters
 */
export async function payLeaguePrizes(
  tx: Db,
  prizes: readonly LeaguePrize[],
  { row: { league, name }, by: actor, now }: Payment,
  consumePayout: (payout: Payout) => Promise<void>,
): Promise<number> {
  const prizesWithPlayers = prizes.filter(({ players }) => players.length > 0)
  const currencies = await selectCurrencyNames(tx)
  const gifts = prizesWithPlayers.flatMap(({ offer, club, players }) =>
    players.map(({ user_num, user_id }) => ({
      offer,
      account: user_num,
      player: `${user_id} of ${club}`,
      subject: `Place ${offer.place} in ${name}`,
      body: `${club} finished on place ${offer.place} of ${name}. Your prize is ${formatGift(offer, currencies)}. Congratulations!`,
      reference: `league ${league} place ${offer.place} account ${user_num}`,
      club: club ?? '',
    })),
  )
  if (gifts.length === 0) return 0
  const summary = prizesWithPlayers
    .map(({ offer, club, players }) => {
      return `place ${offer.place}, ${club}: ${formatGift(offer)} for ${formatPlural(players.length, 'player')}`
    })
    .join('; ')
  const details = { contest: { league }, name, summary, link: `/wars/${league}`, sentBy: actor, now }
  const letters = await sendPrizes(tx, gifts, details, consumePayout)
  const rows = gifts.map(({ offer, account, club }, index) => {
    return {
      league,
      place: offer.place,
      club,
      user_num: account,
      letter: letters[index] ?? 0,
      made_at: now,
      made_by: actor,
    }
  })
  await tx.insertInto('league_prizes').values(rows).execute()
  return rows.length
}

/** Returns for each place its club, and the numbers of its sent, claimed and withdrawn prizes. */
export async function countSentPrizes(db: Db, league: number) {
  const rows = await db
    .selectFrom('league_prizes as p')
    .leftJoin('letter_gifts as g', 'g.letter', 'p.letter')
    .where('p.league', '=', league)
    .groupBy(['p.place', 'p.club'])
    .select(['p.place', 'p.club'])
    .select([
      sql<number>`count(*)::int`.as('players'),
      sql<number>`count(*) filter (where g.state = 'claimed')::int`.as('claimed'),
      sql<number>`count(*) filter (where g.state = 'withdrawn')::int`.as('withdrawn'),
    ])
    .execute()
  return new Map(rows.map((row) => [row.place, row]))
}

/** Lists the sent prizes of a league, by place. */
export async function listSentPrizes(db: Db, { league, after }: { league: string; after: string }) {
  const rows = await db
    .selectFrom('league_prizes as p')
    .innerJoin('accounts as a', 'a.user_num', 'p.user_num')
    .leftJoin('letter_gifts as g', 'g.letter', 'p.letter')
    .where('p.league', '=', league === '' ? 0 : parseCursor(league))
    .where('p.prize', '>', after === '' ? 0 : parseCursor(after))
    .select(['p.prize', 'p.place', 'p.club', 'p.user_num', 'a.user_id', 'p.made_at', 'g.state'])
    .orderBy('p.prize')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  return cutPage(
    rows,
    ({ prize }) => prize,
    ({ state, ...row }) => ({ ...row, state: toPrizeState(state) }),
  )
}
