import type { CallOutput } from '#contract/endpoint.ts'
import {
  getSearch,
  isSearchable,
  normalWords,
  SEARCH_KINDS,
  SEARCH_WORDS_MAX,
  type SearchKind,
  trimWords,
} from '#contract/search.ts'
import { callQuery } from '#web/api/queries.ts'

/** What the search page shows; without a kind the first hits of every kind. */
export type SearchView = { words: string; kind: SearchKind | null; page: number }

/** The kinds' names on the page. */
export const KIND_NAMES: Record<SearchKind, string> = {
  guides: 'Guides',
  news: 'News',
  items: 'Items',
  characters: 'Characters',
  forum: 'Forum',
}

/** Reads `?q=&kind=&page=`; anything invalid is the default, and words that are too long are cut. */
export function readSearchView(query: URLSearchParams): SearchView {
  const page = query.get('page') ?? ''
  return {
    words: cutWords(query.get('q') ?? ''),
    kind: SEARCH_KINDS.find((kind) => kind === query.get('kind')) ?? null,
    page: /^\d{1,4}$/.test(page) ? Math.max(1, Number(page)) : 1,
  }
}

/** The search page's part of an address. */
export const searchSearch = { names: ['q', 'kind', 'page'], read: readSearchView }

/** Words as the call takes them: without control characters, at most 80 characters. */
export function cutWords(typed: string): string {
  return trimWords(trimWords(typed.replace(/\p{Cc}/gu, ' ')).slice(0, SEARCH_WORDS_MAX))
}

/** Whether there is something to search for. */
export function isAsked({ words }: SearchView): boolean {
  return isSearchable(words)
}

/** The address of a view without its page, for the pager. */
export function searchTarget({ words, kind }: Omit<SearchView, 'page'>): string {
  const query = new URLSearchParams({ ...(words !== '' && { q: words }), ...(kind !== null && { kind }) })
  return query.size === 0 ? '/search' : `/search?${query}`
}

/** The address of a search for words. */
export function searchPath(words: string): string {
  return searchTarget({ words, kind: null })
}

export type SearchAnswer = CallOutput<typeof getSearch>

/** What a search finds. */
export const searchQuery = ({ words, kind, page }: SearchView) =>
  callQuery(getSearch, { q: normalWords(words), kind: kind ?? undefined, page: page > 1 ? page : undefined })
