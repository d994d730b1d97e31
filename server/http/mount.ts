import type { Context } from 'hono'
import type { z } from 'zod'
import { LOGIN_ANSWERS } from '#contract/account-messages.ts'
import {
  type CallInput,
  type CallOutput,
  type Endpoint,
  isForStaff,
  type StaffAccess,
  type ValidInput,
} from '#contract/endpoint.ts'
import { createQueues } from '../concurrency.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal, refuse } from '../errors.ts'
import {
  ApprovalNeeded,
  type Guarded,
  keepForApproval,
  requireApproval,
  type Spending,
  spendAllowance,
} from './approvals.ts'
import { type AuditRecord, writeAudit } from './audit.ts'
import { type BridgeCaller, requireBridge } from './bridge.ts'
import { type Caller, callerOf, clientAddress, networkOf } from './client-address.ts'
import { createOnceRequest, inOneTransaction, NO_KEY, type OnceRequest, type Outcome, runOnce } from './idempotency.ts'
import { type AlsoCheck, type Fields, namesIn, type RawInput, splitInput, validate, withRawInput } from './input.ts'
import { findSession, markSeen, noSession, requireOwnAccount, type Session } from './session.ts'
import { requireStaff, type Staff } from './staff.ts'

type SessionOf<E> = E extends { access: 'public' | 'bridge' }
  ? null
  : E extends { access: 'visitor' }
    ? Session | null
    : Session

/** What a handler is given beside its input. */
export type Asked<E, Prepared = undefined> = Omit<Who, 'session'> & { session: SessionOf<E> } & (E extends ForStaff
    ? DeskTools & { prepared: Prepared }
    : unknown) &
  (E extends { access: 'bridge' } ? { bridge: BridgeCaller } : unknown)

type ForStaff = { access: StaffAccess }

/** What handlers of the desk have beyond those of players. */
export type DeskTools = {
  staff: Staff
  /** Says what the call does, for the audit log. Each writing call does so once, a reading one if it is audited. */
  record(what: AuditRecord): void
  /** Counts money that the operator moves. @throws ApprovalNeeded above the limit; Refusal 403 for their own account */
  spend(what: Spending): Promise<void>
  /** Asks for the consent of another operator or owner. @returns whether the caller is the only operator */
  requireApproval(what: Guarded): Promise<{ isOnlyOperator: boolean }>
}

type Plain<E> = E extends { output: infer O extends z.ZodType } ? z.input<O> : never
/**
 * What a handler of an idempotent call returns is remembered under the caller's key, refusals included. For the desk,
 * mount remembers by itself.
 */
type Result<E> = E extends { idempotent: true; access: 'public' | 'visitor' | 'player' } ? Outcome<Plain<E>> : Plain<E>
type Handler<E, Prepared> = (input: ValidInput<E>, asked: Asked<E, Prepared>) => Result<E> | Promise<Result<E>>

/** A writing call of the desk with work that must not happen inside its transaction, such as decoding a picture. */
type Prepared<E, Value> = {
  prepare: (input: ValidInput<E>, asked: { deps: Deps; session: Session }) => Promise<Value>
  /** Gets what `prepare` returned as `prepared`. */
  write: Handler<E, NoInfer<Value>>
}

type Who = {
  deps: Deps
  session: Session | null
  caller: Caller
  once: OnceRequest
  /** Adds a header to the answer; does nothing in the process. */
  addHeader(name: string, value: string): void
}

/** An endpoint with its handler. */
export type Mounted = {
  endpoint: Endpoint
  handler: (input: Fields, who: Who & Partial<DeskTools> & { bridge?: BridgeCaller }) => unknown
  alsoCheck: AlsoCheck | undefined
  prepare: ((input: Fields, asked: { deps: Deps; session: Session }) => Promise<unknown>) | undefined
}

/**
 * Binds a handler to an endpoint. Everything that the endpoint declares happens around it.
 *
 * A writing call of the desk runs in one transaction, which is the handler's `deps.db`, together with its entry in the
 * audit log and its Idempotency-Key.
 *
 * @throws when a call below /admin is not for staff only
 */
