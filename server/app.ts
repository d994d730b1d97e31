import type { IncomingMessage, ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { createApi, createCall, getCallKey } from './api.ts'
import type { Deps } from './deps.ts'
import { createDeskDocument } from './desk-document.ts'
import { answerError, createNotFound } from './errors.ts'
import { createKeepAccountRoute } from './features/accounts/keep-account-page.ts'
import { setPasswordCost } from './features/accounts/passwords.ts'
import { createVerifyEmailRoute } from './features/accounts/verification.ts'
import { findDocumentDraft } from './features/documents/routes.ts'
import { createCalendarFiles } from './features/events/calendar.ts'
import { createFileServer } from './features/files/serve.ts'
import { createLauncherDocuments } from './features/launcher/routes.ts'
import { createUnsubscribeRoutes } from './features/mailbox/copies.ts'
import { findNewsDraft } from './features/news/routes.ts'
import { createClubMarks } from './features/rankings/routes.ts'
import { createVoteCallbacks } from './features/rewards/vote-callbacks.ts'
import { createSharePictures } from './features/sharing/pictures.ts'
import { createShortLinks } from './features/sharing/short-links.ts'
import { createSiteFiles } from './features/site/site-files.ts'
import { findThemeDraft } from './features/theme/desk.ts'
import { getClientAddress, getNetwork } from './http/client-address.ts'
import { mayReadMetrics } from './http/metrics.ts'
import { createSecurityHeaders } from './http/security-headers.ts'
import type { Pages } from './pages.ts'
import { createPreviewRoutes } from './preview.ts'
import { createReadiness } from './readiness.ts'
import { getCurrencyNames, readSettings } from './settings.ts'

/**
 * Creates the whole site as one function from request to response. It opens no port and reads no environment, so tests and
 * the server use it in the same way.
 *
 * @param pages the built site; without it, only calls are served
 */
export function createApp(deps: Deps, pages?: Pages) {
  const app = new Hono()
  const { metrics } = deps
  setPasswordCost(deps.config.passwordCost)
  app.onError((error, c) =>
    answerError(error, c, {
      log: deps.log,
      countRefusal: metrics.countRefusal,
      readCurrencies: async () => getCurrencyNames(await readSettings(deps)),
    }),
  )
  const checkReadiness = createReadiness(deps)
  app.use(metrics.observe)
  app.use(createSecurityHeaders(deps.publicUrl, deps.frontend.extraPolicy))

  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    await checkReadiness()
    return c.json({ status: 'ready' })
  })
  app.get('/metrics', async (c) => {
    if (!mayReadMetrics(c, deps.config.metricsToken)) throw createNotFound()
    return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' })
  })

  app.route('/api', createApi(deps))
  if (pages !== undefined) app.use(deps.frontend.files)
  app.use(createFileServer(deps))
  app.route('/', createVoteCallbacks(deps))
  app.use(async (c, next) => {
    deps.limits.consumeInMemory('pages', getNetwork(getClientAddress(c, deps.config.trustedProxies)))
    await next()
  })
  if (pages !== undefined) app.use(createDeskDocument(deps))
  app.route('/', createSiteFiles(deps, pages))
  app.route('/', createCalendarFiles(deps))
  app.route('/', (pages?.pictures ?? createSharePictures(deps)).routes)
  app.route('/', createClubMarks(deps))
  app.route('/', createShortLinks(deps))
  app.route('/', createLauncherDocuments(deps))
  app.route('/', createVerifyEmailRoute(deps))
  app.route('/', createKeepAccountRoute(deps))
  app.route('/', createUnsubscribeRoutes(deps))
  if (pages !== undefined) {
    const call = createCall(deps)
    const draftFinders = { news: findNewsDraft, document: findDocumentDraft, look: findThemeDraft }
    app.route('/', createPreviewRoutes(deps, pages, call, draftFinders))
    app.all('*', (c) => pages.render(c.req.raw, call))
  }

  /** Sends a cached response, before the router runs. @returns whether there was one */
  function serveCached(req: IncomingMessage, res: ServerResponse): boolean {
    const isServed = deps.cache.serve(req, res, (address) => {
      const url = address.startsWith('/') ? URL.parse(`http://site.internal${address}`) : null
      if (url === null) return undefined
      return url.pathname.startsWith('/api/') ? getCallKey(url) : pages?.findPageKey(url)
    })
    if (isServed) metrics.countCached()
    return isServed
  }

  return { fetch: app.fetch, request: app.request, routes: app.routes, serveCached }
}
