import { sql } from 'kysely'
import { COUNTED_RANKS_MAX } from '#contract/limits.ts'
import { toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import { selectRanked } from './queries.ts'

/** The number of days in a character's curve. */
const DAYS_SHOWN = 30

/**
 * Records today's level and rank of the first thousand characters of the level board, and deletes days that are too old.
 */
export async function recordDays(db: Db, now: Date): Promise<void> {
  const today = toManilaDay(now)
  const board = selectRanked(db, { board: 'level', span: 'month', now }).select('c.cha_level').limit(COUNTED_RANKS_MAX)
  await sql`
    insert into character_days (cha_num, day, cha_level, place)
    select cha_num, ${today}::date, cha_level, row_number() over (order by value desc, cha_num) from (${board}) b
    on conflict (cha_num, day) do update set cha_level = excluded.cha_level, place = excluded.place
    where (character_days.cha_level, character_days.place) <> (excluded.cha_level, excluded.place)`.execute(db)
  await sql`delete from character_days where day <= ${today}::date - ${DAYS_SHOWN}::int`.execute(db)
}

/** Selects the days on which a character was among the first thousand, the oldest first. */
export async function selectDays(db: Db, chaNum: number, since: Date) {
  const { rows } = await sql<{ day: string; level: number; rank: number }>`
    select day::text as day, cha_level as level, place as rank from character_days
    where cha_num = ${chaNum} and day >= ${toManilaDay(since)}::date order by day`.execute(db)
  return rows
}
