import type { Context } from 'hono'
import { type CallInput, type CallOutput, type Endpoint, isStaffAccess } from '#contract/endpoint.ts'
import { LOGIN_ANSWERS } from '#contract/messages.ts'
import { createQueues } from '../concurrency.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { type BridgeCaller, requireBridge } from './bridge.ts'
import { getClientAddress, getNetwork, identifyCaller } from './client-address.ts'
import { runForStaff } from './desk.ts'
import { createOnceRequest, NO_KEY } from './idempotency.ts'
import { type Fields, handleRawInput, listAccountFields, type RawInput, splitInput, validateInput } from './input.ts'
import type { BaseContext, MountedCall } from './mount.ts'
import { createSessionRefusal, findSession, recordLastUse, requireOwnAccount, type Session } from './session.ts'
import { requireStaff, type Staff } from './staff.ts'
import { runWrite } from './write.ts'

/** The policy for shared caches. The process invalidates its own copies when content changes. */
const PUBLIC_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=0, s-maxage=30, stale-if-error=600',
}

/** The header that lets scripts of other sites read a public response. It is never sent to a request with a token (CALL-15). */
export const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' }

/**
 * Answers a request over HTTP. Checks the limit, the session (401, 403) and the body (400, 413), waits in the account's
 * queue (503) and checks the input (422). Then it sends the cached response, or runs the handler once for each
 * Idempotency-Key. Logs refusals with 403, with 401 at the desk, and of calls of guests, but not those with 429, because a
 * flood would write thousands of lines.
 *
 * @throws Refusal
 */
export async function answerRequest(deps: Deps, mountedCall: MountedCall, c: Context): Promise<Response> {
  const { endpoint } = mountedCall
  if (endpoint.access === 'bridge') return answerBridge(deps, mountedCall, c)
  const caller = identifyCaller(c, deps.config.trustedProxies)
  let userNum: number | undefined
  try {
    const { limit } = endpoint
    const network = getNetwork(caller.address)
    const authorization = c.req.header('Authorization')
    const isGuest = endpoint.access === 'public' || authorization === undefined
    deps.limits.consumeInMemory(isGuest ? 'guestCalls' : 'tokens', network)
    const session = isGuest ? null : await findSession(deps, authorization)
    userNum = session?.userNum
    if (session !== null) deps.limits.consumeInMemory('playerCalls', session.userNum)
    const subject = session?.userNum ?? network
    if (limit !== undefined) await runInCallerQueue(`limit ${subject}`, () => deps.limits.consume(limit, subject))
    const staff = await requireAccess(deps, endpoint, session)
    return await handleRawInput(deps, endpoint, c, async (raw) => {
      if (endpoint.cache !== undefined) {
        const input = await readInput(deps, mountedCall, raw, session)
        const key = createCacheKey(endpoint, input)
        return deps.cache.respond(c.req.raw, key, async () => ({
          status: 200,
          headers: new Headers(endpoint.cors ? { ...PUBLIC_HEADERS, ...ANY_ORIGIN } : PUBLIC_HEADERS),
          body: Buffer.from(
            JSON.stringify(await runCall(mountedCall, input, createLocalContext(createBrowseDeps(deps)))),
          ),
        }))
      }
      const isBrowsing = session === null && endpoint.method === 'GET'
      const work = async () => {
        if (session !== null) await recordLastUse(deps, session)
        const input = await readInput(deps, mountedCall, raw, session)
        const idempotency = await createOnceRequest(endpoint, input, session, c.req.header('Idempotency-Key'))
        const addHeader = (name: string, value: string) => c.header(name, value, { append: true })
        const context = {
          deps: isBrowsing ? createBrowseDeps(deps) : deps,
          session,
          caller,
          idempotency,
          addHeader,
        }
        const result =
          staff === null ? runCall(mountedCall, input, context) : runForStaff(mountedCall, input, { ...context, staff })
        return toResponse(c, await result)
      }
      if (isBrowsing) return deps.publicQueue(work)
      const queueKey = getQueueKey(endpoint, session, raw, network)
      return queueKey === undefined ? work() : runInCallerQueue(queueKey, work)
    })
  } catch (error) {
    if (endpoint.cors && c.req.header('Authorization') === undefined)
      for (const [name, value] of Object.entries(ANY_ORIGIN)) c.header(name, value)
    if (!(error instanceof Refusal)) throw error
    const { status, id } = error
    const isDesk = isStaffAccess(endpoint.access)
    const isForCaller = status === 403 || (isDesk && status === 401)
    if (isDesk && isForCaller) deps.metrics.countDeskRefusal(status, id)
    if (isForCaller || (endpoint.access === 'visitor' && status !== 429))
      deps.log.warn({ address: caller.address, account: userNum, path: c.req.path, status, id }, 'call refused')
    throw error
  }
}

/** Answers a call of a bridge: limit, signature (401), input (422), handler. */
async function answerBridge(deps: Deps, mountedCall: MountedCall, c: Context): Promise<Response> {
  deps.limits.consumeInMemory('bridgeCalls', getNetwork(getClientAddress(c, deps.config.trustedProxies)))
  const bridge = await requireBridge(deps, c)
  return handleRawInput(deps, mountedCall.endpoint, c, async (raw) => {
    const input = await readInput(deps, mountedCall, raw, null)
    return toResponse(c, await runCall(mountedCall, input, { ...createLocalContext(deps), bridge }))
  })
}

/**
 * The queues of callers. At most two calls of an account, two logins to an account from one address, and two counts of an
 * address run at the same time, so one caller cannot use up the database connections. Further calls wait here, without a
 * connection.
 */
