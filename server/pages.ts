import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import type { RenderModule } from '#web/entry.server.tsx'
import type { PagesFor } from './app.ts'
import type { Deps } from './deps.ts'
import { notFound } from './errors.ts'
import type { Entry } from './http/kept-answer.ts'
import { type PageCache, publicAddress } from './http/page-cache.ts'
import { PUBLIC_PAGE } from './http/router.ts'

const BUILT = join(import.meta.dirname, '../build/server/index.js')

export type RenderPage = (request: Request) => Promise<Response>

type BuiltSite = ServerBuild & { entry: { module: RenderModule } }

/** What of a kept call's answer is asked for: making a whole Response of it would cost more than reading it. */
const keptJson = (value: unknown) => ({ ok: true, status: 200, json: async () => value }) as Response

/** The pages' calls: a kept answer is handed over as it was read the first time, frozen, without the way through the router. */
function readKeptFirst(cache: PageCache, fetchInProcess: typeof fetch): typeof fetch {
  const values = new WeakMap<Entry, unknown>()
  return async (input, init) => {
    const address = typeof input === 'string' && init?.method === 'GET' ? new URL(input) : undefined
    const kept = address && cache.lookup(publicAddress(address.pathname + address.search))
    if (kept?.status !== 200) return fetchInProcess(input, init)
    if (!values.has(kept)) values.set(kept, JSON.parse(kept.variants.identity.body.toString(), freeze))
    return keptJson(values.get(kept))
  }
}

const freeze = (_: string, value: unknown) => Object.freeze(value)

/**
 * Loads the built site, the only link from the server to the pages. A page is rendered
 * without knowing who asks and kept like every public answer; one that failed is not kept.
 */
export async function loadPages(deps: Deps): Promise<PagesFor> {
  const built = (await import(pathToFileURL(BUILT).href)) as BuiltSite
  const { createRequestHandler, createRenderContext } = built.entry.module
  const handle = createRequestHandler(built, 'production')
  return (fetchInProcess) => {
    const renderDeps = {
      fetchInProcess: readKeptFirst(deps.cache, fetchInProcess),
      appName: deps.config.appName,
      publicUrl: deps.publicUrl,
    }
    return (request) => {
      const url = new URL(request.url)
      if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound()
      if (url.pathname.endsWith('.data')) throw notFound()
      return deps.cache.respond(request, async () => {
        const address = `http://site.internal${publicAddress(url.pathname + url.search)}`
        const page = await handle(
          new Request(address),
          createRenderContext({ ...renderDeps, renderedAt: deps.now().getTime() }),
        )
        page.headers.set('Cache-Control', page.status < 500 ? PUBLIC_PAGE : 'no-store')
        if (page.status === 503) page.headers.set('Retry-After', '5')
        return page
      })
    }
  }
}
