import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { CURRENCY_NAMES, type CurrencyNames, nameCurrencies } from '#contract/currencies.ts'
import type { CallError, Endpoint } from '#contract/endpoint.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { SERVICE_TEXTS } from '#contract/services.ts'
import { breaksConstraint, isDatabaseUnavailable } from './db/errors.ts'
import { findRefusalName, toErrorCode } from './error-codes.ts'

/** An error whose status and message are meant for the caller; any other error answers 500. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode
  readonly id: string
  readonly extra: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined
  /** The endpoint's declaration of the refusal. */
  readonly declaration: CallError | undefined

  constructor(
    status: ContentfulStatusCode,
    id: string,
    message: string,
    options: { extra?: Record<string, unknown>; retryAfterSeconds?: number; declaration?: CallError } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.id = id
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.declaration = options.declaration
  }
}

/** Creates the refusal of an unreadable request, such as a body that is not JSON. */
export const createBadRequest = (message: string) => new Refusal(400, 'bad-request', message)
/** Creates the refusal for a caller who closed the connection before the whole body arrived (FAIL-10). */
export const createBodyCutOff = () =>
  new Refusal(400, 'body-cut-off', 'The request ended before its body was complete.')
/** Creates the refusal for an address that does not exist, or that this caller may not see. */
export const createNotFound = (message = 'There is nothing at this address.') => new Refusal(404, 'not-found', message)
/** Creates the refusal of a request that is too large for its call. */
export const createTooLarge = () => new Refusal(413, 'too-large', 'The request is too large.')
/** Creates the refusal of a readable request that breaks a rule; `message` names the rule. */
export const createRuleBroken = (message: string) => new Refusal(422, 'rule-broken', message)
/** The reason why spending is paused: maintenance, or operators have closed purchases (contract/errors.ts `pauseErrors`). */
export type Pause = 'maintenance' | 'purchasesClosed'

/**
 * Returns whether a refusal is a pause. The same request can succeed later, so the refusal is neither stored under the
 * request's idempotency key nor logged.
 */
export const isPause = (code: string | null): code is Pause => code === 'maintenance' || code === 'purchasesClosed'

/** Creates the refusal when a limit on requests is used up (FAIL-4, CALL-8). */
export const createTooManyRequests = (retryAfterSeconds: number) =>
  new Refusal(429, 'too-many', 'Too many Requests! try again later', { retryAfterSeconds })

/** Creates the refusal when too many requests are waiting; the caller can retry after five seconds. */
export const createSiteBusy = () =>
  new Refusal(503, 'busy', 'The site is very busy right now. Please try again in a moment.', { retryAfterSeconds: 5 })

/** The errors of each field, as sentences for people. */
export type FieldErrors = Record<string, string[]>

/** Creates a refusal with the wrong fields in `form-error`; its message is the first of their texts. */
export function createInputRefusal(errors: FieldErrors): Refusal {
  const [firstText] = Object.values(errors).flat()
  return new Refusal(422, 'form-error', firstText ?? 'The request is not valid.', { extra: { 'form-error': errors } })
}

/** A call that declares the refusals `Name`. */
export type RefusingCall<Name extends string> = { errors: Record<Name, CallError> }

/** Creates a refusal that an endpoint declares, by its name there. */
export function refuse<E extends Pick<Endpoint, 'errors'>>(
  endpoint: E,
  name: keyof NonNullable<E['errors']> & string,
): Refusal {
  const declaration = endpoint.errors?.[name]
  if (declaration === undefined) throw new Error(`The refusal ${name} is not declared.`)
  const { status, message, field } = declaration
  return new Refusal(status, toErrorCode(name), message, {
    declaration: declaration,
    ...(field !== undefined && { extra: { 'form-error': { [field]: [message] } } }),
  })
}

/** Creates a refusal that an endpoint declares, by the code that SQL statements return and stored responses contain. */
export function refuseByCode(endpoint: Pick<Endpoint, 'errors'>, code: string): Refusal {
  return refuse(endpoint, findRefusalName(endpoint, code) ?? code)
}

/**
 * Creates a handler for `catch` that maps violated constraints of a call's statement, by their names, to the call's refusals.
 * It rethrows any other error.
 */
export const refuseViolations =
  <E extends Pick<Endpoint, 'errors'>>(
    endpoint: E,
    refusals: Record<string, keyof NonNullable<E['errors']> & string>,
  ) =>
  (error: unknown): never => {
    const violation = Object.entries(refusals).find(([constraint]) => breaksConstraint(error, constraint))
    throw violation === undefined ? error : refuse(endpoint, violation[1])
  }

/** Leaves the messages of rules without a text empty, as `describeIssues` requires: `safeParse(input, { error: omitText })`. */
export const omitText = () => ''

