import { data, type LoaderFunctionArgs } from 'react-router'
import { CURRENCY_NAMES } from '#contract/currencies.ts'
import { getDocument } from '#contract/documents.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { getSite } from '#contract/site.ts'
import { getServerStatus } from '#contract/site.ts'
import { toCallQuery, toOptions } from './api/queries.ts'
import { readRendering } from './api/render.tsx'
import { getPageContext, getStatus, type LoadedPage } from './layout.tsx'
import { getPageAt, loadPage } from './pages.ts'
import { getBannersQuery, getSiteQuery, type ShellData } from './shell/shell-data.ts'

/**
 * Loads the data of the shell. A part that fails to load is logged and left out (FAIL-8), so the page still renders
 * during an outage.
 */
export async function loadShell({ context }: LoaderFunctionArgs): Promise<ShellData> {
  const { queries, call, renderedAt, appName, publicUrl } = readRendering(context)
  await Promise.all([
    queries.prefetchQuery(toOptions(getSiteQuery(), call)),
    queries.prefetchQuery(toOptions(getBannersQuery(), call)),
    queries.prefetchQuery(toOptions(toCallQuery(getServerStatus, {}), call)),
    queries.prefetchQuery(toOptions(toCallQuery(getDocument, { name: 'frame' }), call)),
  ])
  const theme = queries.getQueryData<CallOutput<typeof getSite>>(getSiteQuery().key)?.look
  return { appName, publicUrl, renderedAt, ...(theme && { theme }) }
}

/** Loads the page of an address on the server. A refused call becomes the page's error. */
export async function loadOnServer({ context, request }: LoaderFunctionArgs) {
  const { call, queries, renderedAt, appName, publicUrl, prepareSharePicture } = readRendering(context)
  const url = new URL(request.url)
  const { currencies } = (await queries.fetchQuery(toOptions(getSiteQuery(), call)).catch(() => undefined)) ?? {
    currencies: CURRENCY_NAMES,
  }
  const requestInfo = { url, site: { appName, publicUrl, currencies } }
  const match = getPageAt(url.pathname)
  const pageContext = getPageContext(match.page)
  try {
    const head = await loadPage(match, requestInfo, queries, call)
    if (head.picture !== undefined) head.picture = await prepareSharePicture(head.picture)
    const loaded: LoadedPage = { head, renderedAt, pageContext }
    return data(loaded, { status: head.status ?? 200 })
  } catch (error) {
    const status = getStatus(error)
    if (typeof status !== 'number') throw error
    throw data({ message: (error as Error).message, pageContext }, { status: status || 503 })
  }
}
