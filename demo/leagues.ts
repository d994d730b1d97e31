import { z } from 'zod'
import { list, wholeNumber } from '#content/files.ts'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { getOccurrences } from '#contract/events.ts'
import { LEAGUE_MEASURES } from '#contract/leagues.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getStartOfDay, toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { storeLeagueResults } from '#server/features/wars/area-results.ts'
import { findLeaguePrizes, payLeaguePrizes } from '#server/features/wars/league-prizes.ts'
import { findGameClub, readStandings, storePlaces, writeWar } from '#server/features/wars/leagues.ts'
import { readTexts } from './read.ts'
import { seededRandom, subtractMs, type World } from './world.ts'

const SEED = 20_261_129
const CLUBS = 8

const leagueHead = z.strictObject({
  name: z.string(),
  counts: z.enum(LEAGUE_MEASURES),
  points: list.transform((points) => points.map(Number)),
  /** The number of wars, from the first one, that count in a final league. */
  wars: wholeNumber.optional(),
  /** The number of days for which the league still runs. */
  days: wholeNumber.optional(),
  /** Bonuses and penalties: the club, the points and the reason. */
  adjustments: list.default([]).transform((lines) =>
    lines.map((line) => {
      const [name = '', points, reason = ''] = line.split(': ')
      return { name, points: Number(points), reason }
    }),
  ),
  /** The prizes by rank: for each member of the club, or in a final league for its leader. */
  prizes: list.default([]).transform((prizes) =>
    prizes.map((prize, nth) => {
      const [amount, currency] = prize.split(' ')
      return { place: nth + 1, amount: Number(amount), currency: z.enum(['r_coin', 'milleage']).parse(currency) }
    }),
  ),
  body: z.string(),
})

/**
 * Inserts leagues of eight clubs: a final one with entered results, and a running one with the results of the areas.
 */
export async function insertLeagues(tx: Db, { now, gm }: World): Promise<void> {
  const event = await tx.selectFrom('events').where('club_war', '=', true).selectAll().executeTakeFirstOrThrow()
  const pastWars = getOccurrences(event, { from: 0, until: now.getTime() }).filter(
    ({ until }) => until <= now.getTime(),
  )
  const [firstWar] = pastWars
  if (firstWar === undefined) return
  const { user_num: otherOperator } = await tx
    .selectFrom('accounts')
    .where('user_type', '>=', ADMIN_USER_TYPE)
    .where('user_num', '<>', gm)
    .select('user_num')
    .orderBy('user_num')
    .limit(1)
    .executeTakeFirstOrThrow()
  const clubs = await tx.selectFrom('clubs').select('name').orderBy('club').limit(CLUBS).execute()
  for (const { body, wars, days = 0, adjustments, prizes, ...head } of readTexts('leagues/*.md', leagueHead)) {
    const countedWars = pastWars.slice(0, wars)
    const end = wars === undefined ? now.getTime() + days * DAY_MS : (countedWars.at(-1)?.until ?? 0)
    const starts_at = getStartOfDay(toManilaDay(firstWar.from))
    const { league } = await tx
      .insertInto('leagues')
      .values({
        ...head,
        about: body,
        prizes_to: wars === undefined ? 'members' : 'leader',
        starts_at,
        ends_at: new Date(getStartOfDay(toManilaDay(end)).getTime() + DAY_MS),
        state: 'announced',
        created_by: gm,
        created_at: subtractMs(starts_at, DAY_MS),
      })
      .returning('league')
      .executeTakeFirstOrThrow()
    await tx.insertInto('league_events').values({ league, event: event.event }).execute()
    if (prizes.length > 0)
      await tx
        .insertInto('league_offers')
        .values(prizes.map((prize) => ({ league, ...prize })))
        .execute()
    await storeLeagueResults(tx, league, now)
    if (head.counts === 'places') {
      const random = seededRandom(SEED)
      for (const { from, until } of countedWars) {
        const result = { league, event: event.event, starts_at: new Date(from), by: gm, now: new Date(until + HOUR_MS) }
        const order = clubs.map(({ name }, nth) => ({ name, strength: nth + random() * CLUBS }))
        order.sort((a, b) => a.strength - b.strength)
        await writeWar(
          tx,
          result,
          order.map(({ name }, nth) => ({ name, value: nth + 1 })),
        )
      }
    }
    for (const { name, points, reason } of adjustments) {
      const club = await findGameClub(tx, name)
      const adjustment = { league, name, club: club?.club ?? null, points, reason }
      await tx
        .insertInto('league_adjustments')
        .values({ ...adjustment, made_at: subtractMs(now, 3 * DAY_MS), made_by: gm })
        .execute()
    }
  }
  await confirmResults(tx, { now, gm, otherOperator })
  const endedLeagues = await tx.selectFrom('leagues').where('ends_at', '<=', now).selectAll().execute()
  for (const row of endedLeagues) {
    const { league, ends_at } = row
    const finalisedAt = new Date(ends_at.getTime() + 2 * DAY_MS)
    await tx
      .updateTable('leagues')
      .set({ state: 'finalised', finalised_at: finalisedAt, finalised_by: otherOperator })
      .where('league', '=', league)
      .execute()
    const table = (await readStandings(tx, [row])).get(league) ?? []
    await storePlaces(tx, league, table)
    const prizes = await findLeaguePrizes(tx, row, table, finalisedAt)
    await payLeaguePrizes(tx, prizes, { row, by: otherOperator, now: finalisedAt }, async () => {})
  }
}

/** Sets the times of the results after their wars. Confirms the entered ones, and those of areas except the latest. */
async function confirmResults(
  tx: Db,
  { now, gm, otherOperator }: { now: Date; gm: number; otherOperator: number },
): Promise<void> {
  const wars = await tx.selectFrom('league_wars').select(['war', 'starts_at', 'entered_by']).execute()
  for (const { war, starts_at, entered_by } of wars) {
    const entered_at = new Date(starts_at.getTime() + 2 * HOUR_MS)
    const confirmed_at = new Date(starts_at.getTime() + 18 * HOUR_MS)
    const isConfirmed = entered_by !== null || confirmed_at <= subtractMs(now, DAY_MS)
    await tx
      .updateTable('league_wars')
      .set({ entered_at, ...(isConfirmed && { confirmed_at, confirmed_by: entered_by === null ? gm : otherOperator }) })
      .where('war', '=', war)
      .execute()
  }
}
