import { sql } from 'kysely'
import {
  CLUB_ALLIES_MAX,
  CLUB_HOLDINGS_MAX,
  CLUB_LEAGUES_MAX,
  CLUB_MEMBERS_MAX,
  getClub,
  type getClubRanking,
  RANKED_CLUBS_MAX,
} from '#contract/clubs.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { BOARDS } from '#contract/game.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { readBoardRanks } from './characters.ts'
import { isRanked, selectEmptyBoards } from './queries.ts'

type Ranking = CallAnswer<typeof getClubRanking>['data']
type ClubDeps = Pick<Deps, 'db' | 'now' | 'cache'>

/** Selects the ranked characters `c` of a club `g`. */
const selectMembers = (now: Date) =>
  sql`characters c left join accounts a on a.user_num = c.user_num where c.club = g.club and ${isRanked(now)}`

/** The address of the mark of a club `g`, which changes with the mark. */
const MARK_ADDRESS = sql`(
  select '/club/' || k.club || '.png?v=' || left(md5(k.picture), 8) from club_marks k
  where k.club = g.club and k.picture is not null and k.hidden_at is null)`

/** The columns of a club `g` in responses. `m` comes from `joinMembers`. */
const CLUB_COLUMNS = sql`g.club as "GuNum", g.name as "GuName", ${MARK_ADDRESS} as mark, m.members, m.school, g.wins, g.losses,
  g.draws, m.leader`
const joinMembers = (now: Date) => sql`
  cross join lateral (
    select count(*)::int as members, mode() within group (order by c.cha_school) as school,
      max(json_build_object('ChaNum', c.cha_num, 'ChaName', c.cha_name)::text) filter (where c.cha_num = g.leader)::json as leader
    from ${selectMembers(now)}) m`

/**
 * Returns the club ranking (CLUB-3) without clubs that have no ranked character. It is cached, because each club's page
 * shows its rank.
 */
export async function readClubRanking({ db, now, cache }: ClubDeps): Promise<Ranking> {
  return (await cache.getValue('club ranking', async () => {
    const { rows } = await sql<Ranking[number]>`
      with first as materialized (
        select g.* from clubs g where exists (select from ${selectMembers(now())})
        order by g.wins desc, g.draws desc, g.losses, g.club limit ${RANKED_CLUBS_MAX})
      select ${CLUB_COLUMNS}, array(
        select name from club_areas r where r.visible and r.club = g.name order by position, id) as areas
      from first g ${joinMembers(now())}
      order by g.wins desc, g.draws desc, g.losses, g.club`.execute(db)
    return rows.map((row) => ({ ...row, GuNum: Number(row.GuNum) }))
  })) as Ranking
}

/**
 * Creates a function that returns the number, the school and the mark of a ranked club. It finds the club by its number in
 * the game, which stays when the club changes its name, or else by its name.
 */
export async function createClubLookup(deps: ClubDeps) {
  const ranking = await readClubRanking(deps)
  const clubsByName = new Map(ranking.map((club) => [club.GuName, club]))
  const clubsByNumber = new Map(ranking.map((club) => [club.GuNum, club]))
  return (name: string | null, number: number | null = null) => {
    const clubRow =
      name === null ? undefined : ((number === null ? undefined : clubsByNumber.get(number)) ?? clubsByName.get(name))
    return { club: name, GuNum: clubRow?.GuNum ?? null, school: clubRow?.school ?? null, mark: clubRow?.mark ?? null }
  }
}

/**
 * Returns a club with its members.
 *
 * @throws Refusal 404 for an unknown club, or one without ranked characters
 */
export async function readClub(deps: ClubDeps, club: number): Promise<CallAnswer<typeof getClub>> {
  const { db, now } = deps
  const { rows } = await sql<Omit<Ranking[number], 'areas'> & { founded_at: Date | null }>`
    select ${CLUB_COLUMNS}, g.founded_at from clubs g ${joinMembers(now())}
    where g.club = ${club} and m.members > 0`.execute(db)
  const [clubRow] = rows
  if (clubRow === undefined) throw refuse(getClub, 'clubNotFound')
  const ranking = await readClubRanking(deps)
  const index = ranking.findIndex(({ GuNum }) => GuNum === club)
  return {
    ...clubRow,
    GuNum: club,
    rank: index < 0 ? null : index + 1,
    areas: await db
      .selectFrom('club_areas')
      .where('visible', '=', true)
      .where('club', '=', clubRow.GuName)
      .select(['id', 'name', 'tax_percent', 'picture as img_url'])
      .orderBy('position')
      .orderBy('id')
      .execute(),
    held: await selectHeldAreas(db, clubRow.GuName),
    alliance: await selectAlliance(deps, club),
    leagues: await selectClubLeagues(db, club),
    roll: await readMembers(deps, club),
  }
}

