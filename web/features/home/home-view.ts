import { type ClassName, HOME_CLASS_FILTERS, type SchoolCode } from '#contract/game.ts'
import { getTopRankingsList } from '#contract/rankings.ts'
import { toDerivedQuery, toOptions } from '#web/api/queries.ts'
import { NEWS_BOARDS, type NewsBoard } from '../news/news-view.ts'
import { filterAndRank, getRankingBoardQuery, readClass, readSchool } from '../rankings/rankings-view.ts'

/** The view of the home page: the ranking's filters, and the open news box on a phone. */
export type HomeView = { school: SchoolCode | null; cls: ClassName | null; box: NewsBoard['key'] }

/** Parses `?school=0&class=archer&box=events`. */
export function readHomeView(query: URLSearchParams): HomeView {
  return {
    school: readSchool(query),
    cls: readClass(query, HOME_CLASS_FILTERS),
    box: NEWS_BOARDS.find(({ key }) => key === query.get('box'))?.key ?? 'all',
  }
}

/** The search parameters of the home page. */
export const homeSearch = { names: ['school', 'class', 'box'], read: readHomeView }

/** Returns the address of a view. */
export function getHomePath({ school, cls, box }: HomeView): string {
  const query = new URLSearchParams()
  if (school !== null) query.set('school', String(school))
  if (cls !== null) query.set('class', cls)
  if (box !== 'all') query.set('box', box)
  return query.size === 0 ? '/' : `/?${query}`
}

/** The number of characters in the ranking of the home page. */
export const HOME_ROWS = 8

/** Returns the query of the widget's rows. The document contains only these rows, not the whole board. */
export const getHomeRankingQuery = ({ school, cls }: Pick<HomeView, 'school' | 'cls'>) =>
  toDerivedQuery(getTopRankingsList, 'home', { school, cls }, async (call, client) => {
    const levelQuery = getRankingBoardQuery('level', null)
    // In the browser, one board serves every filter. On the server, it must not enter the cache, which is embedded in
    // the document.
    const board =
      typeof window === 'undefined'
        ? await levelQuery.fetch(call, client)
        : await client.fetchQuery(toOptions(levelQuery, call))
    return { ranked: filterAndRank(board, { school, cls }).slice(0, HOME_ROWS), isEmpty: board.length === 0 }
  })
