import { type RawBuilder, sql } from 'kysely'
import type { CallAnswer } from '#contract/endpoint.ts'
import { BOARD_LIST_KEYS, BOARDS, type Board } from '#contract/game.ts'
import { ADMIN_USER_TYPE, RANKING_SIZE } from '#contract/limits.ts'
import type { Month } from '#contract/manila.ts'
import { getTopRankingsList } from '#contract/rankings.ts'
import { isBlocked, isBlockedByStaff, isErasing } from '#server/db/blocked.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'

/** Boards on which a value of zero is not ranked (RANK-12). */
export const ZERO_UNRANKED: Record<Board, boolean> = {
  resu: true,
  mmr: false,
  level: false,
  richest: false,
  killer: true,
}

/** The time that a board covers: the open month, the running season, or all time. */
export type Span = 'month' | 'season' | 'total'

/** The expressions that boards order by. Each has an index in 007-rankings.sql. */
export const MEASURES = {
  month: {
    resu: sql<number>`c.month_resu`,
    mmr: sql<number>`c.cha_mmr`,
    level: sql<number>`c.cha_level`,
    richest: sql<number>`c.cha_money`,
    killer: sql<number>`c.month_kills`,
  },
  season: {
    resu: sql<number>`(c.cha_resu_score + c.past_resu - c.start_resu)`,
    mmr: sql<number>`(c.cha_mmr - c.start_mmr)`,
    level: sql<number>`(c.cha_level - c.start_level)`,
    richest: sql<number>`(c.cha_money - c.start_money)`,
    killer: sql<number>`(c.cha_pk_score + c.past_kills - c.start_kills)`,
  },
  total: {
    resu: sql<number>`(c.cha_resu_score + c.past_resu)`,
    mmr: sql<number>`c.cha_mmr`,
    level: sql<number>`c.cha_level`,
    richest: sql<number>`c.cha_money`,
    killer: sql<number>`(c.cha_pk_score + c.past_kills)`,
  },
} as const satisfies Record<Span, Record<Board, unknown>>

/** Whether operators hide a character. */
export const isHiddenByStaff = (character: string) =>
  sql<boolean>`exists (select from hidden_characters h where h.cha_num = ${sql.ref(`${character}.cha_num`)})`

/** Whether pages omit a character: operators hide it, or its account waits to be erased (UNDO-3). */
export const isHidden = (character: string) =>
  sql<boolean>`(${isHiddenByStaff(character)} or ${sql.ref(`${character}.cha_num`)} in (
    select e.cha_num from characters e join accounts ea on ea.user_num = e.user_num where ${isErasing('ea')}))`

/**
 * Whether a character `c` is ranked. It is not hidden, and in the game neither deleted nor blocked nor staff. Its account
 * `a`, if it has one, is neither locked nor of type 11 or more.
 */
export const isRanked = (now: Date) =>
  sql<boolean>`(c.kept_out = '' and not ${isHiddenByStaff('c')}
    and (a.user_num is null or (not ${isBlocked('a', now)} and a.user_type < ${sql.lit(ADMIN_USER_TYPE)})))`

/**
 * Whether activity, titles and drawn pictures name a character `c` with the account `a`: it is ranked, and its player did
 * not choose to be left out (ACTIVITY-4).
 */
export const isPresented = (now: Date) => sql<boolean>`(${isRanked(now)} and a.left_out is not true)`

/**
 * Whether a character `c` counts when a month or a season closes. Characters of accounts that wait to be erased count too,
 * so withdrawing the erasure restores their ranks.
 */
export const isCounted = (now: Date) =>
  sql<boolean>`(c.kept_out = '' and not ${isHiddenByStaff('c')}
    and (a.user_num is null or (not ${isBlockedByStaff('a', now)} and a.user_type < ${sql.lit(ADMIN_USER_TYPE)})))`

/**
 * Whether a character `c` already had its ChaNum at `time`. The game's characters, stored since a bridge was paired, can
 * have the ChaNum of another character on an older board.
 */
export const isSameCharacter = (time: RawBuilder<unknown>) =>
  sql<boolean>`(c.game_user_num is null or c.known_since <= ${time})`

/** The measure that each board needs, as `game_sync.lacks` names it; null if the game always has it. */
const GAME_MEASURES = { resu: 'resu', mmr: 'mmr', level: null, richest: 'money', killer: 'kills' } as const

