import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** The data that the server embeds in a document. */
export type Handoff = {
  /** The time of rendering in ms. The page's data counts as loaded at this time. */
  at: number
  /** The loaded queries with their values. */
  values: [QueryKey, unknown][]
  /** The route of the page, and the address of its code. */
  page: { path: string; module: string }
  /** The data of the routes' loaders, by route id. */
  loaderData: Record<string, unknown>
  /** The errors of a refused or failed page, by the id of the route that shows them. */
  errors: Record<string, { status: number; statusText: string; internal: boolean; data: unknown }> | null
}

const HANDOFF_ID = 'handoff'

/** Returns the queries that were loaded during a rendering, with their values. */
export function getLoadedValues(client: QueryClient): Handoff['values'] {
  const loadedQueries = client.getQueryCache().getAll()
  return loadedQueries
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }): [QueryKey, unknown] => [queryKey, state.data])
}

/**
 * Returns a script element that embeds a handoff. It is JSON, which browsers do not run, so the security policy needs
 * no hash for it.
 */
export function renderHandoff(handoff: Handoff): string {
  const json = JSON.stringify(handoff).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${HANDOFF_ID}">${json}</script>`
}

let cachedHandoff: Handoff | undefined

/** Reads the data of this document. */
export function readHandoff(): Handoff {
  cachedHandoff ??= JSON.parse(document.getElementById(HANDOFF_ID)?.textContent ?? '') as Handoff
  return cachedHandoff
}
