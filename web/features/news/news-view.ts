import { NEWS_TYPE_CODES } from '#contract/game.ts'
import { NEWS_PAGE_SIZE } from '#contract/limits.ts'
import { readWholeNumber } from '#web/api/page.ts'

/** The three boards of the news list, from top to bottom (NEWS-1). */
export const NEWS_BOARDS = [
  { key: 'all', type: NEWS_TYPE_CODES.all, title: 'News' },
  { key: 'events', type: NEWS_TYPE_CODES.events, title: 'Events' },
  { key: 'guides', type: NEWS_TYPE_CODES.guides, title: 'Guides' },
] as const

/** The first board with patch notes only (NEWS-12). */
const PATCH_NOTES = { key: 'patch-notes', type: NEWS_TYPE_CODES.all, title: 'News' } as const

export type NewsBoard = (typeof NEWS_BOARDS)[number]
/** A board of the list. */
export type ListedBoard = NewsBoard | typeof PATCH_NOTES
export type BoardKey = ListedBoard['key']

/** The board and the page in an address. The other boards stay on their first pages. */
type NewsView = { board: BoardKey; page: number }

/** Returns the boards of a view. */
export const listBoards = ({ board }: NewsView): readonly ListedBoard[] =>
  NEWS_BOARDS.map((newsBoard) => (newsBoard.key === 'all' && board === 'patch-notes' ? PATCH_NOTES : newsBoard))

/** Returns the board of a news type. General news belongs to the board of all news. */
export function findBoardByType(type: number): NewsBoard {
  return NEWS_BOARDS.find((board) => board.type === type) ?? NEWS_BOARDS[0]
}

/**
 * Parses `?board=all|patch-notes|events|guides&page=n`. Without a board, the older `category` (0 all, 1 guides, 2
 * events; ROUTE-1) selects it.
 */
export function readNewsView(query: URLSearchParams): NewsView {
  const namedBoard = [...NEWS_BOARDS, PATCH_NOTES].find((board) => board.key === query.get('board'))
  const numberedBoard = NEWS_BOARDS.find((board) => board.type === readWholeNumber(query.get('category')))
  return {
    board: (namedBoard ?? numberedBoard)?.key ?? 'all',
    page: Math.max(1, readWholeNumber(query.get('page')) ?? 1),
  }
}

/** An id without an item, for addresses whose id is no number. */
export const UNKNOWN_TOPIC_ID = 0

/** Returns the item in `?topic=`; null, which means the list, if the parameter is missing or 0 (ROUTE-9). */
export function readTopic(query: URLSearchParams): number | null {
  const text = query.get('topic')
  return text === null || text === '' || text === '0' ? null : (readTopicId(text) ?? UNKNOWN_TOPIC_ID)
}

/** Returns the id in the path of /topic/:id; `UNKNOWN_TOPIC_ID` if it is no number. */
export function readTopicParam(id: string | undefined): number {
  return readTopicId(id) ?? UNKNOWN_TOPIC_ID
}

/** The search parameters of the news: the view of the list, and the item. */
export const newsSearch = {
  names: ['topic', 'category', 'page', 'board'],
  read: (query: URLSearchParams) => ({ topic: readTopic(query), view: readNewsView(query) }),
}

/** Returns the page of a board in a view. */
export function getPage(board: BoardKey, view: NewsView): number {
  return view.board === board ? view.page : 1
}

/** Returns the address of the list that shows a view. */
export function getNewsPath({ board, page }: NewsView): string {
  if (page > 1) return `/news?board=${board}&page=${page}`
  return board === 'all' ? '/news' : `/news?board=${board}`
}

/**
 * Returns the address of an item. From a later page of a board it contains the way back (ROUTE-1: topic, category,
 * page).
 */
export function getNewsTopicPath(id: number, from?: { type: number; page: number }): string {
  const address = `/news?topic=${id}`
  return from && from.page > 1 ? `${address}&category=${from.type}&page=${from.page}` : address
}

/** Returns the id in an address: a positive whole number, otherwise undefined. */
export function readTopicId(text: string | undefined | null): number | undefined {
  return readWholeNumber(text) || undefined
}

/**
 * Returns the rows of a board's first page. The latest item is first, occurs once, and is one of the page's eight
 * (NEWS-2).
 */
export function putLatestFirst<Item extends { id: number }>(latest: Item | undefined, list: Item[]): Item[] {
  if (latest === undefined) return list
  return [latest, ...list.filter((item) => item.id !== latest.id)].slice(0, NEWS_PAGE_SIZE)
}
