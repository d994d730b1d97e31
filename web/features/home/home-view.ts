import { type ClassName, HOME_CLASS_FILTERS, type SchoolCode } from '#contract/game.ts'
import { type BoardKey, NEWS_BOARDS } from '../news/boards.ts'
import { readClass, readSchool } from '../rankings/ranking-view.ts'

/** What the home page shows: the ranking's filters, and which news box is open on a phone. */
export type HomeView = { school: SchoolCode | null; cls: ClassName | null; box: BoardKey }

/** Reads `?school=0&class=archer&box=events`. */
export function readHomeView(query: URLSearchParams): HomeView {
  return {
    school: readSchool(query),
    cls: readClass(query, HOME_CLASS_FILTERS),
    box: NEWS_BOARDS.find(({ key }) => key === query.get('box'))?.key ?? 'all',
  }
}

/** The home page's part of an address. */
export const homeSearch = { names: ['school', 'class', 'box'], read: readHomeView }

/** The address of a view. */
export function homePath({ school, cls, box }: HomeView): string {
  const query = new URLSearchParams()
  if (school !== null) query.set('school', String(school))
  if (cls !== null) query.set('class', cls)
  if (box !== 'all') query.set('box', box)
  return query.size === 0 ? '/' : `/?${query}`
}
