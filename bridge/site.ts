import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'
import { startBridge } from '#contract/bridge.ts'
import { BRIDGE_HEADERS, isLoopbackHost, toSignedText } from '#contract/bridge-signing.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'

/** The site refused a request; `reason` is machine-readable. */
export class SiteRefusal extends Error {
  override name = 'SiteRefusal'
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/** The site did not answer, or the answer is not from a Tambayan site. */
export class SiteUnavailable extends Error {
  override name = 'SiteUnavailable'
}

/** The dependencies of the agent's requests. Tests replace some. */
export type SiteDeps = {
  /** Origin of the site. */
  site: string
  bridge: number
  signKey: KeyObject
  /** The UUID of the calling process. Each restart of the agent within the process adds a number. */
  instance: string
  now?: () => Date
  fetch?: typeof fetch
}

const refusalSchema = z.object({ message: z.string(), reason: z.string().optional() })
const ANSWER_TIMEOUT_MS = 30_000
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

/**
 * Returns the origin of the site. Plain http is accepted only for this machine (BRIDGE-8).
 *
 * @throws Error with a sentence for the operator
 */
export function readSite(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error(`"${text}" is not the address of a site, such as https://play.example.ph.`)
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new Error(
      `The site must be reached over https, because others could read or change the requests otherwise: ${text}`,
    )
  return url.origin
}

/**
 * Creates a function that calls the site with signed requests, each with a new nonce, and checks the answers against the
 * contract.
 *
 * @throws SiteRefusal, SiteUnavailable
 */
export function createSiteCall({
  site,
  bridge,
  signKey,
  instance,
  now = () => new Date(),
  fetch: sendRequest = fetch,
}: SiteDeps) {
  let [currentInstance, startCount] = [instance, 0]
  return async function callSite<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    signal?: AbortSignal,
  ): Promise<CallOutput<E>> {
    // Each start gets a new instance, so the site refuses late requests of an earlier start, which could describe the
    // database before a restore.
    if (endpoint.path === startBridge.path) {
      if (startCount > 0) currentInstance = `${instance}-${startCount}`
      startCount++
    }
    const body = endpoint.method === 'POST' ? JSON.stringify(input) : ''
    const path = `/api${endpoint.path}`
    const time = now().toISOString()
    const nonce = randomBytes(16).toString('base64url')
    const bodyHash = createHash('sha256').update(body).digest('hex')
    const text = toSignedText({
      method: endpoint.method,
      origin: site,
      path,
      bodyHash,
      time,
      nonce,
      instance: currentInstance,
    })
    return sendTo(sendRequest, site + path, endpoint, body, {
      ...(signal && { signal }),
      headers: {
        [BRIDGE_HEADERS.bridge]: String(bridge),
        [BRIDGE_HEADERS.instance]: currentInstance,
        [BRIDGE_HEADERS.time]: time,
        [BRIDGE_HEADERS.nonce]: nonce,
        [BRIDGE_HEADERS.signature]: sign(null, Buffer.from(text), signKey).toString('base64url'),
      },
    })
  }
}

export type CallSite = ReturnType<typeof createSiteCall>

/** Makes an unsigned call; only the pairing is one. @throws SiteRefusal, SiteUnavailable */
export function callUnsigned<E extends Endpoint>(
  site: string,
  endpoint: E,
  input: CallInput<E>,
  sendRequest: typeof fetch = fetch,
): Promise<CallOutput<E>> {
  return sendTo(sendRequest, `${site}/api${endpoint.path}`, endpoint, JSON.stringify(input), { headers: {} })
}

async function sendTo<E extends Endpoint>(
  sendRequest: typeof fetch,
  url: string,
  endpoint: E,
  body: string,
  { headers, signal }: { headers: Record<string, string>; signal?: AbortSignal },
): Promise<CallOutput<E>> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  let status: number
  let text: string
  try {
    const answer = await sendRequest(url, {
      method: endpoint.method,
      headers: endpoint.method === 'POST' ? { ...headers, 'Content-Type': 'application/json' } : headers,
      ...(endpoint.method === 'POST' && { body }),
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    status = answer.status
    text = await readText(answer)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof SiteUnavailable) throw error
    throw new SiteUnavailable(`The bridge could not get an answer from the site: ${describeReason(error)}`)
  }
  const json = parseJson(text)
  if (status >= 500) throw new SiteUnavailable(`The site answered with an error (${status}).`)
  if (status !== 200) {
    const answer = refusalSchema.safeParse(json)
    if (!answer.success) throw new SiteUnavailable(`There is no Tambayan site at ${new URL(url).origin} (${status}).`)
    throw new SiteRefusal(status, answer.data.reason ?? '', answer.data.message)
  }
  const answer = endpoint.output.safeParse(json)
  if (!answer.success)
    throw new SiteUnavailable('The site’s answer is not one that this version of the bridge understands.')
  return answer.data as CallOutput<E>
}

/** Reads the text of an answer. @throws SiteUnavailable if it is longer than any answer of the site */
async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_MAX_BYTES) throw new SiteUnavailable('The answer of the site is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the system's text for an error; undici has it in `cause`. */
export function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '') return describeReason(error.errors[0])
  return error.cause instanceof Error ? describeReason(error.cause) : error.message
}
