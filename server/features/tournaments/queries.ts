import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { TournamentPhase } from '#contract/tournaments.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { isHidden, isRanked } from '#server/features/rankings/queries.ts'
import { selectMatches } from './bracket.ts'
import { computeGroupTables, isDecided } from './standings.ts'

export type TournamentRow = Selectable<Schema['tournaments']>

const LIST_PAGE_SIZE = 20

/** Returns the phase of a tournament. @param areMatchesDecided whether every match of a drawn tournament is decided */
export function getPhase(row: TournamentRow, now: Date, areMatchesDecided: boolean): TournamentPhase {
  if (row.state === 'drawn') return areMatchesDecided ? 'decided' : 'running'
  if (row.state !== 'announced') return row.state
  if (now < row.registration_from) return 'coming'
  if (now >= row.checkin_from && now < row.checkin_until) return 'checkin'
  if (now < row.registration_until) return 'open'
  return now < row.checkin_from ? 'closed' : 'ready'
}

/** The name of an entry's character for players. Characters that operators hide are shown without their name. */
const SHOWN_NAME = sql<string>`
  case when ${isHidden('e')} then 'Hidden character' else e.cha_name end`
const ENTRY_NAME = sql<string>`coalesce(e.club, ${SHOWN_NAME})`

const selectTournaments = (db: Db) =>
  db
    .selectFrom('tournaments as t')
    .selectAll('t')
    .select((eb) => [
      eb
        .selectFrom('tournament_entries as e')
        .whereRef('e.tournament', '=', 't.tournament')
        .select(sql<number>`count(*)::int`.as('entries'))
        .as('entries'),
      eb
        .selectFrom('tournament_entries as e')
        .whereRef('e.tournament', '=', 't.tournament')
        .where('e.place', '=', 1)
        .select(ENTRY_NAME.as('name'))
        .limit(1)
        .as('winner'),
      eb
        .exists(
          eb
            .selectFrom('tournament_matches as m')
            .whereRef('m.tournament', '=', 't.tournament')
            .where('m.state', 'in', ['open', 'ready'])
            .select('m.match'),
        )
        .as('is_on'),
      eb
        .selectFrom('tournament_matches as m')
        .whereRef('m.tournament', '=', 't.tournament')
        .where('m.state', '=', 'ready')
        .select((min) => min.fn.min('m.starts_at').as('at'))
        .as('next_match_at'),
      sql<Awaited<ReturnType<typeof selectOffers>>[number] | null>`(
        select jsonb_build_object('place', o.place, 'currency', o.currency, 'amount', o.amount, 'product_num', o.product_num,
          'quantity', o.quantity, 'item_name', i.item_name)
        from tournament_offers o left join shop_items i using (product_num)
        where o.tournament = t.tournament order by o.place limit 1)`.as('first_prize'),
    ])

type ListedTournament = Awaited<ReturnType<ReturnType<typeof selectTournaments>['executeTakeFirstOrThrow']>>

/** Returns the summary of a tournament for lists. */
export function toSummary(row: ListedTournament, now: Date) {
  const { tournament, name, kind, format, max_entries, level_from, level_to, entries, winner } = row
  return {
    tournament,
    name,
    kind,
    format,
    phase: getPhase(row, now, row.is_on === false),
    entries: Number(entries),
    max_entries,
    level_from,
    level_to,
    registration_from: row.registration_from,
    registration_until: row.registration_until,
    checkin_from: row.checkin_from,
    checkin_until: row.checkin_until,
    starts_at: row.starts_at,
    winner,
    first_prize: row.first_prize,
    next_match_at: row.next_match_at,
  }
}

type ListQuery = {
  after: [number, number] | null
  size?: number
  drafts: 'with' | 'without'
  /** Selects only tournaments in this state; '' selects any. */
  state?: TournamentRow['state'] | ''
}

/**
 * Selects a page of tournaments. The tournament with the latest start comes first.
 *
 * @param after the start in ms and the id of the last tournament on the previous page
 */
