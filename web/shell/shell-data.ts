import { type LoaderFunctionArgs, useRouteLoaderData } from 'react-router'
import { getSiteBanners } from '#contract/banners.ts'
import { getSite } from '#contract/site.ts'
import { callQuery, optionsOf } from '#web/api/queries.ts'
import { readRendering } from '#web/api/render.tsx'

/** Operator's settings and the world's size; changes rarely. */
export const siteQuery = () => callQuery(getSite, {})

/** The rotator's slides, kept 30 minutes (SPEC §4). */
export const bannersQuery = () => callQuery(getSiteBanners, {})

/**
 * What every page's shell needs. A part that fails to load is only logged and left out (SPEC §8), so that an outage
 * still shows a page with the error in it.
 */
export async function loadShell({ context }: LoaderFunctionArgs) {
  const { queries, call, renderedAt, appName, publicUrl } = readRendering(context)
  await Promise.all([
    queries.prefetchQuery(optionsOf(siteQuery(), call)),
    queries.prefetchQuery(optionsOf(bannersQuery(), call)),
  ])
  return { appName, publicUrl, renderedAt }
}

export type ShellData = Awaited<ReturnType<typeof loadShell>>

/** The shell's data, on every page and on the error page (where it may be missing). */
export function useShellData(): ShellData | undefined {
  return useRouteLoaderData<typeof loadShell>('root')
}
