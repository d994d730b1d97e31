import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { CallInput, CallOutput, Endpoint, ValidInput } from '#contract/endpoint.ts'
import { TICKET_UPLOAD_MAX_BYTES } from '#contract/limits.ts'
import { SCREENSHOT } from '#contract/ticket-messages.ts'
import type { Deps } from '../deps.ts'
import { badRequest, describeIssues, type FieldErrors, fieldRefusal, Refusal, refuse } from '../errors.ts'
import { type Caller, callerOf, networkOf } from './client-address.ts'
import { type OnceRequest, type Outcome, runOnce } from './idempotency.ts'
import { findSession, hasPermission, noSession, requireOwnAccount, type Session } from './session.ts'
import { readUploadForm, type UploadLimits } from './upload-form.ts'

type SessionOf<E> = E extends { access: 'public' } ? null : E extends { access: 'visitor' } ? Session | null : Session

/** What a handler is given beside its input. */
export type Asked<E> = Omit<Who, 'session'> & { session: SessionOf<E> }

type Plain<E> = E extends { output: infer O extends z.ZodType } ? z.input<O> : never
/** What a handler of an idempotent call returns is remembered under the caller's key, refusals included. */
type Result<E> = E extends { idempotent: true } ? Outcome<Plain<E>> : Plain<E>
type Handler<E> = (input: ValidInput<E>, asked: Asked<E>) => Result<E> | Promise<Result<E>>

type Who = { deps: Deps; session: Session | null; caller: Caller; once: OnceRequest }
type RawInput = { params: Fields; query: Fields; body: Fields; form: Fields }
type Fields = Record<string, unknown>

/**
 * Rules that only the server can check, run together with the schema's so that one refusal names every wrong field.
 * Gets the input as it came and what is wrong so far. Returns what else is wrong, by field.
 */
type AlsoCheck = (given: Fields, deps: Deps, wrong: Readonly<FieldErrors>) => Promise<FieldErrors>

/** An endpoint with its handler. */
export type Mounted = {
  endpoint: Endpoint
  handler: (input: Fields, who: Who) => unknown
  alsoCheck: AlsoCheck | undefined
}

/** Binds a handler to an endpoint. Everything that the endpoint declares happens around it. */
export function mount<const E extends Endpoint>(
  endpoint: E,
  handler: NoInfer<Handler<E>>,
  alsoCheck?: AlsoCheck,
): Mounted {
  return { endpoint, handler: handler as Mounted['handler'], alsoCheck }
}

/** For shared caches. The process itself forgets its own copies as soon as content changes. */
const PUBLIC_HEADERS = { 'Cache-Control': 'public, max-age=0, s-maxage=30' }
const KEY_RULE = 'Idempotency-Key takes 1 to 200 characters.'

/**
 * Answers a request over HTTP: limit, session (401, 403), input (400, 413, 422), then the kept answer, or the handler,
 * once for each Idempotency-Key. Refusals of calls that guests can make are logged, because a flood shows there.
 *
 * @throws Refusal
 */
export async function answerRequest(deps: Deps, mounted: Mounted, c: Context): Promise<Response> {
  const { endpoint } = mounted
  const caller = callerOf(c, deps.config.trustedProxies)
  try {
    if (endpoint.limit !== undefined) await deps.limits.spend(endpoint.limit, networkOf(caller.address))
    const authorization = c.req.header('Authorization')
    const isGuest = endpoint.access === 'public' || (endpoint.access === 'visitor' && authorization === undefined)
    const session = isGuest ? null : await findSession(deps, authorization)
    requireAccess(endpoint, session)
    return await withRawInput(endpoint, c, async (raw) => {
      const input = await readInput(deps, mounted, raw, session)
      if (endpoint.cache !== undefined) {
        const key = cacheKey(endpoint, input)
        return deps.cache.respondWithValue(c.req.raw, key, () => run(mounted, input, nobody(deps)), PUBLIC_HEADERS)
      }
      const once = await onceRequest(endpoint, input, session, c.req.header('Idempotency-Key'))
      return toResponse(c, await run(mounted, input, { deps, session, caller, once }))
    })
  } catch (error) {
    if (endpoint.access === 'visitor' && error instanceof Refusal)
      deps.log.warn({ address: caller.address, path: c.req.path, status: error.status, id: error.id }, 'call refused')
    throw error
  }
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
})
const NO_KEY: OnceRequest = { owner: '', key: null, content: '' }

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
  requireAccess(endpoint, caller)
  const valid = await readInput(deps, mounted, splitInput(endpoint, input), caller)
  const value =
    endpoint.cache === undefined
      ? await run(mounted, valid, nobody(deps, caller))
      : await deps.cache.value(cacheKey(endpoint, valid), () => run(mounted, valid, nobody(deps)))
  return value as CallOutput<E>
}

/** @throws Refusal 401 without the session that a call needs, 403 without the permission */
function requireAccess(endpoint: Endpoint, session: Session | null): void {
  const { access } = endpoint
  if (access === 'public' || access === 'visitor') return
  if (session === null) throw noSession()
  if (access !== 'player' && !hasPermission(session, access)) throw refuse(endpoint, 'notAllowed')
}

/** Valid input that names nobody else's account. @throws Refusal 403, 422 */
function readInput(deps: Deps, mounted: Mounted, raw: RawInput, session: Session | null): Promise<Fields> {
  if (session !== null) requireOwnAccount(session, namesIn(raw))
  return validate(deps, mounted, raw)
}

