import { z } from 'zod'
import { flag, list, whole } from '#content/files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { markLetter } from '#server/features/mailbox/letters.ts'
import { computeBracket, type Result } from '#server/features/tournaments/bracket.ts'
import { toPositionKey } from '#server/features/tournaments/bracket-storage.ts'
import { findHolders, payPrizes } from '#server/features/tournaments/prizes.ts'
import { selectEntries, selectOffers } from '#server/features/tournaments/queries.ts'
import { rankEntries, type Shape } from '#server/features/tournaments/standings.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import { readTexts } from './read.ts'
import { before, type Random, seededRandom, type World } from './world.ts'

const SEED = 20_261_122

const tournamentHead = z.strictObject({
  name: z.string(),
  kind: z.enum(['players', 'clubs']),
  format: z.enum(['single', 'double', 'groups']),
  third_place: flag,
  state: z.enum(['announced', 'drawn', 'finalised']),
  /** The participants among the strongest characters: the index of the first one, and their number. */
  strongest_from: whole,
  entries: whole,
  max_entries: whole,
  clubs: list.default([]),
  /** The day of the first match, counted from today, and its hour in Manila. */
  starts_in_days: whole,
  hour: whole,
  /** How many rounds are played, and how many matches of the last of them; without a number all are. */
  rounds: whole,
  last_round: whole.optional(),
  /** By place. */
  prizes: list.transform((prizes) =>
    prizes.map((prize) => {
      const [amount, currency] = prize.split(' ')
      return { amount: Number(amount), currency: z.enum(['r_coin', 'milleage', 'item']).parse(currency) }
    }),
  ),
  body: z.string(),
})

type Plan = ReturnType<typeof readPlans>[number]
const readPlans = () => readTexts('tournaments/*.md', tournamentHead)

type Contender = Awaited<ReturnType<typeof selectContenders>>[number]

/** Inserts tournaments: one in its second round, one of players and one of clubs that can be registered for, one with its prizes sent. */
export async function insertTournaments(tx: Db, { now, gm, players }: World): Promise<void> {
  const random = seededRandom(SEED)
  const contenders = await selectContenders(tx, players)
  const today = getStartOfDay(toManilaDay(now)).getTime()
  for (const plan of readPlans()) {
    const startsAt = new Date(today + plan.starts_in_days * DAY_MS + plan.hour * HOUR_MS)
    const there = contenders.slice(plan.strongest_from, plan.strongest_from + plan.entries)
    const tournament = await insertTournament(tx, plan, { startsAt, now, gm })
    const isDrawn = plan.state === 'drawn' || plan.state === 'finalised'
    const entries = await insertEntries(tx, plan, { tournament, there, startsAt, now, isDrawn })
    if (!isDrawn) continue
    const shape: Shape = { format: plan.format, third_place: plan.third_place, groups: null, advance: null }
    const matches = await play(tx, { tournament, shape, plan, startsAt, gm, random })
    if (plan.state !== 'finalised') continue
    const places = rankEntries(matches, shape, entries)
    for (const [entry, place] of places)
      await tx.updateTable('tournament_entries').set({ place }).where('entry', '=', entry).execute()
    await finalise(tx, { tournament, name: plan.name, places, at: new Date(startsAt.getTime() + 2 * DAY_MS), gm })
  }
}

/** Strong characters, one of a player, strongest first. */
async function selectContenders(tx: Db, players: readonly number[]) {
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
  const seen = new Set<number>()
  return rows.filter(({ user_num }) => !seen.has(user_num) && seen.add(user_num))
}

type When = { startsAt: Date; now: Date; gm: number }

