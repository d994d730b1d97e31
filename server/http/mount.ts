import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { z } from 'zod'
import type { CallInput, CallOutput, Endpoint, ValidInput } from '#contract/endpoint.ts'
import { TICKET_UPLOAD_MAX_BYTES } from '#contract/limits.ts'
import { SCREENSHOT } from '#contract/ticket-messages.ts'
import type { Deps } from '../deps.ts'
import { badRequest, Refusal, refuse, refuseInput } from '../errors.ts'
import { type Caller, callerOf, networkOf } from './client-address.ts'
import type { OnceRequest, Outcome } from './idempotency.ts'
import { findSession, hasPermission, requireOwnAccount, type Session } from './session.ts'
import { readUploadForm } from './upload-form.ts'

type SessionOf<E> = E extends { access: 'public' } ? null : E extends { access: 'visitor' } ? Session | null : Session

/** What a handler is given beside its input. */
export type Asked<E> = { deps: Deps; session: SessionOf<E>; caller: Caller; once: OnceRequest }

type Plain<E> = E extends { output: infer O extends z.ZodType } ? z.input<O> : never
/** What a handler of an idempotent call returns is kept under the caller's key, refusals included. */
type Result<E> = E extends { idempotent: unknown } ? Outcome<Plain<E>> : Plain<E>
type Handler<E> = (input: ValidInput<E>, asked: Asked<E>) => Result<E> | Promise<Result<E>>

type RawInput = { params: Fields; query: Fields; body: Fields; form: Fields }
type Fields = Record<string, unknown>

/** An endpoint with its handler. */
export type Mounted = {
  endpoint: Endpoint
  handler: (input: Fields, asked: Asked<unknown>) => unknown
}

/** Binds a handler to an endpoint. Everything that the endpoint declares happens around it. */
export function mount<const E extends Endpoint>(endpoint: E, handler: Handler<E>): Mounted {
  return { endpoint, handler: handler as Mounted['handler'] }
}

/** For shared caches. The process itself forgets its own copies as soon as content changes. */
const PUBLIC_HEADERS = { 'Cache-Control': 'public, max-age=0, s-maxage=30' }
const KEY_RULE = 'Idempotency-Key takes 1 to 200 characters.'

/**
 * Answers a request over HTTP: limit, session (401, 403), input (400, 413, 422), then the handler, once for each
 * Idempotency-Key, or the kept answer.
 *
 * @throws Refusal
 */
export async function answerRequest(deps: Deps, mounted: Mounted, c: Context): Promise<Response> {
  const { endpoint } = mounted
  const caller = callerOf(c, deps.config.trustedProxies)
  if (endpoint.limit !== undefined) await deps.limits.spend(endpoint.limit, networkOf(caller.address))
  const session = await identify(deps, endpoint, c.req.header('Authorization'))
  return withRawInput(endpoint, c, async (raw) => {
    if (session !== null) requireOwnAccount(session, namesIn(raw))
    const input = validate(endpoint, raw)
    if (endpoint.cache !== undefined) {
      const key = cacheKey(endpoint, input)
      return deps.cache.respondWithValue(c.req.raw, key, () => run(deps, mounted, input, NOBODY), PUBLIC_HEADERS)
    }
    const once = await onceRequest(endpoint, input, session, c.req.header('Idempotency-Key'))
    const value = await run(deps, mounted, input, { session, caller, once })
    c.header('Cache-Control', 'no-store')
    if (value instanceof File) {
      c.header('Content-Disposition', `inline; filename="${value.name}"`)
      return c.body(await value.arrayBuffer(), 200, { 'Content-Type': value.type })
    }
    return c.json(value as object)
  })
}

type Who = { session: Session | null; caller: Caller; once: OnceRequest }
/** In the process there is no address, and a public call does not ask for one. */
const NOBODY: Who = {
  session: null,
  caller: { address: '127.0.0.1', device: '' },
  once: { owner: '', key: null, content: '' },
}

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
  if (session === null && endpoint.access !== 'public' && endpoint.access !== 'visitor')
    await findSession(deps, undefined)
  const valid = validate(endpoint, splitInput(endpoint, input))
  const value =
    endpoint.cache === undefined
      ? await run(deps, mounted, valid, { ...NOBODY, session })
      : await deps.cache.value(cacheKey(endpoint, valid), () => run(deps, mounted, valid, NOBODY))
  return value as CallOutput<E>
}

