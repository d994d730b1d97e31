import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { BOARDS } from '#contract/game.ts'
import * as calls from '#contract/seasons.ts'
import { formatDivisions, parseSeasonDivisions } from '#contract/seasons.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { lockOpenPeriod } from './queries.ts'
import { getSeasonState, type SeasonRow } from './seasons.ts'

type ListedSeason = CallAnswer<typeof calls.getDeskSeason>

/** Returns the state of a season for the desk. It also names a change that the job's next run makes. */
function getDeskState(season: SeasonRow): ListedSeason['state'] {
  const state = getSeasonState(season)
  if (state === 'running' && season.end_asked_at !== null) return 'ending'
  if (state === 'ended' && season.final_asked_at !== null) return 'finalising'
  return state
}

const selectForDesk = (db: Db) =>
  db
    .selectFrom('seasons as s')
    .selectAll('s')
    .select((eb) =>
      eb
        .selectFrom('season_boards as b')
        .whereRef('b.season', '=', 's.season')
        .select((board) => board.fn.coalesce(board.fn.max('b.ranked'), sql<number>`0`).as('ranked'))
        .as('ranked'),
    )

function toSeasonRow(row: SeasonRow & { ranked: number | null }) {
  const { season, version, name, first_month, last_month } = row
  return { season, version, name, first_month, last_month, state: getDeskState(row), ranked: Number(row.ranked ?? 0) }
}

/** Locks a season until the transaction ends. The job that starts and ends seasons waits for the same lock. */
async function lockSeason(tx: Db, season: number) {
  const openMonth = await lockOpenPeriod(tx)
  const row = await tx.selectFrom('seasons').where('season', '=', season).selectAll().executeTakeFirst()
  return { row, open: openMonth?.period ?? '' }
}

/** The desk's calls about seasons. A job ends and finalises seasons, because a call could take too long on a large board. */
export const seasonDeskCalls: MountedCall[] = [
  mount(calls.getDeskSeasons, async ({ after }, { deps }) => {
    const rows = await selectForDesk(deps.browseDb)
      .$if(after !== '', (query) => query.where(sql`month_number(s.first_month)`, '<', parseCursor(after)))
      .orderBy('s.first_month', 'desc')
      .limit(DESK_PAGE_SIZE + 1)
      .execute()
    const page = cutPage(rows, ({ first_month }) => Number(first_month.slice(0, 4)) * 12 + Number(first_month.slice(5)))
    return { rows: page.rows.map(toSeasonRow), next: page.next }
  }),

  mount(calls.getDeskSeason, async ({ season }, { deps }) => {
    const row = await selectForDesk(deps.browseDb)
      .leftJoin('accounts as a', 'a.user_num', 's.created_by')
      .select('a.user_id')
      .where('s.season', '=', season)
      .executeTakeFirst()
    if (row === undefined) throw refuse(calls.getDeskSeason, 'seasonNotFound')
    const boards = await deps.browseDb
      .selectFrom('season_boards')
      .where('season', '=', season)
      .select(['board', 'rule', 'ranked'])
      .execute()
    return {
      ...toSeasonRow(row),
      divisions: row.divisions,
      boards: boards.sort((a, b) => BOARDS.indexOf(a.board) - BOARDS.indexOf(b.board)),
      begun_at: row.begun_at,
      ended_at: row.ended_at,
      finalised_at: row.finalised_at,
      created_by: row.user_id,
    }
  }),

  mount(calls.saveSeason, async (input, context) => {
    const tx = context.deps.db
    const { name, first_month, last_month } = input
    if (last_month < first_month) throw refuse(calls.saveSeason, 'order')
    const { row: seasonBefore, open } = await lockSeason(tx, input.season ?? 0)
    if (input.season !== null && seasonBefore === undefined) throw refuse(calls.saveSeason, 'seasonNotFound')
    if (seasonBefore !== undefined && seasonBefore.version !== input.version) throw refuse(calls.saveSeason, 'conflict')
    const rules = seasonBefore === undefined ? [] : await selectRules(tx, seasonBefore.season)
    const hasBegun = seasonBefore !== undefined && seasonBefore.begun_at !== null
    if (seasonBefore !== undefined && seasonBefore.ended_at !== null) throw refuse(calls.saveSeason, 'over')
    if (
      hasBegun &&
      (seasonBefore.first_month !== first_month || rules.some(({ board, rule }) => input[board] !== rule))
    )
      throw refuse(calls.saveSeason, 'begun')
    if (!hasBegun && first_month < open) throw refuse(calls.saveSeason, 'past')
    if (last_month < open) throw refuse(calls.saveSeason, 'pastEnd')
    const overlappingSeason = await tx
      .selectFrom('seasons')
      .where('first_month', '<=', last_month)
      .where('last_month', '>=', first_month)
      .where('season', '<>', seasonBefore?.season ?? 0)
      .select('season')
      .executeTakeFirst()
    if (overlappingSeason !== undefined) throw refuse(calls.saveSeason, 'overlap')
    const season = await writeSeason(tx, input, {
      seasonBefore,
      createdBy: context.staff.userNum,
      now: context.deps.now(),
    })
    context.record({
      target: ['season', season],
      ...(seasonBefore && { before: describeSeason({ ...seasonBefore, rules }) }),
      after: describeSeason({ ...input, divisions: parseDivisions(input.divisions), rules: toRules(input) }),
    })
    const message =
      hasBegun || first_month > open ? `${name} is saved.` : `${name} is saved and begins within a minute.`
    return { season, message }
  }),

  mount(calls.endSeasonNow, async ({ season, version, reason }, { deps: { db: tx, now }, record }) => {
    const { row, open } = await lockSeason(tx, season)
    if (row === undefined) throw refuse(calls.endSeasonNow, 'seasonNotFound')
    if (getDeskState(row) !== 'running') throw refuse(calls.endSeasonNow, 'notRunning')
    if (row.version !== version) throw refuse(calls.endSeasonNow, 'conflict')
    await setStep(tx, season, { end_asked_at: now() })
    record({ target: ['season', season], before: { last_month: row.last_month }, after: { last_month: open }, reason })
    return { message: `${row.name} ends within a minute.` }
  }),

  mount(calls.finaliseSeasonNow, async ({ season, version, reason }, { deps: { db: tx, now }, record }) => {
    const { row } = await lockSeason(tx, season)
    if (row === undefined) throw refuse(calls.finaliseSeasonNow, 'seasonNotFound')
    if (getDeskState(row) !== 'ended') throw refuse(calls.finaliseSeasonNow, 'notEnded')
    if (row.version !== version) throw refuse(calls.finaliseSeasonNow, 'conflict')
    await setStep(tx, season, { final_asked_at: now() })
    record({ target: ['season', season], before: { state: 'ended' }, after: { state: 'final' }, reason })
    return { message: `${row.name} is final within a minute.` }
  }),

  mount(calls.deleteSeason, async ({ season, version, reason }, { deps: { db: tx }, record }) => {
    const { row } = await lockSeason(tx, season)
    if (row === undefined) throw refuse(calls.deleteSeason, 'seasonNotFound')
    if (row.begun_at !== null) throw refuse(calls.deleteSeason, 'begun')
    if (row.version !== version) throw refuse(calls.deleteSeason, 'conflict')
    await tx.deleteFrom('seasons').where('season', '=', season).execute()
    record({ target: ['season', season], before: describeSeason({ ...row, rules: [] }), reason })
    return { message: `${row.name} is deleted.` }
  }),
]