/** Selects the boards that stay empty, because the game has no column for their measure. */
export async function selectEmptyBoards(db: Db): Promise<Board[]> {
  const sync = await db.selectFrom('game_sync').select('lacks').executeTakeFirst()
  return BOARDS.filter((board) => sync?.lacks.some((measure) => measure === GAME_MEASURES[board]))
}

const hasMeasure = (board: Board) =>
  sql<boolean>`not exists (select from game_sync g where ${GAME_MEASURES[board]}::text = any (g.lacks))`

/** `isClosing` selects the characters that count when a month or a season closes instead of the visible ones. */
export type BoardRequest = { board: Board; span: Span; now: Date; isClosing?: boolean }

/**
 * Selects the ranked characters `c` of a board in its order, with their accounts `a` and the measure as `value`. Equal values
 * are ordered by higher level, then lower ChaNum. With a limit it uses the board's index, so the cost does not grow with the
 * number of characters.
 */
export function selectRanked(db: Db, { board, span, now, isClosing = false }: BoardRequest) {
  const value = MEASURES[span][board]
  return db
    .selectFrom('characters as c')
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where(isClosing ? isCounted(now) : isRanked(now))
    .$if(GAME_MEASURES[board] !== null, (query) => query.where(hasMeasure(board)))
    .$if(span === 'season' || ZERO_UNRANKED[board], (query) => query.where(sql<boolean>`${value} > 0`))
    .select(['c.cha_num', 'c.cha_class', 'c.cha_school', value.as('value')])
    .orderBy(value, 'desc')
    .$if(board !== 'level' || span === 'season', (query) => query.orderBy('c.cha_level', 'desc'))
    .orderBy('c.cha_num')
}

/** Selects the current top 100 of a board, of the month or of all time. */
export const selectBoard = (db: Db, board: Board, now: Date, span: 'month' | 'total' = 'month') =>
  selectTop(db, { board, span, now })

/** Selects the top 100 of a board when the month closes. */
export const selectClosingBoard = (db: Db, board: Board, now: Date) =>
  selectTop(db, { board, span: 'month', now, isClosing: true })

function selectTop(db: Db, request: BoardRequest & { span: 'month' | 'total' }) {
  const { span } = request
  const { kills, deaths, resu } =
    span === 'month'
      ? { kills: sql<number>`c.month_kills`, deaths: sql<number>`c.month_deaths`, resu: sql<number>`c.month_resu` }
      : {
          kills: MEASURES.total.killer,
          deaths: sql<number>`(c.cha_pk_death + c.past_deaths)`,
          resu: MEASURES.total.resu,
        }
  return selectRanked(db, request)
    .clearSelect()
    .select([
      'c.cha_num',
      'c.cha_name',
      'c.cha_level',
      'c.cha_class',
      'c.cha_school',
      kills.as('kills'),
      deaths.as('deaths'),
      'c.cha_mmr as mmr',
      resu.as('resu'),
      'c.cha_money as money',
      'c.level_up_at',
    ])
    .limit(RANKING_SIZE)
    .execute()
}

export type BoardRow = Awaited<ReturnType<typeof selectBoard>>[number]

/** The column of the archive that orders each board. It holds the value at the end of the month. */
export const ARCHIVE_COLUMNS = {
  resu: 'resu',
  mmr: 'mmr',
  level: 'cha_level',
  richest: 'money',
  killer: 'kills',
} as const

/**
 * Selects a closed month's board, ordered by the figures, because a correction can change the rank of a character. Omits
 * hidden characters and entries that were taken out; a later block has no effect.
 */
export function selectArchivedBoard(db: Db, period: string, board: Board) {
  return selectArchive(db, period, board)
    .where('r.taken_out_at', 'is', null)
    .where((eb) => eb.not(isHidden('r')))
    .$if(ZERO_UNRANKED[board], (query) => query.where(`r.${ARCHIVE_COLUMNS[board]}`, '>', 0))
    .execute()
}

