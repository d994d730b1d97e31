import { DESK_QUERY_HEADER } from '#contract/desk.ts'
import type { CallInput, CallOutput, WireEndpoint } from '#contract/endpoint.ts'
import { CALL_TEXTS, formatUnknownError } from '#contract/messages.ts'
import { clearSession, getAccessToken } from './session.ts'

/** Thrown when a call is refused or gets no response (`status` 0). */
export class CallError extends Error {
  readonly status: number
  /** The two texts of a refusal (CALL-7). FAIL-1, FAIL-2 and FAIL-6 specify which one a page shows. */
  readonly texts: { error?: string; message?: string }
  /** The errors of each field of the input. */
  readonly fields: Record<string, string[]>
  /** The whole response, for a refusal with more than texts. */
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.texts = readMessages(body)
    const fields = isRecord(body) ? body['form-error'] : undefined
    this.fields = isRecord(fields) ? (fields as Record<string, string[]>) : {}
    this.body = body
  }

  /** The server's code for the cause of a refusal, if it names one, such as `sudo`: the call requires a confirmation. */
  get reason(): unknown {
    return isRecord(this.body) ? this.body.reason : undefined
  }
}

/** Returns whether a failed call may have taken effect: its response was lost, or the server failed. */
export function mayHaveTakenEffect(error: unknown): boolean {
  return error instanceof CallError && (error.status === 0 || error.status >= 500)
}

/**
 * Returns whether a call was refused before it ran, for example because of an ended session or a rate limit. Such a
 * refusal does not show the outcome of an earlier attempt.
 */
export function isRefusedBeforeRun(error: unknown): boolean {
  return error instanceof CallError && (error.status === 401 || error.status === 429)
}

export type CallOptions = {
  /**
   * Selects the failures that the shell shows: `all` failures that concern the whole page (FAIL-3, FAIL-4: no response,
   * 429, an ended session); only an `ended-session`, for calls whose dialog or form shows the failure; or `none`.
   */
  shellFailures?: 'all' | 'ended-session' | 'none'
  idempotencyKey?: string
  signal?: AbortSignal
  /** Receives each response before it is read, and may throw. */
  onAnswer?: (answer: Response) => unknown
}

/**
 * Makes a call over the network, with the stored token if there is one.
 *
 * @throws CallError with the server's text; without a response, the network text of FAIL-3
 */
export async function call<E extends WireEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  { shellFailures = 'all', idempotencyKey, signal, onAnswer }: CallOptions = {},
): Promise<CallOutput<E>> {
  const { token, url, init } = prepareRequest(endpoint, input, idempotencyKey)
  const answer = await fetch(url, { ...init, cache: 'no-cache', ...(signal && { signal }) }).catch((error: unknown) => {
    throw signal?.aborted ? error : createNoAnswerError(shellFailures)
  })
  await onAnswer?.(answer)
  return readResponse(endpoint, answer, { token, shellFailures })
}

/** Returns the arguments of `fetch` for a call, and the token that the request carries. */
export function prepareRequest<E extends WireEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  idempotencyKey: string | undefined,
) {
  const token = getAccessToken()
  const { url, init } = buildRequest(endpoint, input as Fields)
  const headers = buildHeaders(token, init.headers)
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  return { token, url, init: { ...init, headers } }
}

/** Returns the error of a call without a response, and notifies the shell if it shows such failures. */
export function createNoAnswerError(shellFailures: CallOptions['shellFailures']): CallError {
  if (shellFailures === 'all') notifyListeners({ kind: 'no-answer' })
  return new CallError(0, CALL_TEXTS.network)
}

/**
 * Interprets a response: returns its value or throws its refusal, and notifies the shell.
 *
 * @param options `token` is the token that the request carried
 * @throws CallError
 */
export async function readResponse<E extends WireEndpoint>(
  endpoint: E,
  answer: Response,
  { token, shellFailures }: { token: string | null; shellFailures: CallOptions['shellFailures'] },
): Promise<CallOutput<E>> {
  const { ok, status } = answer
  if (ok && endpoint.isFile) return (await answer.blob()) as CallOutput<E>
  const body: unknown = await answer.json().catch(() => null)
  if (status === 429 && shellFailures === 'all') notifyListeners({ kind: 'too-many' })
  if (status === 401 && shellFailures !== 'none' && token !== null) endExpiredSession(token, body)
  if (isRecord(body) && body.reason === 'claim') notifyListeners({ kind: 'claim' })
  if (!ok) throw toCallError(status, body)
  return body as CallOutput<E>
}

