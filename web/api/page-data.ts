import { dehydrate, type FetchQueryOptions, QueryClient, type QueryKey } from '@tanstack/react-query'
import { type ClientLoaderFunctionArgs, createContext, data, type LoaderFunctionArgs } from 'react-router'
import { type ApiClient, browserClient, CallError } from './client.ts'
import { NO_QUERIES, type PackedQueries, packQueries } from './hydrate-queries.tsx'
import { browserQueries } from './query-client.ts'

/** What the server hands each rendering: the client whose fetch stays in the process, the time, and the operator's settings. */
export type RenderDeps = {
  api: ApiClient
  /** One moment for the whole rendering, so that the same page differs in nothing else. */
  renderedAt: number
  appName: string
  publicUrl: string
}

export const renderDeps = createContext<RenderDeps>()

/** A query of a page: what TanStack Query takes (each with its own types), made for the client that shall answer it. */
export type PageQuery = (api: ApiClient) => { queryKey: QueryKey; queryFn?: unknown }

const optionsOf = (query: PageQuery, api: ApiClient) => query(api) as FetchQueryOptions

export type PageData = { dehydrated: PackedQueries; renderedAt: number }

type Where = { params: Record<string, string | undefined>; url: URL }

/** The server's loader of a page: asks every query and hands the answers to the browser. A refused call becomes the page's error. */
export function serverLoad(queriesOf: (where: Where) => PageQuery[]) {
  return async ({ context, params, request }: LoaderFunctionArgs): Promise<PageData> => {
    const { api, renderedAt } = context.get(renderDeps)
    return loadQueries(queriesOf({ params, url: new URL(request.url) }), api, renderedAt)
  }
}

/** What a rendering asked for, as data that counts as fetched at `renderedAt`. */
export function dehydrateAt(client: QueryClient, renderedAt: number): PackedQueries {
  const { queries } = dehydrate(client)
  return packQueries(
    queries.map((query) => ({
      ...query,
      dehydratedAt: renderedAt,
      state: { ...query.state, dataUpdatedAt: renderedAt },
    })),
  )
}

async function loadQueries(queries: PageQuery[], api: ApiClient, renderedAt: number): Promise<PageData> {
  const client = new QueryClient()
  try {
    await Promise.all(queries.map((query) => client.fetchQuery(optionsOf(query, api))))
  } catch (error) {
    if (error instanceof CallError) throw data({ message: error.message }, { status: error.status || 503 })
    throw error
  }
  return { dehydrated: dehydrateAt(client, renderedAt), renderedAt }
}

/**
 * The browser's loader on a change of page: warms the queries without waiting for
 * stale ones, so a page already seen opens at once. A failed list is only logged (SPEC §8).
 */
export function browserLoad(queriesOf: (where: Where) => PageQuery[]) {
  return async ({ params, request }: ClientLoaderFunctionArgs): Promise<PageData> => {
    const client = browserQueries()
    const queries = queriesOf({ params, url: new URL(request.url) })
    await Promise.all(queries.map((query) => client.prefetchQuery(optionsOf(query, browserClient))))
    return { dehydrated: NO_QUERIES, renderedAt: Date.now() }
  }
}
