import { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useRouteLoaderData } from 'react-router'
import { dehydrateAt, renderDeps } from '#web/api/page-data.ts'
import { bannersQuery, siteQuery } from './queries.ts'

/**
 * What every page's shell needs. A part that fails to load is only logged and left
 * out (SPEC §8), so that an outage still shows a page with the error in it.
 */
export async function loadShell({ context }: LoaderFunctionArgs) {
  const { api, renderedAt, appName, publicUrl } = context.get(renderDeps)
  const client = new QueryClient()
  await Promise.all([client.prefetchQuery(siteQuery(api)), client.prefetchQuery(bannersQuery(api))])
  return { dehydrated: dehydrateAt(client, renderedAt), appName, publicUrl, renderedAt }
}

export type ShellData = Awaited<ReturnType<typeof loadShell>>

/** The shell's data, on every page and on the error page (where it may be missing). */
export function useShellData(): ShellData | undefined {
  return useRouteLoaderData<typeof loadShell>('root')
}
