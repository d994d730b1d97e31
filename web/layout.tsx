import { useEffect } from 'react'
import {
  data,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  Outlet,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useRouteError,
} from 'react-router'
import { CURRENCY_NAMES } from '#contract/currencies.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { getSite } from '#contract/site.ts'
import { hasSavedPages, isOffline } from './api/connection.ts'
import { PageGuard, pause } from './api/guard.ts'
import { getFirstSegment, type Head, type Page } from './api/page.ts'
import { getBrowserQueryClient } from './api/queries.ts'
import { ErrorContent, isNotFound, NotFoundContent } from './features/error/error-content.tsx'
import { createFailureHead, HeadTags } from './head.tsx'
import { Shell } from './shell/shell.tsx'
import { getSiteQuery } from './shell/shell-data.ts'

/**
 * The section and access of a page. They are embedded in the document, because a first visit does not load the
 * manifest.
 */
type PageContext = Pick<Page, 'section' | 'access'>
/** Returns the part of a manifest entry that is embedded in the document. */
export const getPageContext = ({ section, access }: Page): PageContext => ({ section, access })
const UNKNOWN_CONTEXT: PageContext = { section: 'other', access: 'all' }

/** The result of the layout's loader on the server and in the browser. */
export type LoadedPage = { head: Head; renderedAt: number; pageContext: PageContext }

/** Returns the HTTP status of a failed call or a thrown response; undefined for other errors. */
export const getStatus = (error: unknown) => (error as { status?: unknown }).status

/** Downloads the manifest and the addresses of each page's code. */
export async function fetchPages() {
  const [{ buildHead, loadPage, getPageAt, PAGES, NOT_FOUND_PAGE }, { fetchPageModule }] = await Promise.all([
    import('./pages.ts'),
    import('./page-modules.ts'),
  ])
  return { buildHead, loadPage, getPageAt, PAGES, NOT_FOUND_PAGE, fetchPageModule }
}

/**
 * Loads the next page in the browser with the manifest. A missing page shows a 404. Any other failure is only logged,
 * and the page shows its error text (FAIL-7, FAIL-8).
 */
export async function loadInBrowser({ request }: LoaderFunctionArgs): Promise<LoadedPage> {
  const url = new URL(request.url)
  // The desk is a separate program, so its addresses load new documents. Offline, the service worker has some
  // documents.
  if (getFirstSegment(url.pathname) === 'admin' || (isOffline() && hasSavedPages())) throw redirectDocument(request.url)
  const openDocument = (error: unknown) => {
    throw hasSavedPages() ? redirectDocument(request.url) : error
  }
  const { buildHead, loadPage, getPageAt } = await fetchPages().catch(openDocument)
  const match = getPageAt(url.pathname)
  const pageContext = getPageContext(match.page)
  const queries = getBrowserQueryClient()
  const site = queries.getQueryData<CallOutput<typeof getSite>>(getSiteQuery().key)
  const requestInfo = {
    url,
    site: {
      appName: site?.app_name ?? '',
      publicUrl: site?.public_url ?? '',
      currencies: site?.currencies ?? CURRENCY_NAMES,
    },
  }
  const fallbackHead = buildHead(match, requestInfo)
  const headPromise = loadPage(match, requestInfo, queries).catch((error: unknown) => {
    if (getStatus(error) === 404) throw data({ message: (error as Error).message, pageContext }, { status: 404 })
    return getStatus(error) === 0 && hasSavedPages() ? openDocument(error) : fallbackHead
  })
  const { patienceMs } = match.page
  const head = await (patienceMs === undefined
    ? headPromise
    : Promise.race([headPromise, pause(patienceMs).then(() => fallbackHead)]))
  return { head, renderedAt: Date.now(), pageContext }
}

/** Reloads the page's data for every change of address, except jumps within the page. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isJump = nextUrl.hash !== '' && currentUrl.pathname + currentUrl.search === nextUrl.pathname + nextUrl.search
  return !isJump && (defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname)
}

/** The layout route: the page in its shell, with its head and its guard. */
export function ShellLayout() {
  const { head, pageContext } = useLoaderData<LoadedPage>()
  const { pathname, search } = useLocation()
  useEffect(prepareOnIntent, [])
  useEffect(() => void saveWhenIdle(pathname + search), [pathname, search])
  return (
    <>
      <HeadTags head={head} />
      <PageGuard access={pageContext.access} />
      <Shell section={pageContext.section}>
        <Outlet />
      </Shell>
    </>
  )
}

let resolveFirstAction: () => void
/** Resolves at the visitor's first action. Before it, only visible content is fetched. */
const firstAction = new Promise<void>((resolve) => {
  resolveFirstAction = resolve
})

/** Caches a page for offline reading (OFFLINE-1), if the browser supports it. */
async function saveWhenIdle(address: string): Promise<void> {
  await firstAction
  await import('./offline.ts').then(({ saveForOffline }) => saveForOffline(address)).catch(() => undefined)
}

/** The time that a pointer must rest on a link before its page is fetched, in ms. */
const INTENT_MS = 100

async function fetchPage(path: string): Promise<void> {
  const { getPageAt, fetchPageModule } = await fetchPages()
  await fetchPageModule(getPageAt(path).page.file).catch(() => undefined)
}

/**
 * Downloads the manifest at the first scroll, pointer move, touch or focus, and the code of a page when the pointer
 * rests on a link to it.
 */
function prepareOnIntent(): () => void {
  const abort = new AbortController()
  let restTimer: ReturnType<typeof setTimeout> | undefined
  const prepare = ({ type, target }: Event) => {
    resolveFirstAction()
    clearTimeout(restTimer)
    const link = type !== 'scroll' && target instanceof Element ? target.closest('a') : null
    const path = link?.origin === location.origin ? link.pathname : null
    if (path === null) void fetchPages()
    else restTimer = setTimeout(() => void fetchPage(path), type === 'pointerover' ? INTENT_MS : 0)
  }
  for (const eventType of ['scroll', 'pointerover', 'pointerdown', 'keydown', 'focusin'])
    document.addEventListener(eventType, prepare, { passive: true, signal: abort.signal })
  return () => abort.abort()
}

/** Shows a failure to load or render a page inside the shell. The root shows a failure of the shell itself. */
export function LayoutFailure() {
  const error = useRouteError()
  const pageContext = isRouteErrorResponse(error)
    ? (error.data as { pageContext?: PageContext } | null)?.pageContext
    : undefined
  return (
    <>
      <HeadTags head={createFailureHead(error)} />
      <Shell section={(pageContext ?? UNKNOWN_CONTEXT).section}>
        {isNotFound(error) ? <NotFoundContent /> : <ErrorContent />}
      </Shell>
    </>
  )
}
