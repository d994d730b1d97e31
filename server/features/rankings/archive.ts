import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { Board } from '#contract/game.ts'
import type { getCorrections, getMonths } from '#contract/rankings.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import { combineConditions, createNumberOrder, cutPage, type RowOf } from '#server/http/desk-lists.ts'
import { isHidden, isSameCharacter, selectArchive } from './queries.ts'

/** The figures of an entry that can be corrected. */
const FIGURE_NAMES = ['cha_name', 'cha_level', 'kills', 'deaths', 'mmr', 'resu', 'money'] as const
export type Figures = { cha_name: string } & Record<Exclude<(typeof FIGURE_NAMES)[number], 'cha_name'>, number>

/** The values of a character's entries in a closed month, and the number of the last correction. */
type Entry = { figures: Figures; takenOutAt: Date | null; version: number }

type EntryReference = { period: string; cha_num: number }

/** Locks and returns the entry of a character in a closed month; undefined if it has none. */
export async function lockEntry(tx: Db, { period, cha_num }: EntryReference): Promise<Entry | undefined> {
  // Only a separate statement after the lock sees a concurrent correction.
  const rows = await tx
    .selectFrom('ranking_archive')
    .where('period', '=', period)
    .where('cha_num', '=', cha_num)
    .select([...FIGURE_NAMES, 'taken_out_at'])
    .orderBy('board')
    .forUpdate()
    .execute()
  const [row] = rows
  if (row === undefined) return undefined
  const { taken_out_at: takenOutAt, ...figures } = row
  const { version } = await tx
    .selectFrom('ranking_corrections')
    .where('period', '=', period)
    .where('cha_num', '=', cha_num)
    .select((eb) => eb.fn.coalesce(eb.fn.max('correction'), sql<number>`0`).as('version'))
    .executeTakeFirstOrThrow()
  return { figures, takenOutAt, version: Number(version) }
}

type Correction = EntryReference & {
  kind: 'corrected' | 'taken out' | 'put back'
  before: Partial<Figures>
  after: Partial<Figures>
  reason: string
  correctedBy: number
  now: Date
}

/**
 * Changes a character's entries on all boards of a closed month, and stores the old values. The caller has
 * the entry's lock.
 *
 * @returns the number of the correction, which is the entry's new version
 */
export async function changeEntry(tx: Db, { period, cha_num, kind, ...change }: Correction): Promise<number> {
  const { before, after, reason, correctedBy, now } = change
  const { correction } = await tx
    .insertInto('ranking_corrections')
    .values({
      period,
      cha_num,
      kind,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      reason,
      corrected_by: correctedBy,
      corrected_at: now,
    })
    .returning('correction')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('ranking_archive')
    .set({ corrected: after, 'taken out': { taken_out_at: now }, 'put back': { taken_out_at: null } }[kind])
    .where('period', '=', period)
    .where('cha_num', '=', cha_num)
    .execute()
  return correction
}

/** Returns the figures that differ between an entry and its new values, before and after. */
export function findDifferences(
  before: Figures,
  newFigures: Figures,
): { before: Partial<Figures>; after: Partial<Figures> } {
  const changedNames = FIGURE_NAMES.filter((name) => before[name] !== newFigures[name])
  const pickChanged = (from: Figures) =>
    Object.fromEntries(changedNames.map((name) => [name, from[name]])) as Partial<Figures>
  return { before: pickChanged(before), after: pickChanged(newFigures) }
}

/** Selects the months, newest first, with the numbers of their archived characters and corrections. */
export async function selectMonths(db: Db, after: string) {
  const { rows } = await sql<Omit<RowOf<typeof getMonths>, 'open'>>`
    select p.period, p.closed_at, p.values_at,
      (select b.values_at from ranking_periods b where b.period < p.period order by b.period desc limit 1) as values_from,
      (select count(distinct cha_num)::int from ranking_archive r where r.period = p.period) as characters,
      (select count(*)::int from ranking_corrections c where c.period = p.period) as corrections
    from ranking_periods p where ${after === '' ? sql`true` : sql`p.period < ${after}`}
    order by p.period desc limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  return cutPage(
    rows,
    (row) => row.period,
    ({ closed_at, ...row }) => ({
      ...row,
      open: closed_at === null,
      closed_at,
    }),
  )
}

/** Selects a board of a closed month for the desk: the visible entries in their order, then the hidden ones. */
export async function selectEntries(db: Db, { period, board, now }: { period: string; board: Board; now: Date }) {
  const rows = await selectArchive(db, period, board)
    .innerJoin('ranking_periods as p', 'p.period', 'r.period')
    .leftJoin('characters as c', (join) =>
      join.onRef('c.cha_num', '=', 'r.cha_num').on(isSameCharacter(sql`coalesce(p.closed_at, 'infinity')`)),
    )
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .select([
      'r.rank as closed_place',
      'r.taken_out_at',
      'a.user_num',
      'a.user_id',
      isHidden('r').as('hidden'),
      sql<boolean>`coalesce(${isBlocked('a', now)}, false)`.as('blocked'),
      sql<number>`(select count(*)::int from ranking_corrections x where x.period = r.period and x.cha_num = r.cha_num)`.as(
        'corrections',
      ),
      sql<number>`(select coalesce(max(x.correction), 0) from ranking_corrections x where x.period = r.period and x.cha_num = r.cha_num)`.as(
        'version',
      ),
    ])
    .execute()
  const isVisible = (row: (typeof rows)[number]) =>
    !row.hidden &&
    row.taken_out_at === null &&
    (board === 'resu' ? row.resu > 0 : board === 'killer' ? row.kills > 0 : true)
  const visibleRows = rows.filter(isVisible)
  return [...visibleRows, ...rows.filter((row) => !isVisible(row))].map(({ level_up_at: _, ...row }, index) => ({
    ...row,
    period,
    version: Number(row.version),
    place: index < visibleRows.length ? index + 1 : null,
  }))
}

/** Selects the corrections of closed months, newest first. */
export async function selectCorrections(db: Db, { after, period, character }: ValidInput<typeof getCorrections>) {
  const { condition: isAfterCursor, order } = createNumberOrder('c.correction', after)
  const conditions = combineConditions([
    period !== '' && sql`c.period = ${period}`,
    character !== '' && sql`c.cha_num = ${character}::bigint`,
    isAfterCursor,
  ])
  const { rows } = await sql<
    Omit<RowOf<typeof getCorrections>, 'cha_name' | 'changes'> & {
      cha_name: string | null
      before: Record<string, unknown>
      after: Record<string, unknown>
    }
  >`
    select c.correction, c.corrected_at as at, a.user_id as by, c.period, c.cha_num, c.kind, c.reason, c.before, c.after,
      (select r.cha_name from ranking_archive r where r.period = c.period and r.cha_num = c.cha_num limit 1) as cha_name
    from ranking_corrections c left join accounts a on a.user_num = c.corrected_by
    where ${conditions} order by ${order} limit ${DESK_PAGE_SIZE + 1}`.execute(db)
  return cutPage(
    rows,
    (row) => row.correction,
    ({ before, after, cha_name, ...row }) => ({
      ...row,
      cha_name: cha_name ?? '',
      changes: Object.keys(after).map((field) => ({ field, before: before[field], after: after[field] })),
    }),
  )
}
