import { Hono } from 'hono'
import { sql } from 'kysely'
import { createApi } from './api.ts'
import type { Deps } from './deps.ts'
import { answerError } from './errors.ts'
import { verifyEmailPage } from './features/accounts/verify-email-page.ts'
import { siteDocuments } from './features/site/documents.ts'
import { createMetrics } from './http/metrics.ts'
import { IN_PROCESS } from './http/rate-limit.ts'
import { securityHeaders } from './http/security-headers.ts'
import { staticFiles } from './http/static-files.ts'
import type { RenderPage } from './pages.ts'

/** Builds the page renderer once the API it asks exists. */
export type PagesFor = (fetchInProcess: typeof fetch) => RenderPage

/**
 * The whole site as one function from request to answer. Listens to nothing and reads no
 * environment: tests, page rendering and the server all call it the same way.
 */
export function createApp(deps: Deps, pagesFor?: PagesFor) {
  const app = new Hono()
  const metrics = createMetrics(deps.cache)
  app.onError((error, c) => answerError(error, c, deps.log))
  app.use(metrics.observe)
  app.use(securityHeaders)

  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    await sql`select 1`.execute(deps.db)
    return c.json({ status: 'ready' })
  })
  app.get('/metrics', async (c) =>
    c.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
  )

  app.route('/api', createApi(deps))
  app.route('/', siteDocuments(deps))
  app.route('/', verifyEmailPage(deps))
  if (pagesFor !== undefined) {
    const renderPage = pagesFor(callInProcess)
    app.use(staticFiles())
    app.all('*', (c) => renderPage(c.req.raw))
  }

  /** The pages' own calls: the same app without the network. */
  function callInProcess(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    request.headers.set('x-in-process', IN_PROCESS)
    return Promise.resolve(app.fetch(request))
  }

  return { fetch: app.fetch, request: app.request, metrics }
}