/** Runs the handler and lets through what the output's schema knows, so that no private column can leak. */
async function run({ endpoint, handler }: Mounted, input: Fields, who: Who): Promise<unknown> {
  if (!endpoint.idempotent) return endpoint.output.parse(await handler(input, who))
  const outcome = await runOnce(who.deps, who.once, async () => (await handler(input, who)) as Outcome<unknown>)
  if ('refused' in outcome) throw refuse(endpoint, outcome.refused)
  return endpoint.output.parse(outcome.answer)
}

/** Reads what the endpoint takes; the memory of an upload is given back when `use` is done. @throws Refusal 400, 413, 503 */
async function withRawInput(
  endpoint: Endpoint,
  c: Context,
  use: (raw: RawInput) => Promise<Response>,
): Promise<Response> {
  const raw: RawInput = { params: c.req.param(), query: fieldsOf(c.req.queries()), body: {}, form: {} }
  if (endpoint.input?.form === undefined) {
    if (endpoint.method === 'POST') raw.body = await readJson(c, endpoint)
    return use(raw)
  }
  const { form, release } = await readUploadForm(c.req.raw, UPLOAD)
  try {
    const names = [...new Set(form.keys())]
    raw.form = fieldsOf(Object.fromEntries(names.map((name) => [name, form.getAll(name)])))
    return await use(raw)
  } finally {
    release()
  }
}

const UPLOAD: UploadLimits = {
  maxBytes: TICKET_UPLOAD_MAX_BYTES,
  maxParts: 30,
  said: {
    tooLarge: SCREENSHOT.allTooLarge,
    unreadable: SCREENSHOT.unreadable,
    busy: SCREENSHOT.busy,
    tooSlow: SCREENSHOT.tooSlow,
  },
}

/** One value as it is, several as a list. */
const fieldsOf = (lists: Record<string, unknown[]>): Fields =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length === 1 ? list[0] : list]))

/** The fields of a JSON body. What is not readable matters only to a call that takes a body. @throws Refusal 400 */
async function readJson(c: Context, { input }: Endpoint): Promise<Fields> {
  const text = await c.req.text()
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(c.req.header('Content-Type') ?? '')) return {}
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
    if (input?.body === undefined) return {}
    throw badRequest('The request is not readable as JSON.')
  }
}

function* namesIn({ query, body, form }: RawInput): Iterable<readonly [string, unknown]> {
  for (const fields of [query, body, form]) {
    for (const [name, value] of Object.entries(fields)) {
      for (const one of Array.isArray(value) ? value : [value]) yield [name, one]
    }
  }
}

/** A flat input as it would have travelled: what stands in an address is text. */
function splitInput(endpoint: Endpoint, input: object): RawInput {
  const raw: RawInput = { params: {}, query: {}, body: {}, form: {} }
  for (const [name, value] of Object.entries(input)) {
    const place = endpoint.places[name]
    if (place === undefined || value === undefined) continue
    raw[place][name] = place === 'params' || place === 'query' ? String(value) : value
  }
  return raw
}

/** @throws Refusal 422 with every wrong field */
async function validate(deps: Deps, { endpoint, alsoCheck }: Mounted, raw: RawInput): Promise<Fields> {
  const valid: Fields = {}
  const wrong: FieldErrors = {}
  for (const place of ['params', 'query', 'body', 'form'] as const) {
    const parsed = endpoint.input?.[place]?.safeParse(raw[place])
    if (parsed?.success) Object.assign(valid, parsed.data)
    else if (parsed !== undefined) Object.assign(wrong, describeIssues(parsed.error.issues))
  }
  if (alsoCheck !== undefined) {
    const given = { ...raw.params, ...raw.query, ...raw.body, ...raw.form }
    for (const [field, texts] of Object.entries(await alsoCheck(given, deps, wrong)))
      wrong[field] = [...(wrong[field] ?? []), ...texts]
  }
  if (Object.keys(wrong).length > 0) throw fieldRefusal(wrong)
  return valid
}

/** The key of an answer that depends on the declared input only. */
function cacheKey({ path }: Endpoint, input: Fields): string {
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `/api${path} ${JSON.stringify(given)}`
}

/** @throws Refusal 422 for a key that is empty or too long */
async function onceRequest(
  endpoint: Endpoint,
  input: Fields,
  session: Session | null,
  key: string | undefined,
): Promise<OnceRequest> {
  if (!endpoint.idempotent || key === undefined) return NO_KEY
  if (key.length < 1 || key.length > 200) throw new Refusal(422, 'idempotency-key', KEY_RULE)
  const { guestBy = '' } = endpoint
  const guest = String(input[guestBy] ?? '').toLowerCase()
  // What tells guests apart is part of the owner.
  const given = Object.entries(input).filter(([name]) => name !== guestBy)
  const fields = await Promise.all(given.map(async ([name, value]) => [name, await toComparable(value)]))
  return {
    owner: session === null ? `guest:${digest(guest)}` : String(session.userNum),
    key,
    content: digest(JSON.stringify([endpoint.path, fields])),
  }
}

/** A value whose JSON differs where the value does; a file is told by its bytes. */
async function toComparable(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(toComparable))
  return value instanceof File ? digest(Buffer.from(await value.arrayBuffer())) : value
}

const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('base64url')
