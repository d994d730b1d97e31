import type { CallInput, CallOutput, Wire } from '#contract/endpoint.ts'
import { CALLS } from '#contract/messages.ts'
import {
  CallError,
  type CallOptions,
  endDeadSession,
  headersOf,
  refusalOf,
  requestOf,
  tellCallEvent,
} from '#web/api/call.ts'
import { accessToken } from '#web/api/session.ts'

type UploadOptions = Omit<CallOptions, 'signal'> & {
  /** Called with how much has left, 0 to 1. */
  onProgress?: (part: number) => void
}

/**
 * Makes a call like `call`, but tells how much of a form and its files has left, which `fetch` cannot.
 *
 * @throws CallError like `call`
 */
export async function upload<E extends Wire>(
  endpoint: E,
  input: CallInput<E>,
  { shellShows = 'all', idempotencyKey, onProgress }: UploadOptions = {},
): Promise<CallOutput<E>> {
  const token = accessToken()
  const { url, init } = requestOf(endpoint, input as Record<string, unknown>)
  const headers = headersOf(token, init.headers)
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  onProgress?.(0)
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const request = new XMLHttpRequest()
    request.open(init.method, url)
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    request.onloadend = () =>
      resolve({ status: request.status, text: request.status === 0 ? '' : request.responseText })
    request.send(init.body ?? null)
  })
  if (status === 0) {
    if (shellShows === 'all') tellCallEvent({ kind: 'no-answer' })
    throw new CallError(0, CALLS.network)
  }
  if (status === 429 && shellShows === 'all') tellCallEvent({ kind: 'too-many' })
  if (status === 401 && shellShows !== 'none' && token !== null) await endDeadSession(token, new Response(text))
  const body = readJson(text)
  if (status < 200 || status > 299) throw refusalOf(status, body)
  return body as CallOutput<E>
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