/** Groups a schema's errors by field. The input must have been parsed with `omitText`. */
export function describeIssues(issues: z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path.join('.') || 'request'
    const text = issue.message === '' ? `${field === 'request' ? 'The request' : field} is not valid.` : issue.message
    if (!errors[field]?.includes(text)) errors[field] = [...(errors[field] ?? []), text]
  }
  return errors
}

const DATABASE_UNAVAILABLE = 'database-away'

/** Creates the refusal while the database is unavailable; the caller can retry after five seconds. */
export const createDatabaseUnavailable = () =>
  new Refusal(
    503,
    DATABASE_UNAVAILABLE,
    "The site's database is not available right now. Please try again in a moment.",
    {
      retryAfterSeconds: 5,
    },
  )

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof HTTPException && error.status < 500) {
    return error.status === 413 ? createTooLarge() : createBadRequest('The request body is not valid JSON.')
  }
  if (isDatabaseUnavailable(error)) return createDatabaseUnavailable()
  // The database rejects services where only items are allowed (SERVICE-2), and rolls the call back.
  if (breaksConstraint(error, 'services_for_characters')) return createRuleBroken(SERVICE_TEXTS.notHere)
  return new Refusal(500, 'accident', 'Something went wrong on our side. Please try again.')
}

/** Returns the part of an error to log: never the driver's details and parameters, which contain whole rows. */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return { type: error.name, message: error.message, stack: error.stack, code, constraint }
}

type AnswerTools = {
  log: Logger
  countRefusal?: (id: string) => void
  /** Reads what players call the currencies, for texts that name them. */
  readCurrencies?: () => Promise<CurrencyNames>
}

/** Turns an error into an answer (CALL-7): a message for people, never a stack, SQL or a path. */
export async function answerError(
  error: unknown,
  c: Context,
  { log, countRefusal, readCurrencies }: AnswerTools,
): Promise<Response> {
  const refusal = await nameCurrenciesInRefusal(toRefusal(error), readCurrencies)
  countRefusal?.(refusal.id)
  // A 503 because of too many requests or a pause is not an error of the site.
  if (refusal.status === 500 || refusal.id === DATABASE_UNAVAILABLE)
    log.error({ err: describeFault(error), path: c.req.path, id: refusal.id }, 'request failed')
  if (refusal.retryAfterSeconds !== undefined) c.header('Retry-After', String(refusal.retryAfterSeconds))
  c.header('Cache-Control', 'no-store')
  // The time limit on bodies has already answered 408.
  if ((c.env as Partial<HttpBindings> | undefined)?.outgoing?.headersSent)
    return new Response(null, ALREADY_SENT_OPTIONS)
  if (isPageRequest(c)) return c.html(renderPlainPage(refusal), refusal.status)
  const body: ErrorBody = { error: refusal.message, message: refusal.message }
  return c.json({ ...body, ...refusal.extra }, refusal.status)
}

/** Puts the names of the currencies into a refusal that names one. */
async function nameCurrenciesInRefusal(
  refusal: Refusal,
  readCurrencies: AnswerTools['readCurrencies'],
): Promise<Refusal> {
  if (readCurrencies === undefined || !/R-Coin|Milleage/.test(refusal.message + JSON.stringify(refusal.extra)))
    return refusal
  const names = await readCurrencies().catch(() => CURRENCY_NAMES)
  const errors = refusal.extra['form-error'] as FieldErrors | undefined
  const renamedErrors = Object.entries(errors ?? {}).map(([field, texts]) => [
    field,
    texts.map((text) => nameCurrencies(text, names)),
  ])
  return new Refusal(refusal.status, refusal.id, nameCurrencies(refusal.message, names), {
    extra: { ...refusal.extra, ...(errors !== undefined && { 'form-error': Object.fromEntries(renamedErrors) }) },
    ...(refusal.retryAfterSeconds !== undefined && { retryAfterSeconds: refusal.retryAfterSeconds }),
  })
}

/** The header for @hono/node-server of a response that was already sent. */
const ALREADY_SENT_OPTIONS = { headers: { 'x-hono-already-sent': 'true' } }

/** Returns whether the request is a browser's for a page, rather than a call. */
const isPageRequest = (c: Context) =>
  !c.req.path.startsWith('/api/') && /\btext\/html\b/.test(c.req.header('Accept') ?? '')

/** Creates a self-contained page for a refusal, without the renderer. */
function renderPlainPage({ status, message, retryAfterSeconds = 5 }: Refusal) {
  const retryHtml = html`<p>Please wait ${formatSeconds(retryAfterSeconds)}.</p><p><a href="">Try again</a></p>`
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${message}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><style>
body { background: #0A0C13; color: #EDEFF7; font: 1.1rem/1.6 system-ui, sans-serif; margin: 20vh auto; max-width: 32rem; padding: 0 1rem }
a { color: inherit }
</style></head><body><h1>${message}</h1>${status === 429 || status === 503 ? retryHtml : ''}</body></html>`
}

const formatSeconds = (seconds: number) => (seconds === 1 ? 'a second' : `${seconds} seconds`)
