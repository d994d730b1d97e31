import { type Selectable, sql } from 'kysely'
import type { CallAnswer } from '#contract/endpoint.ts'
import { getOccurrences } from '#contract/events.ts'
import {
  calculatePoints,
  type getLeague,
  LEAGUE_CLUBS_SHOWN_MAX,
  LEAGUE_OBJECTION_PERIOD_MS,
  LEAGUE_WARS_SHOWN_MAX,
  LEAGUES_SHOWN_MAX,
  type LeaguePhase,
} from '#contract/leagues.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import type { Offer } from '#server/features/mailbox/prizes.ts'
import { createClubLookup } from '#server/features/rankings/clubs.ts'

export type LeagueRow = Selectable<Schema['leagues']>
type PointRules = Pick<LeagueRow, 'counts' | 'points'>
type LeagueDeps = Pick<Deps, 'db' | 'now' | 'cache'>

/** The maximum number of times of one event in a league, enough for every day of a year. */
const TIMES_MAX = 400

/** Returns the state of a league at a time. */
export function getLeaguePhase({ state, starts_at, ends_at }: LeagueRow, now: Date): LeaguePhase {
  if (state !== 'announced') return state
  return now < starts_at ? 'coming' : now < ends_at ? 'running' : 'decided'
}

/** Returns the time from which a result is final, or null for a result that is not confirmed. */
export const getFinalTime = ({ entered_at, confirmed_at }: { entered_at: Date; confirmed_at: Date | null }) =>
  confirmed_at === null
    ? null
    : new Date(Math.max(confirmed_at.getTime(), entered_at.getTime() + LEAGUE_OBJECTION_PERIOD_MS))

export const isFinal = (war: { entered_at: Date; confirmed_at: Date | null }, now: Date): boolean => {
  const finalTime = getFinalTime(war)
  return finalTime !== null && finalTime <= now
}

/** A club's row of the table. */
export type LeagueStanding = {
  rank: number
  name: string
  /** The club's number in the game; null if unknown. */
  club: number | null
  wars: number
  won: number
  adjusted: number
  points: number
}

type ClubTally = { league: number; club: number | null; name: string; latest: Date }

/** Computes the tables of leagues, the best club first. */
export async function readStandings(
  db: Db,
  leagues: readonly (PointRules & { league: number })[],
): Promise<Map<number, LeagueStanding[]>> {
  if (leagues.length === 0) return new Map()
  const numbers = sql.join(leagues.map(({ league }) => league))
  const { rows: scores } = await sql<ClubTally & { value: number; is_won: boolean; wars: number }>`
    with counted as (
      select w.league, w.starts_at, s.club, s.name, s.value,
        s.value = case l.counts when 'areas' then max(s.value) over (partition by s.war)
          else min(s.value) over (partition by s.war) end as is_won
      from league_scores s join league_wars w using (war) join leagues l using (league)
      where w.league in (${numbers}))
    select league, club, name, value, is_won, count(*)::int as wars, max(starts_at) as latest
    from counted group by league, club, name, value, is_won`.execute(db)
  const { rows: adjustments } = await sql<ClubTally & { points: number }>`
    select league, club, name, sum(points)::int as points, max(made_at) as latest
    from league_adjustments where league in (${numbers}) group by league, club, name`.execute(db)
  const selectRows = <Row extends ClubTally>(rows: readonly Row[], league: number) =>
    rows.filter((row) => row.league === league)
  return new Map(
    leagues.map((league) => {
      const warParts = selectRows(scores, league.league).map(({ value, wars, is_won, ...row }) => {
        return { ...row, wars, won: is_won ? wars : 0, adjusted: 0, points: wars * calculatePoints(league, value) }
      })
      const adjustedParts = selectRows(adjustments, league.league).map(({ points, ...row }) => {
        return { ...row, wars: 0, won: 0, adjusted: points, points }
      })
      return [league.league, rankClubs([...warParts, ...adjustedParts])]
    }),
  )
}