export function mount<const E extends Endpoint>(
  endpoint: E,
  handler: NoInfer<Handler<E, undefined>>,
  alsoCheck?: AlsoCheck,
): Mounted
export function mount<const E extends Endpoint & ForStaff, Value>(endpoint: E, handler: Prepared<E, Value>): Mounted
export function mount(
  endpoint: Endpoint,
  handler: Mounted['handler'] | { prepare: Mounted['prepare']; write: Mounted['handler'] },
  alsoCheck?: AlsoCheck,
): Mounted {
  if (endpoint.path.startsWith('/admin/') !== isForStaff(endpoint.access))
    throw new Error(`${endpoint.path}: the calls of staff are those below /admin/.`)
  if (endpoint.access === 'bridge' && !endpoint.path.startsWith('/bridge/'))
    throw new Error(`${endpoint.path}: the calls of bridges are below /bridge/.`)
  const { prepare, write } = typeof handler === 'function' ? { prepare: undefined, write: handler } : handler
  const mounted = { endpoint, handler: write, alsoCheck, prepare }
  MOUNTED.set(nameOf(endpoint), mounted)
  return mounted
}

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
const MOUNTED = new Map<string, Mounted>()

/** The call of a name such as `GET /admin/staff`. */
export const findMounted = (name: string): Mounted | undefined => MOUNTED.get(name)

/** For shared caches. The process itself forgets its own copies as soon as content changes. */
const PUBLIC_HEADERS = { 'Cache-Control': 'public, max-age=0, s-maxage=30, stale-if-error=600' }

/**
 * Answers a request over HTTP: limit, session (401, 403), body (400, 413), the account's turn (503), input (422), then the
 * kept answer, or the handler, once for each Idempotency-Key. Refusals of calls that guests can make are logged, but no
 * 429, of which a flood would write thousands.
 *
 * @throws Refusal
 */
export async function answerRequest(deps: Deps, mounted: Mounted, c: Context): Promise<Response> {
  const { endpoint } = mounted
  if (endpoint.access === 'bridge') return answerBridge(deps, mounted, c)
  const caller = callerOf(c, deps.config.trustedProxies)
  try {
    const { limit } = endpoint
    const network = networkOf(caller.address)
    const authorization = c.req.header('Authorization')
    const isGuest = endpoint.access === 'public' || authorization === undefined
    deps.limits.spendQuickly(isGuest ? 'guestCalls' : 'tokens', network)
    const session = isGuest ? null : await findSession(deps, authorization)
    if (session !== null) deps.limits.spendQuickly('playerCalls', session.userNum)
    const subject = session?.userNum ?? network
    if (limit !== undefined) await inTurn(`limit ${subject}`, () => deps.limits.spend(limit, subject))
    const staff = await requireAccess(deps, endpoint, session)
    return await withRawInput(deps, endpoint, c, async (raw) => {
      if (endpoint.cache !== undefined) {
        const input = await readInput(deps, mounted, raw, session)
        const key = cacheKey(endpoint, input)
        return deps.cache.respondWithValue(c.req.raw, key, () => run(mounted, input, nobody(deps)), PUBLIC_HEADERS)
      }
      const work = async () => {
        if (session !== null) await markSeen(deps, session)
        const input = await readInput(deps, mounted, raw, session)
        const once = await createOnceRequest(endpoint, input, session, c.req.header('Idempotency-Key'))
        const addHeader = (name: string, value: string) => c.header(name, value, { append: true })
        const who = { deps, session, caller, once, addHeader }
        const value = staff === null ? run(mounted, input, who) : runForStaff(mounted, input, { ...who, staff })
        return toResponse(c, await value)
      }
      const account = accountOf(session, raw)
      return account === undefined ? work() : inTurn(account, work)
    })
  } catch (error) {
    if (endpoint.access === 'visitor' && error instanceof Refusal && error.status !== 429)
      deps.log.warn({ address: caller.address, path: c.req.path, status: error.status, id: error.id }, 'call refused')
    throw error
  }
}

/** Answers a call of a bridge: limit, signature (401), input (422), handler. */
async function answerBridge(deps: Deps, mounted: Mounted, c: Context): Promise<Response> {
  deps.limits.spendQuickly('bridgeCalls', networkOf(clientAddress(c, deps.config.trustedProxies)))
  const bridge = await requireBridge(deps, c)
  return withRawInput(deps, mounted.endpoint, c, async (raw) => {
    const input = await readInput(deps, mounted, raw, null)
    return toResponse(c, await run(mounted, input, { ...nobody(deps), bridge }))
  })
}

/**
 * At most two calls of an account, and two counts of an address, run at once in this process, so that nobody uses up the
 * connections to the database. More of them wait here, where waiting costs others nothing.
 */
