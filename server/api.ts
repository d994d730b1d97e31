import { bodyLimit } from 'hono/body-limit'
import { REQUEST_BODY_MAX_BYTES } from '#contract/limits.ts'
import type { Deps } from './deps.ts'
import { notFound, tooLarge } from './errors.ts'
import { guestAccountRoutes, ownAccountRoutes } from './features/accounts/routes.ts'
import { bannerRoutes } from './features/banners/routes.ts'
import { cartRoutes } from './features/cart/routes.ts'
import { downloadRoutes } from './features/downloads/routes.ts'
import { mediaRoutes } from './features/media/routes.ts'
import { newsRoutes } from './features/news/routes.ts'
import { rankingRoutes } from './features/rankings/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { shopRoutes } from './features/shop/routes.ts'
import { siteRoutes } from './features/site/routes.ts'
import { memberTicketRoutes, TICKET_FORM_PATHS, ticketRoutes } from './features/tickets/routes.ts'
import { voucherRoutes } from './features/vouchers/routes.ts'
import { whitelistRoutes } from './features/whitelist/routes.ts'
import { renderApiDocs } from './http/api-docs.ts'
import { limitRequests } from './http/rate-limit.ts'
import { createRouter } from './http/router.ts'

/** Every call under /api, feature by feature. */
function mountFeatures(deps: Deps) {
  return createRouter()
    .route('/', siteRoutes(deps))
    .route('/', newsRoutes(deps))
    .route('/', bannerRoutes(deps))
    .route('/', downloadRoutes(deps))
    .route('/', mediaRoutes(deps))
    .route('/', rankingRoutes(deps))
    .route('/', guestAccountRoutes(deps))
    .route('/', ownAccountRoutes(deps))
    .route('/', whitelistRoutes(deps))
    .route('/', shopRoutes(deps))
    .route('/', searchRoutes(deps))
    .route('/', cartRoutes(deps))
    .route('/', voucherRoutes(deps))
    .route('/', ticketRoutes(deps))
    .route('/', memberTicketRoutes(deps))
}

const limitBody = bodyLimit({
  maxSize: REQUEST_BODY_MAX_BYTES,
  onError: () => {
    throw tooLarge()
  },
})
const BRING_THEIR_LIMIT = new Set(TICKET_FORM_PATHS.map((path) => `/api${path}`))

/** The calls as the browser's client knows them. */
export type Api = ReturnType<typeof mountFeatures>

/** The API: limits around the features, the OpenAPI document and its page; unknown paths are 404 JSON. */
export function createApi(deps: Deps) {
  const info = { title: `${deps.config.appName}: the calls`, version: '1' }
  const features = mountFeatures(deps)
  return createRouter()
    .use(limitRequests(deps))
    .use((c, next) => (BRING_THEIR_LIMIT.has(c.req.path) ? next() : limitBody(c, next)))
    .route('/', features)
    .get('/openapi.json', (c) => c.json(listCalls()))
    .get('/docs', (c) => c.html(renderApiDocs(listCalls())))
    .all('*', () => {
      throw notFound('There is no such call.')
    })

  function listCalls() {
    return features.getOpenAPI31Document({ openapi: '3.1.0', info, servers: [{ url: '/api' }] })
  }
}
