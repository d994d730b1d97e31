import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { manilaDay, startOfDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { markLetter } from '#server/features/mailbox/letters.ts'
import { playBracket, type Result } from '#server/features/tournaments/bracket.ts'
import { keyOf } from '#server/features/tournaments/bracket-storage.ts'
import { holdersOf, payPrizes } from '#server/features/tournaments/prizes.ts'
import { selectEntries, selectOffers } from '#server/features/tournaments/queries.ts'
import { placesOf, type Shape } from '#server/features/tournaments/standings.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import { type DemoTournament, tournaments } from './content/tournaments.ts'
import { seededRandom } from './random.ts'

const SEED = 20_261_122

type World = { now: Date; gm: number; players: readonly number[] }
type Contender = Awaited<ReturnType<typeof selectContenders>>[number]

/** Inserts tournaments: one in its second round, one of players and one of clubs that can be registered for, one with its prizes sent. */
export async function insertTournaments(tx: Db, { now, gm, players }: World): Promise<void> {
  const random = seededRandom(SEED)
  const contenders = await selectContenders(tx, players)
  const today = startOfDay(manilaDay(now)).getTime()
  for (const plan of tournaments) {
    const startsAt = new Date(today + plan.startsInDays * DAY_MS + plan.hour * HOUR_MS)
    const there = contenders.slice(plan.from, plan.from + plan.entries)
    const tournament = await insertTournament(tx, plan, { startsAt, now, gm })
    const isDrawn = plan.state === 'drawn' || plan.state === 'finalised'
    const entries = await insertEntries(tx, plan, { tournament, there, startsAt, now, isDrawn })
    if (!isDrawn) continue
    const shape: Shape = { format: plan.format, third_place: plan.thirdPlace, groups: null, advance: null }
    const matches = await play(tx, { tournament, shape, plan, startsAt, gm, random })
    if (plan.state !== 'finalised') continue
    const places = placesOf(matches, shape, entries)
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

async function insertTournament(tx: Db, plan: DemoTournament, { startsAt, now, gm }: When): Promise<number> {
  const before = (hours: number) => new Date(startsAt.getTime() - hours * HOUR_MS)
  const opens = new Date(Math.min(before(9 * 24).getTime(), now.getTime() - DAY_MS))
  const { tournament } = await tx
    .insertInto('tournaments')
    .values({
      name: plan.name,
      about: plan.about,
      kind: plan.kind,
      format: plan.format,
      third_place: plan.thirdPlace,
      level_from: 50,
      max_entries: plan.maxEntries,
      registration_from: opens,
      registration_until: before(3),
      checkin_from: before(2),
      checkin_until: before(0.5),
      starts_at: startsAt,
      state: plan.state === 'finalised' ? 'drawn' : plan.state,
      created_by: gm,
      created_at: opens,
    })
    .returning('tournament')
    .executeTakeFirstOrThrow()
  const items = await tx
    .selectFrom('shop_items')
    .where('visible', '=', true)
    .select('product_num')
    .orderBy('product_num')
    .limit(1)
    .execute()
  await tx
    .insertInto('tournament_offers')
    .values(
      plan.prizes.map(({ currency, amount }, index) => ({
        tournament,
        place: index + 1,
        currency: currency === 'item' ? null : currency,
        amount: currency === 'item' ? null : amount,
        product_num: currency === 'item' ? (items[0]?.product_num ?? null) : null,
        quantity: currency === 'item' ? amount : null,
      })),
    )
    .execute()
  return tournament
}

type Entering = { tournament: number; there: Contender[]; startsAt: Date; now: Date; isDrawn: boolean }

/** @returns the entries, best seed first */
async function insertEntries(tx: Db, plan: DemoTournament, entering: Entering): Promise<number[]> {
  const { tournament, there, startsAt, now, isDrawn } = entering
  const rows = await tx
    .insertInto('tournament_entries')
    .values(
      there.map((contender, index) => ({
        ...contender,
        tournament,
        club: plan.clubs?.[index] ?? null,
        registered_at: new Date(Math.min(now.getTime(), startsAt.getTime() - DAY_MS) - (index + 1) * 47 * MINUTE_MS),
        checked_in_at: isDrawn ? new Date(startsAt.getTime() - HOUR_MS) : null,
        seed: isDrawn ? index + 1 : null,
      })),
    )
    .returning('entry')
    .execute()
  return rows.map(({ entry }) => entry)
}

type Playing = {
  tournament: number
  shape: Shape
  plan: DemoTournament
  startsAt: Date
  gm: number
  random: () => number
}

/** Plays rounds one evening after the other; of the last one only the first matches, if it is not to be played whole. */
async function play(tx: Db, { tournament, shape, plan, startsAt, gm, random }: Playing) {
  const results = new Map<string, Result>()
  const at = new Map<string, Date>()
  let matches = (await playBracket(tx, { tournament, shape, results })).matches
  for (let round = 0; matches.some(({ state }) => state === 'ready') && round < plan.rounds; round++) {
    const ready = matches.filter(({ state }) => state === 'ready')
    const played = round + 1 === plan.rounds && plan.lastRound !== null ? ready.slice(0, plan.lastRound) : ready
    for (const [nth, match] of played.entries()) {
      const isUpset = random() < 0.22
      const isFirst = Number(match.entry1) < Number(match.entry2) !== isUpset
      const close = random() < 0.4 ? 1 : 0
      const isWalkover = round === 0 && nth === 3
      results.set(keyOf(match), {
        entry1: match.entry1,
        entry2: match.entry2,
        outcome: isWalkover ? (isFirst ? 'walkover1' : 'walkover2') : 'played',
        score1: isWalkover ? null : isFirst ? 2 : close,
        score2: isWalkover ? null : isFirst ? close : 2,
      })
      at.set(keyOf(match), new Date(startsAt.getTime() + (round * 40 + nth * 4) * 60_000))
    }
    matches = (await playBracket(tx, { tournament, shape, results })).matches
  }
  const last = Math.max(startsAt.getTime(), ...[...at.values()].map((moment) => moment.getTime()))
  const rounds = Math.max(...matches.map(({ round }) => round))
  const roundOf = ({ grp, round }: { grp: number; round: number }) =>
    plan.format === 'single' && grp === 2 ? rounds : round
  await tx
    .insertInto('tournament_matches')
    .values(
      matches.map((match) => ({
        ...match,
        tournament,
        result_by: match.outcome === null ? null : gm,
        result_at: match.outcome === null ? null : (at.get(keyOf(match)) ?? startsAt),
        starts_at: match.state === 'bye' ? null : new Date(startsAt.getTime() + (roundOf(match) - 1) * DAY_MS),
      })),
    )
    .execute()
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
  const holders = holdersOf(await selectOffers(tx, tournament), await selectEntries(tx, tournament, at), places)
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
  const { entry } = await bookMoney(tx, user_num, {
    currency: 'r_coin',
    delta: value,
    reason: 'gift',
    reference: `letter ${letter}`,
    actor: other,
    now,
  })
  await tx.insertInto('gift_claims').values({ letter, user_num, value, claimed_at: now, ledger_entry: entry }).execute()
  await markLetter(tx, { userNum: user_num, letter, as: 'read_at', now })
}
