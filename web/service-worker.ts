/// <reference lib="webworker" />
/**
 * The site's service worker (OFFLINE-1 to OFFLINE-5): caches the documents of the pages visited last, which are the
 * same for everyone, with the files that they need, and shows them when there is no network. It ignores every other
 * request, all calls of `/api/` among them. It also shows the messages that the site sends to the device (PUSH-1).
 */
import { clientsClaim } from 'workbox-core'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'
import { OFFLINE } from '#contract/limits.ts'

declare const self: ServiceWorkerGlobalScope
/** The version of the build, written in by vite.config.ts. */
declare const SITE_VERSION: string

/** The cache of another build does not fit this one's files, so each build has its own caches. */
const PAGES = `pages ${SITE_VERSION}`
const FILES = `files ${SITE_VERSION}`
const PICTURES = `pictures ${SITE_VERSION}`

/** The page in place of an uncached one. */
const OFFLINE_PAGE = '/offline'
/** Always cached: the page above and the news. */
const ALWAYS = [OFFLINE_PAGE, '/news']
/** The picture of the offline page, which only its stylesheet names. */
const SCENE = '/art/stage-home.svg'

/** Scripts, fonts and the look's stylesheet, as documents name them; the other styles are in the documents. */
const NEEDED = /(?:href|src)="(\/assets\/[\w.-]+\.(?:js|woff2)|\/files\/[\w.-]+\.css)"/g

const NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>'

const measureSize = async (answer: Response | undefined) => (await answer?.clone().blob())?.size ?? 0

/** Marks a cached document: `web/api/connection.ts` reads the mark. */
async function markOffline(stored: Response): Promise<Response> {
  const headers = new Headers(stored.headers)
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  return new Response((await stored.text()).replace('<html ', '<html data-offline="" '), { headers })
}

/** Caches the document at an address with its files, unless that was done a few minutes ago. */
async function cachePage(address: string): Promise<void> {
  const pages = await caches.open(PAGES)
  const stored = await pages.match(address)
  const age = Date.now() - Date.parse(stored?.headers.get('Date') ?? '')
  if (age < OFFLINE.freshMs) return
  const answer = await fetch(address, { priority: 'low' })
  if (!answer.ok || answer.redirected) return
  const html = await answer.clone().text()
  await cacheFiles(Array.from(html.matchAll(NEEDED), ([, file = '']) => file))
  await pages.put(address, answer)
}

async function cacheFiles(wanted: readonly string[]): Promise<void> {
  const files = await caches.open(FILES)
  for (const file of wanted) if (!(await files.match(file))) await files.add(file)
}

async function cacheScene(): Promise<void> {
  const pictures = await caches.open(PICTURES)
  if (!(await pictures.match(SCENE))) await pictures.add(SCENE)
}

/** Deletes the oldest documents until the others fit. */
async function dropOldPages(): Promise<void> {
  const pages = await caches.open(PAGES)
  let bytes = 0
  for (const request of (await pages.keys()).toReversed()) {
    if (ALWAYS.includes(new URL(request.url).pathname)) continue
    bytes += await measureSize(await pages.match(request))
    if (bytes > OFFLINE.pagesMaxBytes) await pages.delete(request)
  }
}

async function dropOldPictures(): Promise<void> {
  const pictures = await caches.open(PICTURES)
  const surplus = (await pictures.keys()).slice(0, -OFFLINE.picturesMax)
  await Promise.all(surplus.map((request) => pictures.delete(request)))
}

/** The message of a page on show (`web/offline.ts`): its address, empty if it must not be cached, and its files. */
type Shown = { keep: string; files: string[] }

async function cacheShown({ keep: cacheShown, files }: Shown): Promise<void> {
  for (const address of [cacheShown, ...ALWAYS]) if (address !== '') await cachePage(address)
  await cacheFiles(files)
  await cacheScene()
  await dropOldPages()
}

async function dropOtherVersions(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => !name.endsWith(` ${SITE_VERSION}`)).map((name) => caches.delete(name)))
}

self.skipWaiting()
clientsClaim()
self.addEventListener('activate', (event) => event.waitUntil(dropOtherVersions()))
self.addEventListener('message', (event) => event.waitUntil(cacheShown(event.data)))

self.addEventListener('push', (event) => {
  const { title, body, url, kind } = event.data?.json() ?? {}
  // A later message of the same kind takes the place of the one before.
  const options = { body, tag: kind, icon: '/art/icon-192.png', data: url }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(openPage(notification.data))
})

/** Opens a page in the site's open window, or in a new one. */
async function openPage(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' })
  const shown = windows.find(({ url }) => !new URL(url).pathname.startsWith('/admin'))
  if (shown === undefined) return void (await self.clients.openWindow(path))
  await shown.navigate(path)
  await shown.focus()
}

registerRoute(
  new NavigationRoute(
    new NetworkFirst({
      cacheName: PAGES,
      networkTimeoutSeconds: OFFLINE.timeoutSeconds,
      plugins: [
        {
          cacheKeyWillBeUsed: async ({ request }) =>
            new URL(request.url).pathname === OFFLINE_PAGE ? OFFLINE_PAGE : request,
          // Pages report themselves for caching.
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
        // Uploads of players may be deleted at any time.
        cacheWillUpdate: async ({ response }) =>
          response.ok &&
          response.headers.get('Cache-Control') !== 'no-cache' &&
          (await measureSize(response)) <= OFFLINE.pictureMaxBytes
            ? response
            : null,
        cacheDidUpdate: dropOldPictures,
        handlerDidError: async () => new Response(NO_PICTURE, { headers: { 'Content-Type': 'image/svg+xml' } }),
      },
    ],
  }),
)
