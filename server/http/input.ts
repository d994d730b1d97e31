import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Context } from 'hono'
import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import { type Endpoint, isStaffAccess } from '#contract/endpoint.ts'
import { TICKET_UPLOAD_MAX_BYTES } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import type { Deps } from '../deps.ts'
import { createBadRequest, createInputRefusal, describeIssues, type FieldErrors, omitText } from '../errors.ts'
import { getClientAddress, getNetwork } from './client-address.ts'
import { readText } from './read-body.ts'
import { readUploadForm, type UploadLimits } from './upload-form.ts'

export type Fields = Record<string, unknown>

/** An input before any rule is applied. */
export type RawInput = { params: Fields; query: Fields; body: Fields; form: Fields }

/**
 * Checks rules that only the server can check, together with those of the schema, so one refusal contains every wrong field.
 * Gets the raw input and the errors so far. Returns further errors by field.
 */
export type ServerCheck = (rawFields: Fields, deps: Deps, fieldErrors: Readonly<FieldErrors>) => Promise<FieldErrors>

/**
 * Reads the input of an endpoint and passes it to `handle`. Deletes uploaded files afterwards. JSON instead of an upload is
 * treated as an empty form, which the schema refuses (DESK-5). @throws Refusal 400, 408, 413, 503
 */
export async function handleRawInput(
  deps: Deps,
  endpoint: Endpoint,
  c: Context,
  handle: (raw: RawInput) => Promise<Response>,
): Promise<Response> {
  const raw: RawInput = { params: c.req.param(), query: readQuery(c, endpoint), body: {}, form: {} }
  if (endpoint.input?.form === undefined) {
    if (endpoint.method === 'POST') raw.body = await readJson(c, endpoint)
    return handle(raw)
  }
  if (isJson(c)) return handle(raw)
  const { form, release } = await readUploadForm(c.req.raw, UPLOAD_LIMITS, {
    network: getNetwork(getClientAddress(c, deps.config.trustedProxies)),
    folder: join(deps.config.dataDir, 'uploads'),
  })
  try {
    raw.form = toFields(form)
    return await handle(raw)
  } finally {
    await release()
  }
}

/** Returns the query of an address and, for a call of the desk, of the header that can replace it. */
function readQuery(c: Context, { access }: Endpoint): Fields {
  const query = toFields(new URL(c.req.url).searchParams)
  const header = isStaffAccess(access) ? c.req.header(DESK_QUERY_HEADER) : undefined
  return header === undefined ? query : { ...query, ...toFields(new URLSearchParams(header)) }
}

const UPLOAD_LIMITS: UploadLimits = {
  maxBytes: TICKET_UPLOAD_MAX_BYTES,
  maxParts: 30,
  messages: {
    tooLarge: SCREENSHOT_TEXTS.allTooLarge,
    unreadable: SCREENSHOT_TEXTS.unreadable,
    busy: SCREENSHOT_TEXTS.busy,
    tooSlow: SCREENSHOT_TEXTS.tooSlow,
  },
}

/**
 * Returns whether a request has a body; true for requests in the process. The Web request would create a stream even for an
 * empty body, which takes longer than the rest of the router.
 */
export function hasBody(c: Context): boolean {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  if (incoming === undefined) return true
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = incoming.headers
  return Number(length) > 0 || encoding !== undefined
}

/** Converts a query or a form to an object. A repeated field becomes a list. */
export const toFields = (rawFields: URLSearchParams | FormData): Fields =>
  Object.fromEntries(
    [...new Set(rawFields.keys())].map((name) => {
      const values = rawFields.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )

const isJson = (c: Context) => /^application\/(?:[\w.-]+\+)?json\b/i.test(c.req.header('Content-Type') ?? '')

/** Reads the fields of a JSON body. An unreadable body is ignored if the call has no body. @throws Refusal 400 */
async function readJson(c: Context, { input }: Endpoint): Promise<Fields> {
  const text = hasBody(c) ? await readText(c) : ''
  const isIgnored = input?.body === undefined
  const refusal = createBadRequest('The request is not valid JSON.')
  if (!isJson(c)) {
    if (isIgnored || text === '') return {}
    throw refusal
  }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
    if (isIgnored) return {}
    throw refusal
  }
}

/** Yields the fields that can name an account, with all values of repeated ones. */
export function* listAccountFields({ query, body, form }: RawInput): Iterable<readonly [string, unknown]> {
  yield* Object.entries(body)
  for (const [name, value] of [...Object.entries(query), ...Object.entries(form)]) {
    for (const item of Array.isArray(value) ? value : [value]) yield [name, item]
  }
}

/** Splits a flat input into the parts of a request. In an address every value is text. */
export function splitInput(endpoint: Endpoint, input: object): RawInput {
  const raw: RawInput = { params: {}, query: {}, body: {}, form: {} }
  for (const [name, value] of Object.entries(input)) {
    const part = endpoint.inputParts[name]
    if (part === undefined || value === undefined) continue
    raw[part][name] = part === 'params' || part === 'query' ? String(value) : value
  }
  return raw
}

/** Parses the input with its schemas into one flat object. @throws Refusal 422 with every wrong field */
export async function validateInput(
  deps: Deps,
  { endpoint, serverCheck }: { endpoint: Endpoint; serverCheck: ServerCheck | undefined },
  raw: RawInput,
): Promise<Fields> {
  const validInput: Fields = {}
  const fieldErrors: FieldErrors = {}
  for (const part of ['params', 'query', 'body', 'form'] as const) {
    const result = endpoint.input?.[part]?.safeParse(raw[part], { error: omitText })
    if (result?.success) Object.assign(validInput, result.data)
    else if (result !== undefined) Object.assign(fieldErrors, describeIssues(result.error.issues))
  }
  if (serverCheck !== undefined) {
    const rawFields = { ...raw.params, ...raw.query, ...raw.body, ...raw.form }
    for (const [field, texts] of Object.entries(await serverCheck(rawFields, deps, fieldErrors)))
      fieldErrors[field] = [...(fieldErrors[field] ?? []), ...texts]
  }
  if (Object.keys(fieldErrors).length > 0) throw createInputRefusal(fieldErrors)
  return validInput
}
