import { isSearchable, SEARCH_KINDS, SEARCH_WORDS_MAX, type SearchKind, trimWords } from '#contract/search-words.ts'

/** What the search page shows; without a kind the first hits of every kind. */
export type SearchView = { words: string; kind: SearchKind | null; page: number }

/** The kinds in the words of the page. */
export const KIND_NAMES: Record<SearchKind, string> = {
  guides: 'Guides',
  news: 'News',
  items: 'Items',
  characters: 'Characters',
}

/** Reads `?q=&kind=&page=`; what it does not understand is the default, words too long are cut. */
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

/** Whether there is something to ask for. */
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
