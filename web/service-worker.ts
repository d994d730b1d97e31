/// <reference lib="webworker" />
/**
 * The site's service worker (OFFLINE-1, OFFLINE-2, OFFLINE-3, OFFLINE-4, OFFLINE-5). It caches recently visited public
 * documents with their files, and shows them offline. It ignores all other requests, including every call of `/api/`. It also shows the site's push
 * messages (PUSH-1).
 */
import { clientsClaim } from 'workbox-core'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { OFFLINE_CACHE } from '#contract/limits.ts'

declare const self: ServiceWorkerGlobalScope
/** The version of the build, set by vite.config.ts. */
declare const SITE_VERSION: string

/** A cached document does not match the files of another build, so each build has its own caches. */
const PAGES = `pages ${SITE_VERSION}`
const FILES = `files ${SITE_VERSION}`
const PICTURES = `pictures ${SITE_VERSION}`

/** The page that replaces an uncached page. */
const OFFLINE_PAGE = '/offline'
/** Always cached: the offline page and the news. */
const ALWAYS_CACHED = [OFFLINE_PAGE, '/news']
/** The picture of the offline page. Only its stylesheet refers to it. */
const OFFLINE_PICTURE = '/art/stage-home.svg'

/** Scripts, fonts and the theme's stylesheet in a document; other styles are inlined. */
const DOCUMENT_FILES = /(?:href|src)="(\/assets\/[\w.-]+\.(?:js|woff2)|\/files\/[\w.-]+\.css)"/g

const EMPTY_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const measureSize = async (answer: Response | undefined) => (await answer?.clone().blob())?.size ?? 0

/** Marks a document as cached, for `web/api/connection.ts`. */
async function markOffline(cachedResponse: Response): Promise<Response> {
  const headers = new Headers(cachedResponse.headers)
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  return new Response((await cachedResponse.text()).replace('<html ', '<html data-offline="" '), { headers })
}

/** Caches the document at an address with its files, unless it was cached a few minutes ago. */
async function cachePage(address: string): Promise<void> {
  const pages = await caches.open(PAGES)
  const cachedResponse = await pages.match(address)
  const age = Date.now() - Date.parse(cachedResponse?.headers.get('Date') ?? '')
  if (age < OFFLINE_CACHE.freshMs) return
  const answer = await fetch(address, { priority: 'low' })
  if (!answer.ok || answer.redirected) return
  const html = await answer.clone().text()
  await cacheFiles(Array.from(html.matchAll(DOCUMENT_FILES), ([, file = '']) => file))
  await pages.put(address, answer)
}

async function cacheFiles(paths: readonly string[]): Promise<void> {
  const files = await caches.open(FILES)
  for (const file of paths) if (!(await files.match(file))) await files.add(file)
}

async function cacheOfflinePicture(): Promise<void> {
  const pictures = await caches.open(PICTURES)
  if (!(await pictures.match(OFFLINE_PICTURE))) await pictures.add(OFFLINE_PICTURE)
}

/** Deletes the oldest documents until the rest fit. */
async function dropOldPages(): Promise<void> {
  const pages = await caches.open(PAGES)
  let bytes = 0
  for (const request of (await pages.keys()).toReversed()) {
    if (ALWAYS_CACHED.includes(new URL(request.url).pathname)) continue
    bytes += await measureSize(await pages.match(request))
    if (bytes > OFFLINE_CACHE.pagesMaxBytes) await pages.delete(request)
  }
}

async function dropOldPictures(): Promise<void> {
  const pictures = await caches.open(PICTURES)
  const surplus = (await pictures.keys()).slice(0, -OFFLINE_CACHE.picturesMax)
  await Promise.all(surplus.map((request) => pictures.delete(request)))
}

/** A page's message (`web/offline.ts`): its address, empty if it must not be cached, and its files. */
type PageMessage = { keep: string; files: string[] }

async function cacheVisitedPage({ keep: visitedPage, files }: PageMessage): Promise<void> {
  for (const address of [visitedPage, ...ALWAYS_CACHED]) if (address !== '') await cachePage(address)
  await cacheFiles(files)
  await cacheOfflinePicture()
  await dropOldPages()
}

/** Deletes the caches of other versions of the site (OFFLINE-5). */
async function dropOtherVersions(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => !name.endsWith(` ${SITE_VERSION}`)).map((name) => caches.delete(name)))
}

self.skipWaiting()
clientsClaim()
self.addEventListener('activate', (event) => event.waitUntil(dropOtherVersions()))
self.addEventListener('message', (event) => event.waitUntil(cacheVisitedPage(event.data)))

self.addEventListener('push', (event) => {
  const { title, body, url, kind } = event.data?.json() ?? {}
  // A later message of the same kind replaces the previous one.
  const options = { body, tag: kind, icon: '/art/icon-192.png', data: url }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(openPage(notification.data))
})

/** Opens a page in an open window of the site, or in a new one. */
async function openPage(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' })
  const siteWindow = windows.find(({ url }) => !new URL(url).pathname.startsWith('/admin'))
  if (siteWindow === undefined) return void (await self.clients.openWindow(path))
  await siteWindow.navigate(path)
  await siteWindow.focus()
}

registerRoute(
  new NavigationRoute(
    new NetworkFirst({
      cacheName: PAGES,
      networkTimeoutSeconds: OFFLINE_CACHE.timeoutSeconds,
      plugins: [
        {
          cacheKeyWillBeUsed: async ({ request }) =>
            new URL(request.url).pathname === OFFLINE_PAGE ? OFFLINE_PAGE : request,
          // A page requests its caching with a message.
          cacheWillUpdate: async () => null,
          cachedResponseWillBeUsed: async ({ cachedResponse }) => cachedResponse && markOffline(cachedResponse),
          handlerDidError: async ({ request }) => {
            const { pathname, search } = new URL(request.url)
            if (pathname === OFFLINE_PAGE) return undefined
            return Response.redirect(`${OFFLINE_PAGE}?to=${encodeURIComponent(pathname + search)}`)
          },
        },
      ],
    }),
    { denylist: [/^\/(api|preview|files|assets|art|movies|screenshots)\//i, /^\/admin(\/|$)/i] },
  ),
)

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: FILES }),
)

registerRoute(
  ({ url, sameOrigin, request }) => sameOrigin && request.destination === 'style' && url.pathname.startsWith('/files/'),
  new CacheFirst({ cacheName: FILES }),
)

registerRoute(
  ({ url, sameOrigin, request }) =>
    sameOrigin && request.destination === 'image' && /^\/(art|files)\//.test(url.pathname),
  new NetworkFirst({
    cacheName: PICTURES,
    plugins: [
      {
        // Uploads of players can be deleted at any time.
        cacheWillUpdate: async ({ response }) =>
          response.ok &&
          response.headers.get('Cache-Control') !== 'no-cache' &&
          (await measureSize(response)) <= OFFLINE_CACHE.pictureMaxBytes
            ? response
            : null,
        cacheDidUpdate: dropOldPictures,
        handlerDidError: async () => new Response(EMPTY_PICTURE, { headers: { 'Content-Type': 'image/svg+xml' } }),
      },
    ],
  }),
)