export async function listTournaments(
  db: Db,
  { after, size = LIST_PAGE_SIZE, drafts, state = '' }: ListQuery,
  now: Date,
) {
  const rows = await selectTournaments(db)
    .$if(drafts === 'without', (query) => query.where('t.state', '<>', 'draft'))
    .$if(state !== '', (query) => query.where('t.state', '=', state as TournamentRow['state']))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(t.starts_at, t.tournament) < (${new Date(after?.[0] ?? 0)}, ${after?.[1] ?? 0})`),
    )
    .orderBy('t.starts_at', 'desc')
    .orderBy('t.tournament', 'desc')
    .limit(size + 1)
    .execute()
  const pageRows = rows.slice(0, size)
  const lastRow = pageRows.at(-1)
  return {
    rows: pageRows.map((row) => toSummary(row, now)),
    next: rows.length > size && lastRow !== undefined ? `${lastRow.starts_at.getTime()}.${lastRow.tournament}` : null,
  }
}

/** Finds a tournament with the values of its summary. */
export const findTournamentRow = (db: Db, id: number) =>
  selectTournaments(db).where('t.tournament', '=', id).executeTakeFirst()

/** Selects the entries of a tournament with their accounts, by place, then by seed, then by registration. */
export const selectEntries = (db: Db, tournament: number, now: Date) =>
  db
    .selectFrom('tournament_entries as e')
    .innerJoin('accounts as a', 'a.user_num', 'e.user_num')
    .leftJoin('characters as c', (join) =>
      join.onRef('c.cha_num', '=', 'e.cha_num').onRef('c.user_num', '=', 'e.user_num'),
    )
    .where('e.tournament', '=', tournament)
    .selectAll('e')
    .select([
      'a.user_id',
      'a.user_type',
      'a.erased_at',
      'c.cha_mmr',
      SHOWN_NAME.as('shown_name'),
      ENTRY_NAME.as('name'),
    ])
    .select(sql<boolean>`c.cha_num is not null and ${isRanked(now)}`.as('has_page'))
    .orderBy(sql`e.place nulls last`)
    .orderBy(sql`e.seed nulls last`)
    .orderBy('e.entry')
    .execute()

/** Selects the prize of each rank of a tournament, best rank first. A prize is an amount of money, or units of an item. */
export const selectOffers = (db: Db, tournament: number) =>
  db
    .selectFrom('tournament_offers as o')
    .leftJoin('shop_items as i', 'i.product_num', 'o.product_num')
    .where('o.tournament', '=', tournament)
    .select(['o.place', 'o.currency', 'o.amount', 'o.product_num', 'o.quantity', 'i.item_name'])
    .orderBy('o.place')
    .execute()

/** Reads a tournament for players. Returns undefined for a draft and for an unknown id. */
export async function findTournament(db: Db, id: number, now: Date) {
  const row = await findTournamentRow(db, id)
  if (row === undefined || row.state === 'draft') return undefined
  const [entries, matches, offers] = await Promise.all([
    selectEntries(db, id, now),
    selectMatches(db, id),
    selectOffers(db, id),
  ])
  return {
    ...toSummary(row, now),
    phase: getPhase(row, now, isDecided(matches)),
    about: row.about,
    third_place: row.third_place,
    groups: row.groups,
    advance: row.advance,
    cancelled_why: row.cancelled_why,
    offers,
    list: entries.map((entry) => ({
      ...entry,
      cha_name: entry.shown_name,
      checked_in: entry.checked_in_at !== null,
    })),
    matches,
    tables: createTables(row, matches, entries),
  }
}

/** Computes the present tables of a group stage. */
export function createTables(
  { format }: Pick<TournamentRow, 'format'>,
  matches: Parameters<typeof computeGroupTables>[0],
  entries: readonly { entry: number; seed: number | null }[],
) {
  if (format !== 'groups') return []
  return computeGroupTables(matches, getSeeds(entries)).map(({ grp, rows }) => ({ grp, rows }))
}

/** Returns the entries that are in the bracket, best seed first. */
export const getSeeds = (entries: readonly { entry: number; seed: number | null }[]): number[] =>
  entries
    .filter(({ seed }) => seed !== null)
    .toSorted((a, b) => Number(a.seed) - Number(b.seed))
    .map(({ entry }) => entry)

/** Locks and returns a tournament. The lock serialises its registrations, draws and results. */
export const lockTournament = (tx: Db, tournament: number): Promise<TournamentRow | undefined> =>
  tx.selectFrom('tournaments').where('tournament', '=', tournament).selectAll().forUpdate().executeTakeFirst()
