import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Hono } from 'hono'
import type { ServerBuild } from 'react-router'
import type { RenderModule } from '#web/entry.server.tsx'
import { createApi } from './api.ts'
import type { Deps } from './deps.ts'
import { answerError, notFound } from './errors.ts'
import { createLimits } from './http/limits.ts'

const BUILT = join(import.meta.dirname, '../build/server/index.js')
const PUBLIC_PAGE = 'public, max-age=0, s-maxage=30, stale-while-revalidate=300'

export type RenderPage = (request: Request) => Promise<Response>

type BuiltSite = ServerBuild & { entry: { module: RenderModule } }

/**
 * Loads the built site, the only link from the server to the pages. A page is rendered
 * without knowing who asks and kept like every public answer; one that failed is not kept.
 */
export async function loadPages(deps: Deps): Promise<RenderPage> {
  const built = (await import(pathToFileURL(BUILT).href)) as BuiltSite
  const { createRequestHandler, createRenderContext } = built.entry.module
  const handle = createRequestHandler(built, 'production')
  const limits = createLimits({ ...deps, config: { ...deps.config, rateLimit: false } })
  const calls = new Hono().route('/api', createApi({ ...deps, limits }))
  calls.onError((error, c) => answerError(error, c, deps.log))
  const fetchInProcess: typeof fetch = async (input, init) => calls.fetch(new Request(input, init))
  const renderDeps = { fetchInProcess, appName: deps.config.appName, publicUrl: deps.publicUrl }
  return (request) => {
    const url = new URL(request.url)
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound()
    if (url.pathname.endsWith('.data')) throw notFound()
    const address = url.pathname + url.search
    return deps.cache.respond(request, address, async () => {
      const page = await handle(
        new Request(`http://site.internal${address}`),
        createRenderContext({ ...renderDeps, renderedAt: deps.now().getTime() }),
      )
      page.headers.set('Cache-Control', page.status < 500 ? PUBLIC_PAGE : 'no-store')
      if (page.status === 503) page.headers.set('Retry-After', '5')
      return page
    })
  }
}
