import type { CallAnswer } from '#contract/endpoint.ts'
import { getNextOccurrence } from '#contract/events.ts'
import { CHANGES_SHOWN_MAX, type getWars, RESULTS_SHOWN_MAX } from '#contract/wars.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { endsAfter } from '#server/features/events/queries.ts'
import { createClubLookup, selectAlliance } from '#server/features/rankings/clubs.ts'
import { listVisibleLeagues } from './leagues.ts'

/** The maximum number of club wars among which the next war is searched. */
const WARS_MAX = 50

type WarDeps = Pick<Deps, 'db' | 'now' | 'cache'>

/** Reads the page of the wars (WAR-1). */
export async function readWars(deps: WarDeps): Promise<CallAnswer<typeof getWars>> {
  const { db, now } = deps
  const [findClub, next, areas, changes, results, leagues] = await Promise.all([
    createClubLookup(deps),
    findNextWar(db, now()),
    db
      .selectFrom('club_areas')
      .where('visible', '=', true)
      .select(['id', 'name', 'club', 'tax_percent', 'picture as img_url', 'held_since'])
      .orderBy('position')
      .orderBy('id')
      .limit(100)
      .execute(),
    selectChanges(db),
    selectWarResults(db),
    listVisibleLeagues(deps),
  ])
  const leaders = await findAllianceLeaders(
    deps,
    areas.map(({ club }) => findClub(club).GuNum),
  )
  return {
    next,
    areas: areas.map(({ club, ...area }) => {
      const holder = findClub(club)
      return { ...area, ...holder, alliance: leaders.get(holder.GuNum) ?? null }
    }),
    changes: changes.map(({ club, ...change }) => ({ ...change, ...findClub(club) })),
    leagues,
    results,
  }
}

/** Finds the leader of each club's alliance, for the clubs that have one (CLUB-6). */
async function findAllianceLeaders(deps: WarDeps, clubs: readonly (number | null)[]) {
  const leaderEntries = [...new Set(clubs)].map(async (club) => {
    const alliance = club === null ? [] : await selectAlliance(deps, club)
    const leader = alliance.find(({ leads }) => leads)
    return [club, leader && { GuNum: leader.GuNum, GuName: leader.GuName }] as const
  })
  return new Map(await Promise.all(leaderEntries))
}

async function findNextWar(db: Db, now: Date) {
  const rows = await db
    .selectFrom('events')
    .where('club_war', '=', true)
    .where('visible', '=', true)
    .where('cancelled_why', '=', '')
    .where(endsAfter(now))
    .selectAll()
    .orderBy('starts_at')
    .limit(WARS_MAX)
    .execute()
  const nextTimes = rows.flatMap((row) => {
    const next = getNextOccurrence(row, now.getTime())
    return next === undefined ? [] : [{ ...row, starts_at: new Date(next.from), ends_at: new Date(next.until) }]
  })
  return nextTimes.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime())[0] ?? null
}

/** Selects the latest changes of holders of visible areas. */
const selectChanges = (db: Db) =>
  db
    .selectFrom('area_holders as h')
    .innerJoin('club_areas as a', 'a.id', 'h.area')
    .where('a.visible', '=', true)
    .select(['a.name as area', 'h.club', 'h.since'])
    .orderBy('h.since', 'desc')
    .orderBy('h.change', 'desc')
    .limit(CHANGES_SHOWN_MAX)
    .execute()

const selectWarResults = (db: Db) =>
  db
    .selectFrom('event_results as r')
    .innerJoin('events as e', 'e.event', 'r.event')
    .where('e.club_war', '=', true)
    .where('e.visible', '=', true)
    .select(['e.event', 'e.title', 'r.starts_at', 'r.result'])
    .orderBy('r.starts_at', 'desc')
    .orderBy('e.event')
    .limit(RESULTS_SHOWN_MAX)
    .execute()
