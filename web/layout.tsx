import { useEffect } from 'react'
import {
  type ClientLoaderFunctionArgs,
  data,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  type MetaDescriptor,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRouteError,
} from 'react-router'
import { ERROR_PAGE, NOT_FOUND } from '#contract/messages.ts'
import { pause, usePageGuard } from './api/guard.ts'
import type { Head, Page } from './api/page.ts'
import { browserQueries } from './api/queries.ts'
import { readRendering } from './api/render.tsx'
import { ErrorContent, isNotFound, NotFoundContent } from './features/error/error-content.tsx'
import { loadPage, pageAt } from './pages.ts'
import { Shell } from './shell/shell.tsx'
import { siteQuery } from './shell/shell-data.ts'

const statusOf = (error: unknown) => (error as { status?: unknown }).status

/** Loads the page that the address names, on the server. A refused call becomes the page's error. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call, queries, renderedAt, appName, publicUrl } = readRendering(context)
  const url = new URL(request.url)
  const around = { url, site: { appName, publicUrl } }
  const found = pageAt(url.pathname)
  const place = placeOf(found.page)
  try {
    const head = await loadPage(found, around, queries, call)
    return data({ head, renderedAt, place }, { status: head.status ?? 200 })
  } catch (error) {
    const status = statusOf(error)
    if (typeof status !== 'number') throw error
    throw data({ message: (error as Error).message, place }, { status: status || 503 })
  }
}

/** Where a page is on the site. It travels with the page, because a first visit does not load the manifest. */
type Place = Pick<Page, 'section' | 'access'>
const placeOf = ({ section, access }: Page): Place => ({ section, access })
const NOWHERE: Place = { section: 'other', access: 'all' }

const fetchPages = () => import('./pages.ts')

/**
 * Loads the next page in the browser, which fetches the manifest for it. A page that is not there shows its 404; any
 * other failure is only logged, and the page shows it in its own words (SPEC §8).
 */
export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const url = new URL(request.url)
  const { headOf, loadPage, pageAt } = await fetchPages()
  const found = pageAt(url.pathname)
  const place = placeOf(found.page)
  const queries = browserQueries()
  const site = queries.getQueryData<{ app_name: string; public_url: string }>(siteQuery().key)
  const around = { url, site: { appName: site?.app_name ?? '', publicUrl: site?.public_url ?? '' } }
  const ready = headOf(found, around)
  const loading = loadPage(found, around, queries).catch((error: unknown) => {
    if (statusOf(error) === 404) throw data({ message: (error as Error).message, place }, { status: 404 })
    return ready
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

type MetaArgs = {
  loaderData?: { head: Head } | undefined
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]
  error?: unknown
}

/** Title '{crumb} | {app name}', description, canonical link, Open Graph and Twitter tags of the page (SPEC §1). */
export function meta({ loaderData, matches, error }: MetaArgs): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as
    | { appName: string; publicUrl: string }
    | undefined
  return describeHead(loaderData?.head ?? failedHead(error), root ?? { appName: 'Tambayan Online', publicUrl: '' })
}

/** The head of a page that failed. */
export function failedHead(error: unknown): Head {
  const said = isNotFound(error)
    ? { crumb: NOT_FOUND.title, description: 'There is no page at this address.' }
    : { crumb: ERROR_PAGE.title, description: ERROR_PAGE.text }
  return { ...said, path: '/error', hidden: true }
}

export function describeHead(
  head: Head,
  { appName, publicUrl }: { appName: string; publicUrl: string },
): MetaDescriptor[] {
  const url = publicUrl + head.path
  const picture = publicUrl + (head.picture ?? '/art/share.png')
  const shareTitle = head.shareTitle ?? head.crumb
  return [
    { title: `${head.crumb} | ${appName}` },
    { name: 'description', content: head.description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:site_name', content: appName },
    { property: 'og:type', content: head.type ?? 'website' },
    { property: 'og:title', content: shareTitle },
    { property: 'og:description', content: head.description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: picture },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: shareTitle },
    { name: 'twitter:description', content: head.description },
    { name: 'twitter:image', content: picture },
    ...(head.hidden ? [{ name: 'robots', content: 'noindex' }] : []),
    ...(head.jsonLd ? [{ 'script:ld+json': head.jsonLd }] : []),
  ]
}

export default function ShellLayout() {
  const { place } = useLoaderData<typeof loader>()
  usePageGuard(place.access)
  useEffect(fetchPagesOnTouch, [])
  return (
    <Shell section={place.section}>
      <Outlet />
    </Shell>
  )
}

/** Fetches the manifest as soon as somebody scrolls, points at, touches or reaches something, before they go anywhere. */
function fetchPagesOnTouch(): () => void {
  const given = new AbortController()
  const fetchOnce = () => {
    given.abort()
    void fetchPages()
  }
  for (const touch of ['scroll', 'pointerover', 'pointerdown', 'keydown', 'focusin'])
    document.addEventListener(touch, fetchOnce, { passive: true, signal: given.signal })
  return () => given.abort()
}

/** A page that fails to load or render says so inside the shell; only the shell's own failure goes up to the root. */
export function ErrorBoundary() {
  const error = useRouteError()
  const place = isRouteErrorResponse(error) ? (error.data as { place?: Place } | null)?.place : undefined
  return (
    <Shell section={(place ?? NOWHERE).section}>{isNotFound(error) ? <NotFoundContent /> : <ErrorContent />}</Shell>
  )
}