const inTurn = createQueues({
  concurrency: 2,
  maxWaiting: 250,
  maxWaitMs: 5000,
  createFullError: () =>
    new Refusal(503, 'busy', 'Too many of your requests are still running. Please try again in a moment.', {
      retryAfterSeconds: 2,
    }),
})

/** The account that calls or that a login names, however it is written; undefined when there is none. */
function accountOf(session: Session | null, { body }: RawInput): string | undefined {
  const userId = session?.userId ?? body.UserID
  return typeof userId === 'string' ? `account ${userId.trim().slice(0, 40).toLowerCase()}` : undefined
}

/** What is nobody else's to keep: JSON, or a file as it is. */
async function toResponse(c: Context, value: unknown): Promise<Response> {
  if (!(value instanceof File)) return c.json(value as object, 200, { 'Cache-Control': 'no-store' })
  return c.body(await value.arrayBuffer(), 200, {
    'Content-Type': value.type,
    'Content-Disposition': `inline; filename="${value.name}"`,
    'Cache-Control': 'private, no-store',
  })
}

/** In the process there is no address, and a public call does not ask for one. */
const nobody = (deps: Deps, session: Session | null = null): Who => ({
  deps,
  session,
  caller: { address: '127.0.0.1', device: '' },
  once: NO_KEY,
  addHeader: () => {},
})

/**
 * Calls a handler in the process: the same validation, guards and cache, without HTTP or JSON. The value comes back
 * frozen if it is kept.
 *
 * @param session the player to call as; null calls as a guest
 * @throws Refusal
 */
export async function callMounted<E extends Endpoint>(
  deps: Deps,
  mounted: Mounted,
  input: CallInput<E>,
  session: Session | null = null,
): Promise<CallOutput<E>> {
  const { endpoint } = mounted
  const caller = endpoint.access === 'public' ? null : session
  const staff = await requireAccess(deps, endpoint, caller)
  const valid = await readInput(deps, mounted, splitInput(endpoint, input), caller)
  if (staff !== null) return (await runForStaff(mounted, valid, { ...nobody(deps, caller), staff })) as CallOutput<E>
  const value =
    endpoint.cache === undefined
      ? await run(mounted, valid, nobody(deps, caller))
      : await deps.cache.value(cacheKey(endpoint, valid), () => run(mounted, valid, nobody(deps)))
  return value as CallOutput<E>
}

/**
 * @returns the member of the staff who makes a call of the desk, null for every other call
 * @throws Refusal 401 without the session that a call needs, 403 without what a call of the desk needs
 */
async function requireAccess(deps: Deps, endpoint: Endpoint, session: Session | null): Promise<Staff | null> {
  const { access } = endpoint
  if (session !== null && session.claimStep !== null && endpoint.duringClaim !== true) throw claimFirst()
  if (access === 'public' || access === 'visitor') return null
  if (access === 'bridge') throw new Refusal(401, 'not-signed', 'Only a bridge makes this call, over HTTP.')
  if (session === null) throw noSession()
  return access === 'player' ? null : requireStaff(deps, endpoint, session)
}

/** The refusal of every other call to a session whose account has yet to be claimed; `reason` leads browsers to /claim. */
const claimFirst = () => new Refusal(403, 'claim', LOGIN_ANSWERS.claimFirst, { extra: { reason: 'claim' } })

/** Valid input that names nobody else's account, except at the desk. @throws Refusal 403, 422 */
function readInput(deps: Deps, mounted: Mounted, raw: RawInput, session: Session | null): Promise<Fields> {
  if (session !== null && !isForStaff(mounted.endpoint.access)) requireOwnAccount(session, namesIn(raw))
  return validate(deps, mounted, raw)
}

/** Runs the handler and lets through what the output's schema knows, so that no private column can leak. */
async function run(
  { endpoint, handler }: Mounted,
  input: Fields,
  who: Who & { bridge?: BridgeCaller },
): Promise<unknown> {
  if (!endpoint.idempotent) return endpoint.output.parse(await handler(input, who))
  const outcome = await runOnce(who.deps, who.once, async () => (await handler(input, who)) as Outcome<unknown>)
  if ('refused' in outcome) throw refuse(endpoint, outcome.refused)
  return endpoint.output.parse(outcome.answer)
}

type StaffWho = Who & { staff: Staff }