type StandingPart = ClubTally & Pick<LeagueStanding, 'wars' | 'won' | 'adjusted' | 'points'>

/** Sums the parts of each club and ranks the clubs. Parts without a number belong to the club with the same name. */
function rankClubs(parts: readonly StandingPart[]): LeagueStanding[] {
  const clubNumbers = new Map(parts.flatMap(({ club, name }) => (club === null ? [] : [[name.toLowerCase(), club]])))
  const clubs = new Map<string, Omit<LeagueStanding, 'rank'> & { latest: Date }>()
  for (const standingPart of parts) {
    const club = standingPart.club ?? clubNumbers.get(standingPart.name.toLowerCase()) ?? null
    const key = club === null ? `name ${standingPart.name.toLowerCase()}` : `club ${club}`
    const tally = clubs.get(key) ?? { ...standingPart, club, wars: 0, won: 0, adjusted: 0, points: 0 }
    for (const field of ['wars', 'won', 'adjusted', 'points'] as const) tally[field] += standingPart[field]
    if (standingPart.latest > tally.latest)
      Object.assign(tally, { name: standingPart.name, latest: standingPart.latest })
    clubs.set(key, tally)
  }
  const sortedClubs = [...clubs.values()].sort(
    (a, b) => b.points - a.points || b.won - a.won || (a.name < b.name ? -1 : 1),
  )
  return sortedClubs.map(({ latest: _, ...row }) => {
    const firstIndex = sortedClubs.findIndex(({ points, won }) => points === row.points && won === row.won)
    const { name, club, wars, won, adjusted, points } = row
    return { rank: firstIndex + 1, name, club, wars, won, adjusted, points }
  })
}

/** A time of an event that counts for a league. */
export type WarTime = { event: number; title: string; starts_at: Date; ends_at: Date }

/** Lists the times of a league's events that begin while it lasts, the earliest first. */
export async function listWarTimes(db: Db, { league, starts_at, ends_at }: LeagueRow): Promise<WarTime[]> {
  const events = await db
    .selectFrom('events as e')
    .innerJoin('league_events as l', 'l.event', 'e.event')
    .where('l.league', '=', league)
    .where('e.cancelled_why', '=', '')
    .selectAll('e')
    .execute()
  const range = { from: starts_at.getTime(), until: ends_at.getTime(), limit: TIMES_MAX }
  return events
    .flatMap((event) =>
      getOccurrences(event, range)
        .filter(({ from }) => from >= range.from)
        .map(({ from, until }) => ({
          event: event.event,
          title: event.title,
          starts_at: new Date(from),
          ends_at: new Date(until),
        })),
    )
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime() || a.event - b.event)
}

/** How many results of a league are read at most. */
const WARS_READ_MAX = 2000

/** How many bonuses and penalties of a league are read at most. */
const ADJUSTMENTS_READ_MAX = 500

/** Selects the results of a league with the clubs' scores, the latest war first. */
export async function selectWars(
  db: Db,
  { league, counts, points }: PointRules & { league: number },
  limit = WARS_READ_MAX,
) {
  const wars = await db
    .selectFrom('league_wars as w')
    .innerJoin('events as e', 'e.event', 'w.event')
    .where('w.league', '=', league)
    .selectAll('w')
    .select(['e.title', 'e.visible', 'e.starts_at as event_from', 'e.ends_at as event_until'])
    .orderBy('w.starts_at', 'desc')
    .orderBy('w.event')
    .limit(limit)
    .execute()
  const scores =
    wars.length === 0
      ? []
      : await db
          .selectFrom('league_scores')
          .where(
            'war',
            'in',
            wars.map(({ war }) => war),
          )
          .selectAll()
          .execute()
  const sign = counts === 'areas' ? -1 : 1
  return wars.map((war) => ({
    ...war,
    scores: scores
      .filter((score) => score.war === war.war)
      .sort((a, b) => sign * (a.value - b.value) || (a.name < b.name ? -1 : 1))
      .map(({ war: _, ...score }) => ({ ...score, points: calculatePoints({ counts, points }, score.value) })),
  }))
}

