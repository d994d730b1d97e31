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
import { replayEarlyEvents } from './api/early-events.ts'
import { PageGuard, pause } from './api/guard.ts'
import { firstSegment, type Head, type Page } from './api/page.ts'
import { browserQueries } from './api/queries.ts'
import { ErrorContent, isNotFound, NotFoundContent } from './features/error/error-content.tsx'
import { failedHead, HeadTags } from './head.tsx'
import { Shell } from './shell/shell.tsx'
import { siteQuery } from './shell/shell-data.ts'

/** Where a page is on the site. It travels with the page, because a first visit does not load the manifest. */
type PageContext = Pick<Page, 'section' | 'access'>
/** The part of a manifest entry that travels with a page. */
export const getPlace = ({ section, access }: Page): PageContext => ({ section, access })
const NOWHERE: PageContext = { section: 'other', access: 'all' }

/** The result of the layout's loader, on the server and in the browser. */
export type LoadedPage = { head: Head; renderedAt: number; place: PageContext }

/** The HTTP status of a failed call or of a thrown answer; undefined for any other error. */
export const getStatus = (error: unknown) => (error as { status?: unknown }).status

/** Fetches the manifest, and where the code of each page is. */
export async function fetchPages() {
  const [{ buildHead, loadPage, pageAt, PAGES, NOT_FOUND_PAGE }, { fetchPageModule }] = await Promise.all([
    import('./pages.ts'),
    import('./page-modules.ts'),
  ])
  return { buildHead, loadPage, pageAt, PAGES, NOT_FOUND_PAGE, fetchPageModule }
}

/**
 * Loads the next page in the browser, which fetches the manifest for it. A missing page shows its 404; any other
 * failure is only logged, and the page shows its text (FAIL-7, FAIL-8).
 */
export async function loadInBrowser({ request }: LoaderFunctionArgs): Promise<LoadedPage> {
  const url = new URL(request.url)
  // The desk is another program, so its addresses are documents of their own. Without network the service worker has some.
  if (firstSegment(url.pathname) === 'admin' || (isOffline() && hasSavedPages())) throw redirectDocument(request.url)
  const openDocument = (error: unknown) => {
    throw hasSavedPages() ? redirectDocument(request.url) : error
  }
  const { buildHead, loadPage, pageAt } = await fetchPages().catch(openDocument)
  const found = pageAt(url.pathname)
  const place = getPlace(found.page)
  const queries = browserQueries()
  const site = queries.getQueryData<CallOutput<typeof getSite>>(siteQuery().key)
  const around = {
    url,
    site: {
      appName: site?.app_name ?? '',
      publicUrl: site?.public_url ?? '',
      currencies: site?.currencies ?? CURRENCY_NAMES,
    },
  }
  const ready = buildHead(found, around)
  const loading = loadPage(found, around, queries).catch((error: unknown) => {
    if (getStatus(error) === 404) throw data({ message: (error as Error).message, place }, { status: 404 })
    return getStatus(error) === 0 && hasSavedPages() ? openDocument(error) : ready
  })
  const { patienceMs } = found.page
  const head = await (patienceMs === undefined ? loading : Promise.race([loading, pause(patienceMs).then(() => ready)]))
  return { head, renderedAt: Date.now(), place }
}

/** Every change of address loads its page; a jump within the page loads nothing. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isJump = nextUrl.hash !== '' && currentUrl.pathname + currentUrl.search === nextUrl.pathname + nextUrl.search
  return !isJump && (defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname)
}

/** The one layout route: the page in its shell, with its head and its guard. */
export function ShellLayout() {
  const { head, place } = useLoaderData<LoadedPage>()
  const { pathname, search } = useLocation()
  useEffect(prepareOnIntent, [])
  useEffect(() => void saveWhenIdle(pathname + search), [pathname, search])
  useEffect(replayEarlyEvents, [])
  return (
    <>
      <HeadTags head={head} />
      <PageGuard access={place.access} />
      <Shell section={place.section}>
        <Outlet />
      </Shell>
    </>
  )
}

let wake: () => void
/** Resolves at the visitor's first sign, before which nothing is fetched that the page does not show. */
const awake = new Promise<void>((resolve) => {
  wake = resolve
})

/** Caches a page for reading without network (OFFLINE-1), if the browser can. */
async function saveWhenIdle(address: string): Promise<void> {
  await awake
  await import('./offline.ts').then(({ saveForOffline }) => saveForOffline(address)).catch(() => undefined)
}

/** How long a pointer rests on a link before its page is fetched, in ms. */
const INTENT_MS = 100

async function fetchPage(path: string): Promise<void> {
  const { pageAt, fetchPageModule } = await fetchPages()
  await fetchPageModule(pageAt(path).page.file).catch(() => undefined)
}

/**
 * Fetches the manifest at the first scroll, pointer move, touch or focus, before the visitor goes anywhere; and the
 * code of a page when they rest on a link to it.
 */
function prepareOnIntent(): () => void {
  const given = new AbortController()
  let resting: ReturnType<typeof setTimeout> | undefined
  const prepare = ({ type, target }: Event) => {
    wake()
    clearTimeout(resting)
    const link = type !== 'scroll' && target instanceof Element ? target.closest('a') : null
    const path = link?.origin === location.origin ? link.pathname : null
    if (path === null) void fetchPages()
    else resting = setTimeout(() => void fetchPage(path), type === 'pointerover' ? INTENT_MS : 0)
  }
  for (const sign of ['scroll', 'pointerover', 'pointerdown', 'keydown', 'focusin'])
    document.addEventListener(sign, prepare, { passive: true, signal: given.signal })
  return () => given.abort()
}

/** Shows a failure to load or render a page inside the shell; only the shell's own failure goes up to the root. */
export function LayoutFailure() {
  const error = useRouteError()
  const place = isRouteErrorResponse(error) ? (error.data as { place?: PageContext } | null)?.place : undefined
  return (
    <>
      <HeadTags head={failedHead(error)} />
      <Shell section={(place ?? NOWHERE).section}>{isNotFound(error) ? <NotFoundContent /> : <ErrorContent />}</Shell>
    </>
  )
}
