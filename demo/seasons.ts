import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { BOARDS } from '#contract/game.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getMonth, getPreviousMonth, type Month } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { ARCHIVE_COLUMNS } from '#server/features/rankings/queries.ts'
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
const BOARD_RULES = { resu: 'growth', mmr: 'points', level: 'growth', richest: 'growth', killer: 'growth' } as const

/**
 * Inserts four closed months, a final season of the first three, and a running season from the fourth closed month to
 * the end of next month.
 */
export async function insertSeasons(tx: Db, { now, gm }: Pick<World, 'now' | 'gm'>): Promise<void> {
  const months: Month[] = []
  for (let month = getPreviousMonth(now); months.length < CLOSED_MONTHS; month = getPreviousMonth(month.startsAt))
    months.push(month)
  for (const [index, month] of months.entries()) await insertClosedMonth(tx, month, index + 1)
  const [previousMonth, ...earlierMonths] = months
  const [endedMonth, firstMonth] = [earlierMonths[0], earlierMonths.at(-1)]
  if (previousMonth === undefined || endedMonth === undefined || firstMonth === undefined) return
  const nextMonth = getMonth(getMonth(now).endsAt)
  // The start_ columns of the characters already have the values at the beginning of the first season.
  const pastSeason = await insertSeason(tx, {
    name: 'Season of Rains',
    firstMonth,
    lastMonth: endedMonth,
    now: firstMonth.startsAt,
    gm,
  })
  await endSeason(tx, pastSeason, { period: endedMonth.id, now: endedMonth.endsAt })
  await finaliseSeason(tx, pastSeason, new Date(endedMonth.endsAt.getTime() + 3 * DAY_MS))
  await updateStartValues(tx)
  const runningSeason = {
    name: 'Season of Lanterns',
    firstMonth: previousMonth,
    lastMonth: nextMonth,
    now: previousMonth.startsAt,
    gm,
  }
  await countDivisions(tx, await insertSeason(tx, runningSeason), now)
}

/** The seeds of the characters' luck in each season. */
export const FIRST_SEASON_SEED = 37
const NEXT_SEASON_SEED = 53

type SeasonValues = Record<'cha_num' | 'cha_level' | 'cha_mmr' | 'cha_money' | 'base_kills' | 'base_resu', number>

/**
 * Returns a character's values at the beginning of a season: a few characters have gained much since then, most a
 * little.
 */
export function createStartValues(character: SeasonValues, seed: number) {
  const { cha_num, cha_level, cha_mmr, cha_money, base_kills, base_resu } = character
  const luckFactor = ((cha_num * seed) % 3187) / 3187
  return {
    start_level: Math.max(1, cha_level - Math.floor(4 * luckFactor + 30 * luckFactor ** 24)),
    start_mmr: cha_mmr - Math.floor(200 * luckFactor),
    start_money: Math.floor(cha_money * (1 - 0.8 * luckFactor)),
    start_kills: Math.floor(base_kills * (1 - luckFactor)),
    start_resu: Math.floor(base_resu * (1 - luckFactor)),
  }
}

/** Sets the start_ columns of all characters to the values at the beginning of the running season. */
async function updateStartValues(tx: Db): Promise<void> {
  const characters = await tx
    .selectFrom('characters')
    .select(['cha_num', 'cha_level', 'cha_mmr', 'cha_money', 'base_kills', 'base_resu'])
    .execute()
  const startValues = characters.map((row) => ({ cha_num: row.cha_num, ...createStartValues(row, NEXT_SEASON_SEED) }))
  await sql`
    update characters c set start_level = s.start_level, start_mmr = s.start_mmr, start_money = s.start_money,
      start_kills = s.start_kills, start_resu = s.start_resu
    from json_populate_recordset(null::characters, ${JSON.stringify(startValues)}::json) s
    where c.cha_num = s.cha_num`.execute(tx)
}

type SeasonPlan = { name: string; firstMonth: Month; lastMonth: Month; now: Date; gm: number }

async function insertSeason(tx: Db, { name, firstMonth, lastMonth, now, gm }: SeasonPlan) {
  const season = await tx
    .insertInto('seasons')
    .values({
      name,
      first_month: firstMonth.id,
      last_month: lastMonth.id,
      divisions: JSON.stringify(DIVISIONS),
      created_by: gm,
      created_at: new Date(now.getTime() - 5 * DAY_MS),
      begun_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('season_boards')
    .values(BOARDS.map((board) => ({ season: season.season, board, rule: BOARD_RULES[board] })))
    .execute()
  return season
}

/** Inserts a closed month. `monthsAgo` makes the values of each month different. */
async function insertClosedMonth(tx: Db, { id, startsAt, endsAt }: Month, monthsAgo: number): Promise<void> {
  const closedMonth = { period: id, starts_at: startsAt, ends_at: endsAt, opened_at: startsAt, closed_at: endsAt }
  await tx
    .insertInto('ranking_periods')
    .values(closedMonth)
    .onConflict((oc) => oc.doNothing())
    .execute()
  const monthsAgoSql = sql.lit(monthsAgo)
  const boards = BOARDS.map((board) => {
    const order = sql`${sql.ref(ARCHIVE_COLUMNS[board])} desc, cha_level desc, cha_num`
    return sql`(select ${id}, ${board}, row_number() over (order by ${order}), * from month order by ${order} limit 100)`
  })
  await sql`
    with month as materialized (
      select cha_num, cha_name,
        greatest(1, cha_level - 2 * ${monthsAgoSql} + 2 - cha_num * ${monthsAgoSql} % 3) as cha_level, cha_class,
        cha_school, greatest(0, base_kills / 7 - cha_num * ${monthsAgoSql} % 23) as kills, base_deaths / 8 as deaths,
        greatest(0, cha_mmr - cha_num * ${monthsAgoSql} % 90) as mmr,
        greatest(0, base_resu / 7 - cha_num * ${monthsAgoSql} % 31) as resu,
        cha_money * (5 - ${monthsAgoSql}) / 5 as money, least(level_up_at, ${endsAt}) as level_up_at
      from characters c join accounts a using (user_num) where a.user_type < ${ADMIN_USER_TYPE} and a.blocked_at is null)
    insert into ranking_archive (period, board, rank, cha_num, cha_name, cha_level, cha_class, cha_school, kills, deaths,
      mmr, resu, money, level_up_at)
    ${sql.join(boards, sql` union all `)}`.execute(tx)
}
