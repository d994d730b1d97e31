import { BOARDS } from '#contract/game.ts'
import { RANKING_SIZE } from '#contract/limits.ts'
import { getSharePicturePath, WARS_PICTURE } from '#contract/sharing.ts'
import type { Deps } from '#server/deps.ts'
import { listUpcoming } from '../events/queries.ts'
import { listNews } from '../news/queries.ts'
import { readBoardRanks } from '../rankings/characters.ts'
import { readClubRanking } from '../rankings/clubs.ts'
import { readTitles } from '../rankings/titles.ts'
import { listVisibleLeagues } from '../wars/leagues.ts'
import { createSharePictures } from './pictures.ts'

/** The number of newest news, events and months whose pictures are drawn in advance. */
const NEWS_DRAWN_MAX = 10
const EVENTS_DRAWN_MAX = 10
const MONTHS_DRAWN_MAX = 3

/** The maximum number of pictures that a run draws, which takes about three seconds of one core. */
const DRAWN_PER_RUN = 10
/** The number of pictures of the rankings that a run checks for changes. */
const CHECKED_PER_RUN = 60

/** Lists the addresses of the pictures of news, events, wars, leagues and months. */
async function listContentPictures(deps: Deps): Promise<string[]> {
  const [{ data: news }, events, titles, wars, leagues] = await Promise.all([
    listNews(deps, { type: 0, count: NEWS_DRAWN_MAX, paged: 0, latestflag: 0 }),
    listUpcoming(deps.db, deps.now(), EVENTS_DRAWN_MAX),
    readTitles(deps),
    deps.db.selectFrom('event_results').select('event').orderBy('starts_at', 'desc').limit(EVENTS_DRAWN_MAX).execute(),
    listVisibleLeagues(deps),
  ])
  const months = new Set(titles.flatMap(({ period }) => (period === null ? [] : [period])))
  const numbers = new Set([...events, ...wars].map(({ event }) => event))
  return [
    ...news.map(({ id }) => getSharePicturePath('news', id)),
    ...[...numbers].map((event) => getSharePicturePath('event', event)),
    ...[...months].slice(0, MONTHS_DRAWN_MAX).map((period) => getSharePicturePath('month', period)),
    ...leagues.map(({ league }) => getSharePicturePath('league', league)),
    WARS_PICTURE,
  ]
}

/** Lists the addresses of the pictures of the first hundred characters of each board and of the ranked clubs. */
async function listRankedPictures(deps: Deps): Promise<string[]> {
  const boards = await Promise.all(BOARDS.map((board) => readBoardRanks(deps, board, { span: 'month' })))
  const topRanks = boards.flatMap((ranks) => Object.entries(ranks).filter(([, { rank }]) => rank <= RANKING_SIZE))
  const numbers = new Set(topRanks.sort(([, a], [, b]) => a.rank - b.rank).map(([chaNum]) => chaNum))
  const clubs = await readClubRanking(deps)
  return [
    ...clubs.map(({ GuNum }) => getSharePicturePath('club', GuNum)),
    ...[...numbers].map((chaNum) => `/character/${chaNum}.jpg`),
  ]
}

/**
 * Creates the job that draws pictures whose content has changed, so even the first share of a link shows its picture
 * (SHARE-2). Each run checks a part of the rankings, and the next run continues after it.
 */
export function createPictureJob(deps: Deps) {
  const pictures = createSharePictures(deps)
  const browseDeps = { ...deps, db: deps.browseDb }
  let position = 0

  async function drawIfChanged(address: string): Promise<boolean> {
    try {
      const drawing = await pictures.find(address)
      return drawing !== null && (await pictures.prepare(drawing))
    } catch (error) {
      deps.log.debug({ err: error, address }, 'a share picture was not drawn ahead')
      return false
    }
  }

  return async (signal: AbortSignal): Promise<void> => {
    let drawnCount = 0
    const isDone = () => signal.aborted || drawnCount >= DRAWN_PER_RUN
    for (const address of await listContentPictures(browseDeps)) {
      if (isDone()) return
      if (await drawIfChanged(address)) drawnCount++
    }
    const rankedAddresses = await listRankedPictures(browseDeps)
    for (
      let checkedCount = 0;
      checkedCount < Math.min(CHECKED_PER_RUN, rankedAddresses.length) && !isDone();
      checkedCount++
    ) {
      if (await drawIfChanged(rankedAddresses[position % rankedAddresses.length] ?? '')) drawnCount++
      position++
    }
  }
}
