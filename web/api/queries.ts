import {
  type Query as CacheEntry,
  QueryCache,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query'
import type { Call, CallInput, CallOutput, Endpoint, WireEndpoint } from '#contract/endpoint.ts'
import { BANNER_CACHE_MS } from '#contract/limits.ts'
import { call } from './call.ts'
import { readHandoff } from './handoff.ts'
import { getAccountNumber } from './session.ts'
import { browserStore } from './storage.ts'

/** A value that pages load: the response of a call, or a value built from several responses. */
export type Query<Value> = {
  key: QueryKey
  /** The time for which the browser treats its copy as fresh, in ms. */
  freshMs: number
  /** Whether the browser saves the copy in local storage (NEWS-11, BANNER-3). */
  stored: boolean
  fetch: (call: Call, client: QueryClient) => Promise<Value>
}

/** The first part of the query keys of a player's private data. */
export const PRIVATE_DATA_KEY = 'mine'

/** Returns the query of a call. Its key consists of the endpoint and the input. */
export function toCallQuery<E extends Endpoint>(endpoint: E, input: CallInput<E>): Query<CallOutput<E>> {
  return {
    key: toQueryKey(endpoint, input),
    freshMs: endpoint.cache?.freshMs ?? 0,
    stored: endpoint.cache?.stored ?? false,
    fetch: (call) => call(endpoint, input),
  }
}

/** Returns the key of a call's response. The key of private data contains the account number. */
export function toQueryKey({ access, path }: WireEndpoint, input: unknown): QueryKey {
  return access === 'public' ? [path, input] : [PRIVATE_DATA_KEY, getAccountNumber(), path, input]
}

/** Returns the common first part of the keys of all responses of a call. */
export function toKeyPrefix({ access, path }: WireEndpoint): QueryKey {
  return access === 'public' ? [path] : [PRIVATE_DATA_KEY, getAccountNumber(), path]
}

/**
 * Returns a query that derives a value from calls to `endpoint`. Its key contains `name`; it stays fresh as long as the
 * responses of the call.
 */
export function toDerivedQuery<Value>(
  endpoint: WireEndpoint,
  name: string,
  input: unknown,
  fetch: Query<Value>['fetch'],
): Query<Value> {
  const { freshMs = 0, stored = false } = endpoint.cache ?? {}
  return { key: [...toKeyPrefix(endpoint), name, input], freshMs, stored, fetch }
}

/** Converts a query to the options of TanStack Query. `makeCall` makes its calls. */
export function toOptions<Value>({ key, freshMs, stored, fetch }: Query<Value>, makeCall: Call = call) {
  return {
    queryKey: key,
    queryFn: ({ client, signal }: { client: QueryClient; signal: AbortSignal }) =>
      fetch(makeCall === call ? (endpoint, input) => call(endpoint, input, { signal }) : makeCall, client),
    staleTime: freshMs,
    meta: { stored },
  }
}

type Options<Value> = Omit<UseQueryOptions<Value>, 'queryKey' | 'queryFn' | 'select'>

/** Returns the state of a query. Uses the value that the page has already loaded, or else fetches it. */
export function usePageQuery<Value>(query: Query<Value>, options: Options<Value> = {}) {
  return useQuery<Value>({ ...toOptions(query), ...options })
}

/** Like `usePageQuery`, for the response of a call. */
export function useCall<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: Options<CallOutput<E>> = {}) {
  return usePageQuery(toCallQuery(endpoint, input), options)
}

/** The time for which the browser retains unused responses, in ms: as long as banners stay fresh (BANNER-3). */
const QUERY_RETENTION_MS = BANNER_CACHE_MS

/**
 * Returns whether the server refused a call while it rendered a page. The page shows the refusal; logging it would let
 * visitors fill the log.
 */
const isRefusalOnServer = (error: Error) =>
  typeof document === 'undefined' && typeof (error as { status?: unknown }).status === 'number'

/** Creates a client for the browser, or for one rendering on the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!isRefusalOnServer(error)) console.warn('load failed', query.queryKey, error.message)
      },
    }),
    defaultOptions: {
      queries: {
        // Makes a call fail at once when the browser is offline, instead of waiting.
        networkMode: 'always',
        // Infinity sets no timer. On the server, a timer of half an hour would keep the data of each rendering in memory.
        gcTime: typeof window === 'undefined' ? Number.POSITIVE_INFINITY : QUERY_RETENTION_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: typeof window === 'undefined' ? false : 1,
      },
    },
  })
}

let sharedClient: QueryClient | undefined

/** Returns the browser's query client. The first call fills it with the data that the server embedded in the HTML. */
export function getBrowserQueryClient(): QueryClient {
  if (sharedClient !== undefined) return sharedClient
  sharedClient = createQueryClient()
  const { at, values } = readHandoff()
  for (const [key, value] of values) sharedClient.setQueryData(key, value, { updatedAt: at })
  return sharedClient
}

/** The key of the saved responses in local storage. */
const STORAGE_KEY = 'TAMBAYAN_CACHE'
/** The delay before changed responses are written, in ms. */
const WRITE_DELAY_MS = 1000

type StoredResponses = [key: QueryKey, value: unknown, fetchedAt: number][]

/**
 * Copies news, downloads and banners from local storage (NEWS-11, BANNER-3) to `client` if they are newer and at most
 * half an hour old. From then on, saves such responses.
 *
 * @returns a function that stops saving
 */
export function storeQueries(client: QueryClient): () => void {
  try {
    const storedResponses = JSON.parse(browserStore.getItem(STORAGE_KEY) ?? '[]') as StoredResponses
    for (const [key, value, fetchedAt] of storedResponses)
      if (fetchedAt > Math.max(Date.now() - QUERY_RETENTION_MS, client.getQueryState(key)?.dataUpdatedAt ?? 0))
        client.setQueryData(key, value, { updatedAt: fetchedAt })
  } catch {
    // If the stored text is invalid, the pages fetch the responses.
  }
  let writeTimer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    writeTimer = undefined
    const queries = client.getQueryCache().getAll().filter(isStored)
    const responses: StoredResponses = queries.map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt])
    browserStore.setItem(STORAGE_KEY, JSON.stringify(responses))
  }
  return client.getQueryCache().subscribe(({ query }) => {
    if (writeTimer === undefined && isStored(query)) writeTimer = setTimeout(write, WRITE_DELAY_MS)
  })
}

const isStored = ({ state, meta }: CacheEntry) => state.status === 'success' && meta?.stored === true
