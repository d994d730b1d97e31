import type { CallOutput } from '#contract/endpoint.ts'
import { getSearch, isSearchable, normalizeQuery, SEARCH_KINDS, type SearchKind, trimQuery } from '#contract/search.ts'
import { toCallQuery } from '#web/api/queries.ts'

/** The view of the search page. Without a kind, it shows the first results of every kind. */
export type SearchView = { query: string; kind: SearchKind | null; page: number }

/** The kinds' names on the page. */
export const KIND_NAMES: Record<SearchKind, string> = {
  guides: 'Guides',
  news: 'News',
  items: 'Items',
  characters: 'Characters',
  forum: 'Forum',
}

/**
 * Parses `?q=&kind=&page=`. An invalid kind or page becomes the default. A query that is too long is not changed, and
 * the page shows the limit.
 */
export function readSearchView(params: URLSearchParams): SearchView {
  const page = params.get('page') ?? ''
  return {
    query: cleanQuery(params.get('q') ?? ''),
    kind: SEARCH_KINDS.find((kind) => kind === params.get('kind')) ?? null,
    page: /^\d{1,4}$/.test(page) ? Math.max(1, Number(page)) : 1,
  }
}

/** The search parameters of the page. */
export const searchSearch = { names: ['q', 'kind', 'page'], read: readSearchView }

/** Returns a query in the form that the call accepts, without control characters. */
export function cleanQuery(text: string): string {
  return trimQuery(text.replace(/\p{Cc}/gu, ' '))
}

/** Returns whether a view has a query to search for. */
export function hasQuery({ query }: SearchView): boolean {
  return isSearchable(query)
}

/** Returns the address of a view without its page, for the pager. */
export function getSearchTarget({ query, kind }: Omit<SearchView, 'page'>): string {
  const params = new URLSearchParams({ ...(query !== '' && { q: query }), ...(kind !== null && { kind }) })
  return params.size === 0 ? '/search' : `/search?${params}`
}

/** Returns the address of a search. */
export function getSearchPath(query: string): string {
  return getSearchTarget({ query, kind: null })
}

export type SearchAnswer = CallOutput<typeof getSearch>

/** Returns the query of a search's results. */
export const getSearchQuery = ({ query, kind, page }: SearchView) =>
  toCallQuery(getSearch, { q: normalizeQuery(query), kind: kind ?? undefined, page: page > 1 ? page : undefined })
