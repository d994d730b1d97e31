import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import type { PersistQueryClientOptions } from '@tanstack/react-query-persist-client'
import { BANNER_CACHE_MS } from '#contract/limits.ts'

/** The first word of the query keys that SPEC §4 keeps in local storage. */
const KEPT_IN_STORAGE = new Set<unknown>(['news', 'downloads', 'banners'])

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => console.warn('load failed', query.queryKey, error.message),
    }),
    defaultOptions: {
      // A rendering ends with its client; a timer of half an hour would hold its data on the server.
      queries: {
        gcTime: typeof window === 'undefined' ? Number.POSITIVE_INFINITY : BANNER_CACHE_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: 1,
      },
    },
  })
}

let shared: QueryClient | undefined

/** The browser's one query client; while rendering on the server, a fresh one each time. */
export function browserQueries(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient()
  shared ??= createQueryClient()
  return shared
}

/** Keeps news, downloads and banners in local storage (SPEC §4 Caching). */
export function storageOptions(): Omit<PersistQueryClientOptions, 'queryClient'> {
  const storage = typeof window === 'undefined' ? undefined : window.localStorage
  return {
    persister: createSyncStoragePersister({ storage, key: 'TAMBAYAN_CACHE' }),
    maxAge: BANNER_CACHE_MS,
    dehydrateOptions: {
      shouldDehydrateQuery: (query: Query) =>
        query.state.status === 'success' && KEPT_IN_STORAGE.has(query.queryKey[0]),
    },
  }
}
