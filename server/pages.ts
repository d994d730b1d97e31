import type { Call } from '#contract/endpoint.ts'
import { SETTINGS } from '#contract/settings.ts'
import type { Deps } from './deps.ts'
import { createNotFound } from './errors.ts'
import { createSharePictures, type SharePictures } from './features/sharing/pictures.ts'
import type { WholeAnswer } from './http/answer-cache.ts'
import { SCRIPT_HASHES_HEADER } from './http/security-headers.ts'
import { readSettings } from './settings.ts'

/** The policy for shared caches. The process invalidates its own copies as soon as content changes. */
const PUBLIC_PAGE = 'public, max-age=0, s-maxage=30, stale-while-revalidate=300, stale-if-error=600'

/** The built site: renders its pages and lists them. */
export type Pages = {
  render(request: Request, call: Call): Promise<Response>
  /** Renders the page at a path as a document without scripts, uncached. */
  renderPlain(path: string, call: Call): Promise<string>
  /** The cache key of the page at an address; undefined if there is no page. */
  findPageKey(url: URL): string | undefined
  pictures: SharePictures
  /** The paths of the pages in the sitemap. */
  sitemapPaths: string[]
  /** The paths of players' pages. */
  playersOnlyPaths: string[]
}

/**
 * Loads the pages. A page is the same for every visitor (DOC-1) and is cached like every public response, unless it
 * failed.
 */
export async function loadPages(deps: Deps): Promise<Pages> {
  const pictures = createSharePictures(deps)
  const { renderPage, getRenderedAddress, PAGES, NOT_FOUND_PATH, SCRIPT_HASHES } = await deps.frontend.loadRenderer()
  let appName = deps.config.appName ?? SETTINGS.site_name.default
  async function renderAddress(address: string, call: Call): Promise<WholeAnswer> {
    // While the database is unavailable, use the name that was read last.
    appName = await readSettings(deps).then(
      ({ site_name }) => site_name,
      () => appName,
    )
    const renderedAt = deps.now().getTime()
    const renderOptions = {
      call,
      renderedAt,
      appName,
      publicUrl: deps.publicUrl,
      prepareSharePicture: pictures.announce,
    }
    const { status, html, failure } = await renderPage(address, renderOptions)
    if (failure !== undefined) deps.log.error({ err: failure, address }, 'a page could not be rendered')
    const headers = new Headers({ 'Content-Type': 'text/html; charset=utf-8', [SCRIPT_HASHES_HEADER]: SCRIPT_HASHES })
    headers.set('Cache-Control', status < 500 ? PUBLIC_PAGE : 'no-store')
    if (status === 503) headers.set('Retry-After', '5')
    return { status, headers, body: Buffer.from(html) }
  }

  const createPageKey = (address: string) => `page ${address}`

  return {
    pictures,
    sitemapPaths: PAGES.filter(({ listing }) => listing === 'sitemap').map(({ path }) => path),
    playersOnlyPaths: PAGES.filter(({ access }) => access === 'players').map(({ path }) => path),
    async render(request, call) {
      const url = new URL(request.url)
      if (request.method !== 'GET' && request.method !== 'HEAD') throw createNotFound()
      const address = getRenderedAddress(url)
      return deps.cache.respond(request, createPageKey(address), () => renderAddress(address, call))
    },
    async renderPlain(path, call) {
      const address = getRenderedAddress(new URL(path, 'http://site.internal'))
      const { body } = await deps.publicQueue(() => renderAddress(address, call))
      return Buffer.from(body)
        .toString()
        .replace(/<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')
    },
    findPageKey: (url) => {
      const address = getRenderedAddress(url)
      return address === NOT_FOUND_PATH ? undefined : createPageKey(address)
    },
  }
}