const runInCallerQueue = createQueues({
  concurrency: 2,
  maxWaiting: 250,
  maxWaitMs: 5000,
  createFullError: () =>
    new Refusal(503, 'busy', 'Too many of your requests are still running. Please try again in a moment.', {
      retryAfterSeconds: 2,
    }),
})

/**
 * Returns the key of the queue in which a call waits: the calling account, or for a login the account and the address, so
 * strangers cannot delay a player's login. Undefined for calls of guests without an account.
 */
function getQueueKey(
  { input }: Endpoint,
  session: Session | null,
  { body }: RawInput,
  network: string,
): string | undefined {
  if (session !== null) return `account ${session.userNum}`
  if (input?.body === undefined || !('UserID' in input.body.shape) || typeof body.UserID !== 'string') return undefined
  return `login ${body.UserID.trim().slice(0, 40).toLowerCase()} ${network}`
}

/** Creates a private, uncacheable response: JSON, or a file unchanged. */
function toResponse(c: Context, result: unknown): Response {
  if (!(result instanceof File)) return c.json(result as object, 200, { 'Cache-Control': 'no-store' })
  return c.body(result.stream(), 200, {
    'Content-Type': result.type,
    'Content-Length': String(result.size),
    'Content-Disposition': `inline; filename="${result.name}"`,
    'Cache-Control': 'private, no-store',
  })
}

/** Replaces the database for public reads: they do not use the connections of purchases, so they do not delay players. */
const createBrowseDeps = (deps: Deps): Deps => ({ ...deps, db: deps.browseDb })

/** Creates the context of a call in the process. It has no address. */
const createLocalContext = (deps: Deps, session: Session | null = null): BaseContext => ({
  deps,
  session,
  caller: { address: '127.0.0.1', device: '' },
  idempotency: NO_KEY,
  addHeader: () => {},
})

/**
 * Runs a call in the process, with the same validation, checks and cache as over HTTP. A cached value is frozen.
 *
 * @param session the player to call as; null calls as a guest
 * @throws Refusal
 */
export async function callMounted<E extends Endpoint>(
  deps: Deps,
  mountedCall: MountedCall,
  input: CallInput<E>,
  session: Session | null = null,
): Promise<CallOutput<E>> {
  const { endpoint } = mountedCall
  const caller = endpoint.access === 'public' ? null : session
  const staff = await requireAccess(deps, endpoint, caller)
  const validInput = await readInput(deps, mountedCall, splitInput(endpoint, input), caller)
  if (staff !== null)
    return (await runForStaff(mountedCall, validInput, { ...createLocalContext(deps, caller), staff })) as CallOutput<E>
  const isBrowsing = caller === null && endpoint.method === 'GET'
  const result =
    endpoint.cache === undefined
      ? await runCall(mountedCall, validInput, createLocalContext(isBrowsing ? createBrowseDeps(deps) : deps, caller))
      : await deps.cache.getValue(createCacheKey(endpoint, validInput), () =>
          runCall(mountedCall, validInput, createLocalContext(createBrowseDeps(deps))),
        )
  return result as CallOutput<E>
}

/**
 * @returns the operator who makes a call of the desk, null for every other call
 * @throws Refusal 401 without a required session, 403 without a required permission or confirmation
 */
async function requireAccess(deps: Deps, endpoint: Endpoint, session: Session | null): Promise<Staff | null> {
  const { access } = endpoint
  if (session !== null && session.takeOverStep !== null && endpoint.duringTakeOver !== true)
    throw createTakeOverRefusal()
  if (access === 'public' || access === 'visitor') return null
  if (access === 'bridge') throw new Refusal(401, 'not-signed', 'Only a bridge makes this call, over HTTP.')
  if (session === null) throw createSessionRefusal()
  return access === 'player' ? null : requireStaff(deps, endpoint, session)
}

/**
 * Creates the refusal of a session whose account has to be taken over first. Browsers follow `reason` to /claim.
 */
const createTakeOverRefusal = () => new Refusal(403, 'claim', LOGIN_ANSWERS.claimFirst, { extra: { reason: 'claim' } })

/** Returns valid input that does not name another account, except at the desk. @throws Refusal 403, 422 */
async function readInput(
  deps: Deps,
  mountedCall: MountedCall,
  raw: RawInput,
  session: Session | null,
): Promise<Fields> {
  if (session !== null && !isStaffAccess(mountedCall.endpoint.access))
    requireOwnAccount(session, listAccountFields(raw))
  const validInput = await validateInput(deps, mountedCall, raw)
  return mountedCall.nearest === undefined ? validInput : (mountedCall.nearest(validInput, deps) as Fields)
}

/** Runs the handler and parses its output with the declared schema, so private columns cannot leak. */
async function runCall(
  mountedCall: MountedCall,
  input: Fields,
  context: BaseContext & { bridge?: BridgeCaller },
): Promise<unknown> {
  if (mountedCall.endpoint.idempotent) return runWrite(mountedCall, input, context)
  return mountedCall.endpoint.output.parse(await mountedCall.handler(input, context))
}

/** Returns the cache key of a raw input; undefined for invalid input. */
export function getInputKey(endpoint: Endpoint, { params, query }: Pick<RawInput, 'params' | 'query'>) {
  const parsedParams = endpoint.input?.params?.safeParse(params) ?? { success: true, data: {} }
  const parsedQuery = endpoint.input?.query?.safeParse(query) ?? { success: true, data: {} }
  return parsedParams.success && parsedQuery.success
    ? createCacheKey(endpoint, { ...parsedParams.data, ...parsedQuery.data })
    : undefined
}

/** Returns the cache key of an endpoint with a parsed input. */
function createCacheKey({ path }: Endpoint, input: Fields): string {
  const entries = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `/api${path} ${JSON.stringify(entries)}`
}
