import { z } from 'zod'
import { flag, list, wholeNumber } from '#content/files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { markLetter } from '#server/features/mailbox/letters.ts'
import { computeBracket, type Result } from '#server/features/tournaments/bracket.ts'
import { toMatchId } from '#server/features/tournaments/bracket-storage.ts'
import { findHolders, payPrizes } from '#server/features/tournaments/prizes.ts'
import { selectEntries, selectOffers } from '#server/features/tournaments/queries.ts'
import { rankEntries, type Shape } from '#server/features/tournaments/standings.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import { readTexts } from './read.ts'
import { type Random, seededRandom, subtractMs, type World } from './world.ts'

const SEED = 20_261_122

const tournamentHead = z.strictObject({
  name: z.string(),
  kind: z.enum(['players', 'clubs']),
  format: z.enum(['single', 'double', 'groups']),
  third_place: flag,
  state: z.enum(['announced', 'drawn', 'finalised']),
  /** The participants among the strongest characters: the index of the first one, and their number. */
  strongest_from: wholeNumber,
  entries: wholeNumber,
  max_entries: wholeNumber,
  clubs: list.default([]),
  /** The day of the first match, counted from today, and its hour in Manila. */
  starts_in_days: wholeNumber,
  hour: wholeNumber,
  /** The number of played rounds, and of played matches in the last one; without a number, all. */
  rounds: wholeNumber,
  last_round: wholeNumber.optional(),
  /** The prizes by rank. */
  prizes: list.transform((prizes) =>
    prizes.map((prize) => {
      const [amount, currency] = prize.split(' ')
      return { amount: Number(amount), currency: z.enum(['r_coin', 'milleage', 'item']).parse(currency) }
    }),
  ),
  body: z.string(),
})

type TournamentPlan = ReturnType<typeof readPlans>[number]
const readPlans = () => readTexts('tournaments/*.md', tournamentHead)

type Candidate = Awaited<ReturnType<typeof selectCandidates>>[number]

/**
 * Inserts tournaments: one in its second round, two open for registration (players and clubs), and a final one with
 * sent prizes.
 */
export async function insertTournaments(tx: Db, { now, gm, players }: World): Promise<void> {
  const random = seededRandom(SEED)
  const candidates = await selectCandidates(tx, players)
  const today = getStartOfDay(toManilaDay(now)).getTime()
  for (const plan of readPlans()) {
    const startsAt = new Date(today + plan.starts_in_days * DAY_MS + plan.hour * HOUR_MS)
    const entrants = candidates.slice(plan.strongest_from, plan.strongest_from + plan.entries)
    const tournament = await insertTournament(tx, plan, { startsAt, now, gm })
    const isDrawn = plan.state === 'drawn' || plan.state === 'finalised'
    const entries = await insertEntries(tx, plan, { tournament, entrants, startsAt, now, isDrawn })
    if (!isDrawn) continue
    const shape: Shape = { format: plan.format, third_place: plan.third_place, groups: null, advance: null }
    const { playedMatches, lastPlayedAt } = await playMatches(tx, { tournament, shape, plan, startsAt, gm, random })
    if (plan.state !== 'finalised') continue
    const ranks = rankEntries(playedMatches, shape, entries)
    for (const [entry, rank] of ranks)
      await tx.updateTable('tournament_entries').set({ place: rank }).where('entry', '=', entry).execute()
    await finaliseTournament(tx, {
      tournament,
      name: plan.name,
      ranks,
      at: new Date(lastPlayedAt + 2 * DAY_MS),
      gm,
    })
  }
}

/** Selects strong characters, one of each player, strongest first. */
async function selectCandidates(tx: Db, players: readonly number[]) {
  const rows = await tx
    .selectFrom('characters as c')
    .innerJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where('c.user_num', 'in', players.slice(0, 400))
    .where('a.user_type', '<', ADMIN_USER_TYPE)
    .where('a.blocked_at', 'is', null)
    .where('c.cha_level', '>=', 50)
    .select(['a.user_num', 'c.cha_num', 'c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school'])
    .orderBy('c.cha_mmr', 'desc')
    .orderBy('c.cha_num')
    .execute()
  const seenUsers = new Set<number>()
  return rows.filter(({ user_num }) => !seenUsers.has(user_num) && seenUsers.add(user_num))
}

