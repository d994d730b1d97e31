import { Hono } from 'hono'
import { BRIDGE_BODY_MAX_BYTES } from '#contract/bridge.ts'
import { type Call, type Endpoint, formatCallName } from '#contract/endpoint.ts'
import { REQUEST_BODY_MAX_BYTES } from '#contract/limits.ts'
import { isDatabaseUnavailable } from './db/errors.ts'
import type { Deps } from './deps.ts'
import { createDatabaseUnavailable, createNotFound, Refusal } from './errors.ts'
import { roleOfferCalls } from './features/accounts/role-offer-routes.ts'
import { accountCalls } from './features/accounts/routes.ts'
import { activityCalls } from './features/activity/routes.ts'
import { backupDeskCalls } from './features/backups/desk.ts'
import { backupTargetDeskCalls } from './features/backups/targets.ts'
import { bannerCalls } from './features/banners/routes.ts'
import { accountImportDeskCalls } from './features/bridge/account-import-desk.ts'
import { bridgeDeskCalls } from './features/bridge/desk.ts'
import { bridgeCalls } from './features/bridge/routes.ts'
import { capsuleDeskCalls } from './features/capsules/desk.ts'
import { capsuleCalls } from './features/capsules/routes.ts'
import { cartCalls } from './features/cart/routes.ts'
import { discordDeskCalls } from './features/discord/desk.ts'
import { discordLinkCalls } from './features/discord/routes.ts'
import { documentDeskCalls } from './features/documents/desk.ts'
import { documentCalls } from './features/documents/routes.ts'
import { downloadCalls } from './features/downloads/routes.ts'
import { eventDeskCalls } from './features/events/desk.ts'
import { eventCalls } from './features/events/routes.ts'
import { figureDeskCalls } from './features/figures/desk.ts'
import { fileDeskCalls } from './features/files/desk.ts'
import { forumDeskCalls } from './features/forum/desk.ts'
import { forumCalls } from './features/forum/routes.ts'
import { giftCalls } from './features/gifts/routes.ts'
import { healthDeskCalls } from './features/health/desk.ts'
import { letterDeskCalls } from './features/mailbox/desk.ts'
import { mailboxCalls } from './features/mailbox/routes.ts'
import { mailDeskCalls } from './features/mails/desk.ts'
import { mailServerDeskCalls } from './features/mails/mail-server.ts'
import { mediaCalls } from './features/media/routes.ts'
import { myDataCalls } from './features/my-data/routes.ts'
import { newsDeskCalls } from './features/news/desk.ts'
import { newsCalls } from './features/news/routes.ts'
import { orderDeskCalls } from './features/orders/desk.ts'
import { appealDeskCalls } from './features/players/appeals-desk.ts'
import { playerDeskCalls } from './features/players/desk.ts'
import { pushCalls } from './features/push/routes.ts'
import { rankingDeskCalls } from './features/rankings/desk.ts'
import { seasonDeskCalls } from './features/rankings/desk-seasons.ts'
import { rankingCalls } from './features/rankings/routes.ts'
import { rewardDeskCalls } from './features/rewards/desk.ts'
import { voteDeskCalls } from './features/rewards/desk-votes.ts'
import { friendCalls } from './features/rewards/friends.ts'
import { rewardCalls } from './features/rewards/routes.ts'
import { voteCalls } from './features/rewards/votes.ts'
import { searchCalls } from './features/search/routes.ts'
import { serviceDeskCalls } from './features/services/desk.ts'
import { serviceCalls } from './features/services/routes.ts'
import { settingDeskCalls } from './features/settings/desk.ts'
import { sharingDeskCalls } from './features/sharing/desk.ts'
import { shopDeskCalls } from './features/shop/desk.ts'
import { shopCalls } from './features/shop/routes.ts'
import { siteDeskCalls } from './features/site/desk.ts'
import { siteCalls } from './features/site/routes.ts'
import { staffDeskCalls } from './features/staff/desk.ts'
import { themeDeskCalls } from './features/theme/desk.ts'
import { ticketDeskCalls } from './features/tickets/desk.ts'
import { ticketCalls } from './features/tickets/routes.ts'
import { todayDeskCalls } from './features/today/desk.ts'
import { tournamentDeskCalls } from './features/tournaments/desk.ts'
import { tournamentCalls } from './features/tournaments/routes.ts'
import { voucherDeskCalls } from './features/vouchers/desk.ts'
import { voucherCalls } from './features/vouchers/routes.ts'
import { walletDeskCalls } from './features/wallet/desk.ts'
import { leagueDeskCalls } from './features/wars/leagues-desk.ts'
import { warCalls } from './features/wars/routes.ts'
import { whitelistCalls } from './features/whitelist/routes.ts'
import { wishCalls } from './features/wishes/routes.ts'
import { createTextAnswer } from './http/answer-cache.ts'
import { answerRequest, callMounted, getInputKey } from './http/answer-calls.ts'
import { renderApiDocs } from './http/api-docs.ts'
import { getClientAddress, getNetwork } from './http/client-address.ts'
import { hasBody, toFields } from './http/input.ts'
import { findMounted, type MountedCall } from './http/mount.ts'
import { describeCalls } from './http/openapi.ts'
import { limitBody } from './http/read-body.ts'
import type { Session } from './http/session.ts'
import { readSettings } from './settings.ts'