type FindClub = Awaited<ReturnType<typeof createClubLookup>>

/** Returns the table as players see it. */
const toTable = (rows: readonly LeagueStanding[], findClub: FindClub) =>
  rows.map(({ name, club, ...row }) => ({ ...row, ...findClub(name, club) }))

const toSummary = (row: LeagueRow, table: ReturnType<typeof toTable>, now: Date) => {
  const { league, name, counts, points, starts_at, ends_at } = row
  return { league, name, phase: getLeaguePhase(row, now), counts, points, starts_at, ends_at, table }
}

/** Lists the latest announced and final leagues with the best clubs of their tables, announced leagues first. */
export async function listVisibleLeagues(deps: LeagueDeps) {
  const rows = await deps.db
    .selectFrom('leagues')
    .where('state', 'in', ['announced', 'finalised'])
    .selectAll()
    .orderBy((eb) => eb('state', '=', 'announced'), 'desc')
    .orderBy('starts_at', 'desc')
    .orderBy('league', 'desc')
    .limit(LEAGUES_SHOWN_MAX)
    .execute()
  const [standings, findClub] = await Promise.all([readStandings(deps.db, rows), createClubLookup(deps)])
  return rows.map((row) =>
    toSummary(row, toTable((standings.get(row.league) ?? []).slice(0, LEAGUE_CLUBS_SHOWN_MAX), findClub), deps.now()),
  )
}

/** Reads a league for its page. Returns undefined for a draft or an unknown league. */
export async function findVisibleLeague(
  deps: LeagueDeps,
  league: number,
): Promise<CallAnswer<typeof getLeague> | undefined> {
  const { db } = deps
  const now = deps.now()
  const row = await findLeague(db, league)
  if (row === undefined || row.state === 'draft') return undefined
  const [standings, findClub, wars, times, events, adjustments, offers] = await Promise.all([
    readStandings(db, [row]),
    createClubLookup(deps),
    selectWars(db, row, LEAGUE_WARS_SHOWN_MAX),
    listWarTimes(db, row),
    selectLeagueEvents(db, league),
    selectAdjustments(db, league),
    selectLeagueOffers(db, league),
  ])
  return {
    ...toSummary(row, toTable(standings.get(league) ?? [], findClub), now),
    about: row.about,
    cancelled_why: row.cancelled_why,
    offers,
    prizes_to: row.prizes_to,
    events: events.map(({ event, title, visible }) => ({ event: visible ? event : null, title })),
    next_at: row.state === 'announced' ? (times.find(({ starts_at }) => starts_at > now)?.starts_at ?? null) : null,
    wars: wars.map(({ event, title, visible, starts_at, scores, ...war }) => ({
      event: visible ? event : null,
      title,
      starts_at,
      is_final: isFinal(war, now),
      scores: scores.map(({ name, club, ...score }) => ({ ...score, ...findClub(name, club) })),
    })),
    adjustments: adjustments.map(({ name, club, points, reason, made_at }) => ({
      ...findClub(name, club),
      points,
      reason,
      made_at,
    })),
  }
}

export const findLeague = (db: Db, league: number): Promise<LeagueRow | undefined> =>
  db.selectFrom('leagues').where('league', '=', league).selectAll().executeTakeFirst()

/** Locks and returns a league. The lock serialises its results and changes. */
export const lockLeague = (tx: Db, league: number): Promise<LeagueRow | undefined> =>
  tx.selectFrom('leagues').where('league', '=', league).selectAll().forUpdate().executeTakeFirst()

