import { hc } from 'hono/client'
import { CALLS, unknownError } from '#contract/messages.ts'
import type { Api } from '#server/api.ts'
import { accessToken } from './session.ts'

export type ApiClient = ReturnType<typeof hc<Api>>

/** A call that was refused or that nobody answered (`status` 0). `message` is for people. */
export class CallError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.body = body
  }
}

/** The typed client of every call, on the given fetch. The server renders with one that stays in the process. */
export function createClient(fetchImpl: typeof fetch, origin = ''): ApiClient {
  return hc<Api>(`${origin}/api`, { fetch: fetchImpl })
}

const browserFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('X-Requested-With', 'XMLHttpRequest')
  const token = accessToken()
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const forgeryToken = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  if (forgeryToken) headers.set('X-CSRF-TOKEN', forgeryToken)
  return fetch(input, { ...init, headers, cache: 'no-cache' })
}

/** The browser's client: asks the site it came from, with the stored token when there is one. */
export const browserClient = createClient(browserFetch)

type Answer<Body> = { ok: boolean; status: number; json(): Promise<Body> }
type OkBody<R> = R extends { ok: true; json(): Promise<infer Body> } ? Body : never

/**
 * The body of a successful call.
 * @throws CallError with the server's words; without an answer, SPEC §8's network text
 */
export async function read<R extends Answer<unknown>>(call: Promise<R>): Promise<OkBody<R>> {
  let answer: R
  try {
    answer = await call
  } catch {
    throw new CallError(0, CALLS.network)
  }
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw new CallError(answer.status, messageOf(body) ?? unknownError(answer.status), body)
  return body as OkBody<R>
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { error, message } = body as { error?: unknown; message?: unknown }
  return [error, message].find((text): text is string => typeof text === 'string' && text !== '')
}