/** Every call of the site. */
export const CALLS: readonly MountedCall[] = [
  ...siteCalls,
  ...newsCalls,
  ...bannerCalls,
  ...documentCalls,
  ...downloadCalls,
  ...mailboxCalls,
  ...forumCalls,
  ...mediaCalls,
  ...todayDeskCalls,
  ...figureDeskCalls,
  ...discordDeskCalls,
  ...discordLinkCalls,
  ...healthDeskCalls,
  ...backupDeskCalls,
  ...backupTargetDeskCalls,
  ...rankingDeskCalls,
  ...seasonDeskCalls,
  ...rankingCalls,
  ...tournamentDeskCalls,
  ...tournamentCalls,
  ...warCalls,
  ...activityCalls,
  ...leagueDeskCalls,
  ...rewardDeskCalls,
  ...voteDeskCalls,
  ...rewardCalls,
  ...voteCalls,
  ...friendCalls,
  ...eventDeskCalls,
  ...eventCalls,
  ...pushCalls,
  ...accountCalls,
  ...whitelistCalls,
  ...shopCalls,
  ...searchCalls,
  ...cartCalls,
  ...serviceCalls,
  ...giftCalls,
  ...capsuleCalls,
  ...capsuleDeskCalls,
  ...wishCalls,
  ...voucherCalls,
  ...ticketCalls,
  ...roleOfferCalls,
  ...myDataCalls,
  ...staffDeskCalls,
  ...letterDeskCalls,
  ...fileDeskCalls,
  ...themeDeskCalls,
  ...walletDeskCalls,
  ...orderDeskCalls,
  ...serviceDeskCalls,
  ...voucherDeskCalls,
  ...playerDeskCalls,
  ...appealDeskCalls,
  ...sharingDeskCalls,
  ...shopDeskCalls,
  ...ticketDeskCalls,
  ...forumDeskCalls,
  ...settingDeskCalls,
  ...siteDeskCalls,
  ...mailDeskCalls,
  ...mailServerDeskCalls,
  ...newsDeskCalls,
  ...documentDeskCalls,
  ...bridgeCalls,
  ...bridgeDeskCalls,
  ...accountImportDeskCalls,
]

if (new Set(CALLS.map(({ endpoint }) => formatCallName(endpoint))).size < CALLS.length)
  throw new Error('Two calls have the same method and path.')

const limitCallBody = limitBody(REQUEST_BODY_MAX_BYTES)
const limitBridgeBody = limitBody(BRIDGE_BODY_MAX_BYTES)

/** Serves the calls over HTTP, with the OpenAPI document and its page. Unknown paths answer 404 with JSON. */
export function createApi(deps: Deps) {
  const api = new Hono()
  for (const mountedCall of CALLS) {
    const { method, path, input, access } = mountedCall.endpoint
    const limit = access === 'bridge' ? limitBridgeBody : limitCallBody
    const pattern = path.replace(/\{(\w+)\}/g, ':$1')
    if (method === 'POST' && input?.form === undefined)
      api.on(method, pattern, (c, next) => (hasBody(c) ? limit(c, next) : next()))
    api.on(method, pattern, (c) => answerRequest(deps, mountedCall, c))
  }
  const createDocument = async () =>
    describeCalls(
      CALLS.map(({ endpoint }) => endpoint),
      { title: (await readSettings(deps)).site_name, url: deps.publicUrl },
    )
  // Requests that match no call count against the limits of guests.
  api.use(async (c, next) => {
    deps.limits.consumeInMemory('guestCalls', getNetwork(getClientAddress(c, deps.config.trustedProxies)))
    await next()
  })
  return api
    .get('/openapi.json', (c) =>
      deps.cache.respond(c.req.raw, '/api/openapi.json', async () =>
        createTextAnswer('application/json', JSON.stringify(await createDocument())),
      ),
    )
    .get('/docs', (c) =>
      deps.cache.respond(c.req.raw, '/api/docs', async () =>
        createTextAnswer('text/html; charset=utf-8', String(await renderApiDocs(await createDocument()))),
      ),
    )
    .all('*', () => {
      throw createNotFound('There is no such call.')
    })
}

const createPathPattern = ({ path }: Endpoint) => new RegExp(`^/api${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

/** The calls with cached answers, and the patterns of their paths. */
const CACHED_CALL_PATTERNS = CALLS.filter(
  ({ endpoint, serverCheck }) => endpoint.cache !== undefined && serverCheck === undefined,
).map(({ endpoint }) => ({ endpoint, pattern: createPathPattern(endpoint) }))

const UPLOAD_PATTERNS = CALLS.filter(({ endpoint }) => endpoint.input?.form !== undefined).map(({ endpoint }) =>
  createPathPattern(endpoint),
)

/** Returns whether the call at a path accepts files. */
export const isUploadPath = (path: string): boolean => UPLOAD_PATTERNS.some((pattern) => pattern.test(path))

/** Returns the cache key of a call's answer, from its address; undefined if it is not cached. */
export function getCallKey({ pathname, searchParams }: URL): string | undefined {
  for (const { endpoint, pattern } of CACHED_CALL_PATTERNS) {
    const match = pattern.exec(pathname)
    if (match === null || pathname.includes('%')) continue
    return getInputKey(endpoint, { params: { ...match.groups }, query: toFields(searchParams) })
  }
  return undefined
}

/** Creates a function that runs calls within the process, for pages and tests, as the player of `session`. */
export function createCall(deps: Deps, session: Session | null = null): Call {
  return async (endpoint, input) => {
    // Find the call by name, because the built pages contain a copy of the endpoint.
    const mountedCall = findMounted(formatCallName(endpoint))
    if (mountedCall === undefined) throw new Refusal(404, 'not-found', 'There is no such call.')
    return callMounted<typeof endpoint>(deps, mountedCall, input, session).catch((error: unknown) => {
      throw isDatabaseUnavailable(error) ? createDatabaseUnavailable() : error
    })
  }
}
