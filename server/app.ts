import { Hono } from 'hono'
import { sql } from 'kysely'
import { createApi } from './api.ts'
import type { Deps } from './deps.ts'
import { answerError } from './errors.ts'
import { verifyEmailPage } from './features/accounts/verify-email-page.ts'
import { siteDocuments } from './features/site/documents.ts'
import { createMetrics } from './http/metrics.ts'
import { securityHeaders } from './http/security-headers.ts'
import { staticFiles } from './http/static-files.ts'
import type { RenderPage } from './pages.ts'

/**
 * The whole site as one function from request to answer. It listens to nothing and reads no environment: tests and the
 * server call it the same way.
 *
 * @param renderPage answers what is neither a call nor a file; left out, there are no pages
 */
export function createApp(deps: Deps, renderPage?: RenderPage) {
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
  if (renderPage !== undefined) {
    app.use(staticFiles())
    app.all('*', (c) => renderPage(c.req.raw))
  }
  return { fetch: app.fetch, request: app.request, metrics }
}