/** Creates the error of a refused call, with the server's text. */
export function toCallError(status: number, body: unknown): CallError {
  const { error, message } = readMessages(body)
  return new CallError(status, error ?? message ?? formatUnknownError(status), body)
}

type Fields = Record<string, unknown>

/** Builds the request of a call: its address, headers and body. Search queries of the desk are in a header. */
export function buildRequest({ method, path, inputParts }: WireEndpoint, input: Fields) {
  const query = new URLSearchParams()
  const body: Fields = {}
  let form: FormData | undefined
  let address = path
  for (const [name, value] of Object.entries(input)) {
    const part = inputParts[name]
    if (value === undefined || part === undefined) continue
    if (part === 'params') address = address.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (part === 'query') query.set(name, String(value))
    else if (part === 'body') body[name] = value
    else {
      form ??= new FormData()
      for (const entry of Array.isArray(value) ? value : [value]) form.append(name, entry as string | Blob)
    }
  }
  const headers: Record<string, string> = {}
  const hasBody = Object.values(inputParts).includes('body')
  if (hasBody) headers['Content-Type'] = 'application/json'
  const isDeskCall = path.startsWith('/admin/')
  if (isDeskCall && query.size > 0) headers[DESK_QUERY_HEADER] = String(query)
  const search = isDeskCall || query.size === 0 ? '' : `?${query}`
  const requestBody = form ?? (hasBody ? JSON.stringify(body) : undefined)
  return {
    url: `/api${address}${search}`,
    init: { method, headers, ...(requestBody !== undefined && { body: requestBody }) },
  }
}

/** Returns the headers that every call carries (CALL-1). */
function buildHeaders(token: string | null, contentHeaders: Record<string, string>): Headers {
  const headers = new Headers(contentHeaders)
  headers.set('X-Requested-With', 'XMLHttpRequest')
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const csrfToken = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  if (csrfToken) headers.set('X-CSRF-TOKEN', csrfToken)
  return headers
}

/**
 * Returns an idempotency key, which makes a retried call take effect once (CALL-12). `crypto.randomUUID` needs TLS, so
 * it is not used.
 */
export function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns the text of an alert about a failed call: a fixed text for 429 and for unexpected errors, otherwise the
 * error's text (FAIL-1, FAIL-2).
 */
export function getAlertText(error: unknown): string {
  if (!(error instanceof CallError)) return CALL_TEXTS.unexpected
  return error.status === 429 ? CALL_TEXTS.tooMany : error.message
}

/**
 * Returns the text of the 'ERROR!' dialog about a failed call. Without a response, the dialog has a different text
 * (FAIL-2).
 */
export function getDialogText(error: unknown): string {
  return error instanceof CallError && error.status !== 0 ? error.message : CALL_TEXTS.unexpected
}

/** Returns whether a call failed because its subject does not exist. */
export function isNotFoundError(error: unknown): boolean {
  return error instanceof CallError && error.status === 404
}

/** Returns whether a call failed because the session ended. The shell shows that failure and leaves the page. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof CallError && error.status === 401
}

/**
 * A failure that concerns the whole page and not only the caller (FAIL-3, FAIL-4). After `claim`, the player has to take
 * over the account first, at the page /claim.
 */
export type CallEvent = { kind: 'expired'; message: string } | { kind: 'too-many' | 'no-answer' | 'claim' }

const listeners = new Set<(event: CallEvent) => void>()

/** Notifies the listeners of the shell. */
function notifyListeners(event: CallEvent): void {
  for (const listener of listeners) listener(event)
}

/** Adds a listener for failures that the shell shows. @returns a function that removes the listener */
export function onCallEvent(listener: (event: CallEvent) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * Deletes a session that the server no longer accepts and notifies the shell, once for all concurrent calls
 * (SESSION-4). A session that began after the call is preserved.
 */
function endExpiredSession(token: string, body: unknown): void {
  if (getAccessToken() !== token) return
  const { error, message } = readMessages(body)
  // The shell deletes the session together with its navigation, so guards do not redirect first. Without a
  // shell, it is deleted here.
  notifyListeners({ kind: 'expired', message: error ?? message ?? '' })
  if (getAccessToken() === token) clearSession()
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function readMessages(body: unknown): { error?: string; message?: string } {
  if (!isRecord(body)) return {}
  const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? { value } : undefined)
  const error = readText(body.error)?.value
  const message = readText(body.message)?.value
  return { ...(error !== undefined && { error }), ...(message !== undefined && { message }) }
}