export const selectLeagueEvents = (db: Db, league: number) =>
  db
    .selectFrom('league_events as l')
    .innerJoin('events as e', 'e.event', 'l.event')
    .where('l.league', '=', league)
    .select(['e.event', 'e.title', 'e.visible'])
    .orderBy('e.event')
    .execute()

/** Selects the prize of each place of a league, best place first. */
export const selectLeagueOffers = (db: Db, league: number): Promise<Offer[]> =>
  db
    .selectFrom('league_offers as o')
    .leftJoin('shop_items as i', 'i.product_num', 'o.product_num')
    .where('o.league', '=', league)
    .select(['o.place', 'o.currency', 'o.amount', 'o.product_num', 'o.quantity', 'i.item_name'])
    .orderBy('o.place')
    .execute()

export const selectAdjustments = (db: Db, league: number) =>
  db
    .selectFrom('league_adjustments as j')
    .innerJoin('accounts as a', 'a.user_num', 'j.made_by')
    .where('j.league', '=', league)
    .selectAll('j')
    .select('a.user_id as made_by_id')
    .orderBy('j.adjustment', 'desc')
    .limit(ADJUSTMENTS_READ_MAX)
    .execute()

/** Finds a club by any spelling of its name. */
export const findGameClub = (db: Db, name: string) =>
  db
    .selectFrom('clubs')
    .where((eb) => eb(eb.fn('lower', ['name']), '=', name.toLowerCase()))
    .select(['club', 'name'])
    .orderBy('wins', 'desc')
    .orderBy('club')
    .limit(1)
    .executeTakeFirst()

type WarResult = { league: number; event: number; starts_at: Date; by: number | null; now: Date }
type ClubScore = { name: string; value: number }

/** Stores the result of a war or replaces it, which removes its confirmation. The caller must have locked the league. */
export async function writeWar(
  tx: Db,
  { league, event, starts_at, by: author, now }: WarResult,
  scores: readonly ClubScore[],
) {
  const values = { entered_at: now, entered_by: author, confirmed_at: null, confirmed_by: null }
  const { war } = await tx
    .insertInto('league_wars')
    .values({ league, event, starts_at, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['league', 'event', 'starts_at'])
        .doUpdateSet((eb) => ({ ...values, version: eb('league_wars.version', '+', 1) })),
    )
    .returning('war')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('league_scores').where('war', '=', war).execute()
  for (const { name, value } of scores) {
    const club = await findGameClub(tx, name)
    await tx
      .insertInto('league_scores')
      .values({ war, name: club?.name ?? name, club: club?.club ?? null, value })
      .execute()
  }
  await recordChange(tx, league, { by: author, now })
  return war
}

/** Stores the final table of a league. */
export async function storePlaces(tx: Db, league: number, table: readonly LeagueStanding[]): Promise<void> {
  const rows = table.map(({ rank, name, club, points }) => ({ league, name, club, place: rank, points }))
  if (rows.length > 0) await tx.insertInto('league_places').values(rows).execute()
}

/** Records that the table of a league has changed. */
export const recordChange = (tx: Db, league: number, { by: author, now }: { by: number | null; now: Date }) =>
  tx
    .updateTable('leagues')
    .set((eb) => ({ last_change_at: now, last_change_by: author, version: eb('version', '+', 1) }))
    .where('league', '=', league)
    .execute()

/** Counts the areas that each club held at a moment, by the recorded changes of holders. */
export async function countHolders(db: Db, moment: Date): Promise<ClubScore[]> {
  const { rows } = await sql<ClubScore>`
    select held.club as name, count(*)::int as value
    from club_areas a cross join lateral (
      -- An area without a recorded change has always had its present holder.
      select case when exists (select from area_holders h where h.area = a.id) then (
        select h.club from area_holders h where h.area = a.id and h.since <= ${moment}::timestamptz
        order by h.since desc, h.change desc limit 1) else a.club end as club) held
    where a.visible and held.club is not null group by held.club`.execute(db)
  return rows
}