type Input = ValidInput<typeof calls.saveSeason>
type Rules = Awaited<ReturnType<typeof selectRules>>

const selectRules = (tx: Db, season: number) =>
  tx.selectFrom('season_boards').where('season', '=', season).select(['board', 'rule']).execute()

const toRules = (input: Input): Rules => BOARDS.map((board) => ({ board, rule: input[board] }))

/** Parses a text that the schema has checked. */
function parseDivisions(text: string) {
  const divisions = parseSeasonDivisions(text)
  return typeof divisions === 'string' ? [] : divisions
}

type AuditedSeason = Pick<SeasonRow, 'name' | 'first_month' | 'last_month' | 'divisions'> & { rules: Rules }

/** Describes a season for the audit log. */
const describeSeason = ({ name, first_month, last_month, divisions, rules }: AuditedSeason) => ({
  name,
  first_month,
  last_month,
  divisions: formatDivisions(divisions).replaceAll('\n', ', '),
  ...Object.fromEntries(rules.map(({ board, rule }) => [board, rule])),
})

type WriteOptions = { seasonBefore: SeasonRow | undefined; createdBy: number; now: Date }

/** Inserts a season or changes it. @returns its number */
async function writeSeason(tx: Db, input: Input, { seasonBefore, createdBy, now }: WriteOptions): Promise<number> {
  const { name, first_month, last_month } = input
  const values = { name, first_month, last_month, divisions: JSON.stringify(parseDivisions(input.divisions)) }
  if (seasonBefore === undefined) {
    const { season } = await tx
      .insertInto('seasons')
      .values({ ...values, created_by: createdBy, created_at: now })
      .returning('season')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('season_boards')
      .values(toRules(input).map((rule) => ({ season, ...rule })))
      .execute()
    return season
  }
  await tx
    .updateTable('seasons')
    .set({ ...values, version: seasonBefore.version + 1 })
    .where('season', '=', seasonBefore.season)
    .execute()
  if (seasonBefore.begun_at === null)
    for (const { board, rule } of toRules(input))
      await tx
        .updateTable('season_boards')
        .set({ rule })
        .where('season', '=', seasonBefore.season)
        .where('board', '=', board)
        .execute()
  // The next run of the job calculates the divisions.
  else
    await tx
      .updateTable('season_boards')
      .set({ counted_at: null, floors: [] })
      .where('season', '=', seasonBefore.season)
      .execute()
  return seasonBefore.season
}

const setStep = (tx: Db, season: number, change: { end_asked_at: Date } | { final_asked_at: Date }) =>
  tx
    .updateTable('seasons')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('season', '=', season)
    .execute()
