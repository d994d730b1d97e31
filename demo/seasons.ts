import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { BOARDS } from '#contract/game.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getMonth, type Month, monthBefore } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { ARCHIVED_BY } from '#server/features/rankings/queries.ts'
import { countDivisions, endSeason, finaliseSeason } from '#server/features/rankings/seasons.ts'
import type { World } from './world.ts'

const CLOSED_MONTHS = 4
const DIVISIONS = [
  { name: 'Bituin', share: 1 },
  { name: 'Tala', share: 5 },
  { name: 'Buwan', share: 20 },
  { name: 'Araw', share: 50 },
  { name: 'Lupa', share: 100 },
]
const RULES = { resu: 'growth', mmr: 'points', level: 'growth', richest: 'growth', killer: 'growth' } as const

/**
 * Inserts four closed months, a final season of the first three of them, and one that began with the last of them and
 * runs until the month after the present one.
 */
export async function insertSeasons(tx: Db, { now, gm }: Pick<World, 'now' | 'gm'>): Promise<void> {
  const months: Month[] = []
  for (let month = monthBefore(now); months.length < CLOSED_MONTHS; month = monthBefore(month.startsAt))
    months.push(month)
  for (const [index, month] of months.entries()) await insertClosedMonth(tx, month, index + 1)
  const [last, ...before] = months
  const [ended, begun] = [before[0], before.at(-1)]
  if (last === undefined || ended === undefined || begun === undefined) return
  const next = getMonth(getMonth(now).endsAt)
  // As if it had begun three months ago: the gains from before the running season.
  await startFrom(tx, 37)
  const past = await insertSeason(tx, { name: 'Season of Rains', first: begun, last: ended, now: begun.startsAt, gm })
  await endSeason(tx, past, { period: ended.id, now: ended.endsAt })
  await finaliseSeason(tx, past, new Date(ended.endsAt.getTime() + 3 * DAY_MS))
  await startFrom(tx, 53)
  const running = { name: 'Season of Lanterns', first: last, last: next, now: last.startsAt, gm }
  await countDivisions(tx, await insertSeason(tx, running), now)
}

/**
 * Sets the first values of all characters: a few have gained much and most a little. `step` makes the seasons differ.
 */
async function startFrom(tx: Db, step: number): Promise<void> {
  const luck = sql`(cha_num * ${sql.lit(step)} % 3187 / 3187.0)`
  await sql`
    update characters set start_level = greatest(1, cha_level - floor(4 * ${luck} + 30 * power(${luck}, 24))),
      start_mmr = cha_mmr - floor(200 * ${luck}), start_money = floor(cha_money * (1 - 0.8 * ${luck})),
      start_kills = floor(base_kills * (1 - ${luck})), start_resu = floor(base_resu * (1 - ${luck}))`.execute(tx)
}

type Span = { name: string; first: Month; last: Month; now: Date; gm: number }

async function insertSeason(tx: Db, { name, first, last, now, gm }: Span) {
  const season = await tx
    .insertInto('seasons')
    .values({
      name,
      first_month: first.id,
      last_month: last.id,
      divisions: JSON.stringify(DIVISIONS),
      created_by: gm,
      created_at: new Date(now.getTime() - 5 * DAY_MS),
      begun_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('season_boards')
    .values(BOARDS.map((board) => ({ season: season.season, board, rule: RULES[board] })))
    .execute()
  return season
}

/** Returns a closed month, by the number of months since then. */
async function insertClosedMonth(tx: Db, { id, startsAt, endsAt }: Month, ago: number): Promise<void> {
  const closed = { period: id, starts_at: startsAt, ends_at: endsAt, opened_at: startsAt, closed_at: endsAt }
  await tx
    .insertInto('ranking_periods')
    .values(closed)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const nth = sql.lit(ago)
  const boards = BOARDS.map((board) => {
    const order = sql`${sql.ref(ARCHIVED_BY[board])} desc, cha_level desc, cha_num`
    return sql`(select ${id}, ${board}, row_number() over (order by ${order}), * from month order by ${order} limit 100)`
  })
  await sql`
    with month as materialized (
      select cha_num, cha_name, greatest(1, cha_level - 2 * ${nth} + 2 - cha_num * ${nth} % 3) as cha_level, cha_class,
        cha_school, greatest(0, base_kills / 7 - cha_num * ${nth} % 23) as kills, base_deaths / 8 as deaths,
        greatest(0, cha_mmr - cha_num * ${nth} % 90) as mmr, greatest(0, base_resu / 7 - cha_num * ${nth} % 31) as resu,
        cha_money * (5 - ${nth}) / 5 as money, least(level_up_at, ${endsAt}) as level_up_at
      from characters c join accounts a using (user_num) where a.user_type < ${ADMIN_USER_TYPE} and a.blocked_at is null)
    insert into ranking_archive (period, board, rank, cha_num, cha_name, cha_level, cha_class, cha_school, kills, deaths,
      mmr, resu, money, level_up_at)
    ${sql.join(boards, sql` union all `)}`.execute(tx)
}