/** Selects the clubs with a page in a club's alliance, including the club; none if it would be the only one (CLUB-6). */
export async function selectAlliance(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  club: number,
): Promise<CallAnswer<typeof getClub>['alliance']> {
  const { rows } = await sql<CallAnswer<typeof getClub>['alliance'][number]>`
    select g.club as "GuNum", g.name as "GuName", ${MARK_ADDRESS} as mark, m.school, g.club = o.leader as leads
    from club_alliances o join club_alliances x on x.leader = o.leader join clubs g on g.club = x.club ${joinMembers(now())}
    where o.club = ${club} and m.members > 0
    order by leads desc, g.wins desc, g.draws desc, g.losses, g.club limit ${CLUB_ALLIES_MAX}`.execute(db)
  return rows.length < 2 ? [] : rows.map((row) => ({ ...row, GuNum: Number(row.GuNum) }))
}

/** Selects the latest periods in which a club held a visible area. */
async function selectHeldAreas(db: Db, club: string) {
  const { rows } = await sql<{ name: string; since: Date; until: Date | null }>`
    select a.name, h.since, (
      select n.since from area_holders n where n.area = h.area and (n.since, n.change) > (h.since, h.change)
      order by n.since, n.change limit 1) as until
    from area_holders h join club_areas a on a.id = h.area and a.visible
    where h.club = ${club} order by h.since desc, h.change desc limit ${CLUB_HOLDINGS_MAX}`.execute(db)
  return rows
}

/** Selects the places of a club in the latest final leagues. */
const selectClubLeagues = (db: Db, club: number) =>
  db
    .selectFrom('league_places as p')
    .innerJoin('leagues as l', 'l.league', 'p.league')
    .where('p.club', '=', club)
    .where('l.finalised_at', 'is not', null)
    .select(['l.league', 'l.name', 'p.place', 'p.points'])
    .select(sql<Date>`l.finalised_at`.as('final_at'))
    .orderBy('l.finalised_at', 'desc')
    .orderBy('l.league', 'desc')
    .limit(CLUB_LEAGUES_MAX)
    .execute()

async function readMembers(deps: ClubDeps, club: number) {
  const { db, now } = deps
  const empty = await selectEmptyBoards(db)
  const boards = await Promise.all(
    BOARDS.filter((board) => !empty.includes(board)).map(async (board) => ({
      board,
      places: await readBoardRanks(deps, board, { span: 'month' }),
    })),
  )
  const members = await db
    .selectFrom('characters as c')
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where('c.club', '=', club)
    .where(isRanked(now()))
    .select([
      'c.cha_num as ChaNum',
      'c.cha_name as ChaName',
      'c.cha_level as ChaLevel',
      'c.cha_class as ChaClass',
      'c.cha_school as ChaSchool',
    ])
    .orderBy('c.cha_level', 'desc')
    .orderBy('c.cha_num')
    .limit(CLUB_MEMBERS_MAX)
    .execute()
  return members.map((member) => {
    const [best] = boards
      .flatMap(({ board, places }) => {
        const place = places[member.ChaNum]
        return place === undefined || place.value <= 0 ? [] : [{ board, rank: place.rank }]
      })
      .sort((a, b) => a.rank - b.rank)
    return { ...member, best: best ?? null }
  })
}

/** Returns whether there are clubs. Without them menus omit the club ranking (CLUB-4). */
export async function hasClubs({ db, cache }: Pick<Deps, 'db' | 'cache'>): Promise<boolean> {
  return (await cache.getValue('has clubs', async () => {
    const club = await db.selectFrom('clubs').select('club').limit(1).executeTakeFirst()
    return club !== undefined
  })) as boolean
}