/**
 * Runs a call of the desk. A writing one runs in one transaction with its entry in the audit log and its Idempotency-Key;
 * one that another operator has to approve first is kept for them.
 *
 * @throws Refusal 202 for a call that was kept; 409 for a retry of one whose answer is shown only once
 */
async function runForStaff(mounted: Mounted, input: Fields, who: StaffWho): Promise<unknown> {
  const { endpoint, prepare } = mounted
  const { deps, session, staff, caller } = who
  if (session === null) throw noSession()
  if (endpoint.method === 'GET') return runReading(mounted, input, who)
  const prepared = await prepare?.(input, { deps, session })
  try {
    let fresh: unknown
    const outcome = await runOnce(deps, who.once, () => {
      fresh = undefined
      return inOneTransaction(deps, who.once, async (tx) => {
        fresh = await writeForStaff(mounted, input, { ...who, tx, prepared, isApproved: false })
        return { answer: withoutSecret(endpoint, fresh) }
      })
    })
    if (fresh !== undefined) return fresh
    if ('refused' in outcome) throw refuse(endpoint, outcome.refused)
    if (endpoint.shownOnce === undefined) return outcome.answer
    throw new Refusal(409, 'shown-once', 'This was done already, and its answer is shown only once.', {
      extra: outcome.answer as Fields,
    })
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    throw await keepForApproval(deps.db, {
      endpoint,
      input,
      staff,
      needed: error,
      now: deps.now(),
      address: caller.address,
    })
  }
}

/** What is remembered of an answer: all of it, or the one field that names what was made. */
const withoutSecret = ({ shownOnce }: Endpoint, answer: unknown): unknown =>
  shownOnce === undefined ? answer : { [shownOnce]: (answer as Fields)[shownOnce] }

type Writing = StaffWho & { tx: Db; prepared: unknown; isApproved: boolean }

/**
 * Runs the handler of a writing call of the desk in a transaction, and writes its entry in the audit log.
 *
 * @throws ApprovalNeeded unless it is approved
 */
export async function writeForStaff(mounted: Mounted, input: Fields, writing: Writing): Promise<unknown> {
  const { endpoint, handler } = mounted
  const { tx, deps, staff, isApproved } = writing
  // A read in the handler must not wait for a connection that the transaction has.
  const inside = { ...deps, db: tx, browseDb: tx }
  const records: AuditRecord[] = []
  const answer = await handler(input, {
    ...writing,
    deps: inside,
    record: (what) => records.push(what),
    spend: (what) => spendAllowance(inside, staff, what, isApproved),
    requireApproval: (what) => requireApproval(tx, staff, what, isApproved),
  })
  await writeRecords(tx, endpoint, records, writing)
  return endpoint.output.parse(answer)
}

/** @throws when the call did not say once what it did, which undoes it */
async function writeRecords(tx: Db, endpoint: Endpoint, records: AuditRecord[], { deps, staff, caller }: StaffWho) {
  const [record] = records
  if (record === undefined || records.length > 1) throw new Error(`${endpoint.path} has to record what it does, once.`)
  await writeAudit(tx, {
    ...record,
    at: deps.now(),
    actor: { kind: 'person', userNum: staff.userNum },
    permission: endpoint.access,
    action: endpoint.path,
    address: caller.address,
  })
}

async function runReading(mounted: Mounted, input: Fields, who: StaffWho): Promise<unknown> {
  const { endpoint, handler } = mounted
  const records: AuditRecord[] = []
  const refuseToWrite = () => Promise.reject(new Error(`${endpoint.path} only reads.`))
  const answer = await handler(input, {
    ...who,
    record: (what) => records.push(what),
    spend: refuseToWrite,
    requireApproval: refuseToWrite,
  })
  if (endpoint.audited) await who.deps.db.transaction().execute((tx) => writeRecords(tx, endpoint, records, who))
  return endpoint.output.parse(answer)
}

/** The key that the answer to a raw input is kept under; undefined for an input that is not valid. */
export function keyOfInput(endpoint: Endpoint, { params, query }: Pick<RawInput, 'params' | 'query'>) {
  const given = endpoint.input?.params?.safeParse(params) ?? { success: true, data: {} }
  const asked = endpoint.input?.query?.safeParse(query) ?? { success: true, data: {} }
  return given.success && asked.success ? cacheKey(endpoint, { ...given.data, ...asked.data }) : undefined
}

/** The key of an answer that depends on the declared input only. */
function cacheKey({ path }: Endpoint, input: Fields): string {
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `/api${path} ${JSON.stringify(given)}`
}
