import { getCharacter, getOwnRanks, getUnlinkedCharacters } from '#contract/characters.ts'
import { getClub, getClubRanking } from '#contract/clubs.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { BOARD_LIST_KEY, BOARDS, type Board } from '#contract/game.ts'
import { getRankingPeriods, getTopRankingsList, getTotalRankings } from '#contract/rankings.ts'
import { getSeasonRankings, getSeasons } from '#contract/seasons.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { readCharacter, selectUnlinked } from './characters.ts'
import { readClub, readClubRanking } from './clubs.ts'
import { readOwnRanks } from './own-ranks.ts'
import { type BoardRow, selectArchivedBoard, selectBoard, selectPeriods } from './queries.ts'
import { readSeasonBoard } from './season-boards.ts'
import { selectSeasons, toSeason } from './seasons.ts'

/** The calls of the rankings: the boards (RANK-6), the months and seasons there are, the characters on them, and the clubs. */
export const rankingCalls: Mounted[] = [
  mount(getTopRankingsList, ({ period }, { deps }) => listRankings(deps, period)),
  mount(getRankingPeriods, async (_, { deps }) => ({
    data: (await selectPeriods(deps.db)).map(({ period, starts_at, ends_at, closed_at }) => ({
      period,
      starts_at,
      ends_at,
      open: closed_at === null,
    })),
  })),
  mount(getTotalRankings, async ({ board }, { deps: { db, now } }) => ({
    data: (await selectBoard(db, board, now(), 'total')).map(toRankedCharacter),
  })),
  mount(getSeasons, async (_, { deps }) => ({ data: (await selectSeasons(deps.db)).map(toSeason) })),
  mount(getSeasonRankings, ({ board, season }, { deps }) => readSeasonBoard(deps, board, season)),
  mount(getCharacter, ({ cha_num }, { deps }) => readCharacter(deps, cha_num)),
  mount(getUnlinkedCharacters, async ({ period }, { deps }) => ({ data: await selectUnlinked(deps, period) })),
  mount(getClubRanking, async (_, { deps }) => ({ data: await readClubRanking(deps) })),
  mount(getClub, ({ club }, { deps }) => readClub(deps, club)),
  mount(getOwnRanks, (wanted, { deps, session }) => readOwnRanks(deps, { userNum: session.userNum, ...wanted })),
]

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
