import type { CallAnswer } from '#contract/endpoint.ts'
import { BOARD_LIST_KEY, BOARDS, type Board } from '#contract/game.ts'
import { getTopRankingsList } from '#contract/rankings.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type BoardRow, selectArchivedBoard, selectBoard, selectPeriods } from './queries.ts'

type Rankings = CallAnswer<typeof getTopRankingsList>

function toRankedCharacter(row: BoardRow) {
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
    BOARDS.map(async (board) => [BOARD_LIST_KEY[board], (await readBoard(board)).map(toRankedCharacter)] as const),
  )
  const byKey = Object.fromEntries(lists) as Omit<Rankings, 'toplevelside'>
  return { ...byKey, toplevelside: byKey.toplevel }
}

/**
 * The six lists of the open month, or of a closed one (`2026-10`).
 * @throws Refusal 404 for a month that was never ranked
 */
export async function listRankings({ db, now }: Pick<Deps, 'db' | 'now'>, period?: string): Promise<Rankings> {
  if (period === undefined) return readBoards((board) => selectBoard(db, board, now()))
  const known = (await selectPeriods(db)).find((candidate) => candidate.period === period)
  if (known === undefined) throw refuse(getTopRankingsList, 'noPeriod')
  if (known.closed_at === null) return readBoards((board) => selectBoard(db, board, now()))
  return readBoards((board) => selectArchivedBoard(db, period, board))
}

/** The months with rankings, newest first. */
export async function listPeriods({ db }: Deps) {
  const periods = await selectPeriods(db)
  return periods.map((period) => ({
    period: period.period,
    starts_at: period.starts_at,
    ends_at: period.ends_at,
    open: period.closed_at === null,
  }))
}

/** The top 100 of a board of all time. */
export async function listTotal({ db, now }: Pick<Deps, 'db' | 'now'>, board: Board) {
  return (await selectBoard(db, board, now(), 'total')).map(toRankedCharacter)
}