type TournamentTimes = { startsAt: Date; now: Date; gm: number }

async function insertTournament(tx: Db, plan: TournamentPlan, { startsAt, now, gm }: TournamentTimes): Promise<number> {
  const { name, kind, format, third_place, max_entries, body: description } = plan
  const hoursBefore = (hours: number) => subtractMs(startsAt, hours * HOUR_MS)
  const opensAt = new Date(Math.min(hoursBefore(9 * 24).getTime(), now.getTime() - DAY_MS))
  const { tournament } = await tx
    .insertInto('tournaments')
    .values({
      name,
      kind,
      format,
      third_place,
      max_entries,
      about: description,
      level_from: 50,
      registration_from: opensAt,
      registration_until: hoursBefore(3),
      checkin_from: hoursBefore(2),
      checkin_until: hoursBefore(0.5),
      starts_at: startsAt,
      state: plan.state === 'finalised' ? 'drawn' : plan.state,
      created_by: gm,
      created_at: opensAt,
    })
    .returning('tournament')
    .executeTakeFirstOrThrow()
  const item = await tx
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .select('product_num')
    .orderBy('product_num')
    .limit(1)
    .executeTakeFirst()
  const offers = plan.prizes.map(({ currency, amount }, index) => ({
    tournament,
    place: index + 1,
    ...(currency === 'item' ? { ...item, quantity: amount } : { currency, amount }),
  }))
  await tx.insertInto('tournament_offers').values(offers).execute()
  return tournament
}

type EntryDetails = { tournament: number; entrants: Candidate[]; startsAt: Date; now: Date; isDrawn: boolean }

/** Inserts the entries. @returns their numbers, best seed first */
async function insertEntries(tx: Db, plan: TournamentPlan, entryDetails: EntryDetails): Promise<number[]> {
  const { tournament, entrants, startsAt, now, isDrawn } = entryDetails
  const latestEntryAt = new Date(Math.min(now.getTime(), startsAt.getTime() - DAY_MS))
  const rows = entrants.map((candidate, index) => ({
    ...candidate,
    tournament,
    club: plan.clubs[index] ?? null,
    registered_at: subtractMs(latestEntryAt, (index + 1) * 47 * MINUTE_MS),
    checked_in_at: isDrawn ? subtractMs(startsAt, HOUR_MS) : null,
    seed: isDrawn ? index + 1 : null,
  }))
  const insertedEntries = await tx.insertInto('tournament_entries').values(rows).returning('entry').execute()
  return insertedEntries.map(({ entry }) => entry)
}

type PlayDetails = {
  tournament: number
  shape: Shape
  plan: TournamentPlan
  startsAt: Date
  gm: number
  random: Random
}

/**
 * Plays the planned rounds, which are scheduled on successive evenings; in the last one, only the planned matches. The
 * others of that round, and later rounds, are scheduled an evening later.
 */