/** Runs the handler and lets through what the output's schema knows, so that no private column can leak. */
async function run(deps: Deps, { endpoint, handler }: Mounted, input: Fields, who: Who): Promise<unknown> {
  const result = await handler(input, { deps, ...who, session: who.session as never })
  if (!endpoint.idempotent) return endpoint.output.parse(result)
  const outcome = result as Outcome<unknown>
  if ('refused' in outcome) throw refuse(endpoint, outcome.refused)
  return endpoint.output.parse(outcome.answer)
}

async function identify(deps: Deps, endpoint: Endpoint, authorization: string | undefined): Promise<Session | null> {
  const { access } = endpoint
  if (access === 'public' || (access === 'visitor' && authorization === undefined)) return null
  const session = await findSession(deps, authorization)
  if (access !== 'visitor' && access !== 'player' && !hasPermission(session, access))
    throw refuse(endpoint, 'notAllowed')
  return session
}

/** Reads what the endpoint takes; the memory of an upload is given back when `use` is done. @throws Refusal 400, 413, 503 */
async function withRawInput(
  endpoint: Endpoint,
  c: Context,
  use: (raw: RawInput) => Promise<Response>,
): Promise<Response> {
  const raw: RawInput = { params: c.req.param(), query: fieldsOf(c.req.queries()), body: {}, form: {} }
  if (endpoint.input?.form === undefined) {
    if (endpoint.method === 'POST') raw.body = await readJson(c)
    return use(raw)
  }
  let answer: Response | undefined
  await readForm(c, async () => {
    const form = await c.req.formData()
    const names = [...new Set(form.keys())]
    raw.form = fieldsOf(Object.fromEntries(names.map((name) => [name, form.getAll(name)])))
    answer = await use(raw)
  })
  if (answer === undefined) throw new Error('An upload was not answered.')
  return answer
}

const readForm = readUploadForm({
  maxBytes: TICKET_UPLOAD_MAX_BYTES,
  maxParts: 30,
  said: {
    tooLarge: SCREENSHOT.allTooLarge,
    unreadable: SCREENSHOT.unreadable,
    busy: SCREENSHOT.busy,
    tooSlow: SCREENSHOT.tooSlow,
  },
})

/** One value as it is, several as a list. */
const fieldsOf = (lists: Record<string, unknown[]>): Fields =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length === 1 ? list[0] : list]))

async function readJson(c: Context): Promise<Fields> {
  const text = await c.req.text()
  if (text === '' || !/^application\/(?:[\w.-]+\+)?json\b/i.test(c.req.header('Content-Type') ?? '')) return {}
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
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
function validate(endpoint: Endpoint, raw: RawInput): Fields {
  const valid: Fields = {}
  const issues: z.core.$ZodIssue[] = []
  for (const place of ['params', 'query', 'body', 'form'] as const) {
    const parsed = endpoint.input?.[place]?.safeParse(raw[place])
    if (parsed?.success) Object.assign(valid, parsed.data)
    else if (parsed !== undefined) issues.push(...parsed.error.issues)
  }
  if (issues.length > 0) throw refuseInput(issues)
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
  if (!endpoint.idempotent || key === undefined) return NOBODY.once
  if (key.length < 1 || key.length > 200) throw new Refusal(422, 'idempotency-key', KEY_RULE)
  const guest = endpoint.guestBy === undefined ? '' : String(input[endpoint.guestBy] ?? '').toLowerCase()
  const fields = await Promise.all(Object.entries(input).map(async ([name, value]) => [name, await describe(value)]))
  return {
    owner: session === null ? `guest:${digest(guest)}` : String(session.userNum),
    key,
    content: digest(JSON.stringify([endpoint.path, fields])),
  }
}

/** A value as JSON can tell it apart from another; a file by its bytes. */
async function describe(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(describe))
  return value instanceof File ? digest(Buffer.from(await value.arrayBuffer())) : value
}

const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('base64url')