async function insertTournament(tx: Db, plan: Plan, { startsAt, now, gm }: When): Promise<number> {
  const { name, kind, format, third_place, max_entries, body: about } = plan
  const hoursBefore = (hours: number) => before(startsAt, hours * HOUR_MS)
  const opens = new Date(Math.min(hoursBefore(9 * 24).getTime(), now.getTime() - DAY_MS))
  const { tournament } = await tx
    .insertInto('tournaments')
    .values({
      name,
      kind,
      format,
      third_place,
      max_entries,
      about,
      level_from: 50,
      registration_from: opens,
      registration_until: hoursBefore(3),
      checkin_from: hoursBefore(2),
      checkin_until: hoursBefore(0.5),
      starts_at: startsAt,
      state: plan.state === 'finalised' ? 'drawn' : plan.state,
      created_by: gm,
      created_at: opens,
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

type Entering = { tournament: number; there: Contender[]; startsAt: Date; now: Date; isDrawn: boolean }

/** @returns the entries, best seed first */
async function insertEntries(tx: Db, plan: Plan, entering: Entering): Promise<number[]> {
  const { tournament, there, startsAt, now, isDrawn } = entering
  const latest = new Date(Math.min(now.getTime(), startsAt.getTime() - DAY_MS))
  const rows = there.map((contender, index) => ({
    ...contender,
    tournament,
    club: plan.clubs[index] ?? null,
    registered_at: before(latest, (index + 1) * 47 * MINUTE_MS),
    checked_in_at: isDrawn ? before(startsAt, HOUR_MS) : null,
    seed: isDrawn ? index + 1 : null,
  }))
  const inserted = await tx.insertInto('tournament_entries').values(rows).returning('entry').execute()
  return inserted.map(({ entry }) => entry)
}

type Playing = { tournament: number; shape: Shape; plan: Plan; startsAt: Date; gm: number; random: Random }

/** Plays rounds one evening after the other; of the last one only the first matches, if it is not to be played whole. */
async function play(tx: Db, { tournament, shape, plan, startsAt, gm, random }: Playing) {
  const results = new Map<string, Result>()
  const at = new Map<string, Date>()
  let matches = (await computeBracket(tx, { tournament, shape, results })).matches
  for (let round = 0; matches.some(({ state }) => state === 'ready') && round < plan.rounds; round++) {
    const ready = matches.filter(({ state }) => state === 'ready')
    const played = round + 1 === plan.rounds && plan.last_round !== undefined ? ready.slice(0, plan.last_round) : ready
    for (const [nth, match] of played.entries()) {
      const isUpset = random() < 0.22
      const isFirst = Number(match.entry1) < Number(match.entry2) !== isUpset
      const close = random() < 0.4 ? 1 : 0
      const isWalkover = round === 0 && nth === 3
      results.set(toPositionKey(match), {
        entry1: match.entry1,
        entry2: match.entry2,
        outcome: isWalkover ? (isFirst ? 'walkover1' : 'walkover2') : 'played',
        score1: isWalkover ? null : isFirst ? 2 : close,
        score2: isWalkover ? null : isFirst ? close : 2,
      })
      at.set(toPositionKey(match), new Date(startsAt.getTime() + (round * 40 + nth * 4) * 60_000))
    }
    matches = (await computeBracket(tx, { tournament, shape, results })).matches
  }
  const last = Math.max(startsAt.getTime(), ...[...at.values()].map((moment) => moment.getTime()))
  const rounds = Math.max(...matches.map(({ round }) => round))
  const getRound = ({ grp, round }: { grp: number; round: number }) =>
    plan.format === 'single' && grp === 2 ? rounds : round
  const rows = matches.map((match) => ({
    ...match,
    tournament,
    result_by: match.outcome === null ? null : gm,
    result_at: match.outcome === null ? null : (at.get(toPositionKey(match)) ?? startsAt),
    starts_at: match.state === 'bye' ? null : before(startsAt, (1 - getRound(match)) * DAY_MS),
  }))
  await tx.insertInto('tournament_matches').values(rows).execute()
  await tx
    .updateTable('tournaments')
    .set({ last_result_at: new Date(last), last_result_by: gm })
    .where('tournament', '=', tournament)
    .execute()
  return matches
}

type Finalising = { tournament: number; name: string; places: Map<number, number>; at: Date; gm: number }

/** Makes the places final, by another operator than gm, sends the prizes, and lets the winner claim theirs. */
async function finalise(tx: Db, { tournament, name, places, at, gm }: Finalising): Promise<void> {
  const { user_num: other } = await tx
    .selectFrom('accounts')
    .where('user_type', '>=', ADMIN_USER_TYPE)
    .where('user_num', '<>', gm)
    .select('user_num')
    .orderBy('user_num')
    .limit(1)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('tournaments')
    .set({ state: 'finalised', finalised_at: at, finalised_by: other })
    .where('tournament', '=', tournament)
    .execute()
  const holders = findHolders(await selectOffers(tx, tournament), await selectEntries(tx, tournament, at), places)
  await payPrizes(tx, holders, { tournament, name, by: other, now: at }, async () => {})
  const first = await tx
    .selectFrom('tournament_prizes as p')
    .innerJoin('letter_gifts as g', 'g.letter', 'p.letter')
    .where('p.tournament', '=', tournament)
    .where('p.place', '=', 1)
    .where('g.currency', '=', 'r_coin')
    .select(['p.letter', 'p.user_num', 'g.value'])
    .executeTakeFirst()
  if (first === undefined) return
  const { letter, user_num, value } = first
  const now = new Date(at.getTime() + HOUR_MS)
  const reference = `letter ${letter}`
  const gift = { currency: 'r_coin', delta: value, reason: 'gift', reference, actor: other, now } as const
  const { entry } = await bookMoney(tx, user_num, gift)
  await tx.insertInto('gift_claims').values({ letter, user_num, value, claimed_at: now, ledger_entry: entry }).execute()
  await markLetter(tx, { userNum: user_num, letter, column: 'read_at', now })
}