async function playMatches(tx: Db, { tournament, shape, plan, startsAt, gm, random }: PlayDetails) {
  const results = new Map<string, Result>()
  const matchTimes = new Map<string, { startsAt: Date; endsAt: Date }>()
  let bracketMatches = (await computeBracket(tx, { tournament, shape, results })).matches
  for (let round = 0; bracketMatches.some(({ state }) => state === 'ready') && round < plan.rounds; round++) {
    const readyMatches = bracketMatches.filter(({ state }) => state === 'ready')
    const matchesToPlay =
      round + 1 === plan.rounds && plan.last_round !== undefined ? readyMatches.slice(0, plan.last_round) : readyMatches
    for (const [nth, match] of matchesToPlay.entries()) {
      const isUpset = random() < 0.22
      const isFirst = Number(match.entry1) < Number(match.entry2) !== isUpset
      const loserScore = random() < 0.4 ? 1 : 0
      const isWalkover = round === 0 && nth === 3
      results.set(toMatchId(match), {
        entry1: match.entry1,
        entry2: match.entry2,
        outcome: isWalkover ? (isFirst ? 'walkover1' : 'walkover2') : 'played',
        score1: isWalkover ? null : isFirst ? 2 : loserScore,
        score2: isWalkover ? null : isFirst ? loserScore : 2,
      })
      const evening = new Date(startsAt.getTime() + round * DAY_MS)
      matchTimes.set(toMatchId(match), {
        startsAt: evening,
        endsAt: new Date(evening.getTime() + (30 + nth * 4) * MINUTE_MS),
      })
    }
    bracketMatches = (await computeBracket(tx, { tournament, shape, results })).matches
  }
  const lastPlayedAt = Math.max(startsAt.getTime(), ...[...matchTimes.values()].map(({ endsAt }) => endsAt.getTime()))
  const rounds = Math.max(...bracketMatches.map(({ round }) => round))
  const getRound = ({ grp, round }: { grp: number; round: number }) =>
    plan.format === 'single' && grp === 2 ? rounds : round
  const rows = bracketMatches.map((match) => {
    const matchTime = matchTimes.get(toMatchId(match))
    const laterEvening = new Date(startsAt.getTime() + getRound(match) * DAY_MS)
    return {
      ...match,
      tournament,
      result_by: match.outcome === null ? null : gm,
      result_at: match.outcome === null ? null : (matchTime?.endsAt ?? startsAt),
      starts_at: match.state === 'bye' ? null : (matchTime?.startsAt ?? laterEvening),
    }
  })
  await tx.insertInto('tournament_matches').values(rows).execute()
  await tx
    .updateTable('tournaments')
    .set({ last_result_at: new Date(lastPlayedAt), last_result_by: gm })
    .where('tournament', '=', tournament)
    .execute()
  return { playedMatches: bracketMatches, lastPlayedAt }
}

type FinalDetails = { tournament: number; name: string; ranks: Map<number, number>; at: Date; gm: number }

/** Makes the ranks final by another operator than gm, sends the prizes, and lets the winner claim the R-Coin. */
async function finaliseTournament(tx: Db, { tournament, name, ranks, at, gm }: FinalDetails): Promise<void> {
  const { user_num: otherOperator } = await tx
    .selectFrom('accounts')
    .where('user_type', '>=', ADMIN_USER_TYPE)
    .where('user_num', '<>', gm)
    .select('user_num')
    .orderBy('user_num')
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tournaments')
    .set({ state: 'finalised', finalised_at: at, finalised_by: otherOperator })
    .where('tournament', '=', tournament)
    .execute()
  const prizeHolders = findHolders(await selectOffers(tx, tournament), await selectEntries(tx, tournament, at), ranks)
  await payPrizes(tx, prizeHolders, { tournament, name, by: otherOperator, now: at }, async () => {})
  const firstLetter = await tx
    .selectFrom('tournament_prizes as p')
    .innerJoin('letter_gifts as g', 'g.letter', 'p.letter')
    .where('p.tournament', '=', tournament)
    .where('p.place', '=', 1)
    .where('g.currency', '=', 'r_coin')
    .select(['p.letter', 'p.user_num', 'g.value'])
    .executeTakeFirst()
  if (firstLetter === undefined) return
  const { letter, user_num, value } = firstLetter
  const now = new Date(at.getTime() + HOUR_MS)
  const letterReference = `letter ${letter}`
  const gift = {
    currency: 'r_coin',
    delta: value,
    reason: 'gift',
    reference: letterReference,
    actor: otherOperator,
    now,
  } as const
  const { entry } = await bookMoney(tx, user_num, gift)
  await tx.insertInto('gift_claims').values({ letter, user_num, value, claimed_at: now, ledger_entry: entry }).execute()
  await markLetter(tx, { userNum: user_num, letter, column: 'read_at', now })
}
