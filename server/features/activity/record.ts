import { sql } from 'kysely'
import { ACTIVITY_ROWS_MAX } from '#contract/activity.ts'
import { DAY_MS } from '#contract/durations.ts'
import { type Board, type ClassName, findClassByCode, getClassCodes } from '#contract/game.ts'
import { toManilaDay } from '#contract/manila.ts'
import type { Db } from '#server/db/open.ts'
import {
  ARCHIVE_COLUMNS,
  isHidden,
  selectEmptyBoards,
  selectPeriods,
  selectRanked,
} from '#server/features/rankings/queries.ts'

/** Older events are not recorded, such as those before an upgrade of the site. */
const EVENT_AGE_MAX_MS = 7 * DAY_MS
/** A change of an area within this time after a war counts as its result, because the bridge reports areas every minute. */
const WAR_RESULT_WINDOW = '5 minutes'
/** Level-ups are recorded at each multiple of this. */
const LEVEL_STEP = 10
/** The boards whose records are announced. Money is not announced, and levels are recorded separately. */
const RECORD_BOARDS = ['resu', 'mmr', 'killer'] as const satisfies readonly Board[]

/** Reserved for rows of kind `first`, which are never deleted. All classes together have fewer levels than this. */
const FIRSTS_MAX = 5_000

/** `showTimes`: whether the site shows who plays and therefore stores the times of characters' rows (ACTIVITY-3). */
export type Recording = { now: Date; showTimes: boolean }

/** Adds the wars, tournaments, leagues, new clubs, news, events and records that the site has stored since the last run. */
export async function recordActivity(db: Db, { now, showTimes }: Recording): Promise<void> {
  await recordSiteEvents(db, new Date(now.getTime() - EVENT_AGE_MAX_MS), now)
  await recordRecords(db, { now, showTimes })
}

/**
 * Adds wars, tournaments, leagues, clubs, news and events since a time, the oldest first. A change of an area counts if the
 * area comes from the game or the change was near a club war, and if the site has recorded an earlier state of the area.
 */
export async function recordSiteEvents(db: Db, since: Date, now: Date): Promise<void> {
  await sql`
    insert into activity (kind, day, happened_at, change, tournament, club, news, event, league)
    select kind, (at at time zone 'Asia/Manila')::date, at, change, tournament, club, news, event, league
    from (
      select 'area' as kind, holder.since as at, holder.change, null::bigint as tournament, null::bigint as club,
        null::bigint as news, null::bigint as event, null::bigint as league
      from area_holders holder join club_areas area on area.id = holder.area
      where holder.club is not null
        and exists (select from area_holders earlier where earlier.area = holder.area and earlier.change < holder.change)
        and (area.game_region is not null or is_club_war_near(holder.since - ${WAR_RESULT_WINDOW}::interval))
      union all
      select 'tournament', finalised_at, null, tournament, null, null, null, null from tournaments where state = 'finalised'
      union all
      select 'club', founded_at, null, null, club, null, null, null from clubs where founded_at is not null
      union all
      select 'news', created_at, null, null, null, id, null, null from news where published and announced_at is not null
      union all
      select 'event', changed_at, null, null, null, null, event, null from events
      where visible and cancelled_why = ''
      union all
      select 'league', finalised_at, null, null, null, null, null, league from leagues where state = 'finalised') found
    where at > ${since} and at <= ${now}
      and not exists (
        select from activity stored
        where stored.change = found.change or stored.tournament = found.tournament or stored.club = found.club
          or stored.news = found.news or stored.event = found.event or stored.league = found.league)
    order by at, change, tournament, club, news, event, league
    on conflict do nothing`.execute(db)
}

/**
 * Adds the leader of each board in the open month if the value exceeds the best of every closed month, once for each
 * character, board and month.
 */
