import { queryOptions } from '@tanstack/react-query'
import { normalWords } from '#contract/search-words.ts'
import { type ApiClient, createClient, read } from '#web/api/client.ts'
import type { SearchView } from './search-view.ts'

const STALE_MS = 30_000

const ask = (api: ApiClient, { words, kind, page }: SearchView) =>
  read(
    api.search.$get({
      query: { q: normalWords(words), ...(kind !== null && { kind }), ...(page > 1 && { page: `${page}` }) },
    }),
  )

/** What the page shows. */
export const searchQuery = (view: SearchView) => (api: ApiClient) =>
  queryOptions({
    queryKey: ['search', view],
    staleTime: STALE_MS,
    retry: false,
    queryFn: () => ask(api, view),
  })

/** What the box shows while somebody types; a search that nobody waits for any more is broken off. */
export const boxQuery = (words: string) =>
  queryOptions({
    queryKey: ['search', 'box', normalWords(words)],
    staleTime: STALE_MS,
    retry: false,
    queryFn: ({ signal }) => {
      const api = createClient((input, init) => fetch(input, { ...init, signal }))
      return ask(api, { words, kind: null, page: 1 })
    },
  })

export type SearchAnswer = Awaited<ReturnType<typeof ask>>