/** Selects every entry of a closed month's board, in the order of its figures. */
export function selectArchive(db: Db, period: string, board: Board) {
  const column = ARCHIVE_COLUMNS[board]
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

/** Selects every month, newest first; the open one has no `closed_at`. */
export function selectPeriods(db: Db) {
  return db.selectFrom('ranking_periods').selectAll().orderBy('period', 'desc').execute()
}

type Rankings = CallAnswer<typeof getTopRankingsList>

/** Converts a row of a board for responses. */
export function toRankedCharacter(row: BoardRow) {
  return {
    ChaNum: row.cha_num,
    ChaName: row.cha_name,
    ChaLevel: row.cha_level,
    ChaClass: row.cha_class,
    ChaSchool: row.cha_school,
    ChaPKScore: row.kills,
    ChaPKDeath: row.deaths,
    ChaMMR: row.mmr,
    ChaResuScore: row.resu,
    ChaMoney: row.money,
    ChaLevelUpDate: row.level_up_at,
  }
}

async function readBoards(readBoard: (board: Board) => Promise<BoardRow[]>): Promise<Rankings> {
  const lists = await Promise.all(
    BOARDS.map(async (board) => [BOARD_LIST_KEYS[board], (await readBoard(board)).map(toRankedCharacter)] as const),
  )
  const boardsByKey = Object.fromEntries(lists) as Omit<Rankings, 'toplevelside'>
  return { ...boardsByKey, toplevelside: boardsByKey.toplevel }
}

/**
 * Returns the six lists of the open month, or of a closed one (`2026-10`).
 * @throws Refusal 404 for a month that was never ranked
 */
export async function listRankings({ db, now }: Pick<Deps, 'db' | 'now'>, period?: string): Promise<Rankings> {
  if (period === undefined) return readBoards((board) => selectBoard(db, board, now()))
  const periodRow = (await selectPeriods(db)).find((candidate) => candidate.period === period)
  if (periodRow === undefined) throw refuse(getTopRankingsList, 'periodNotFound')
  if (periodRow.closed_at === null) return readBoards((board) => selectBoard(db, board, now()))
  return readBoards((board) => selectArchivedBoard(db, period, board))
}

/**
 * Blocks writers of characters until the transaction ends, because a change between the archive and the new month would be
 * lost.
 */
export async function lockCharacters(tx: Db): Promise<void> {
  await sql`lock table characters in share row exclusive mode`.execute(tx)
}

/** Locks and returns the open month, so only one process at a time closes it. */
export async function lockOpenPeriod(tx: Db) {
  await sql`select pg_advisory_xact_lock(hashtext('ranking_periods'))`.execute(tx)
  return tx.selectFrom('ranking_periods').where('closed_at', 'is', null).selectAll().executeTakeFirst()
}

/** Stores the rows of a board in the archive. */
export async function archiveBoard(tx: Db, period: string, board: Board, rows: BoardRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('ranking_archive')
    .values(rows.map((row, index) => ({ ...row, period, board, rank: index + 1 })))
    .execute()
}

type ClosingTimes = { at: Date; valuesAt: Date | null }

/** Closes the month, and stores when its values were read from the game. */
export async function closePeriod(tx: Db, period: string, { at, valuesAt }: ClosingTimes): Promise<void> {
  await tx
    .updateTable('ranking_periods')
    .set({ closed_at: at, values_at: valuesAt })
    .where('period', '=', period)
    .execute()
}

/** Inserts the new open month. `resetBaselines` sets the values from which it counts. */
export async function openPeriod(tx: Db, month: Month, at: Date): Promise<void> {
  await tx
    .insertInto('ranking_periods')
    .values({ period: month.id, starts_at: month.startsAt, ends_at: month.endsAt, opened_at: at })
    .execute()
}

/** Sets the current kills, deaths and resu as the start of the new month. */
export async function resetBaselines(tx: Db): Promise<void> {
  await sql`
    update characters
    set base_kills = cha_pk_score, base_deaths = cha_pk_death, base_resu = cha_resu_score
    where month_kills <> 0 or month_deaths <> 0 or month_resu <> 0`.execute(tx)
}

/** Selects the club of a character, for its page. */
export async function selectClubByCharacter(db: Db, chaNum: number) {
  const clubRow = await db
    .selectFrom('characters as c')
    .innerJoin('clubs as g', 'g.club', 'c.club')
    .where('c.cha_num', '=', chaNum)
    .select(['g.club as GuNum', 'g.name as GuName', 'g.leader'])
    .executeTakeFirst()
  return clubRow === undefined
    ? null
    : { GuNum: clubRow.GuNum, GuName: clubRow.GuName, leads: clubRow.leader === chaNum }
}
