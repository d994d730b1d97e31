import type { CallOutput } from '#contract/endpoint.ts'
import { getSearch } from '#contract/search.ts'
import { normalWords } from '#contract/search-words.ts'
import { callQuery } from '#web/api/queries.ts'
import type { SearchView } from './search-view.ts'

export type SearchAnswer = CallOutput<typeof getSearch>

/** What a search finds. */
export const searchQuery = ({ words, kind, page }: SearchView) =>
  callQuery(getSearch, { q: normalWords(words), kind: kind ?? undefined, page: page > 1 ? page : undefined })
