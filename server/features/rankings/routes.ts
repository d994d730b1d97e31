import { Hono } from 'hono'
import { getCharacter, getOwnRanks, getTitles, getUnlinkedCharacters } from '#contract/characters.ts'
import { getClub, getClubRanking } from '#contract/clubs.ts'
import { getRankingPeriods, getTopRankingsList, getTotalRankings } from '#contract/rankings.ts'
import { getSeasonRankings, getSeasons } from '#contract/seasons.ts'
import type { Deps } from '#server/deps.ts'
import { createNotFound } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { readCharacter, selectUnlinked } from './characters.ts'
import { readClub, readClubRanking } from './clubs.ts'
import { readOwnRanks } from './own-ranks.ts'
import { listRankings, selectBoard, selectPeriods, toRankedCharacter } from './queries.ts'
import { readSeasonBoard } from './season-boards.ts'
import { selectSeasons, toSeason } from './seasons.ts'
import { readTitles } from './titles.ts'

/** The calls of the rankings: boards (RANK-6), months, seasons, titles, characters and clubs. */
export const rankingCalls: MountedCall[] = [
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
  mount(getTitles, async (_, { deps: { browseDb: db, now, cache } }) => ({
    data: await readTitles({ db, now, cache }),
  })),
  mount(getCharacter, ({ cha_num }, { deps }) => readCharacter(deps, cha_num)),
  mount(getUnlinkedCharacters, async ({ period }, { deps }) => ({ data: await selectUnlinked(deps, period) })),
  mount(getClubRanking, async (_, { deps }) => ({ data: await readClubRanking(deps) })),
  mount(getClub, ({ club }, { deps }) => readClub(deps, club)),
  mount(getOwnRanks, (input, { deps, session }) => readOwnRanks(deps, { userNum: session.userNum, ...input })),
]

/**
 * Serves the marks of clubs at `/club/{GuNum}.png`; 404 as soon as a mark is hidden (CLUB-5). Pages add the mark's
 * version to the address.
 */
export function createClubMarks({ browseDb }: Pick<Deps, 'browseDb'>): Hono {
  const routes = new Hono()
  routes.get('/club/:file{[1-9][0-9]{0,14}\\.png}', async (c) => {
    const mark = await browseDb
      .selectFrom('club_marks')
      .where('club', '=', Number.parseInt(c.req.param('file'), 10))
      .where('hidden_at', 'is', null)
      .select('picture')
      .executeTakeFirst()
    if (mark?.picture == null) throw createNotFound()
    return c.body(new Uint8Array(mark.picture), 200, {
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=86400',
    })
  })
  return routes
}
