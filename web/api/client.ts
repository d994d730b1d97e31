import type { hc } from 'hono/client'
import { CALLS, unknownError } from '#contract/messages.ts'
import type { Api } from '#server/api.ts'
import { tellCallEvent } from './call-events.ts'
import { createCalls } from './call-proxy.ts'
import { accessToken, endDeadSession } from './session.ts'

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
  return createCalls<ApiClient>(`${origin}/api`, fetchImpl)
}

type Manner = {
  /** Whether a 429 and a call without an answer show the alerts of SPEC §8. */
  alerts: boolean
  /** Whether a 401 ends the stored session and says so (SPEC §4). */
  expiry: boolean
}

function headersOf(init: RequestInit | undefined, token: string | null): Headers {
  const headers = new Headers(init?.headers)
  headers.set('X-Requested-With', 'XMLHttpRequest')
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const forgeryToken = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  if (forgeryToken) headers.set('X-CSRF-TOKEN', forgeryToken)
  return headers
}

/** The browser's fetch: with the stored token when there is one, to the site it came from. */
function fetchWith({ alerts, expiry }: Manner): typeof fetch {
  return async (input, init) => {
    const token = accessToken()
    let answer: Response
    try {
      answer = await fetch(input, { ...init, headers: headersOf(init, token), cache: 'no-cache' })
    } catch (error) {
      const given = error instanceof DOMException && error.name === 'AbortError'
      if (alerts && !given) tellCallEvent({ kind: 'no-answer' })
      throw error
    }
    if (answer.status === 429 && alerts) tellCallEvent({ kind: 'too-many' })
    if (answer.status === 401 && expiry && token !== null) await endDeadSession(token, answer.clone())
    return answer
  }
}

/** The browser's client: failures that concern the whole page are told to the shell. */
export const browserClient = createClient(fetchWith({ alerts: true, expiry: true }))

/** For calls whose dialog or form shows the failure itself; a dead session is still told. */
export const dialogClient = createClient(fetchWith({ alerts: false, expiry: true }))

/** For calls whose failure is nobody's concern but the caller's: login, logout, looking whether a token lives. */
export const silentClient = createClient(fetchWith({ alerts: false, expiry: false }))

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
