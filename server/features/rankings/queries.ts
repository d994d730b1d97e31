import { sql } from 'kysely'
import type { Board } from '#contract/game.ts'
import { ADMIN_USER_TYPE, RANKING_SIZE } from '#contract/limits.ts'
import type { Month } from '#contract/manila.ts'
import { isBlocked } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'

/** What a board orders by, and whether nought keeps a character off it (DECISIONS §3). */
const ORDERED_BY = {
  resu: { column: 'month_resu', noughtIsOff: true },
  mmr: { column: 'cha_mmr', noughtIsOff: false },
  level: { column: 'cha_level', noughtIsOff: false },
  richest: { column: 'cha_money', noughtIsOff: false },
  killer: { column: 'month_kills', noughtIsOff: true },
} as const

/** Whether operators hide a character. */
export const isHidden = (character: string) =>
  sql<boolean>`exists (select from hidden_characters h where h.cha_num = ${sql.ref(`${character}.cha_num`)})`

/**
 * The top 100 of a board as it is now. Ties: higher level, then lower ChaNum. Blocked
 * accounts, those of type 11 and more, and hidden characters are not ranked. Walks the board's own index, so
 * the cost does not grow with the number of characters.
 */
export function selectBoard(db: Db, board: Board, now: Date) {
  const { column, noughtIsOff } = ORDERED_BY[board]
  return db
    .selectFrom('characters as c')
    .innerJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where((eb) => eb.not(isBlocked('a', now)))
    .where('a.user_type', '<', ADMIN_USER_TYPE)
    .where((eb) => eb.not(isHidden('c')))
    .$if(noughtIsOff, (query) => query.where(`c.${column}`, '>', 0))
    .select([
      'c.cha_num',
      'c.cha_name',
      'c.cha_level',
      'c.cha_class',
      'c.cha_school',
      'c.month_kills as kills',
      'c.month_deaths as deaths',
      'c.cha_mmr as mmr',
      'c.month_resu as resu',
      'c.cha_money as money',
      'c.level_up_at',
    ])
    .orderBy(`c.${column}`, 'desc')
    .$if(column !== 'cha_level', (query) => query.orderBy('c.cha_level', 'desc'))
    .orderBy('c.cha_num')
    .limit(RANKING_SIZE)
    .execute()
}

export type BoardRow = Awaited<ReturnType<typeof selectBoard>>[number]

/** What the archive orders a board by: the measures as they were at the end of the month. */
export const ARCHIVED_BY = { resu: 'resu', mmr: 'mmr', level: 'cha_level', richest: 'money', killer: 'kills' } as const

/**
 * A closed month's board. Its order is that of the figures, because one that was corrected can move a character. Hidden
 * characters and those that were taken out are not shown; a block that came later changes nothing.
 */
export function selectArchivedBoard(db: Db, period: string, board: Board) {
  return selectArchive(db, period, board)
    .where('r.taken_out_at', 'is', null)
    .where((eb) => eb.not(isHidden('r')))
    .$if(ORDERED_BY[board].noughtIsOff, (query) => query.where(`r.${ARCHIVED_BY[board]}`, '>', 0))
    .execute()
}

/** Every entry of a closed month's board, in the order of its figures. */
export function selectArchive(db: Db, period: string, board: Board) {
  const column = ARCHIVED_BY[board]
  return db
    .selectFrom('ranking_archive as r')
    .where('r.period', '=', period)
    .where('r.board', '=', board)
    .select([
      'r.cha_num',
      'r.cha_name',
      'r.cha_level',
      'r.cha_class',
      'r.cha_school',
      'r.kills',
      'r.deaths',
      'r.mmr',
      'r.resu',
      'r.money',
      'r.level_up_at',
    ])
    .orderBy(`r.${column}`, 'desc')
    .$if(column !== 'cha_level', (query) => query.orderBy('r.cha_level', 'desc'))
    .orderBy('r.cha_num')
}

/** Every month there is, newest first; the open one has no `closed_at`. */
export function selectPeriods(db: Db) {
  return db.selectFrom('ranking_periods').selectAll().orderBy('period', 'desc').execute()
}

/** Blocks writers until the transaction ends, so nothing is lost between the archive and the new baselines. */
export async function holdCharacters(tx: Db): Promise<void> {
  await sql`lock table characters in share row exclusive mode`.execute(tx)
}

/** The open month, locked until the transaction ends, so only one process at a time rolls it over. */
export async function lockOpenPeriod(tx: Db) {
  await sql`select pg_advisory_xact_lock(hashtext('ranking_periods'))`.execute(tx)
  return tx.selectFrom('ranking_periods').where('closed_at', 'is', null).selectAll().executeTakeFirst()
}

/** Keeps a board for ever and leaves the rows as they stand. */
export async function archiveBoard(tx: Db, period: string, board: Board, rows: BoardRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('ranking_archive')
    .values(rows.map((row, index) => ({ ...row, period, board, rank: index + 1 })))
    .execute()
}

/** Closes the month at the moment it is done. */
export async function closePeriod(tx: Db, period: string, at: Date): Promise<void> {
  await tx.updateTable('ranking_periods').set({ closed_at: at }).where('period', '=', period).execute()
}

/** Opens a month; from here on kills, deaths and resu count from the present values. */
export async function openPeriod(tx: Db, month: Month, at: Date): Promise<void> {
  await tx
    .insertInto('ranking_periods')
    .values({ period: month.id, starts_at: month.startsAt, ends_at: month.endsAt, opened_at: at })
    .execute()
}

/** Takes the present kills, deaths and resu as the new month's start. */
export async function resetBaselines(tx: Db): Promise<void> {
  await sql`
    update characters
    set base_kills = cha_pk_score, base_deaths = cha_pk_death, base_resu = cha_resu_score
    where month_kills <> 0 or month_deaths <> 0 or month_resu <> 0`.execute(tx)
}
