import { NEWS_TYPES } from '#contract/game.ts'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { wholeNumberIn } from '#web/api/page.ts'

/** The three boards of the news list, from top to bottom (NEWS-1). */
export const NEWS_BOARDS = [
  { key: 'all', type: NEWS_TYPES.all, title: 'News' },
  { key: 'events', type: NEWS_TYPES.events, title: 'Events' },
  { key: 'guides', type: NEWS_TYPES.guides, title: 'Guides' },
] as const

/** The first board's list of patch notes alone (NEWS-12). */
const PATCH_NOTES = { key: 'patch-notes', type: NEWS_TYPES.all, title: 'News' } as const

export type NewsBoard = (typeof NEWS_BOARDS)[number]
/** The boards of the list. */
export type ListedBoard = NewsBoard | typeof PATCH_NOTES
export type BoardKey = ListedBoard['key']

/** Which board the address pages, and to which page; every other board stays on its first. */
type NewsView = { board: BoardKey; page: number }

/** The boards as a view has them. */
export const listBoards = ({ board }: NewsView): readonly ListedBoard[] =>
  NEWS_BOARDS.map((one) => (one.key === 'all' && board === 'patch-notes' ? PATCH_NOTES : one))

/** The board of a news type; general news belongs to the board of all news. */
export function boardOfType(type: number): NewsBoard {
  return NEWS_BOARDS.find((board) => board.type === type) ?? NEWS_BOARDS[0]
}

/**
 * Parses `?board=all|patch-notes|events|guides&page=n`. Without a board, the older `category` (0 all, 1 guides, 2
 * events; ROUTE-1) selects it.
 */
export function readNewsView(query: URLSearchParams): NewsView {
  const named = [...NEWS_BOARDS, PATCH_NOTES].find((board) => board.key === query.get('board'))
  const numbered = NEWS_BOARDS.find((board) => board.type === wholeNumberIn(query.get('category')))
  return { board: (named ?? numbered)?.key ?? 'all', page: Math.max(1, wholeNumberIn(query.get('page')) ?? 1) }
}

/** An id that no item has, for addresses that name something other than a number. */
export const NO_SUCH_TOPIC = 0

/** The item that `?topic=` names; null for none and for 0, the default, which mean the list (ROUTE-9). */
export function readTopic(query: URLSearchParams): number | null {
  const text = query.get('topic')
  return text === null || text === '' || text === '0' ? null : (readTopicId(text) ?? NO_SUCH_TOPIC)
}

/** The id in the path of /topic/:id; `NO_SUCH_TOPIC` when it is not a number. */
export function topicIn(id: string | undefined): number {
  return readTopicId(id) ?? NO_SUCH_TOPIC
}

/** The news' part of an address: the list's view, and the item if it names one. */
export const newsSearch = {
  names: ['topic', 'category', 'page', 'board'],
  read: (query: URLSearchParams) => ({ topic: readTopic(query), view: readNewsView(query) }),
}

/** The page of a board under a view. */
export function getPage(board: BoardKey, view: NewsView): number {
  return view.board === board ? view.page : 1
}

/** The address of the list that shows a view. */
export function newsPath({ board, page }: NewsView): string {
  if (page > 1) return `/news?board=${board}&page=${page}`
  return board === 'all' ? '/news' : `/news?board=${board}`
}

/** The address of an item; from a later page of a board it remembers the way back (ROUTE-1: topic, category, page). */
export function newsTopicPath(id: number, from?: { type: number; page: number }): string {
  const address = `/news?topic=${id}`
  return from && from.page > 1 ? `${address}&category=${from.type}&page=${from.page}` : address
}

/** The id in an address: a positive whole number, else undefined. */
export function readTopicId(text: string | undefined | null): number | undefined {
  return wholeNumberIn(text) || undefined
}

/** The rows of a board's first page: the latest item once, first, counted among the page's eight (NEWS-2). */
export function withLatestFirst<Item extends { id: number }>(latest: Item | undefined, list: Item[]): Item[] {
  if (latest === undefined) return list
  return [latest, ...list.filter((item) => item.id !== latest.id)].slice(0, NEWS_PAGE_SIZE)
}