async function recordRecords(db: Db, { now, showTimes }: Recording): Promise<void> {
  const openPeriod = (await selectPeriods(db)).find(({ closed_at }) => closed_at === null)
  if (openPeriod === undefined) return
  const emptyBoards: readonly Board[] = await selectEmptyBoards(db)
  for (const board of RECORD_BOARDS) {
    if (emptyBoards.includes(board) || (board === 'killer' && !showTimes)) continue
    const leader = await selectRanked(db, { board, span: 'month', now }).limit(1).executeTakeFirst()
    if (leader === undefined) continue
    const column = sql.ref(`r.${ARCHIVE_COLUMNS[board]}`)
    await sql`
      insert into activity (kind, day, happened_at, cha_num, board, value, period)
      select 'record', ${toManilaDay(now)}::date, ${showTimes ? now : null}::timestamptz, ${leader.cha_num}::bigint,
        ${board}::text, ${leader.value}::bigint, ${openPeriod.period}::text
      where ${leader.value}::bigint > (
        select max(${column}) from ranking_archive r
        where r.board = ${board} and r.taken_out_at is null and not ${isHidden('r')})
      on conflict do nothing`.execute(db)
  }
}

/** A character as the bridge reports it. */
type ReportedCharacter = { chaNum: number; level: number; cls: string }

/**
 * Adds the notable level-ups of characters that the bridge has read and the site has not stored yet: every tenth level, and
 * the first character of a class at a level. New characters have no level-ups.
 */
export async function recordLevels(
  tx: Db,
  characters: readonly ReportedCharacter[],
  { now, showTimes }: Recording,
): Promise<void> {
  if (characters.length === 0) return
  const { rows } = await sql<ReportedCharacter & { previousLevel: number }>`
    select reported.cha_num as "chaNum", reported.level, reported.cls, stored.cha_level as "previousLevel"
    from unnest(${characters.map(({ chaNum }) => chaNum)}::bigint[], ${characters.map(({ level }) => level)}::int[],
      ${characters.map(({ cls }) => cls)}::text[]) reported (cha_num, level, cls)
    join characters stored on stored.cha_num = reported.cha_num and stored.cha_level < reported.level
    where stored.kept_out = '' order by reported.level desc, reported.cha_num`.execute(tx)
  const firstClasses = new Map<number, ClassName>()
  for (const cls of new Set(rows.flatMap((row) => findClassByCode(row.cls) ?? []))) {
    const [bestRow] = rows.filter((row) => findClassByCode(row.cls) === cls)
    if (bestRow !== undefined && bestRow.level > (await findBestLevel(tx, cls))) firstClasses.set(bestRow.chaNum, cls)
  }
  const notableRows = rows
    .map((row) => {
      const roundLevel = Math.floor(row.level / LEVEL_STEP) * LEVEL_STEP
      const cls = firstClasses.get(row.chaNum) ?? null
      return {
        ...row,
        cls,
        level: cls === null ? roundLevel : row.level,
        isNotable: cls !== null || roundLevel > row.previousLevel,
      }
    })
    .filter(({ isNotable }) => isNotable)
    .reverse()
  if (notableRows.length === 0) return
  await tx
    .insertInto('activity')
    .values(
      notableRows.map(({ chaNum, level, cls }) => ({
        kind: cls === null ? ('level' as const) : ('first' as const),
        day: toManilaDay(now),
        happened_at: showTimes ? now : null,
        cha_num: chaNum,
        level,
        class: cls,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the highest known level of a class, without the characters of staff and blocked players. */
async function findBestLevel(tx: Db, cls: ClassName): Promise<number> {
  const { rows } = await sql<{ best: number | null }>`
    select greatest(
      (select cha_level from characters where cha_class = any(${getClassCodes(cls)}::text[])
        and kept_out not in ('staff', 'blocked') order by cha_level desc limit 1),
      (select max(level) from activity where kind = 'first' and class = ${cls})) as best`.execute(tx)
  return rows[0]?.best ?? 0
}

/**
 * Deletes the oldest entries over the limit (ACTIVITY-2). Rows of kind `first` stay, because characters have them as titles.
 */
export async function sweepActivity(db: Db): Promise<void> {
  await sql`
    delete from activity where kind <> 'first' and activity <= (
      select activity from activity order by activity desc offset ${ACTIVITY_ROWS_MAX - FIRSTS_MAX} limit 1)`.execute(
    db,
  )
}
